"""Each mail of a partition is scored once and each label learned once, in any order and across restarts."""

import time

import msgspec
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.sqlite.log import SqliteLog
from consumers.model.replica import Replica
from consumers.records.schemas import (
    LABELS,
    SILENCE,
    TOPICS,
    LabelRecord,
    encode,
)
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.support.few_mails import TEXTS, learn_in_memory, mail, work
from tests.support.memory_log import new_log
from tests.support.outputs import predictions, quarantine_reasons
from tests.support.worker_run import EVERYTHING, NEAR_ERROR, label, run_worker, short_mail, step_until_done


def event_label(event):
    """A label record from an event of a history."""
    _, message_id, name, source = event
    forget = name == "(forget)"
    return label(message_id, None if forget else name, source, forget)


def counts(model):
    """What depends only on the final labels: counts of words and pairs, labels and sums by class, labels by source.

    The tallies of new words and of margins are observations made when each label was learned; they are kept with
    it and withdrawn with it, and `verify` recounts them.
    """
    statistics = model.statistics
    labels = sorted(model.classes)
    order = [model.classes.index(label) for label in labels]
    counts = statistics.counts()[:, order].tolist()
    table = sorted((statistics.text(number), row) for number, row in enumerate(counts) if any(row))
    learned = [statistics.labels[label] for label in labels]
    sources = {name: sums.labels for name, sums in statistics.sources.items()}
    return labels, table, learned, statistics.sums()[order].tolist(), sources


events = st.lists(
    st.one_of(
        st.sampled_from(sorted(TEXTS)).map(lambda i: ("mail", i)),
        st.tuples(
            st.just("label"),
            st.sampled_from(sorted(TEXTS)),
            st.sampled_from(["ham", "spam", "work", None, "(forget)"]),
            st.sampled_from(["ann", "bob", SILENCE]),
        ),
        st.just(("restart",)),
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([("mail", "c"), ("label", "c", "ham", "ann"), ("restart",), ("label", "c", "(forget)", "ann"), ("mail", "c")])
@given(history=events)
def test_after_any_history_the_model_equals_one_that_learned_only_the_final_labels(tmp_path_factory, history):
    """Labels are early, late, repeated, changed and withdrawn, and workers restart at any point."""
    with SqliteLog(tmp_path_factory.mktemp("log")) as log:
        log.create_topics(TOPICS, 1)
        final, seen, records = {}, set(), []
        for event in [*history, ("restart",)]:
            if event[0] == "mail":
                records.append(mail(event[1]))
                seen.add(event[1])
            elif event[0] == "label":
                records.append(event_label(event))
                votes = final.setdefault(event[1], {})
                votes.pop(event[3], None)
                if event[2] != "(forget)":
                    votes[event[3]] = event[2]
            else:
                model = work(log, EVERYTHING, records)
                records = []

        last, corrected = {}, 0
        for message_id, votes in final.items():
            people = {source: label for source, label in votes.items() if source != SILENCE}
            if votes and message_id in seen:
                last[message_id] = list((people or votes).items())[-1]
                corrected += SILENCE in votes and last[message_id][1] not in (None, votes[SILENCE])
        alone = learn_in_memory(log, {i: (name, source) for i, (source, name) in last.items() if name})
        *expected, sources = counts(alone)
        if corrected:
            sources[SILENCE] = sources.get(SILENCE, 0) + corrected
        assert counts(model) == (*expected, sources)
        assert sorted(p.id for p in predictions(log)) == sorted(seen)
        assert verify(log, EVERYTHING).differences == []


@settings(max_examples=20, deadline=None)
@given(history=events)
def test_after_any_history_with_graded_learning_verify_finds_no_difference(tmp_path_factory, history):
    with SqliteLog(tmp_path_factory.mktemp("log")) as log:
        log.create_topics(TOPICS, 1)
        records = []
        for event in [*history, ("restart",)]:
            if event[0] == "mail":
                records.append(mail(event[1]))
            elif event[0] == "label":
                records.append(event_label(event))
            else:
                work(log, NEAR_ERROR, records)
                records = []

        assert verify(log, NEAR_ERROR).differences == []


def test_withdrawing_all_labels_leaves_an_empty_model(log):
    work(log, NEAR_ERROR, [mail(i) for i in TEXTS] + [label(i, "spam" if i in "ac" else "ham") for i in TEXTS])

    model = work(log, NEAR_ERROR, [label(i, None) for i in TEXTS])

    assert (model.labels_learned, model.features, model.classes) == (0, 0, ())


def test_an_update_whose_ledger_entry_expired_still_counts_and_is_not_learned_again(log):
    """A label that claims to be 50 years old is not evicted for that; evicted entries leave their updates."""
    old = ProducerRecord(LABELS, b"a", encode(LabelRecord("a", "spam", "ann", 0.0)))
    work(log, EVERYTHING, [mail("a"), old])
    assert set(Replica.load(log, EVERYTHING).ledger(0).entries) == {"a"}

    short_memory = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, remember_days=1e-9))
    work(log, short_memory, [mail("b"), label("b", "ham")])
    model = work(log, short_memory, [label("a", "ham", "bob"), label("b", None)])

    assert model.labels_learned == 2
    assert Replica.load(log, short_memory).evicted == 2
    assert set(quarantine_reasons(log)) == {"label-without-mail"}
    assert verify(log, short_memory).differences == []


