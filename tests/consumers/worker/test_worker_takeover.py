"""A worker that takes over a partition continues where its last owner stopped."""

from __future__ import annotations

from consumers.evaluation.verify import verify
from consumers.log.memory import MemoryLog
from consumers.worker.worker import Worker
from tests.support.few_mails import mail
from tests.support.outputs import predictions, quarantined
from tests.support.shared_log import SharedLog
from tests.support.worker_run import EVERYTHING, label, step_until_done


def test_after_a_group_lost_its_positions_a_worker_that_takes_over_learns_no_label_again(topics):
    """Only the deltas have them then, and the worker may not have read the last ones yet."""
    log = MemoryLog(topics)
    first, second = (Worker(SharedLog(topics, [partition]), EVERYTHING, f"w-{partition}") for partition in (0, 1))
    step_until_done(second)
    log.append([record._replace(partition=0) for record in (mail("a"), label("a", "spam"))])
    step_until_done(first)
    topics.committed.clear()

    first.consumer.hold([])
    second.consumer.hold([0, 1])
    step_until_done(second)

    assert second.replica.require_model().labels_learned == 1
    assert ([prediction.id for prediction in predictions(log)], quarantined(log)) == (["a"], [])
    assert verify(log, EVERYTHING).differences == []
