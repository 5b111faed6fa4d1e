"""Rare features are evicted to keep the model within its number of features, alike on every replica."""

from __future__ import annotations

import json

import msgspec
import pytest
from click.testing import CliRunner

from consumers.cli.commands.evaluate import command
from consumers.evaluation.verify import verify
from consumers.log.memory import MemoryLog
from consumers.model.changelog import FORMAT, Checkpoint, Delta, delta_record
from consumers.model.replica import Replica
from consumers.settings import LearnerSettings, Settings
from consumers.worker.forgetting import Forgetting
from consumers.worker.worker import Worker
from stream_nb import MailNB
from tests.support.worker_run import label, loaded_alike, new_words, short_mail, step_until_done

SETTINGS = msgspec.convert(
    {"learner": {"max_features": 2000, "learn": "everything"}, "worker": {"poll_s": 0.001}}, Settings
)


@pytest.mark.parametrize("features_per_delta", [30, 40_000])
def test_endless_new_words_keep_every_replica_within_its_number_of_features(topics, monkeypatch, features_per_delta):
    monkeypatch.setattr("consumers.worker.forgetting.MOST_FORGOTTEN", features_per_delta)
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    follower = Replica.load(MemoryLog(topics), SETTINGS)
    feature_counts = []
    for n in range(80):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
        worker.step()
        follower.follow()
        feature_counts.append(follower.model.statistics.features)
    for n in range(20, 40):
        log.append([label(f"m{n}", "other")])
    step_until_done(worker)
    follower.follow()
    loaded = loaded_alike(topics, SETTINGS, worker.replica, follower)

    assert loaded.model.labels_learned == 80
    assert max(feature_counts) < 3 * 2000 < loaded.forgotten == worker.replica.forgotten == follower.forgotten


def test_eviction_and_concurrent_learning_give_the_same_counts_in_any_order(topics):
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    other = Replica.load(MemoryLog(topics), SETTINGS)
    log.append([short_mail("a", "common words in here"), label("a", "ham")])
    step_until_done(worker)
    other.follow()
    recorder = other.require_model().recorder()
    # The other replica learns these words again while they are evicted.
    recorder.learn("common words are learned elsewhere", "ham")
    (eviction,) = Forgetting(worker.replica, LearnerSettings(max_features=3)).take_due(0)
    concurrent = Delta(FORMAT, 1, Checkpoint(other.checkpoint(1).seq + 1, 1, 1), recorder.take(), ())
    log.append([delta_record(eviction), delta_record(concurrent)])
    worker.replica.advance(eviction, 0)
    other.advance(concurrent, 0)
    worker.replica.follow()
    other.follow()

    assert worker.replica.model.same_counts(other.model)
    assert other.model.same_counts(Replica.load(MemoryLog(topics), SETTINGS).model)
    assert other.forgotten == worker.replica.forgotten > 0


def test_a_snapshot_contains_how_many_features_were_evicted(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    monkeypatch.setattr("consumers.worker.snapshot_writer.FEATURE_BYTES", 0)
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    for n in range(60):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
    step_until_done(worker)
    loaded = Replica.load(MemoryLog(topics), SETTINGS)

    assert loaded.manifest.number > 2 and loaded.forgotten == worker.replica.forgotten > 2000
    assert loaded.model.same_counts(worker.replica.model)
    assert verify(MemoryLog(topics), SETTINGS).differences == []


@pytest.mark.parametrize("limited", [True, False])
def test_evaluate_keeps_the_model_within_its_number_of_features(tmp_path, monkeypatch, limited):
    rows = [{"id": f"m{n}", "text": new_words(n), "label": "ham" if n % 3 else "spam"} for n in range(80)]
    path = tmp_path / "mails.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    models = []
    monkeypatch.setattr("consumers.evaluation.learner.new_model", lambda learner: models.append(MailNB()) or models[-1])
    if limited:
        monkeypatch.setenv("STREAM_NB_LEARNER_MAX_FEATURES", "2000")
    CliRunner().invoke(command, [str(path)], catch_exceptions=False)
    (evaluated,) = models
    assert (evaluated.features <= 2000) is limited
