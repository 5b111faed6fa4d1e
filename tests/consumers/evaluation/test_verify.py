"""`verify` finds differences, also in features, even if ledger and log no longer keep everything."""

import time
from collections import Counter

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog, Topics
from consumers.model.changelog import FORMAT, Checkpoint, Delta, delta_record, read_record
from consumers.model.factory import new_model
from consumers.model.files import put_model
from consumers.model.replica import Replica
from consumers.records.replay import read_all
from consumers.records.schemas import EMAILS, LABELS, MODEL, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.settings import Settings, SqliteSettings, WorkerSettings
from tests.support.memory_log import new_log
from tests.support.worker_run import run_worker

SETTINGS = Settings(sqlite=SqliteSettings(retention_days=10.0), worker=WorkerSettings(poll_s=0.001))
FORGETFUL = msgspec.structs.replace(SETTINGS, worker=WorkerSettings(poll_s=0.001, remember_days=1e-9))
DAY = 86_400
OTHER_WORDS = "Subject: another\n\nnot what the mail says"


@pytest.fixture
def log(tmp_path):
    settings = msgspec.structs.replace(SETTINGS, log=f"sqlite:{tmp_path}")
    with open_log(settings) as log:
        log.create_topics(TOPICS, 1)
        yield log


def mail(name, days_ago=0.0):
    text = f"Subject: {name}\n\nabout {name * 3} and {name * 4}"
    return ProducerRecord(EMAILS, name.encode(), text.encode(), timestamp=time.time() - days_ago * DAY)


def label(name, called, days_ago=0.0):
    at = time.time() - days_ago * DAY
    return ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, called, "ann", at)), timestamp=at)


def work(log, *records, settings=SETTINGS):
    run_worker(log, settings, records)


def differences(log, settings=SETTINGS):
    return verify(log, settings).differences


def forge(log, settings=SETTINGS):
    """Learn a mail, and apply its update in the delta to other words, so that all counts of labels stay right."""
    work(log, mail("x"), label("x", "spam"), settings=settings)
    deltas = [read_record(r) for r in read_all(log, MODEL) if r.key.startswith(b"d/")]
    forged = Replica.load(log, settings).empty_model().recorder()
    forged.apply_update(OTHER_WORDS, deltas[-1].entries[0].update)
    log.append([delta_record(msgspec.structs.replace(deltas[-1], changes=forged.take()))])
    return f"model: delta {deltas[-1].checkpoint.seq} of partition 0"


def test_wrong_features_are_found_although_the_ledger_evicted_labels(log):
    for name in "abc":
        work(log, mail(name), label(name, "ham"), settings=FORGETFUL)
    assert Replica.load(log, FORGETFUL).evicted == 3
    assert differences(log, FORGETFUL) == []
    wrong = forge(log, FORGETFUL)
    assert [text[: len(wrong)] for text in differences(log, FORGETFUL)] == [wrong]


def test_another_mail_with_the_id_of_a_forgotten_one_is_recounted_with_its_own_words(log):
    for value in (b"Subject: x\n\nthe first", OTHER_WORDS.encode()):
        work(log, mail("x")._replace(value=value), label("x", "spam"), settings=FORGETFUL)
    assert Replica.load(log, FORGETFUL).model.labels_learned == 2
    assert differences(log, FORGETFUL) == []


