"""Random splits of mails."""

import pytest

from consumers.errors import UserError
from consumers.studies.corpus import divided


@pytest.mark.parametrize("sizes", [(400, 50, 50), (10, 0, 5)])
def test_Q5_parts_have_the_given_sizes_and_do_not_overlap(sizes):
    parts = divided(list(range(500)), sizes, seed=3)
    assert [len(part) for part in parts] == list(sizes)
    assert len(set().union(*parts)) == sum(sizes)
    assert parts == divided(list(range(500)), sizes, seed=3)
    with pytest.raises(UserError, match=r"501 mails are needed \(400 \+ 101\), there are 500"):
        divided(list(range(500)), (400, 101), seed=3)
