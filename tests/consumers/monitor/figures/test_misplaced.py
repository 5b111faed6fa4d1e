"""Labels on another partition than their mail: counted at once, in any order, and the same after a restart."""

from __future__ import annotations

import io
import random
from threading import Event

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from rich.console import Console

from consumers.cli.terminal import run_top
from consumers.log.base import ProducerRecord
from consumers.monitor.figures.joiner import ScoredMail
from consumers.monitor.figures.misplaced import LabelPartitions
from consumers.monitor.metrics import MonitorCollector
from consumers.records.schemas import PREDICTIONS, SILENCE, LabelRecord, encode
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, label_record, monitor_of, prediction


def mail(number: int, partition: int) -> ProducerRecord:
    scored = prediction(number, 1.0, BEGIN + number, partition)
    return ProducerRecord(PREDICTIONS, scored.id.encode(), encode(scored), partition, BEGIN + number)


def label(number: int, partition: int, at: float = 0.0, source: str = "people") -> ProducerRecord:
    return label_record(f"m{number}", "spam", source, BEGIN + number + at)._replace(partition=partition)


def misplaced(*records: ProducerRecord) -> int:
    log = new_log(partitions=2)
    for record in records:
        log.append([record])
    monitor = monitor_of(log)
    catch_up(monitor)
    return monitor.view.misplaced_labels


@pytest.mark.parametrize("partition", [0, 1])
def test_a_label_on_another_partition_than_its_mail_counts_whichever_is_read_first(partition):
    assert misplaced(mail(1, partition), label(1, 1 - partition, at=1.0)) == 1
    assert misplaced(label(1, 1 - partition), mail(1, partition)) == 1
    assert misplaced(mail(1, partition), label(1, partition, at=1.0)) == 0


def test_a_label_repeated_on_the_right_partition_is_no_longer_misplaced():
    records = [mail(1, 0), label(1, 1, at=1.0), label(1, 0, at=2.0)]
    assert misplaced(*records) == misplaced(*reversed(records)) == 0
    assert misplaced(mail(1, 0), label(1, 0, at=1.0), label(1, 1, at=2.0)) == 1


def test_the_newest_label_decides_even_if_it_is_read_first():
    partitions, vote = LabelPartitions(remember=2), LabelRecord("m1", "spam", "people", 0.0)
    partitions.add(vote, BEGIN + 2, partition=1)
    partitions.add(vote, BEGIN + 1, partition=0)
    assert partitions.misplaced([ScoredMail(prediction(1, 1.0, BEGIN), 0.0)]) == 1


def test_labels_of_mails_that_are_not_known_and_those_of_silence_do_not_count():
    assert misplaced(mail(1, 0), label(2, 1)) == 0
    assert misplaced(mail(1, 0), label(1, 1, at=1.0), label(1, 0, at=2.0, source=SILENCE)) == 1


def test_the_mail_labelled_longest_ago_is_forgotten_first():
    partitions = LabelPartitions(remember=2)
    for at, number in enumerate((1, 2, 1, 3)):
        partitions.add(LabelRecord(f"m{number}", "spam", "people", 0.0), BEGIN + at, partition=1)
    mails = [ScoredMail(prediction(number, 1.0, BEGIN), 0.0) for number in (1, 2, 3)]
    assert [partitions.misplaced([each]) for each in mails] == [1, 0, 1]
    assert partitions.misplaced(mails) == 2


@pytest.mark.parametrize("seed", [1, 2])
def test_a_restart_at_any_point_gives_the_same_count(seed):
    rng = random.Random(seed)
    places = {number: rng.randrange(2) for number in range(60)}
    log, expected = new_log(partitions=2), 0
    steady = monitor_of(new_log(partitions=2))
    for number, place in places.items():
        given = rng.randrange(2)
        records = [mail(number, place), label(number, given, at=0.5)]
        expected += given != place
        log.append(records)
        steady._log.append(records)
        catch_up(steady)
        restarted = monitor_of(log)
        restarted.step(timeout_s=0.0)
        if number % 7:
            catch_up(restarted)
            assert restarted.view.misplaced_labels == steady.view.misplaced_labels == expected
    assert expected > 10


def test_misplaced_labels_are_a_metric_and_reported_by_top():
    log = new_log(partitions=2)
    log.append([mail(1, 0), mail(2, 0), label(1, 1), label(2, 1)])
    monitor = monitor_of(log)
    catch_up(monitor)
    collector, registry = MonitorCollector(), CollectorRegistry()
    collector.monitor = monitor
    registry.register(collector)
    assert "\nstream_nb_misplaced_labels 2.0\n" in generate_latest(registry).decode()
    console = Console(file=io.StringIO(), width=80)
    run_top(log, Event(), console, clock=lambda: BEGIN + 100)
    said = " ".join(console.file.getvalue().split())
    told = "Labels not learned, on another partition than their mail: 2; set each producer's partitioner to murmur2, "
    assert told + "unless partitions were added (docs/records.md)." in said
