"""Decay and eviction are the same on every replica, and `verify` finds no difference."""

from __future__ import annotations

import msgspec
import pytest

from consumers.evaluation.verify import verify
from consumers.log.memory import MemoryLog
from consumers.model.changelog import FORMAT, Checkpoint, Delta, delta_record
from consumers.model.replica import Replica
from consumers.settings import LearnerSettings, Settings
from consumers.worker.forgetting import OWNED, Forgetting
from consumers.worker.worker import Worker
from stream_nb.mail import read_mail
from tests.support.worker_run import label, loaded_alike, new_words, short_mail, step_until_done

SETTINGS = msgspec.convert({"learner": {"half_life": 64, "learn": "everything"}, "worker": {"poll_s": 0.001}}, Settings)


def append_labelled_mail(log, n, text="money for lunch"):
    log.append([short_mail(f"m{n}", f"{text} {n % 7}"), label(f"m{n}", "spam" if n % 3 else "ham")])


def taken(forgetting, replica, room):
    """The deltas that are due, which the replica has committed."""
    deltas = []
    for delta in forgetting.take_due(room):
        replica.advance(delta, 0)
        deltas.append(delta)
    return deltas


def test_all_replicas_decay_alike_and_verify_finds_no_difference(topics):
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    follower = Replica.load(MemoryLog(topics), SETTINGS)
    for n in range(200):
        append_labelled_mail(log, n)
        worker.step()
        follower.follow()
    for n in range(20):
        log.append([label(f"m{n}", "other")])
    step_until_done(worker)
    follower.follow()
    loaded = loaded_alike(topics, SETTINGS, worker.replica, follower)

    assert loaded.decayed_to == worker.replica.decayed_to > 150
    counts = loaded.model.evidence("money").terms[0].counts
    assert sum(counts.values()) < 0.7 * loaded.model.labels_learned == 140.0


