"""A monitor that was restarted, or switched off for a while, ends with the figures of one that always ran."""

from __future__ import annotations

import msgspec
import pytest

from consumers.log.base import TopicPartition
from consumers.log.memory import MemoryLog
from consumers.monitor import service
from consumers.monitor.figures.history import HistoryPoint
from consumers.monitor.service import PATIENCE_S
from consumers.monitor.topic import MONITOR_PARTITION, decode_record
from consumers.monitor.view import View
from consumers.records.schemas import PREDICTIONS
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, monitor_of, stream


@pytest.mark.parametrize(("publish_every", "partitions"), [(1, 1), (7, 1), (1, 3), (7, 3)])
def test_a_restart_at_any_point_loses_nothing(publish_every, partitions):
    whole, broken = new_log(partitions), new_log(partitions)
    batches = list(stream(120, seed=8, partitions=partitions))
    steady = monitor_of(whole)
    for number, records in enumerate(batches):
        whole.append(records)
        broken.append(records)
        catch_up(steady)
        restarted = monitor_of(broken)
        if number % publish_every == 0:
            catch_up(restarted)
        else:
            restarted.step(timeout_s=0.0)  # and is killed
    restarted = monitor_of(broken)
    catch_up(restarted)
    assert lasting(restarted.view) == lasting(steady.view)
    assert restarted.state.totals().start == steady.state.totals().start


@pytest.mark.parametrize("stopped_after", [0, 60])
def test_a_monitor_that_was_off_ends_with_the_figures_of_one_that_was_not(stopped_after):
    """The backlog of a partition must not be counted before older records of the others."""
    steady_log, other_log = new_log(3), new_log(3)
    steady = monitor_of(steady_log)
    for number, records in enumerate(stream(300, seed=9, partitions=3)):
        steady_log.append(records)
        other_log.append(records)
        catch_up(steady)
        if number < stopped_after:
            catch_up(monitor_of(other_log))
    late = monitor_of(other_log)
    catch_up(late)
    assert lasting(late.view) == lasting(steady.view)


@pytest.mark.parametrize("partitions", [1, 3])
def test_the_history_has_no_gap_where_a_monitor_was_off(monkeypatch, partitions):
    """Not even if it polls the backlog in many steps, and publishes before it has read all."""
    monkeypatch.setattr(service, "POLL_RECORDS", 20)
    monkeypatch.setattr(service, "PUBLISH_S", 0.0)
    steady_log, other_log = new_log(partitions), new_log(partitions)
    steady = monitor_of(steady_log)
    for number, records in enumerate(stream(120, seed=9, partitions=partitions)):
        timed = [record._replace(timestamp=BEGIN + 5 * number) for record in records]
        steady_log.append(timed)
        other_log.append(timed)
        catch_up(steady)
        if number == 40:
            catch_up(monitor_of(other_log))
    catch_up(monitor_of(other_log))
    assert mails_by_time(other_log) == mails_by_time(steady_log)


def mails_by_time(log: MemoryLog) -> dict[tuple[int, int], int]:
    """The number of mails at each point of the history, by step and timestamp."""
    records = [decode_record(record).value for record in log.scan(MONITOR_PARTITION)]
    return {(each.step_s, each.timestamp): each.mails for each in records if isinstance(each, HistoryPoint)}


def lasting(view: View) -> dict[str, object]:
    """The figures, except for those of the moment."""
    figures = msgspec.to_builtins(view)
    for changing in ("mails_per_s", "labels_per_s", "changes", "change_counts", "signals"):
        del figures[changing]
    return figures


def test_partitions_do_not_wait_long_for_one_that_cannot_be_read():
    """A monitor that waited would show old figures until the partition's broker is back."""
    log, now = new_log(2), [0.0]
    monitor = monitor_of(log, clock=lambda: now[0])
    catch_up(monitor)
    lag, unread = monitor.consumer.lag, TopicPartition(PREDICTIONS, 1)
    monitor.consumer.lag = lambda place: 5 if place == unread else lag(place)
    for records in stream(20, seed=8, partitions=2):
        log.append([record for record in records if (record.topic, record.partition) != unread])

    assert monitor.step(timeout_s=0.0) == 0
    now[0] += PATIENCE_S - 1
    assert monitor.step(timeout_s=0.0) == 0
    now[0] += 1
    assert monitor.step(timeout_s=0.0) > 0
    assert monitor.waiting == 0
