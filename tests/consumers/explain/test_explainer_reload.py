"""An explainer that has not followed the log for long loads the model again."""

from __future__ import annotations

import weakref

from consumers.explain.explainer import Explainer
from consumers.log.sqlite.log import SqliteLog
from consumers.model.replica import Replica
from consumers.records.schemas import TOPICS
from consumers.worker.worker import Worker
from tests.support.worker_run import NEAR_ERROR, label, run_worker, short_mail, step_until_done


def test_when_its_next_delta_was_deleted_the_old_model_is_freed_before_the_new_one_is_loaded(tmp_path, monkeypatch):
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        run_worker(log, records=[short_mail("a", "lunch"), label("a", "ham")])
        explainer = Explainer(log, NEAR_ERROR)
        old = weakref.ref(explainer.replica())
        monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
        worker = Worker(log, NEAR_ERROR, "w-0")
        while worker.replica.manifest.number < 3:
            log.append([label("a", "spam"), label("a", "ham")])
            step_until_done(worker)
        worker.consumer.close()
        left: list[Replica | None] = []

        def load(*arguments, plain=Replica.load):
            left.append(old())
            return plain(*arguments)

        monkeypatch.setattr(Replica, "load", load)
        assert explainer.replica().require_model().labels_learned == 1
        assert left == [None]