def test_wrong_features_are_found_after_snapshots(log, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    for name in "abcdefgh":
        work(log, mail(name), label(name, "ham"), label(name, "spam"), settings=FORGETFUL)
    replica = Replica.load(log, FORGETFUL)
    assert replica.manifest.number >= 2 and replica.evicted == 8
    assert differences(log, FORGETFUL) == []
    monkeypatch.undo()
    wrong = forge(log, FORGETFUL)
    assert [text[: len(wrong)] for text in differences(log, FORGETFUL)] == [wrong]


def test_a_snapshot_that_differs_from_its_deltas_is_found(log):
    """It has the same update for other words, as a worker with faulty memory would write."""
    work(log, mail("a"), mail("b"), label("a", "spam"))
    replica = Replica.load(log, SETTINGS)
    update = replica.ledger(0).entries["a"].update
    log.append(replica.snapshot_records())
    assert differences(log) == []
    replica.model = replica.empty_model()
    replica.model.apply_update(OTHER_WORDS, update)
    replica.manifest = Replica.load(log, SETTINGS).manifest
    log.append(replica.snapshot_records())
    assert [text.split(":")[0] for text in differences(log)] == ["model"]


def test_the_oldest_snapshot_is_compared_with_its_updates(log):
    work(log, mail("a"), mail("b"), label("a", "spam"))
    replica = Replica.load(log, SETTINGS)
    update = replica.ledger(0).entries["a"].update
    replica.model = replica.empty_model()
    replica.model.apply_update(OTHER_WORDS, update)
    for _ in range(2):
        log.append(replica.snapshot_records())
        replica.manifest = Replica.load(log, SETTINGS).manifest
    assert [text.split(": 1")[0] for text in differences(log)] == ["model: snapshot"]


def test_a_ledger_that_differs_from_its_deltas_is_found(log):
    work(log, mail("a"), label("a", "spam"))
    log.append(Replica.load(log, SETTINGS).snapshot_records())
    replica = Replica.load(log, SETTINGS)
    ledger = replica.ledger(0)
    entry = ledger.entries["a"]
    ledger.put(msgspec.structs.replace(entry, update=entry.update._replace(weight=7)))
    log.append(replica.snapshot_records())
    assert any(text.startswith("message 'a' of partition 0: the ledger has") for text in differences(log))


def test_records_that_have_left_the_log_are_no_difference(log):
    """Old mails, labels and predictions are deleted; what was learned from them remains and is no difference."""
    old = [mail(name, 30 - number) for number, name in enumerate("abcd")]
    early = label("w", "ham", 20)
    work(log, *old, *(label(name, "ham", 25 - number) for number, name in enumerate("abcd")), early)
    work(log, mail("w", 2), mail("e", 1.5), label("e", "spam", 1))
    assert [r.key for r in read_all(log, EMAILS)] == [b"w", b"e"]
    assert [r.key for r in read_all(log, LABELS)] == [b"e"]
    assert Replica.load(log, SETTINGS).model.labels_learned == 6
    assert differences(log) == []

    # the mail has left the log, so its label can no longer change
    work(log, label("a", "spam"))
    assert differences(log) == []
    wrong = forge(log)
    assert [text[: len(wrong)] for text in differences(log)] == [wrong]


def test_a_wrong_number_of_labels_is_found_after_the_mails_have_left_the_log(log):
    work(log, mail("a", 30), mail("b", 29), label("a", "ham", 25))
    work(log, mail("e", 1.5), label("e", "spam", 1))
    deltas = (read_record(r) for r in read_all(log, MODEL) if r.key.startswith(b"d/"))
    first = next(delta for delta in deltas if delta.changes)
    twice = Replica.load(log, SETTINGS).empty_model().recorder()
    for words in ("one", "two"):
        twice.apply_update(words, first.entries[0].update)
    forged = delta_record(msgspec.structs.replace(first, changes=twice.take()))
    log._store._files["out"].execute("UPDATE records SET value = ? WHERE key = ?", (forged.value, forged.key))
    wrong = f"model: delta {first.checkpoint.seq} of partition 0: 2 labels"
    assert [text[: len(wrong)] for text in differences(log)] == [wrong]


def test_a_mail_without_an_output_is_found_if_outputs_of_its_time_are_kept(log):
    work(log, mail("a", 30), mail("b", 2), mail("c", 1))
    log._store._files["out"].execute("DELETE FROM records WHERE topic = ? AND offset = 1", (PREDICTIONS,))
    assert differences(log) == ["emails[0]@1: neither predicted nor quarantined"]
    log._store._files["out"].execute("DELETE FROM records WHERE topic = ? AND offset = 0", (PREDICTIONS,))
    assert differences(log) == []


def test_a_model_of_which_all_records_are_gone_is_a_difference(log):
    gone = "model: no label, but predictions were made with 1: records of this topic are gone"
    work(log, mail("a"), label("a", "spam"))
    work(log, mail("b"))
    assert differences(log) == []
    log._store._files["out"].execute("DELETE FROM records WHERE topic = ?", (MODEL,))
    log._store._files["out"].execute("DELETE FROM newest WHERE topic = ?", (MODEL,))
    assert differences(log) == [gone]


def test_a_mail_with_a_time_before_1970_is_compared():
    log = new_log()
    work(log, mail("a", 40_000), mail("b"))
    found = verify(log, SETTINGS)
    assert (found.mails, found.left_out) == (2, {})


def test_a_label_on_another_partition_than_its_mail_is_no_difference():
    log = new_log(2)
    records = (mail("a"), label("a", "spam"), label("a", "ham"))
    work(log, *(record._replace(partition=partition) for record, partition in zip(records, (0, 0, 1), strict=True)))
    assert differences(log) == []


def test_records_that_cannot_be_compared_are_counted_by_reason(log, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    old = [mail(name, 30 - number) for number, name in enumerate("abcd")]
    work(log, *old, *(label(name, "ham", 25 - number) for number, name in enumerate("abcd")))
    work(log, mail("w", 2), mail("e", 1.5), label("e", "spam", 1))
    log.append([mail("n"), label("n", "spam"), label("w", "ham")])

    findings = verify(log, SETTINGS)
    assert findings.differences == []
    assert findings.left_out == {
        "mails that no worker has processed yet": 1,
        "labels that no worker has processed yet": 2,
        "labels whose mails have left the log": 4,
        "updates whose mails cannot be read again: their words are not recounted": 4,
        "snapshots compared only by the number of labels, because not all updates can be recounted": 1,
    }


def test_a_loaded_model_has_updates_that_cannot_be_recounted(log):
    model = new_model(SETTINGS.learner, b"k" * 32)
    for number in range(3):
        model.learn_one(f"word{number} here", "spam")
    put_model(log, model)
    work(log, mail("a"))

    findings = verify(log, SETTINGS)
    assert (findings.mails, findings.updates, findings.differences) == (1, 0, [])
    assert findings.left_out["updates in the snapshot that no ledger has: evicted, or loaded with the model"] == 3


def test_a_forged_delta_and_a_repeated_prediction_are_found(log):
    work(log, mail("a"), label("a", "spam"))
    first = next(read_all(log, PREDICTIONS))
    log.append([ProducerRecord(PREDICTIONS, first.key, first.value, 0)])
    recorder = Replica.load(log, SETTINGS).model.recorder()
    recorder.learn("something else", "ham")
    log.append([delta_record(Delta(FORMAT, 0, Checkpoint(2, 1, 1), recorder.take(), ()))])

    found = differences(log)

    assert any("processed 2 times" in text for text in found)
    assert any(text.startswith("model:") for text in found)


def test_predictions_are_read_twice_whatever_the_number_of_partitions(monkeypatch):
    log, scanned = MemoryLog(Topics()), Counter[str]()
    log.create_topics(TOPICS, 8)
    run_worker(log, SETTINGS, [ProducerRecord(EMAILS, b"m%d" % number, b"a mail", number) for number in range(8)])
    scan = log.scan
    monkeypatch.setattr(log, "scan", lambda place, first=0: scanned.update([place.topic]) or scan(place, first))

    assert verify(log, SETTINGS).mails == 8
    assert scanned[PREDICTIONS] == 2 * 8  # for the outputs, and for the decisions
