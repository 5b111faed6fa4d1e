"""What a combiner does when its partition is assigned to it or to another, and at its end."""

from unittest.mock import Mock

from consumers.combiner import stage
from consumers.combiner.stage import CombinerStage
from consumers.log.memory import MemoryLog
from consumers.model.sums import SUMS_PARTITION
from consumers.settings import Settings
from tests.consumers.combiner.sums_run import Clock, combiner_on, new_topics, publish
from tests.support.worker_run import label, run_worker, short_mail


def test_a_combiner_waits_for_what_its_predecessor_commits_before_it_reads_the_newest_sum(monkeypatch):
    order = []
    monkeypatch.setattr(stage, "wait_for_outputs", lambda log, places, beat: order.append(places))
    monkeypatch.setattr(MemoryLog, "scan", lambda log, place, begin: order.append(place) or iter(()))
    combiner_on(MemoryLog(new_topics()), Settings(), Clock())
    assert order[:2] == [[SUMS_PARTITION], SUMS_PARTITION]


def test_a_combiner_whose_partition_is_another_ones_reads_nothing():
    log = Mock()
    log.join_group.return_value.assignment = frozenset()
    CombinerStage(log, Settings(), "c-1").on_assignment()
    assert [name for name, _, _ in log.method_calls] == ["join_group"]


def test_a_combiner_that_has_published_everything_writes_nothing_at_its_end():
    log, clock = MemoryLog(new_topics(1)), Clock()
    run_worker(log, Settings(), [short_mail("m1", "words"), label("m1", "ham")])
    combiner = combiner_on(log, Settings(), clock)
    publish(combiner, clock)
    end = log.end_offset(SUMS_PARTITION)
    combiner.finish()
    assert log.end_offset(SUMS_PARTITION) == end > 0
