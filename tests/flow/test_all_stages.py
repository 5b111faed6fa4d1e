"""Whatever happens to a stream: all copies of the model agree, and a recount finds no difference."""

from __future__ import annotations

import random

import pytest

from consumers.evaluation.verify import verify
from consumers.model.replica import Replica
from consumers.monitor import service
from consumers.worker import snapshot_writer
from tests.consumers.combiner.sums_run import assert_same
from tests.flow.all_stages import AllStages

FIGURES = "timestamp mails labels classes windows coverage misplaced_labels estimate sources senders".split()


@pytest.mark.parametrize("deletes", [False, True])
@pytest.mark.parametrize("seed", range(8))
def test_whatever_happens_all_stages_agree(monkeypatch, seed, deletes):
    """Workers commit in time, so that a seed does not give the same run twice."""
    draw = random.Random(seed)
    monkeypatch.setattr(snapshot_writer, "MIN_SNAPSHOT_BYTES", draw.choice((20_000, 60_000, 1 << 40)))
    stages = AllStages(draw, deletes)
    for _ in range(draw.choice((60, 250, 700))):
        stages.happen()
    stages.settle()

    truth = Replica.load(stages.log, stages.settings)
    for replica in stages.copies:
        assert_same(replica, truth, texts=False)  # a text may be on the log only in a delta that has been deleted
    assert verify(stages.log, stages.settings).differences == []
    if not deletes:
        monkeypatch.setattr(service, "read_last", lambda *_: None)  # without what other monitors have stored
        fresh = stages.new_monitor("fresh")
        stages.count(fresh)
        stages.count(stages.monitor)
        for figure in FIGURES:
            assert getattr(stages.monitor.view, figure) == getattr(fresh.view, figure), figure
