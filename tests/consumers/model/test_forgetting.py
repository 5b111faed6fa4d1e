"""The model stays within its number of features, alike on every replica."""

from __future__ import annotations

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.log.memory import MemoryLog, Topics
from consumers.model.changelog import FORMAT, Checkpoint, Delta, delta_record
from consumers.model.forgetting import forget_rare
from consumers.model.replica import Replica
from consumers.records.schemas import TOPICS
from consumers.settings import Settings
from consumers.worker.worker import Worker
from tests.support.worker_run import label, loaded_alike, new_words, short_mail, step_until_done

SETTINGS = msgspec.convert(
    {"learner": {"max_features": 2000, "learn": "everything"}, "worker": {"poll_s": 0.001}}, Settings
)


@pytest.fixture
def topics():
    topics = Topics()
    MemoryLog(topics).create_topics(TOPICS, 2)
    return topics


def test_ever_new_words_keep_the_model_within_its_bound_on_every_replica(topics):
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    watching = Replica.load(MemoryLog(topics), SETTINGS)
    rows = []
    for n in range(80):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
        worker.step()
        watching.follow()
        rows.append(watching.model.statistics.features)
    for n in range(20, 40):
        log.append([label(f"m{n}", "other")])
    step_until_done(worker)
    watching.follow()
    started = loaded_alike(topics, SETTINGS, worker.replica, watching)

    assert started.model.labels_learned == 80
    assert max(rows) < 3 * 2000 < started.forgotten == worker.replica.forgotten == watching.forgotten


def test_what_is_forgotten_and_what_another_learns_meanwhile_add_up_in_any_order(topics):
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    other = Replica.load(MemoryLog(topics), SETTINGS)
    log.append([short_mail("a", "common words in here"), label("a", "ham")])
    step_until_done(worker)
    other.follow()
    recorder = other.require_model().recorder()
    # The other one learns more of these words, while they are taken out.
    recorder.learn("common words are learned elsewhere", "ham")
    forgetting = forget_rare(worker.replica.model, 3, 0, worker.replica.checkpoint(0))
    late = Delta(FORMAT, 1, Checkpoint(other.checkpoint(1).seq + 1, 1, 1), recorder.take(), ())
    log.append([delta_record(forgetting), delta_record(late)])
    worker.replica.advance(forgetting, 0)
    other.advance(late, 0)
    worker.replica.follow()
    other.follow()

    assert worker.replica.model.same_counts(other.model)
    assert other.model.same_counts(Replica.load(MemoryLog(topics), SETTINGS).model)
    assert other.forgotten == worker.replica.forgotten > 0


def test_what_was_forgotten_is_known_after_a_snapshot(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    for n in range(60):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
    step_until_done(worker)
    started = Replica.load(MemoryLog(topics), SETTINGS)

    assert started.manifest.number > 2 and started.forgotten == worker.replica.forgotten > 2000
    assert started.model.same_counts(worker.replica.model)
    assert verify(MemoryLog(topics), SETTINGS).differences == ()