def test_a_label_evicted_by_the_bound_on_labels_is_not_learned_again_after_a_restart(topics, monkeypatch):
    settings = msgspec.convert({"worker": {"poll_s": 0.001, "remember_mails": 3, "remember_labels": 3}}, Settings)
    log = new_log()
    for snapshots in (False, True):
        if snapshots:
            monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
        name = f"a{snapshots}"
        log.append([short_mail(name, "free money"), label(name, "spam")])
        log.append([label(f"none{n}{snapshots}", "ham") for n in range(3)])
        worker = Worker(log, settings, "w-0")
        step_until_done(worker)
        assert name not in worker.replica.ledger(0).entries
        learned = worker.replica.model.labels_learned
        for _ in range(2):
            worker = Worker(log, settings, "w-0")
            log.append([label(name, "spam")])
            step_until_done(worker)
            assert worker.replica.model.labels_learned == learned
    assert worker.replica.manifest.number >= 1


def test_a_label_with_one_class_too_many_is_quarantined_until_a_class_is_empty():
    """Neither a label before its mail nor the vote that a withdrawal leaves adds one; no withdrawal is refused."""
    two_classes = msgspec.structs.replace(EVERYTHING, learner=LearnerSettings(learn="everything", max_classes=2))
    log = new_log()
    model = work(log, two_classes, [label("c", "early"), mail("a"), mail("b"), label("a", "spam"), label("b", "ham")])
    assert set(model.classes) == {"spam", "ham"}

    withdrawal = label("c", None, "eve", forget=True)
    model = work(log, two_classes, [label("a", "more", "eve"), mail("c"), label("c", "spam", "eve"), withdrawal])
    assert (set(model.classes), model.labels_learned) == ({"spam", "ham"}, 2)
    assert quarantine_reasons(log) == ["too-many-classes"]
    assert verify(log, two_classes).differences == []

    full = [label("c", "spam"), label("b", None), label("a", "more", "eve"), label("d", "other"), mail("d")]
    model = work(log, two_classes, full)
    assert (set(model.classes), quarantine_reasons(log)) == ({"spam", "more"}, ["too-many-classes"] * 2)
    assert verify(log, two_classes).differences == []


def test_a_mail_from_the_future_has_arrived_when_it_is_scored():
    """Such as one of a producer that gives its records' time in microseconds, which no prediction may have."""
    log = new_log()
    now = float(int(time.time()))
    run_worker(log, EVERYTHING, [mail("a")._replace(timestamp=1000 * now), mail("b")._replace(timestamp=now - 5)])

    future, past = predictions(log)
    assert future.arrived_at == future.scored_at >= now
    assert past.arrived_at == now - 5
    assert verify(log, EVERYTHING).mails == 2
