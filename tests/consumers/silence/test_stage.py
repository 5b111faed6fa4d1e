"""The silence stage labels each mail once, after the set time, and only if no person did."""

from __future__ import annotations

import pytest

from consumers.errors import UserError
from consumers.log.base import ProducerRecord
from consumers.records.replay import final_labels, read_labels
from consumers.records.schemas import LABELS, PREDICTIONS, SILENCE
from consumers.settings import KafkaSettings, Settings, SilenceSettings, SqliteSettings, WorkerSettings
from consumers.silence import stage as module
from consumers.silence.stage import DAY_S, check_days
from tests.consumers.silence.stage_run import SETTINGS, scored, settle, silent, stage_on
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, label_record
from tests.support.own_log import own_messages


def test_an_unlabelled_mail_gets_its_predicted_label_after_the_set_time(clock):
    log = new_log()
    log.append([scored(1, BEGIN), scored(2, BEGIN + 60, log_odds=3.0), scored(3, BEGIN + 60, log_odds=0.5)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + 24 * 3600 - 1
    settle(stage)
    assert silent(log) == []
    clock.now = BEGIN + 24 * 3600 + 1
    settle(stage)
    assert silent(log) == ["m1"]
    clock.now = BEGIN + 9 * DAY_S
    settle(stage)
    assert final_labels(log, silence=True) == {"m1": "ham", "m2": "spam"}
    assert final_labels(log) == {}


def test_the_waiting_time_is_the_set_number_of_days(clock):
    log = new_log()
    log.append([scored(1, BEGIN)])
    stage = stage_on(log, clock, Settings(silence=SilenceSettings(after_days=3.0)))
    for days, ids in ((2.9, []), (3.1, ["m1"])):
        clock.now = BEGIN + days * DAY_S
        settle(stage)
        assert silent(log) == ids


def test_a_label_is_in_the_partition_of_its_mail(clock):
    """Another producer may have chosen the partitions, and a worker looks for the mail in that of its label."""
    log = new_log(2)
    log.append([scored(number, BEGIN, partition=number // 2) for number in range(4)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert sorted((label.id, record.partition) for record, label in read_labels(log)) == [
        ("m0", 0), ("m1", 0), ("m2", 1), ("m3", 1)
    ]  # fmt: skip


def test_predicted_spam_gets_no_label_if_junk_is_not_read(clock):
    log = new_log()
    log.append([scored(1, BEGIN), scored(2, BEGIN, log_odds=3.0)])
    stage = stage_on(log, clock, Settings(silence=SilenceSettings(after_days=1.0, junk_is_read=False)))
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == ["m1"]


def test_labels_of_people_take_precedence_whenever_they_arrive(clock):
    log = new_log()
    log.append([scored(n, BEGIN) for n in range(5)])
    stage = stage_on(log, clock)
    log.append([label_record("m0", "spam", "ann", BEGIN + 5), label_record("m1", None, "ann", BEGIN + 5)])
    log.append([label_record("m2", "spam", "ann", BEGIN + 5), label_record("m2", None, "ann", BEGIN + 6, forget=True)])
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == ["m3", "m4"]  # m2 was labelled once, so somebody has looked at it

    log.append([label_record("m3", "spam", "ann", clock.now)])
    log.append([label_record("m0", "ham", SILENCE, clock.now)])  # as if both labels were written at the same time
    assert final_labels(log, silence=True) == {"m0": "spam", "m3": "spam", "m4": "ham"}
    log.append([label_record("m3", None, "ann", clock.now, forget=True)])
    assert final_labels(log, silence=True) == {"m0": "spam", "m3": "ham", "m4": "ham"}


def test_a_mail_that_workers_no_longer_remember_gets_no_label_and_the_reason_is_logged(clock, caplog):
    settings = Settings(silence=SETTINGS.silence, worker=WorkerSettings(remember_mails=10))
    log = new_log()
    log.append([scored(n, BEGIN + n) for n in range(30)])
    stage = stage_on(log, clock, settings)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == sorted(f"m{n}" for n in range(20, 30))
    assert "predictions[0]: no label of silence for 20 mails with 10 after them" in caplog.text
    assert "remember_mails" in caplog.text and "after_days" in caplog.text
    caplog.clear()
    settle(stage)
    assert own_messages(caplog) == []


def test_labels_beyond_those_of_one_commit_follow_without_waiting_for_records(clock, monkeypatch):
    monkeypatch.setattr(module, "MOST_LABELS", 2)
    log = new_log()
    log.append([scored(n, BEGIN) for n in range(5)])
    stage, seen = stage_on(log, clock), []
    clock.now = BEGIN + 2 * DAY_S
    while len(seen) < 3:
        stage.step(timeout_s=0.0)
        seen.append((len(silent(log)), stage.busy))
    assert seen == [(2, True), (4, True), (5, False)]


def test_invalid_records_are_skipped(clock):
    log = new_log()
    bad = [ProducerRecord(topic, b"m1", value, 0, BEGIN) for topic in (PREDICTIONS, LABELS) for value in (b"{", None)]
    elsewhere = label_record("m1", "spam", "ann", BEGIN)._replace(key=b"another")
    log.append([*bad, elsewhere, scored(1, BEGIN)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == ["m1"]
    assert stage.skipped.count == 2


def test_a_prediction_dated_in_the_future_does_not_delay_others(clock):
    log = new_log()
    log.append([scored(1, BEGIN + 900 * DAY_S), scored(2, BEGIN)])
    stage = stage_on(log, clock)
    settle(stage)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == ["m1", "m2"]


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        (Settings(sqlite=SqliteSettings(retention_days=7.0)), "[sqlite] retention_days is 7"),
        (Settings(log="kafka://k:9092", kafka=KafkaSettings(retention_days=3.5)), "[kafka] retention_days is 3.5"),
        (Settings(worker=WorkerSettings(remember_days=1.0)), "[worker] remember_days is 1"),
    ],
)
def test_after_days_longer_than_mails_are_kept_is_refused(settings, said):
    with pytest.raises(UserError, match="after_days is 7") as error:
        check_days(settings)
    assert said in str(error.value)
    check_days(Settings(silence=SilenceSettings(after_days=89.0)))
