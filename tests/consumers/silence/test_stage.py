"""The stage on a log: labels once, after the time, and never instead of what people say."""

from __future__ import annotations

import random

import pytest

from consumers.errors import UserError
from consumers.log import open_log
from consumers.log.base import Log, ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.records.replay import final_labels, read_labels
from consumers.records.schemas import LABELS, PREDICTIONS, SILENCE, TOPICS, encode
from consumers.settings import KafkaSettings, Settings, SilenceSettings, SqliteSettings, WorkerSettings
from consumers.silence import stage as module
from consumers.silence.stage import DAY_S, SilenceStage, check_days
from tests.consumers.monitor.stream import BEGIN, label_record, prediction

SETTINGS = Settings(silence=SilenceSettings(after_days=1.0))


class Clock:
    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def new_log(partitions: int = 1) -> MemoryLog:
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, partitions)
    return log


def scored(number: int, at: float, log_odds: float = -3.0, partition: int = 0) -> ProducerRecord:
    value = encode(prediction(number, log_odds, at, partition))
    return ProducerRecord(PREDICTIONS, b"m%d" % number, value, partition, at)


def stage_on(log: Log, clock: Clock, settings: Settings = SETTINGS) -> SilenceStage:
    stage = SilenceStage(log, settings, "here-0", clock)
    while not stage.ready:
        stage.step(timeout_s=0.2)
    return stage


def settle(stage: SilenceStage) -> None:
    still = 0
    while still < 3:
        done = stage.step(timeout_s=0.0)
        unread = any(stage.consumer.lag(place) for place in stage.consumer.assignment)
        still = 0 if done or unread or stage.waiting or stage.busy else still + 1


def silent(log: Log) -> list[str]:
    """The ids that have labels of silence, as often as they have them."""
    return sorted(label.id for _, label in read_labels(log) if label.source == SILENCE)


