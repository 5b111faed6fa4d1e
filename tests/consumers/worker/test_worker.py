"""A worker on an embedded log scores each mail once and learns each label once, wherever it stops."""

import gc
from threading import Event

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import (
    EMAILS,
    LABELS,
    TOPICS,
    LabelRecord,
    encode,
)
from consumers.settings import WorkerSettings
from consumers.worker.worker import Worker
from tests.support.few_mails import learn_in_memory, mail, work
from tests.support.memory_log import new_log
from tests.support.outputs import predictions, quarantine_reasons, quarantined
from tests.support.worker_run import EVERYTHING, NEAR_ERROR, label


def test_a_mail_is_scored_when_it_arrives_and_learned_when_its_label_comes(log):
    model = work(log, records=[mail("a"), label("a", "spam"), mail("b"), label("b", "ham"), mail("c")])

    scored = predictions(log)
    assert [p.id for p in scored] == ["a", "b", "c"]
    assert [p.label for p in scored] == [None, "unsure", "spam"]
    assert [p.labels_learned for p in scored] == [0, 1, 2]
    assert (scored[2].partition, scored[2].next_offset, scored[2].topic) == (0, 3, EMAILS)
    assert scored[2].arrived_at <= scored[2].scored_at
    assert model.labels_learned == 2


def test_a_label_before_its_mail_is_learned_once_the_mail_is_scored(log):
    assert work(log, records=[label("a", "spam")]).labels_learned == 0

    model = work(log, records=[mail("a")])

    assert predictions(log)[0].labels_learned == 0
    assert model.labels_learned == 1


def test_a_restarted_worker_continues_where_the_last_one_stopped(log):
    work(log, records=[mail("a"), label("a", "spam"), mail("b")])
    before = predictions(log)

    model = work(log, records=[label("b", "ham"), mail("c")])

    assert predictions(log)[:2] == before
    assert [p.id for p in predictions(log)] == ["a", "b", "c"]
    assert predictions(log)[2].labels_learned == 2
    assert model.labels_learned == 2
    assert verify(log, EVERYTHING).differences == []


def test_a_worker_that_opens_many_partitions_beats_for_each():
    """Each may take a second, and a worker without a beat for a minute counts as dead."""
    topics, stop, beats = Topics(), Event(), []
    MemoryLog(topics).create_topics(TOPICS, 5)
    worker = Worker(MemoryLog(topics), NEAR_ERROR, "w-0")

    def beat(ready):
        beats.append((ready, worker.partitions))
        if ready:
            stop.set()

    worker.run(stop, beat)

    assert beats == [(False, 0)] * 5 + [(True, 5), (False, 5)]


def test_a_mail_scored_by_an_earlier_worker_is_read_again_to_learn_its_label(log):
    """The second worker reads only the labels from its topics."""
    work(log, records=[mail("a"), mail("b")])

    model = work(log, records=[label("a", "spam"), label("b", "ham")])

    assert model == learn_in_memory(log, {"a": "spam", "b": "ham"})


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (ProducerRecord(EMAILS, b"x", b""), "empty"),
        (ProducerRecord(EMAILS, b"x", encode({"id": "x", "words": {"free": 1.5}})), "bad-count"),
        (ProducerRecord(EMAILS, b"x", encode({"id": "x", "features": {"": 52341}})), "bad-feature"),
        (ProducerRecord(EMAILS, b"x", b'{"id": "x", "features": {"size": NaN}}'), "bad-json"),
        (ProducerRecord(EMAILS, b"x", b"Subject: big\n\n" + b"x" * (1 << 20)), "oversized"),
        (ProducerRecord(EMAILS, b"x", encode({"id": "x", "text": "x" * (1 << 20)})), "oversized"),
        (ProducerRecord(EMAILS, b"x", b'{"id": "x", "text": "\xff\xfe"}'), "bad-json"),
        (ProducerRecord(EMAILS, b"x", b'{"id": 7}'), "bad-json"),
        (ProducerRecord(EMAILS, b"x", b'{"id": "y", "text": "hello"}'), "bad-key"),
        (ProducerRecord(EMAILS, b"\xff", b"Subject: x\n\ny"), "bad-id"),
        (ProducerRecord(EMAILS, b"a", b"Subject: x\n\na second mail of this id"), "duplicate-id"),
        (ProducerRecord(LABELS, b"x", b"spam"), "bad-json"),
        (ProducerRecord(LABELS, b"x", b'{"id": "x", "label": "spam"}'), "bad-json"),
        (ProducerRecord(LABELS, b"x", encode(LabelRecord("x", "", "ann", 0.0))), "bad-label"),
        (ProducerRecord(LABELS, b"x", encode(LabelRecord("x", "unsure", "ann", 0.0))), "bad-label"),
        (ProducerRecord(LABELS, b"x", encode(LabelRecord("x", "(none)", "ann", 0.0))), "bad-label"),
        (ProducerRecord(LABELS, b"x", encode(LabelRecord("x", "  ", "ann", 0.0))), "bad-label"),
        (ProducerRecord(LABELS, b"x", encode(LabelRecord("x", "sp\x1bam", "ann", 0.0))), "bad-label"),
        (ProducerRecord(LABELS, b"y", encode(LabelRecord("x", "spam", "ann", 0.0))), "bad-key"),
        (ProducerRecord(LABELS, b"", encode(LabelRecord("", "spam", "ann", 0.0))), "bad-id"),
    ],
)
def test_a_bad_record_goes_to_quarantine_and_the_next_records_are_processed(log, record, reason):
    model = work(log, records=[mail("a"), record, label("a", "spam"), mail("b")])

    assert quarantine_reasons(log) == [reason]
    entry = quarantined(log)[0]
    assert (entry.topic, entry.partition) == (record.topic, 0)
    assert [p.id for p in predictions(log)] == ["a", "b"]
    assert model.labels_learned == 1


