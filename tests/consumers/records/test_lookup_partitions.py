"""Labels of mails that came before partitions were added."""

from __future__ import annotations

from consumers.dashboard.label_writer import LabelWriter
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.replay import final_labels, read_labels
from consumers.records.schemas import LABELS, LabelRecord, encode
from tests.consumers.records.test_lookup import label, log, mail, run

__all__ = ["log"]


def test_labels_are_written_to_the_partition_of_their_mail_after_partitions_were_added(log, monkeypatch):
    """Its key then maps to another one, where no worker would find the mail."""
    monkeypatch.setattr("consumers.records.setup.open_log", lambda settings, create: log)
    log.append([mail(b"a")._replace(partition=1), label("a", "spam", "bob")._replace(partition=1)])

    run("label", "a", "ham")
    run("forget", "--message", "a")
    LabelWriter(log, "ann").append("a", "ham", False, 1)

    written = [(record.partition, given.source, given.forget) for record, given in read_labels(log)]
    assert written == [(1, "bob", False), (1, "user", False), (1, "bob", True), (1, "user", True), (1, "ann", False)]
    log.append([label("a", "spam")])
    assert [record.key for record in log.scan(TopicPartition(LABELS, 0))] == [b"a"], "the key's own partition"


def test_of_labels_on_several_partitions_the_latest_counts(log):
    """Partitions were added between them."""
    order = ((2, 1.0, "spam", False), (0, 2.0, "ham", False), (1, 3.0, "spam", True))
    for partition, timestamp, called, forget in order:
        record = LabelRecord("old", called, "ann", timestamp, forget)
        log.append([ProducerRecord(LABELS, b"old", encode(record), partition, timestamp)])
        expected = {} if forget else {"old": called}
        assert final_labels(log) == expected
