"""The mails of a study, and random splits of them."""

import pytest

from consumers.errors import UserError
from consumers.ingest.formats.table import Columns
from consumers.log.base import ProducerRecord, Record
from consumers.records import messages
from consumers.records.schemas import EMAILS, LABELS, QUARANTINE, TOO_MANY_CLASSES, QuarantineRecord, encode
from consumers.studies import corpus
from consumers.studies.corpus import divided, load, load_log, name_of_others, word_counts, word_set
from stream_nb.types import Mail, Part
from tests.support.worker_run import label, short_mail


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


def test_a_mail_that_was_fed_twice_is_read_once_from_a_log(log):
    """The worker puts the second one in quarantine; here it would be in the training and the test mails."""
    log.append([short_mail("a", "free money"), short_mail("b", "lunch"), label("a", "spam"), label("b", "ham")])
    log.append([short_mail("a", "free money"), short_mail("c", "not labelled")])

    found = load_log(log, "sqlite:somewhere")

    assert [mail.label for mail in found.mails] == ["spam", "ham"]
    assert found.about == "2 labelled mails of 4 on the log sqlite:somewhere."


def test_a_record_that_is_no_mail_is_left_out_but_counted(log):
    log.append([ProducerRecord(EMAILS, b"x", b'{"id": "x', 0), label("x", "spam")])
    log.append([short_mail("a", "free money"), short_mail("b", "lunch"), label("a", "spam"), label("b", "ham")])

    found = load_log(log, "sqlite:somewhere")

    assert [mail.label for mail in found.mails] == ["spam", "ham"]
    assert found.about == "2 labelled mails of 3 on the log sqlite:somewhere."


def test_labels_that_a_worker_refused_do_not_count(log):
    """As in `report_log`: the same log gives the same mails."""
    log.append([short_mail("a", "free"), short_mail("b", "lunch"), short_mail("c", "x")])
    log.append([label("a", "spam"), label("b", "ham"), label("c", "ham"), label("c", "third")])
    refused = QuarantineRecord(TOO_MANY_CLASSES, "", LABELS, 0, 3, 0.0)
    log.append([ProducerRecord(QUARANTINE, None, encode(refused), 0)])

    assert [mail.label for mail in load_log(log, "sqlite:somewhere").mails] == ["spam", "ham", "ham"]


def test_no_more_mails_than_the_limit_are_read_from_a_log(log):
    log.append([short_mail(name, "words") for name in "abc"])
    log.append([label("a", "spam"), label("b", "ham"), label("c", "ham")])

    assert load_log(log, "sqlite:somewhere", limit=2).about == "2 labelled mails of 3 on the log sqlite:somewhere."


def test_of_a_log_only_labelled_mails_are_parsed(log, monkeypatch):
    parsed: list[Record] = []
    read = messages.read_message
    monkeypatch.setattr(corpus, "read_message", lambda record, headers: parsed.append(record) or read(record, headers))
    log.append([short_mail("a", "free money"), short_mail("c", "not labelled"), label("a", "spam"), label("b", "ham")])
    log.append([ProducerRecord(EMAILS, None, b"Message-ID: <b>\n\nlunch", 0)])

    assert [mail.label for mail in load_log(log, "sqlite:somewhere").mails] == ["spam", "ham"]
    assert [record.offset for record in parsed] == [0, 2]


def test_the_other_classes_together_have_another_name_than_the_positive_class():
    assert (name_of_others("spam"), name_of_others("other")) == ("other", "rest")


def test_words_are_those_of_the_models_without_punctuation():
    """In scripts without spaces every two adjacent characters are a word, not the whole sentence."""
    counts = (("lottery", 10), ("money", 0))
    mail = Mail((Part("subject", "Offer 中奖了".encode()), Part("", "offer_1, 中奖! name_".encode())), counts)
    assert word_counts(mail) == {"offer": 1, "中奖": 2, "奖了": 1, "offer_1": 1, "name_": 1, "lottery": 10}
    words = ["subject:offer", "subject:中奖", "subject:奖了", "offer_1", "中奖", "name_", "lottery"]
    assert word_set(mail) == dict.fromkeys(words, 1)
