"""The mails of a study, and random splits of them."""

import pytest

from consumers.errors import UserError
from consumers.ingest.formats.table import Columns
from consumers.studies.corpus import divided, load


@pytest.mark.parametrize("sizes", [(400, 50, 50), (10, 0, 5)])
def test_Q5_parts_have_the_given_sizes_and_do_not_overlap(sizes):
    parts = divided(list(range(500)), sizes, seed=3)
    assert [len(part) for part in parts] == list(sizes)
    assert len(set().union(*parts)) == sum(sizes)
    assert parts == divided(list(range(500)), sizes, seed=3)
    with pytest.raises(UserError, match=r"501 mails are needed \(400 \+ 101\), there are 500"):
        divided(list(range(500)), (400, 101), seed=3)


def test_more_mails_than_the_limit_are_only_named_if_there_are_any(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("n,class\n1,a\n2,b\n3,a\n")
    for limit, about in (
        (2, "2 labelled mails of more ("),
        (3, "3 labelled mails (CSV"),
        (None, "3 labelled mails (CSV"),
    ):
        assert load(str(path), limit, columns=Columns("class")).about.startswith(about)
