"""After a pause or a kill, a successor loses nothing, repeats nothing, and knows the labels of people."""

from __future__ import annotations

import random

import pytest

from consumers.log import open_log
from consumers.log.base import TopicPartition
from consumers.records.replay import read_labels
from consumers.records.schemas import PREDICTIONS, TOPICS
from consumers.settings import Settings, WorkerSettings
from consumers.silence import stage as module
from consumers.silence.stage import DAY_S
from tests.consumers.silence.stage_run import SETTINGS, scored, settle, silent, stage_on
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, label_record


def test_after_a_pause_all_new_labels_of_people_are_read_first(tmp_path, clock):
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


def test_a_label_that_was_polled_before_earlier_predictions_counts(clock, monkeypatch):
    monkeypatch.setattr(module, "POLL_RECORDS", 2)
    log = new_log()
    read = log.read  # labels first
    monkeypatch.setattr(log, "read", lambda offsets, *limits: read(dict(sorted(offsets.items())), *limits))
    log.append([label_record("m1", "spam", "ann", BEGIN + 60), *(scored(n, BEGIN + n) for n in range(1, 9))])
    clock.now = BEGIN + 5 * DAY_S
    settle(stage_on(log, clock))
    assert silent(log) == [f"m{n}" for n in range(2, 9)]


def test_positions_are_committed_from_time_to_time_and_at_the_end_while_no_label_is_due(clock):
    log, predictions = new_log(), TopicPartition(PREDICTIONS, 0)
    stage = stage_on(log, clock)
    log.append([scored(1, BEGIN, log_odds=0.5)])  # unsure, so it does not wait
    settle(stage)
    assert stage.consumer.committed(predictions) == 0
    clock.now += module.COMMIT_S
    settle(stage)
    assert stage.consumer.committed(predictions) == 1
    log.append([scored(2, BEGIN, log_odds=0.5)])
    settle(stage)
    assert stage.consumer.committed(predictions) == 1
    stage.finish()
    assert stage.consumer.committed(predictions) == 2


def test_a_successor_knows_mails_that_were_labelled_before_their_prediction(clock):
    log = new_log()
    log.append([label_record("m1", "spam", "ann", BEGIN)])
    stage = stage_on(log, clock)
    settle(stage)
    stage.finish()
    log.append([scored(1, BEGIN + 1), scored(2, BEGIN + 1)])
    clock.now = BEGIN + 2 * DAY_S
    settle(stage_on(log, clock))
    assert silent(log) == ["m2"]


def test_a_successor_knows_labelled_mails_however_many_labels_followed(clock):
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


def test_no_label_is_repeated_after_the_group_lost_its_positions(clock):
    """Kafka deletes them after a week without the stage, and operators reset them."""
    log = new_log()
    log.append([scored(n, BEGIN + n) for n in range(8)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    log.topics.committed.clear()
    log.append([scored(8, clock.now)])

    clock.now += 2 * DAY_S
    settle(stage_on(log, clock))

    assert silent(log) == [f"m{n}" for n in range(9)]


def test_a_topic_that_lost_its_latest_records_is_read_from_its_end(clock):
    """Kafka's client would go back to the oldest record from a position beyond the end."""
    log, predictions = new_log(), TopicPartition(PREDICTIONS, 0)
    log.append([scored(n, BEGIN + n) for n in range(8)])
    stage = stage_on(log, clock)
    clock.now = BEGIN + 2 * DAY_S
    settle(stage)
    del log.topics.records[predictions][-5:]

    stage = stage_on(log, clock)
    log.append([scored(8, clock.now)])
    stage.step(timeout_s=0.0)
    clock.now += 2 * DAY_S
    stage.step(timeout_s=0.0)

    assert silent(log) == [f"m{n}" for n in range(9)]
    assert stage.consumer.committed(predictions) == log.end_offset(predictions)


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_each_label_is_written_once_wherever_the_stage_is_killed(clock, seed, monkeypatch):
    """After any commits of killed stages, the result is that of a stage that was never killed."""
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


def test_labels_and_positions_are_committed_together(clock, monkeypatch):
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


def test_on_sqlite_positions_and_labels_are_in_one_file(tmp_path, clock):
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
