"""Foreign records on our own topics are skipped, logged with their place and counted; no process ends."""

import itertools

import msgspec
import pytest

from consumers.cli.demo_run import caught_up
from consumers.cli.terminal import Screen
from consumers.errors import BadRecord, UnknownFormat
from consumers.evaluation.log_report import report_log
from consumers.evaluation.verify import verify
from consumers.explain.explainer import Explainer
from consumers.log import open_log
from consumers.log.base import ProducerRecord, Record
from consumers.log.memory import MemoryLog, Topics
from consumers.model.changelog import FORMAT, Checkpoint, Delta, Manifest, delta_record
from consumers.model.ledger import Entry
from consumers.model.replica import Replica
from consumers.monitor.service import Monitor
from consumers.monitor.topic import TOTALS, VIEW
from consumers.records.messages import MailPlace
from consumers.records.replay import read_all
from consumers.records.schemas import (
    EMAILS,
    MODEL,
    MONITOR,
    PREDICTIONS,
    QUARANTINE,
    TOPICS,
    encode,
)
from consumers.records.skipped import MAX_LINES, SkippedRecords
from consumers.settings import Settings, WorkerSettings
from consumers.worker.metrics import WorkerCollector
from consumers.worker.worker import Worker
from stream_nb import MailNB
from tests.support.monitor_stream import catch_up, prediction
from tests.support.own_log import own_records
from tests.support.worker_run import label, step_until_done

SETTINGS = Settings(worker=WorkerSettings(poll_s=0.001))
NESTED = (b'{"a":' * 100_000, b"\x9e" + bytes([FORMAT, 0]) + b"\x91" * 100_000)
JUNK = (b"{not json", b"{}", b"[1,2]", b"\xff\xfe\x00", b"", b"\x91", bytes([0x91, FORMAT]), None, *NESTED)
KEYS = ((PREDICTIONS, (None, b"a", b"\xff")), (MODEL, (None, b"hello", b"key/0", b"d/0/9", b"s/0", b"s/9", b"\xff")))
OTHERS = [ProducerRecord(topic, key, value, 0) for topic, keys in KEYS for key in keys for value in JUNK]
OTHERS.remove(ProducerRecord(MODEL, b"d/0/9", None, 0))  # tombstones of deltas are written by us
for long in NESTED:
    OTHERS.remove(ProducerRecord(MODEL, b"key/0", long, 0))  # this value is long enough to be a secret


def other_delta(**changes):
    """A valid delta, but from a log with another secret."""
    recorder = MailNB(key=b"another secret, of another log").recorder()
    recorder.learn("some words", "spam")
    delta = Delta(FORMAT, 0, Checkpoint(2, 1, 1), recorder.take(), (Entry("x", 1, 0.0),))
    return delta_record(msgspec.structs.replace(delta, **changes))


OTHERS += [
    other_delta(),
    other_delta(changes=b"no changes"),
    other_delta(changes=MailNB().to_bytes()),
    other_delta()._replace(key=b"d/0/3"),
    ProducerRecord(MODEL, b"s/0", msgspec.msgpack.encode(Manifest(number=7)), 0),
    ProducerRecord(PREDICTIONS, b"b", encode(prediction(1, 0.5, 1e9)), 0),
    *(
        ProducerRecord(PREDICTIONS, b"m1", encode(msgspec.structs.replace(prediction(1, 0.5, 1e9), **{name: value})), 0)
        for name, value in (
            ("topic", "labels"), ("partition", 5), ("next_offset", 0), ("next_offset", 1 << 63), ("log_odds", 1e300),
            ("probability", -1.0), ("known", -1), ("arrived_at", -1e300), ("scored_at", 1e300),
        )
    ),
]  # fmt: skip
OTHER_VERSIONS = [
    ProducerRecord(MODEL, b"d/0/9", msgspec.msgpack.encode([FORMAT + 1, "whatever"]), 0),
    ProducerRecord(MODEL, b"s/1", msgspec.msgpack.encode([FORMAT - 1]), 0),
]


def mail(name):
    return ProducerRecord(EMAILS, name.encode(), f"Subject: {name}\n\nabout {name * 3} and {name * 4}".encode())


@pytest.fixture(params=["sqlite", "memory"])
def log(request, tmp_path):
    """A log that keeps all records, as Kafka does before compaction, or one that compacts at once."""
    log = MemoryLog(Topics()) if request.param == "memory" else open_log(Settings(log=f"sqlite:{tmp_path}"))
    with log:
        log.create_topics(TOPICS, 1)
        yield log


def accepted(log, records):
    """The records that the log accepts: SQLite and Kafka refuse records without a key on compacted topics."""
    return [d for d in records if d.key is not None or d.topic == PREDICTIONS or isinstance(log, MemoryLog)]


