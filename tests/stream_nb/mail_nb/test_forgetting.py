"""Forgetting refuses arguments out of range; what it removes is tested in `test_statistics.py` and
`../features/test_decay.py`."""

import pytest

from stream_nb import MailNB


@pytest.mark.parametrize(
    ("forget", "message"),
    [
        (lambda model: model.rarest(-1, 1), "n is -1: give a whole number of 0 or more"),
        (lambda model: model.rarest(1, 0), "at_once is 0: give a whole number of 1 or more"),
        (lambda model: model.halves(0, 0), "parts is 0: give a whole number of 1 or more"),
        (lambda model: model.halves(-1, 2), "part is -1: give a whole number of 0 or more"),
        (lambda model: model.halves(2, 2), "part is 2: give a whole number from 0 to 1"),
    ],
)
def test_arguments_out_of_range_are_refused(forget, message):
    with pytest.raises(ValueError, match=message):
        forget(MailNB())