def test_a_snapshot_contains_how_far_decay_has_progressed(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    log = MemoryLog(topics)
    worker = Worker(log, SETTINGS, "w-0")
    for n in range(100):
        append_labelled_mail(log, n, f"new{n} words{n}")
        worker.step()
    step_until_done(worker)
    loaded = Replica.load(MemoryLog(topics), SETTINGS)

    assert loaded.manifest.number > 2 and loaded.decayed_to == worker.replica.decayed_to > 90
    assert loaded.model.same_counts(worker.replica.model)
    findings = verify(MemoryLog(topics), SETTINGS)
    assert findings.differences == [] and any("only by the number of labels" in what for what in findings.left_out)


def test_decay_and_eviction_of_rare_features_work_together(topics):
    with_eviction = msgspec.structs.replace(
        SETTINGS, learner=msgspec.structs.replace(SETTINGS.learner, max_features=2000)
    )
    log = MemoryLog(topics)
    worker = Worker(log, with_eviction, "w-0")
    for n in range(100):
        log.append([short_mail(f"m{n}", new_words(n)), label(f"m{n}", "spam" if n % 3 else "ham")])
        worker.step()
    step_until_done(worker)
    loaded = loaded_alike(topics, with_eviction, worker.replica)

    assert loaded.model.features <= 2000 and loaded.forgotten > 2000 and loaded.decayed_to > 90


def test_a_commit_without_room_decays_only_one_of_the_parts_that_are_due(topics):
    worker = Worker(MemoryLog(topics), Settings(), "w-0")
    replica = worker.replica
    for n in range(64):
        replica.require_model().learn_one(f"word{n}", "spam")

    forgetting = Forgetting(replica, LearnerSettings(half_life=64))

    def decayed_parts(room):
        return [delta.decayed_to for delta in taken(forgetting, replica, room)]

    assert replica.checkpoint(OWNED).seq == 0
    assert decayed_parts(0) == [1]
    assert decayed_parts(1) == [2], "which fills the room"
    assert decayed_parts(10**6) == list(range(3, 65))
    assert decayed_parts(10**6) == []
    assert replica.checkpoint(OWNED).seq == 64


def test_a_commit_without_room_forgets_one_part_or_as_much_as_the_model_has_gained(topics, monkeypatch):
    """Otherwise a large model with a new limit could never be written over a slow link."""
    monkeypatch.setattr("consumers.worker.forgetting.MOST_FORGOTTEN", 100)
    monkeypatch.setattr("consumers.worker.forgetting.LEAST_FORGOTTEN", 100)
    replica = Worker(MemoryLog(topics), Settings(), "w-0").replica
    model = replica.require_model()
    for n in range(40):
        model.learn_one(new_words(n), "spam")
    before = model.features
    forgetting = Forgetting(replica, LearnerSettings(max_features=2000))

    def forgotten(room):
        return [delta.forgotten for delta in taken(forgetting, replica, room)]

    assert forgotten(0) == [100]
    model.learn_one(new_words(40, 75), "spam")
    gained = model.features - before + 100
    assert forgotten(0) == [100] * (gained // 100) + [gained % 100] and gained > 100
    assert sum(forgotten(10**6)) > 2000
    assert model.features == 1750 and forgotten(10**6) == []


def test_what_the_model_gained_before_an_assignment_is_forgotten_over_several_commits(topics, monkeypatch):
    monkeypatch.setattr("consumers.worker.forgetting.MOST_FORGOTTEN", 100)
    monkeypatch.setattr("consumers.worker.forgetting.LEAST_FORGOTTEN", 100)
    monkeypatch.setattr("consumers.worker.commit_pace.FIRST_BYTES", 1)
    settings = msgspec.structs.replace(SETTINGS, learner=LearnerSettings(max_features=2000))
    log = MemoryLog(topics)
    worker = Worker(log, settings, "w-0")
    step_until_done(worker)
    recorder = Replica.load(log, settings).require_model().recorder()
    for n in range(40):
        recorder.learn(read_mail(f"\n\n{new_words(n)}".encode()).mail, "spam")
    log.append([delta_record(Delta(FORMAT, 1, Checkpoint(1), recorder.take(), ()))])
    worker.consumer.reassign()
    worker.step()
    assert worker.replica.require_model().features > 4000

    log.append([short_mail("a", "one mail")])
    worker.step()

    assert worker.replica.forgotten == 100


@pytest.mark.parametrize("poll_records", [7, 1000])
def test_withdrawing_labels_subtracts_only_what_decay_left_of_them(topics, poll_records):
    settings = msgspec.convert(
        {"learner": {"half_life": 64}, "worker": {"poll_s": 0.001, "poll_records": poll_records}}, Settings
    )
    log = MemoryLog(topics)
    worker = Worker(log, settings, "w-0")
    texts = {"spam": "free money and pills", "ham": "lunch with the team"}
    for n in range(400):
        name = "spam" if n % 3 else "ham"
        log.append([short_mail(f"m{n}", f"{texts[name]} {n % 7}"), label(f"m{n}", name, "rule" if n % 2 else "ann")])
        worker.step()
    step_until_done(worker)
    model = worker.replica.require_model()
    before = dict(zip(model.classes, model.statistics.sums().tolist(), strict=True))

    log.append([label(f"m{n}", None, "rule", forget=True) for n in range(1, 400, 2)])
    step_until_done(worker)
    after = dict(zip(model.classes, model.statistics.sums().tolist(), strict=True))
    assert all(0.3 * before[name] < after[name] < 0.7 * before[name] for name in texts)
    assert model.log_odds_one(texts["spam"], "spam") > 1.0 > -1.0 > model.log_odds_one(texts["ham"], "spam")

    log.append([label(f"m{n}", name) for n in range(0, 400, 40) for name in ("ham", "other")])
    step_until_done(worker)
    loaded = loaded_alike(topics, settings, worker.replica)
    assert loaded.halvings == worker.replica.halvings > 300
