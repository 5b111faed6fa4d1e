"""At most `source_cap_per_hour` labels of each source are learned in an hour."""

import tracemalloc

import msgspec

from consumers.evaluation.verify import verify
from consumers.model.replica import Replica
from consumers.model.words import reliabilities
from consumers.records.messages import read_value
from consumers.records.schemas import SILENCE
from consumers.settings import Settings, WorkerSettings
from consumers.worker.quota import HOUR_S, Quota
from stream_nb.types import Update
from tests.support.few_mails import TEXTS, learn_in_memory, mail, work
from tests.support.worker_run import EVERYTHING, label, message, run_worker


def test_labels_of_a_source_above_its_cap_are_not_learned(log):
    capped = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, source_cap_per_hour=2))
    records = [mail(i) for i in TEXTS] + [label(i, "spam", "eve") for i in TEXTS] + [label("d", "ham", "ann")]

    model = work(log, capped, records)

    assert model.labels_learned == 3
    assert model == learn_in_memory(log, {"a": ("spam", "eve"), "b": ("spam", "eve"), "d": ("ham", "ann")})
    assert verify(log, capped).differences == []


def test_labels_of_a_source_above_its_cap_do_not_count_for_an_originator(log):
    capped = Settings(worker=WorkerSettings(poll_s=0.001, source_cap_per_hour=1))
    mails = [message(f"m{n}", f"From: list@example.org\n\nnews number {n}".encode()) for n in range(3)]

    model = run_worker(log, capped, [*mails, *(label(f"m{n}", "spam", "eve") for n in range(3))]).replica.model

    alone = model.clone()
    alone.learn_one(read_value(mails[0].value, "m0", capped.learner.headers).mail, "spam", "eve")
    assert model.same_counts(alone)


def test_labels_of_a_source_above_its_cap_do_not_count_against_silence(log):
    capped = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, source_cap_per_hour=2))
    silent = [label(name, "ham", SILENCE) for name in "abc"]

    worker = run_worker(log, capped, [*map(mail, "abc"), *silent, *(label(name, "spam", "eve") for name in "abc")])

    assert reliabilities(worker.replica.require_model())[SILENCE][:2] == (2, 2.0)
    assert verify(log, capped).differences == []


def test_evicting_labels_above_the_cap_does_not_change_the_model(log, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    worker = WorkerSettings(poll_s=0.001, poll_records=2, source_cap_per_hour=1, remember_mails=2, remember_labels=2)
    capped = msgspec.structs.replace(EVERYTHING, worker=worker)
    names = [f"m{n}" for n in range(12)]

    work(log, capped, [record for n in names for record in (message(n, TEXTS["a"]), label(n, "spam", "eve"))])

    assert Replica.load(log, capped).manifest.number > 1
    assert verify(log, capped).differences == []


def test_a_class_named_only_by_labels_above_the_cap_is_not_added(log):
    capped = Settings(worker=WorkerSettings(poll_s=0.001, source_cap_per_hour=2))
    labels = [label(i, name, "eve") for i, name in zip("abcd", ("spam", "ham", "junk", "news"), strict=True)]

    worker = run_worker(log, capped, [*map(mail, "abcd"), *labels])

    assert worker.replica.require_model().classes == ("spam", "ham")
    assert worker.replica.require_model().same_counts(Replica.load(log, capped).require_model())


def test_a_label_counts_towards_the_cap_of_its_source_for_an_hour():
    labels = [(0, "eve"), (1, "eve"), (2, "ann"), (3, "eve"), (HOUR_S, "eve"), (HOUR_S + 0.5, "eve")]
    quota = Quota(2, iter([time for time, _ in labels]).__next__)
    taught = [quota.limit(Update("spam", 256, (1,), source)).weight > 0 for _, source in labels]
    assert taught == [True, True, True, False, True, False]


def test_an_update_above_the_cap_changes_no_class():
    """Not even the one that it would take counts from; without a cap every update is learned."""
    update = Update("spam", 256, (1, 0), "eve", 128, "ham")
    quota = Quota(1, lambda: 0.0)
    assert quota.limit(update) == update
    assert quota.limit(update) == Update("spam", 0, (0, 0), "eve")
    assert Quota(0, lambda: 0.0).limit(update) == update


def test_sources_without_a_label_in_the_last_hour_are_dropped_from_memory():
    now = 0.0
    quota = Quota(2, lambda: now)
    tracemalloc.start()
    try:
        for number in range(1_000):
            now = number * HOUR_S
            quota.limit(Update("spam", 256, (1,), f"{number:1000}"))
        kept, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert kept < 100_000
