"""Senders whose mails have conflicting labels, by the current labels and in bounded memory."""

from __future__ import annotations

import random
import tracemalloc
from collections import Counter

from consumers.log.base import ProducerRecord
from consumers.monitor.figures import sender_labels
from consumers.monitor.figures.sender_labels import MAX_SENDERS, MAX_SOURCES_OF_SENDER, SenderLabel, SenderLabels
from consumers.records.schemas import PREDICTIONS, encode
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, label_record, monitor_of, prediction

NEWS = "The News <News@Shop.example>"


def shown(senders: SenderLabels) -> dict[str, list[tuple[str, int, int]]]:
    return {one.address: [(c.label, c.mails, c.sources) for c in one.labels] for one in senders.view()}


def test_a_sender_with_labels_of_two_classes_is_listed():
    senders = SenderLabels()
    for number in range(8):
        senders.add(NEWS, "ham", f"reader {number % 4}")
        senders.add("boss@example.org", "ham", "reader 0")
        senders.add(f"{number}@spam.example", "spam", "reader 0")
    for _ in range(3):
        senders.add("news@shop.example", "spam", "another")
    assert shown(senders) == {"news@shop.example": [("ham", 8, 4), ("spam", 3, 1)]}


def test_the_most_conflicting_senders_come_first_and_the_least_recently_labelled_is_evicted(monkeypatch):
    monkeypatch.setattr(sender_labels, "MAX_SENDERS", 2)
    senders = SenderLabels()
    for mails, address in ((3, "a@example.org"), (4, "b@example.org")):
        for label in ("ham", "spam"):
            for _ in range(mails):
                senders.add(address, label, "people")
    assert list(shown(senders)) == ["b@example.org", "a@example.org"]
    for address in ("", "a@example.org", "c@example.org"):
        senders.add(address, "ham", "people")
    assert list(shown(senders)) == ["a@example.org"]


def test_few_labels_or_a_small_share_are_no_conflict():
    senders = SenderLabels()
    for number in range(40):
        senders.add(NEWS, "spam" if number < 3 else "ham", "people")
        senders.add("few@example.org", "spam" if number < 2 else "ham", "people")
    assert shown(senders) == {}
    senders.add(NEWS, "spam", "people")
    senders.add(NEWS, "spam", "people")
    assert shown(senders) == {"news@shop.example": [("ham", 37, 1), ("spam", 5, 1)]}


def test_removed_mails_leave_no_counts():
    rng = random.Random(1)
    senders, there = SenderLabels(), Counter()
    for _ in range(3_000):
        mail = (f"{rng.randrange(3)}@example.org", rng.choice(["ham", "spam", "list"]), f"user {rng.randrange(4)}")
        if there[mail] and rng.random() < 0.5:
            senders.remove(*mail)
            there[mail] -= 1
        else:
            senders.add(*mail)
            there[mail] += 1
    totals = Counter()
    for (address, label, _), mails in there.items():
        totals[address, label] += mails
    assert {(a, label): n for a, counts in shown(senders).items() for label, n, _ in counts} == dict(totals)
    for mail, mails in there.items():
        for _ in range(mails):
            senders.remove(*mail)
    assert senders.view() == []


def test_the_numbers_of_senders_and_sources_are_bounded_and_names_sanitized():
    senders = SenderLabels()
    for number in range(MAX_SOURCES_OF_SENDER + 10):
        for label in ("ham", "spam"):
            senders.add("<\u202ea@example.org>", label, f"bot {number}")
    (one,) = senders.view()
    assert "\u202e" not in one.address
    assert one.labels[0] == SenderLabel("ham", MAX_SOURCES_OF_SENDER + 10, MAX_SOURCES_OF_SENDER + 1)
    for junk in ("", "no address", "<<<>>>", '"' * 500, "A long name <somebody@exam…"):
        senders.add(junk, "ham", "people")
        senders.remove(junk, "ham", "people")
    senders.remove("nobody@example.org", "spam", "people")
    for number in range(MAX_SENDERS):
        senders.add(f"{number}@example.org", "ham", "people")
    assert senders.view() == []  # the oldest was evicted


def test_a_mail_that_was_counted_with_other_sources_is_removed_from_them():
    """Two sources counted by name have left meanwhile, so that there would be room for its own name."""
    senders = SenderLabels()
    for number in range(MAX_SOURCES_OF_SENDER + 1):
        for label in ("ham", "spam"):
            senders.add(NEWS, label, f"bot {number}")
    for number in (0, 1, MAX_SOURCES_OF_SENDER):
        senders.remove(NEWS, "ham", f"bot {number}")
    left = MAX_SOURCES_OF_SENDER - 2
    assert ("ham", left, left) in shown(senders)["news@shop.example"]


def test_classes_without_mails_are_deleted():
    senders = SenderLabels()
    senders.add(NEWS, "ham", "people")
    tracemalloc.start()
    try:
        for number in range(2_000):
            senders.add(NEWS, f"{number:100}", "people")
            senders.remove(NEWS, f"{number:100}", "people")
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 200_000  # the names alone would be 300,000


def test_the_monitor_counts_current_labels(monkeypatch):
    monkeypatch.setattr(sender_labels, "MIN_MAILS", 1)
    log = new_log()
    for number in range(3):
        record = encode(prediction(number, 3.0, BEGIN + number))
        log.append([ProducerRecord(PREDICTIONS, b"m%d" % number, record, 0, BEGIN + number)])
        log.append([label_record(f"m{number}", "ham", "people", BEGIN + number)])

    def counted() -> dict[str, list[tuple[str, int, int]]]:
        catch_up(monitor := monitor_of(log))
        return {one.address: [(c.label, c.mails, c.sources) for c in one.labels] for one in monitor.view.senders}

    assert counted() == {}
    log.append([label_record("m0", "spam", "rule", BEGIN + 5)])
    assert counted() == {"a@example.org": [("ham", 2, 1), ("spam", 1, 1)]}
    log.append([label_record("m0", None, "rule", BEGIN + 6, forget=True)])
    assert counted() == {}