def test_a_mail_that_nobody_labels_gets_its_prediction_as_a_label_after_the_time(clock):
    log = new_log()
    log.append([scored(1, BEGIN), scored(2, BEGIN + 60, log_odds=3.0), scored(3, BEGIN + 60, log_odds=0.5)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + DAY_S - 1
    settle(stage)
    assert silent(log) == []
    clock.now = BEGIN + DAY_S + 1
    settle(stage)
    assert silent(log) == ["m1"]
    clock.now = BEGIN + 9 * DAY_S
    settle(stage)
    assert final_labels(log, silence=True) == {"m1": "ham", "m2": "spam"}
    assert final_labels(log) == {}


def test_where_nobody_opens_the_junk_folder_silence_about_it_says_nothing(clock):
    log = new_log()
    log.append([scored(1, BEGIN), scored(2, BEGIN, log_odds=3.0)])
    stage = stage_on(log, clock, Settings(silence=SilenceSettings(after_days=1.0, junk_is_read=False)))
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == ["m1"]


def test_people_count_before_silence_whenever_they_speak(clock):
    log = new_log()
    log.append([scored(n, BEGIN) for n in range(5)])
    stage = stage_on(log, clock)
    log.append([label_record("m0", "spam", "ann", BEGIN + 5), label_record("m1", None, "ann", BEGIN + 5)])
    log.append([label_record("m2", "spam", "ann", BEGIN + 5), label_record("m2", None, "ann", BEGIN + 6, forget=True)])
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == ["m3", "m4"]  # m2 was labelled, and so somebody has looked at it

    log.append([label_record("m3", "spam", "ann", clock.now)])
    log.append([label_record("m0", "ham", SILENCE, clock.now)])  # as if it had crossed the person's label
    assert final_labels(log, silence=True) == {"m0": "spam", "m3": "spam", "m4": "ham"}
    log.append([label_record("m3", None, "ann", clock.now, forget=True)])
    assert final_labels(log, silence=True) == {"m0": "spam", "m3": "ham", "m4": "ham"}


def test_a_stage_that_was_away_reads_all_that_people_said_meanwhile_first(tmp_path, clock):
    with open_log(Settings(log=f"sqlite:{tmp_path / 'log'}")) as log:
        log.create_topics(TOPICS, 1)
        log.append([scored(1, BEGIN), scored(2, BEGIN)])
        clock.now = BEGIN + 5 * DAY_S
        log.append([label_record(f"other {n}", "spam", "ann", BEGIN + n) for n in range(2 * module.POLL_RECORDS)])
        log.append([label_record("m1", "spam", "ann", clock.now)])
        stage = stage_on(log, clock)
        settle(stage)
        stage.consumer.close()
        assert silent(log) == ["m2"]


def test_a_successor_knows_who_was_labelled_before_its_prediction(clock):
    log = new_log()
    log.append([label_record("m1", "spam", "ann", BEGIN)])
    stage = stage_on(log, clock)
    settle(stage)
    stage.finish()
    log.append([scored(1, BEGIN + 1), scored(2, BEGIN + 1)])
    clock.now = BEGIN + 2 * DAY_S
    settle(stage_on(log, clock))
    assert silent(log) == ["m2"]


def test_a_successor_knows_who_was_labelled_however_many_labels_came_since(clock):
    settings = Settings(silence=SETTINGS.silence, worker=WorkerSettings(remember_mails=10))
    log = new_log()
    log.append([scored(n, BEGIN + n) for n in range(8)])
    log.append([label_record("m3", "spam", "ann", BEGIN + 9)])
    log.append([label_record(f"other {n}", "spam", "ann", BEGIN + 10) for n in range(50)])
    stage = stage_on(log, clock, settings)
    settle(stage)
    stage.finish()
    clock.now = BEGIN + 2 * DAY_S
    settle(stage_on(log, clock, settings))
    assert silent(log) == [f"m{n}" for n in range(8) if n != 3]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_killed_anywhere_it_gives_each_label_once(clock, seed, monkeypatch):
    """A stage that is killed has committed what it has committed; its successor ends where one that never died does."""
    monkeypatch.setattr(module, "MOST_LABELS", 7)
    monkeypatch.setattr(module, "POLL_RECORDS", 20)
    draw = random.Random(seed)
    log, at, expected = new_log(2), BEGIN, set[str]()
    stage = stage_on(log, clock)
    for number in range(300):
        at += draw.uniform(0, 1_000)
        clock.now = at
        partition = number % 2
        records = [scored(number, at, partition=partition)]
        expected.add(f"m{number}")
        if draw.random() < 0.3:  # before or after its prediction
            target = number + draw.choice([-1, 0, 0, 2])
            label = label_record(f"m{target}", "spam", "ann", at)._replace(partition=target % 2)
            records.insert(draw.randrange(2), label)
            expected.discard(f"m{target}")
        log.append(records)
        if draw.random() < 0.5:
            stage.step(timeout_s=0.0)
        if draw.random() < 0.2:
            stage = stage_on(log, clock)
    said = {label.id for _, label in read_labels(log) if label.source == "ann"}
    for _ in range(3):
        clock.now += DAY_S
        settle(stage_on(log, clock))
    assert silent(log) == sorted(f"m{n}" for n in range(300) if f"m{n}" not in said)


def test_labels_and_positions_are_one_commit(clock, monkeypatch):
    log = new_log()
    log.append([scored(n, BEGIN) for n in range(3)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + 2 * DAY_S

    def refused(*_):
        raise RuntimeError("killed")

    monkeypatch.setattr(stage.consumer, "commit", refused)
    with pytest.raises(RuntimeError):
        settle(stage)
    assert silent(log) == []
    settle(stage_on(log, clock))
    settle(stage_on(log, clock))
    assert silent(log) == ["m0", "m1", "m2"]


def test_a_mail_that_no_worker_would_find_again_gets_none_and_a_line_says_why(clock, caplog):
    settings = Settings(silence=SETTINGS.silence, worker=WorkerSettings(remember_mails=10))
    log = new_log()
    log.append([scored(n, BEGIN + n) for n in range(30)])
    stage = stage_on(log, clock, settings)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == sorted(f"m{n}" for n in range(20, 30))
    assert "predictions[0]: no label of silence for mails with 10 after them" in caplog.text
    assert "remember_mails" in caplog.text and "after_days" in caplog.text


def test_records_of_others_stop_nothing(clock):
    log = new_log()
    bad = [ProducerRecord(topic, b"m1", value, 0, BEGIN) for topic in (PREDICTIONS, LABELS) for value in (b"{", None)]
    elsewhere = label_record("m1", "spam", "ann", BEGIN)._replace(key=b"another")
    log.append([*bad, elsewhere, scored(1, BEGIN)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    assert silent(log) == ["m1"]
    assert stage.skipped.count == 2


def test_a_prediction_dated_ahead_does_not_hold_up_the_others(clock):
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
        (Settings(sqlite=SqliteSettings(retention_days=7.0)), "[sqlite] retention_days 7"),
        (Settings(log="kafka://k:9092", kafka=KafkaSettings(retention_days=3.5)), "[kafka] retention_days 3.5"),
        (Settings(worker=WorkerSettings(remember_days=1.0)), "[worker] remember_days 1"),
    ],
)
def test_a_silence_longer_than_mails_are_kept_is_refused(settings, said):
    with pytest.raises(UserError, match="after_days is 7") as error:
        check_days(settings)
    assert said in str(error.value)
    check_days(Settings(silence=SilenceSettings(after_days=89.0)))


def test_on_files_its_positions_are_where_its_labels_are(tmp_path, clock):
    with open_log(Settings(log=f"sqlite:{tmp_path / 'log'}")) as log:
        log.create_topics(TOPICS, 1)
        log.append([scored(n, BEGIN + n) for n in range(3)])
        clock.now = BEGIN + DAY_S + 1
        stage = stage_on(log, clock)
        settle(stage)
        assert silent(log) == ["m0", "m1"]
        stage.finish()
        stage.consumer.close()
        stage = stage_on(log, clock)
        assert stage.consumer.committed(TopicPartition(PREDICTIONS, 0)) == 2
        clock.now += DAY_S
        settle(stage)
        assert silent(log) == ["m0", "m1", "m2"]
        stage.consumer.close()
