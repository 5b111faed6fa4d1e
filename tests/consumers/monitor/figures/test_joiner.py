"""Mails joined with their labels, whichever comes first, in bounded memory."""

from __future__ import annotations

from consumers.monitor.figures.joiner import LabelJoiner, ScoredMail
from consumers.records.messages import MailPlace
from consumers.records.schemas import SILENCE, LabelRecord
from tests.support.monitor_stream import BEGIN, prediction


def mail(number: int) -> ScoredMail:
    return ScoredMail(prediction(number, 1.0, BEGIN), 0.0)


def label(number: int, name: str | None, source: str = "ann", forget: bool = False) -> LabelRecord:
    return LabelRecord(f"m{number}", name, source, 0.0, forget)


def test_a_mail_has_its_label_whichever_comes_first():
    joiner, first, second = LabelJoiner(10), mail(1), mail(2)
    assert joiner.add_mail(first)
    assert joiner.add_label(label(1, "spam"), 5.0) is first
    assert joiner.add_label(label(2, "ham"), 6.0) is None
    assert joiner.add_mail(second)
    found = [(each.true_label, each.source, each.labelled_at) for each in (first, second)]
    assert found == [("spam", "ann", 5.0), ("ham", "ann", 6.0)]
    assert not joiner.add_mail(mail(1))
    assert joiner.mails["m1"] is first
    assert first.place == MailPlace(0, 1)
    joiner.add_label(label(1, None, forget=True), 7.0)
    assert (first.true_label, first.source, first.labelled_at) == (None, "", 0.0)


def test_the_oldest_mails_and_labels_are_forgotten():
    joiner, mails = LabelJoiner(2), [mail(number) for number in range(3)]
    for each in mails:
        joiner.add_mail(each)
    assert list(joiner.mails) == ["m1", "m2"]
    assert joiner.add_label(label(0, "spam"), 1.0) is None
    for number in range(10, 14):
        joiner.add_label(label(number, "spam"), 1.0 + number)
    for number, known in ((0, None), (10, "spam"), (13, "spam")):
        joiner.add_mail(late := mail(number))
        assert late.true_label == known


def test_labels_that_do_not_count_change_nothing_and_are_asked_about_again():
    allowed = {"spam", None}
    joiner, known = LabelJoiner(10, accepts=lambda name: name in allowed), mail(1)
    joiner.add_mail(known)
    joiner.add_label(label(1, "spam"), 1.0)
    assert joiner.add_label(label(1, "work"), 2.0) is None
    assert (known.true_label, known.labelled_at) == ("spam", 1.0)
    joiner.add_label(label(2, "spam"), 3.0)
    allowed.remove("spam")
    joiner.add_mail(late := mail(2))
    assert late.true_label is None


def test_a_withdrawal_counts_although_the_vote_that_it_leaves_does_not():
    allowed = {"spam", "work", None}
    joiner, known = LabelJoiner(10, accepts=lambda name: name in allowed), mail(1)
    joiner.add_mail(known)
    joiner.add_label(label(1, "work", "bob"), 1.0)
    joiner.add_label(label(1, "spam", "ann"), 2.0)
    allowed.remove("work")
    assert joiner.add_label(label(1, None, "ann", forget=True), 3.0) is known
    assert known.true_label is None


def test_a_label_of_silence_is_no_true_label():
    joiner, known = LabelJoiner(10), mail(1)
    joiner.add_mail(known)
    assert joiner.add_label(label(1, "spam", SILENCE), 1.0) is known
    assert (known.silent, known.true_label, known.labelled_at) == (True, None, 0.0)
    joiner.add_label(label(1, "ham"), 2.0)
    joiner.add_label(label(1, "spam", SILENCE), 3.0)
    assert (known.silent, known.true_label, known.source, known.labelled_at) == (True, "ham", "ann", 2.0)
    joiner.add_label(label(1, None, SILENCE, forget=True), 4.0)
    assert (known.silent, known.true_label, known.labelled_at) == (False, "ham", 2.0)
