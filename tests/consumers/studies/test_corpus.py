"""The mails of a study, and random splits of them."""

import pytest

from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.ingest.formats.table import Columns
from consumers.studies.corpus import divided, load, name_of_others, word_counts, word_set
from stream_nb.types import Mail, Part


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
        assert load(open_source(path, columns=Columns("class")), "a table", limit).about.startswith(about)


def test_the_other_classes_together_have_another_name_than_the_positive_class():
    assert (name_of_others("spam"), name_of_others("other")) == ("other", "rest")


def test_words_are_those_of_the_models_without_punctuation():
    """In scripts without spaces every two adjacent characters are a word, not the whole sentence."""
    counts = (("lottery", 10), ("money", 0))
    mail = Mail((Part("subject", "Offer 中奖了".encode()), Part("", "offer_1, 中奖! name_".encode())), counts)
    assert word_counts(mail) == {"offer": 1, "中奖": 2, "奖了": 1, "offer_1": 1, "name_": 1, "lottery": 10}
    words = ["subject:offer", "subject:中奖", "subject:奖了", "offer_1", "中奖", "name_", "lottery"]
    assert word_set(mail) == dict.fromkeys(words, 1)
