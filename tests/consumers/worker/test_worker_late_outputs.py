"""A worker waits until it can read all that its predecessor has committed: on Kafka positions may be readable first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import pytest

from consumers.evaluation.verify import verify
from consumers.log.base import Record, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.model.changelog import MODEL_PARTITION
from consumers.records.schemas import PREDICTIONS
from tests.support.few_mails import mail
from tests.support.outputs import predictions, quarantined
from tests.support.worker_run import EVERYTHING, label, run_worker

LOOKS = 20


class LateLog(MemoryLog):
    """The last record of one partition becomes readable after `LOOKS` looks at the partition."""

    def __init__(self, topics: Topics, late: TopicPartition) -> None:
        super().__init__(topics)
        self._late = late
        self._hidden_at = super().end_offset(late) - 1
        self._looks = 0

    def end_offset(self, place: TopicPartition) -> int:
        if place != self._late:
            return super().end_offset(place)
        self._looks += 1
        return self._hidden_at if self._looks < LOOKS else super().end_offset(place)

    def written_ends(self, places: Sequence[TopicPartition]) -> dict[TopicPartition, int]:
        return {place: super(LateLog, self).end_offset(place) for place in places}

    def read(
        self, next_offsets: Mapping[TopicPartition, int], limit: int = 1000, timeout_s: float = 0.0
    ) -> list[Record]:
        read = super().read(next_offsets, limit, timeout_s)
        return [each for each in read if each.place != self._late or each.offset < self.end_offset(self._late)]


@pytest.mark.parametrize("late", [TopicPartition(PREDICTIONS, 0), MODEL_PARTITION], ids=str)
def test_a_label_is_learned_although_outputs_of_the_last_commit_become_readable_late(topics, late):
    """The last commit scored a mail, and learned the label that had come before the mail: it has read no label."""
    log = MemoryLog(topics)
    log.append([record._replace(partition=0) for record in (mail("a"), label("a", "ham"), label("b", "spam"))])
    run_worker(log, EVERYTHING)
    log.append([record._replace(partition=0) for record in (mail("b"), mail("c"))])
    run_worker(log, EVERYTHING)
    log.append([label("c", "spam")._replace(partition=0)])

    model = run_worker(LateLog(topics, late), EVERYTHING).replica.require_model()

    assert model.labels_learned == 3
    assert ([each.id for each in predictions(log)], quarantined(log)) == (["a", "b", "c"], [])
    assert verify(log, EVERYTHING).differences == []
    assert run_worker(log, EVERYTHING).replica.require_model().same_counts(model)