def test_a_label_whose_mail_never_arrives_is_quarantined_when_it_expires(log):
    short_memory = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, remember_days=1e-9))
    work(log, short_memory, [label("a", "spam")])

    assert quarantine_reasons(log) == ["label-without-mail"]


def test_P3_word_counts_of_the_notes_are_learned_from_a_json_message(log):
    """Note 004's vector: a word and how often it occurs."""
    from stream_nb.mail_nb.vocabulary import strongest

    vector = {"free": 100, "identification": 2, "lottery": 10, "money": 10}
    spam = ProducerRecord(EMAILS, b"n", encode({"id": "n", "words": vector}))

    model = work(log, EVERYTHING, [spam, label("n", "spam")])
    assert model.features == 4

    model = work(log, EVERYTHING, [mail("b"), label("b", "ham")])
    assert {term.text for term in strongest(model, "spam")} == set(vector)
    assert verify(log, EVERYTHING).differences == []


def test_a_label_whose_key_is_another_id_is_quarantined(log):
    work(log, EVERYTHING, [mail("a"), label("a", "ham"), label("a", "spam")._replace(key=b"b")])

    assert quarantine_reasons(log) == ["bad-key"]
    assert verify(log, EVERYTHING).differences == []


def test_a_json_message_is_scored_and_learned(log):
    plain = encode({"id": "x", "text": "free money", "words": {"win": 3}, "features": {"list": "news"}})
    model = work(log, records=[ProducerRecord(EMAILS, b"x", plain), label("x", "spam")])

    assert predictions(log)[0].id == "x"
    assert model.labels_learned == 1


def test_a_source_of_random_labels_hardly_adds_errors(log):
    """One label in ten comes from a source that labels at random; its flip rate is learned, its labels count less."""
    import random

    from consumers.ingest.synthetic import synthetic_mails
    from consumers.records.replay import final_labels

    draw, records, truth = random.Random(1), [], {}
    for i, item in enumerate(synthetic_mails(1200, seed=9)):
        liar = i % 10 == 0
        truth[item.id] = item.label
        given = draw.choice(["ham", "spam"]) if liar else item.label
        records += [
            ProducerRecord(EMAILS, item.id.encode(), item.value),
            label(item.id, given, "eve" if liar else "ann"),
        ]
    from stream_nb.mail_nb.reliability import reliabilities

    model = work(log, NEAR_ERROR, records)
    known = reliabilities(model)
    wrong = sum(p.label != truth[p.id] for p in predictions(log)[200:])

    honest = [d for d in records if d.topic == EMAILS or b'"eve"' not in d.value]
    with SqliteLog(log._store.folder.parent / "honest") as other:
        other.create_topics(TOPICS, 1)
        work(other, NEAR_ERROR, honest)
        wrong_without = sum(p.label != truth[p.id] for p in predictions(other)[200:])

    assert len(final_labels(log)) == 1200
    assert known["eve"].flip_rate > 0.2 and known["ann"].flip_rate < 0.05
    assert wrong <= wrong_without + 10


def test_after_a_group_lost_its_positions_no_mail_is_scored_again():
    """Kafka deletes the positions of a group that was away for a week; these mails had no labels yet."""
    log = new_log()
    work(log, records=[mail("a"), label("a", "spam")])
    work(log, records=[mail("b"), mail("c")])
    log.topics.committed.clear()

    work(log, records=[mail("d")])

    assert [p.id for p in predictions(log)] == ["a", "b", "c", "d"]
    assert quarantined(log) == []
    assert verify(log, EVERYTHING).differences == []


def test_after_a_group_lost_its_positions_no_mail_is_quarantined_again():
    """The mails were quarantined after the last prediction, in commits without a label."""
    log = new_log()
    work(log, records=[mail("a"), label("a", "spam")])
    for value in (b"", b"{"):
        work(log, records=[ProducerRecord(EMAILS, b"b", value)])
    log.topics.committed.clear()

    work(log, records=[mail("c")])

    assert [entry.offset for entry in quarantined(log)] == [1, 2]
    assert verify(log, EVERYTHING).differences == []


@pytest.mark.parametrize("where", [1, 3])
def test_after_a_group_was_reset_to_an_earlier_offset_no_mail_is_scored_again(where):
    """As kafka-consumer-groups can do; all later records, a quarantined one included, had been processed."""
    log = new_log()
    work(log, records=[mail("a"), label("a", "spam")])
    work(log, records=[mail("b"), mail("b"), mail("c")])
    log.topics.committed["stream-nb", TopicPartition(EMAILS, 0)] = where

    work(log, records=[mail("d")])

    assert [p.id for p in predictions(log)] == ["a", "b", "c", "d"]
    assert [each.reason for each in quarantined(log)] == ["duplicate-id"]
    assert verify(log, EVERYTHING).differences == []


def test_garbage_collection_is_disabled_during_a_step(log, monkeypatch):
    within: list[bool] = []
    act = Worker.act

    def watched(worker, records):
        within.append(gc.isenabled())
        act(worker, records)

    monkeypatch.setattr(Worker, "act", watched)
    work(log, records=[mail("a"), label("a", "spam")])
    assert within
    assert not any(within)
