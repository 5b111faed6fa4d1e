"""The sizes of training, validation and test."""

import pytest

from consumers.errors import UserError
from consumers.studies.parts import part_sizes


@pytest.mark.parametrize(
    ("there", "asked", "sizes"),
    [
        (500, (None, None, None), (400, 50, 50)),
        (9000, (None, None, None), (7200, 900, 900)),
        (499, (None, None, None), (401, 49, 49)),
        (50, (None, None, None), (40, 5, 5)),
        (9000, (None, 50, 50), (8900, 50, 50)),
        (9000, (1000, None, None), (1000, 900, 900)),
        (9000, (400, 50, 50), (400, 50, 50)),
        (499, (400, 50, 50), (401, 49, 49)),
        (30, (20, 10, 10), (16, 7, 7)),
        (8, (4, 2, 2), (4, 2, 2)),
    ],
)
def test_P2_sizes_are_a_share_of_all_mails_or_as_asked(there, asked, sizes):
    assert part_sizes(asked, there) == sizes


@pytest.mark.parametrize(
    ("there", "asked", "split"),
    [
        (49, (None, None, None), "41 / 4 / 4"),
        (0, (None, None, None), "0 / 0 / 0"),
        (100, (None, 50, 50), "0 / 50 / 50"),
        (100, (None, 200, 50), "0 / 80 / 20"),
        (20, (400, 50, 50), "16 / 2 / 2"),
        (6, (4, 2, 2), "4 / 1 / 1"),
    ],
)
def test_P2_too_small_a_part_is_refused(there, asked, split):
    with pytest.raises(UserError, match=f"^{there} labelled mails would be split {split} for training, validation and"):
        part_sizes(asked, there)
