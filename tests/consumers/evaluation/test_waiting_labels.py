"""`verify` finds a label that waits for a mail that has arrived, unless workers may have forgotten the mail."""

from __future__ import annotations

import time

import msgspec
import pytest

from consumers.evaluation.findings import Findings
from consumers.evaluation.verify import verify
from consumers.evaluation.waiting_labels import check_waiting_labels
from consumers.log.base import TopicPartition
from consumers.log.memory import MemoryLog
from consumers.model.replica import Replica
from consumers.records.schemas import PREDICTIONS
from consumers.records.skipped import SkippedRecords
from consumers.worker.worker import Worker
from tests.support.few_mails import mail
from tests.support.worker_run import EVERYTHING, label, run_worker

FORGOTTEN = "labels that came after workers had forgotten their mails"


@pytest.fixture
def log(topics):
    """A log whose records have the same time, so that the label comes after all mails."""
    log, now = MemoryLog(topics), time.time()
    records = (mail("a"), label("a", "ham"), mail("b"), mail("c"))
    log.append([record._replace(partition=0, timestamp=now) for record in records])
    return log


def test_a_label_of_a_mail_that_a_worker_did_not_know_is_found(log, monkeypatch):
    """Workers remember two mails and know two classes, so that there was room for both."""
    settings = msgspec.structs.replace(
        EVERYTHING,
        worker=msgspec.structs.replace(EVERYTHING.worker, remember_mails=2, remember_labels=5),
        learner=msgspec.structs.replace(EVERYTHING.learner, max_classes=2),
    )
    run_worker(log, settings)
    with monkeypatch.context() as patched:
        patched.setattr(Worker, "_index_mails", lambda *_: iter(()))
        run_worker(log, settings, [label("b", "spam")._replace(partition=0)])
    difference = (
        "message 'b' of partition 0: the label spam waits for the mail, which was scored at 1; "
        "no fault if [worker] remember_mails or remember_days was smaller then"
    )
    assert verify(log, settings).differences == [difference]

    # The prediction of b is at 1. One that follows what a replica has read, as on an added partition, may be of a mail
    # that it does not know; it still counts as one of the mails that workers remember in place of a, before it.
    replica = Replica.load(log, settings, SkippedRecords())
    for ends, found in (({}, []), ({0: 1}, []), ({0: 2}, [difference])):
        check_waiting_labels(log, settings, replica, ends, findings := Findings())
        assert findings.differences == found


def test_a_label_before_its_mail_is_no_difference(log):
    run_worker(log, EVERYTHING, [label("d", "spam")._replace(partition=0)])

    assert (verify(log, EVERYTHING).differences, verify(log, EVERYTHING).left_out[FORGOTTEN]) == ([], 0)


def test_a_label_of_a_mail_beyond_those_remembered_is_no_difference(log):
    worker = msgspec.structs.replace(EVERYTHING.worker, remember_mails=1, remember_labels=5)
    settings = msgspec.structs.replace(EVERYTHING, worker=worker)
    run_worker(log, settings)
    run_worker(log, settings, [label("b", "spam")._replace(partition=0)])

    assert (verify(log, settings).differences, verify(log, settings).left_out[FORGOTTEN]) == ([], 2)  # of a and b


def test_a_label_of_a_mail_older_than_those_remembered_is_no_difference(log):
    run_worker(log, EVERYTHING)
    records, age_s = log.topics.records, 86_400 * EVERYTHING.worker.remember_days + 1
    place = TopicPartition(PREDICTIONS, 0)
    records[place] = [record._replace(timestamp=record.timestamp - age_s) for record in records[place]]
    run_worker(log, EVERYTHING, [label("b", "spam")._replace(partition=0)])

    assert (verify(log, EVERYTHING).differences, verify(log, EVERYTHING).left_out[FORGOTTEN]) == ([], 1)


def test_an_early_label_for_which_the_model_had_no_room_left_is_no_difference(log):
    learner = msgspec.structs.replace(EVERYTHING.learner, max_classes=2)
    settings = msgspec.structs.replace(EVERYTHING, learner=learner)
    run_worker(log, settings, [label("d", "work")._replace(partition=0), label("b", "spam")._replace(partition=0)])
    run_worker(log, settings, [mail("d")._replace(partition=0)])

    assert (verify(log, settings).differences, verify(log, settings).left_out[FORGOTTEN]) == ([], 1)
