"""Where a monitor resumes when its group has lost its positions."""

from __future__ import annotations

from consumers.errors import BadRecord
from consumers.log.base import TopicPartition
from consumers.records.schemas import LABELS, read_label
from tests.support.memory_log import new_log
from tests.support.monitor_stream import catch_up, monitor_of, stream


def test_nothing_is_counted_twice_after_the_group_lost_its_positions():
    """Kafka deletes those of a group without members for a week, and operators reset them."""
    log = new_log()
    for batch in stream(60, seed=4):
        log.append(batch)
    monitor = monitor_of(log)
    catch_up(monitor)
    before = monitor.view
    log.topics.committed.clear()

    monitor = monitor_of(log)
    catch_up(monitor)
    assert (monitor.view.mails, monitor.view.labels) == (before.mails, before.labels)
    assert monitor.view.windows["start"] == before.windows["start"]
    assert all(how_far.unread == 0 and how_far.next_offset > 0 for how_far in monitor.progress().values())


def test_a_recreated_topic_is_counted_from_its_start():
    log = new_log()
    for batch in stream(60, seed=4):
        log.append(batch)
    monitor = monitor_of(log)
    catch_up(monitor)
    place = TopicPartition(LABELS, 0)
    again = log.topics.records[place][:5]
    log.topics.records[place][:] = again
    log.topics.committed.clear()

    before = monitor.view
    monitor = monitor_of(log)
    catch_up(monitor)
    assert monitor.view.mails == before.mails
    assert monitor.view.labels - before.labels == sum(1 for record in again if valid(record))


def test_a_topic_that_lost_its_latest_records_is_not_counted_again():
    """Kafka's client would go back to the oldest record from a position beyond the end."""
    log = new_log()
    for batch in stream(60, seed=4):
        log.append(batch)
    monitor = monitor_of(log)
    catch_up(monitor)
    before, place = monitor.view, TopicPartition(LABELS, 0)
    del log.topics.records[place][-5:]

    monitor = monitor_of(log)
    catch_up(monitor)
    assert monitor.view.labels == before.labels
    assert monitor.progress()[place].next_offset == log.end_offset(place)


def valid(record) -> bool:
    try:
        read_label(record)
    except BadRecord:
        return False
    return True
