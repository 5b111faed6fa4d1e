"""Runs the stage on a log, with a clock that the test sets."""

from __future__ import annotations

from consumers.log.base import Log, ProducerRecord
from consumers.records.replay import read_labels
from consumers.records.schemas import PREDICTIONS, SILENCE, encode
from consumers.settings import Settings, SilenceSettings
from consumers.silence.stage import SilenceStage
from tests.support.monitor_stream import BEGIN, prediction

SETTINGS = Settings(silence=SilenceSettings(after_days=1.0))


class Clock:
    def __init__(self) -> None:
        self.now = BEGIN

    def __call__(self) -> float:
        return self.now


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
    """The ids of all labels of silence, repeated if a mail has several."""
    return sorted(label.id for _, label in read_labels(log) if label.source == SILENCE)