def watched(log):
    """A monitor that has read the whole log."""
    monitor = Monitor(log, SETTINGS, wall_clock=lambda: 0.0)
    catch_up(monitor)
    monitor.consumer.close()
    return monitor


def named(caplog):
    """The places of skipped records in the log lines."""
    texts = (record.getMessage() for record in caplog.records)
    return [text.partition(":")[0] for text in texts if ", skipped" in text]


@pytest.mark.parametrize("record", OTHERS, ids=lambda record: f"{record.topic} {record.key} {str(record.value)[:40]}")
@pytest.mark.parametrize("log", ["memory"], indirect=True)
def test_a_foreign_record_is_skipped_by_every_stage_and_logged_once(log, record, caplog):
    worker = Worker(log, SETTINGS, "w-0")
    log.append([mail("a"), label("a", "spam")])
    step_until_done(worker)
    log.append([record])
    place = list(read_all(log, record.topic))[-1].location
    log.append([mail("b"), label("b", "ham")])
    step_until_done(worker)
    worker.on_assignment()
    worker.on_assignment()
    assert named(caplog) == [place]
    metrics = {metric.name: metric.samples[0].value for metric in WorkerCollector(worker).collect()}
    assert metrics["stream_nb_worker_skipped_records"] == 1

    started = Worker(log, SETTINGS, "w-0")
    assert started.replica.model == worker.replica.model
    step_until_done(started)
    assert watched(log).view.windows["start"].report.n == report_log(log, "spam").n == 2
    assert verify(log, SETTINGS).differences == []
    assert caught_up(log, SETTINGS)
    assert Explainer(log, SETTINGS).why(MailPlace(0, 1))["labels_learned"] == 2


def test_all_foreign_records_at_once_on_an_unused_log_are_skipped(log):
    log.append(accepted(log, OTHERS))
    log.append([mail("a"), label("a", "spam")])
    worker = Worker(log, SETTINGS, "w-0")
    step_until_done(worker)

    assert (worker.totals.mails, worker.totals.labels, worker.replica.model.labels_learned) == (1, 1, 1)
    worker.consumer.close()


@pytest.mark.parametrize("record", OTHER_VERSIONS, ids=["newer", "older"])
def test_a_record_of_another_version_is_an_error_that_names_it(log, record):
    worker = Worker(log, SETTINGS, "w-0")
    log.append([record])

    with pytest.raises(UnknownFormat, match=rf"model\[0\]@\d+: model record of format {FORMAT + 1}|{FORMAT - 1}"):
        step_until_done(worker)
    with pytest.raises(UnknownFormat, match="run one version"):
        Replica.load(log, SETTINGS)
    worker.consumer.close()


def test_a_deleted_secret_is_recovered_from_the_deltas(log):
    worker = Worker(log, SETTINGS, "w-0")
    log.append([mail("a"), label("a", "spam")])
    step_until_done(worker)
    worker.consumer.close()
    log.append([ProducerRecord(MODEL, next(read_all(log, MODEL)).key, None, 0)])

    assert Replica.load(log, SETTINGS).model == worker.replica.model


@pytest.mark.parametrize("log", ["memory"], indirect=True)
def test_an_overwritten_delta_is_read_if_the_log_still_has_it(log):
    """SQLite keeps only the newest record of a key, so there the delta is missing."""
    worker = Worker(log, SETTINGS, "w-0")
    log.append([mail("a"), label("a", "spam")])
    step_until_done(worker)
    log.append([ProducerRecord(MODEL, b"d/0/1", b"junk", 0)])

    assert Replica.load(log, SETTINGS).model == worker.replica.model


@pytest.mark.parametrize("value", JUNK)
def test_unreadable_totals_and_views_end_neither_the_monitor_nor_top(log, value):
    log.append([ProducerRecord(PREDICTIONS, b"m1", encode(prediction(1, 0.5, 1e9)), 0)])
    watched(log)
    keys = (TOTALS, VIEW, b"mail/0/1", b"history/1/1", None)
    log.append(accepted(log, [ProducerRecord(MONITOR, key, value, 0) for key in keys]))
    log.append([ProducerRecord(QUARANTINE, None, value, 0)])

    Screen(log).follow()
    assert watched(log).view.mails >= 1


def test_many_foreign_records_are_counted_and_only_the_first_logged(caplog):
    skipped = SkippedRecords()
    for offset in itertools.chain(range(1000), range(1000)):
        skipped.skip(Record(PREDICTIONS, 0, offset, None, b"x", 0.0), BadRecord("bad-json", "no prediction"))

    assert skipped.count == 1000
    assert len(own_records(caplog)) == MAX_LINES
