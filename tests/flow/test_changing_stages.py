"""Whatever is changed while a stream runs: all copies agree, a recount finds nothing, and all can be forgotten."""

from __future__ import annotations

import random

import pytest

from consumers.evaluation.verify import verify
from consumers.model.replica import Replica
from consumers.worker import snapshot_writer
from tests.consumers.combiner.sums_run import assert_same
from tests.flow.changing_stages import ChangingStages


def agreed(stages: ChangingStages) -> Replica:
    """A replica of what is on the log, with which all others agree, and a recount."""
    truth = Replica.load(stages.log, stages.settings)
    for replica in stages.copies:
        assert_same(replica, truth, texts=False)
    assert verify(stages.log, stages.settings).differences == []
    return truth


@pytest.mark.parametrize("seed", range(8))
def test_whatever_changes_all_stages_agree_and_can_forget_everything(monkeypatch, seed):
    """Workers commit in time, so that a seed does not give the same run twice."""
    draw = random.Random(seed)
    monkeypatch.setattr(snapshot_writer, "MIN_SNAPSHOT_BYTES", draw.choice((20_000, 1 << 40)))
    stages = ChangingStages(draw)
    for _ in range(draw.choice((60, 150, 250))):
        stages.happen()
    stages.settle()
    agreed(stages)

    stages.forget_all()
    left = agreed(stages)
    assert left.require_model().labels_learned == 0
    if not (left.forgotten or left.halvings):  # else what was learned later is no longer there in full
        kept = left.empty_model()
        kept.merge(left.require_model())
        assert kept.same_counts(left.empty_model())
