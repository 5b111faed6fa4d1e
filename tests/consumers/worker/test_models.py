"""Each model of `[learner] model` on a log equals, bit for bit, the library's model fed in the same order."""

import time

import pytest

from consumers.errors import BadRecord, OtherModel, Restart, UserError
from consumers.evaluation.verify import verify
from consumers.explain.explainer import Explainer
from consumers.model.policy_editor import PolicyEditor
from consumers.model.replica import Replica
from consumers.model.textbook import library_model as wrapped_model
from consumers.model.textbook_input import READS
from consumers.records.messages import MailPlace
from consumers.records.policy import PolicyRecord, PolicyValues, policy_record
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.worker.worker import Worker
from stream_nb.posterior import margin
from tests.support.memory_log import new_log
from tests.support.messages import draw_messages, history, learner, library_model, message, read_by
from tests.support.outputs import predictions, quarantined
from tests.support.worker_run import label, run_worker

NAMES = ("mail", *READS)
TEXTBOOK = NAMES[1:]
every_model = pytest.mark.parametrize("name", NAMES)
START = time.time() - 10_000
textbook_models = pytest.mark.parametrize("name", TEXTBOOK)


def settings_of(name):
    return Settings(learner=learner(name), worker=WorkerSettings(poll_s=0.001))


@pytest.fixture
def log():
    return new_log()


def work(log, name):
    """Let a new worker process the whole log, and return its replica."""
    return run_worker(log, settings_of(name)).replica


@textbook_models
def test_a_worker_has_the_scores_and_state_of_the_library_bit_for_bit(log, name):
    """One record per step, so that each message is scored after all before it; the worker is often replaced."""
    records, steps = history(draw_messages(60, seed=4), seed=5)
    key = work(log, name).model.key
    model, expected = library_model(name, key), []
    for at, record in enumerate(records):
        log.append([record._replace(timestamp=START + at)])
        if at % 10 == 0:
            work(log, name)
    work(log, name)
    for what, row, class_name, _ in steps:
        x = read_by(name, row)
        if what == "score":
            expected.append((row["id"], model.score(x).scores))
        else:
            getattr(model, f"{what}_one")(x, class_name)

    replica = Replica.load(log, settings_of(name))
    assert wrapped_model(replica.model).to_bytes() == model.to_bytes()
    assert replica.model.labels_learned > 20
    assert [(p.id, p.scores) for p in predictions(log)] == expected
    assert quarantined(log) == []
    assert verify(log, settings_of(name)).differences == []


@every_model
def test_crashes_snapshots_and_several_partitions_leave_the_counts_exact(name, monkeypatch):
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    log = new_log(3)
    records, steps = history(draw_messages(50, seed=6), seed=7)
    commit = Worker.commit

    def fail_to_commit(self, outputs):
        raise Restart("killed before the commit")

    for begin in range(0, len(records), 15):
        log.append([r._replace(timestamp=START + begin + i) for i, r in enumerate(records[begin : begin + 15])])
        monkeypatch.setattr(Worker, "commit", fail_to_commit)
        with pytest.raises(Restart):
            work(log, name)
        monkeypatch.setattr(Worker, "commit", commit)
        replica = work(log, name)

    assert replica.manifest.number > 2
    assert verify(log, settings_of(name)).differences == []
    if name != "mail":
        model = library_model(name, replica.model.key)
        for what, row, class_name, _ in steps:
            if what != "score":
                getattr(model, f"{what}_one")(read_by(name, row), class_name)
        assert wrapped_model(replica.model).to_bytes() == model.to_bytes()

    log.append([label(row["id"], None, source) for row, _ in draw_messages(50, seed=6) for source in ("ann", "bob")])
    empty = work(log, name).model
    assert (empty.labels_learned, empty.classes, empty.features) == (0, (), 0)


@every_model
def test_every_model_explains_scores_smoothing_and_words(log, name):
    rows = draw_messages(80, seed=8)
    log.append([record for row, class_name in rows for record in (message(row), label(row["id"], class_name))])
    work(log, name)
    asked = {"id": "asked", "text": "free lunch", "words": {"money": 2}, "features": {"size": 8.0, "format": "html"}}
    log.append([message(asked)])
    work(log, name)
    place = predictions(log)[-1].next_offset - 1

    explainer = Explainer(log, settings_of(name))
    why = explainer.why(MailPlace(0, place))

    total = why["bias"] + sum(term["weight"] for term in why["terms"]) + why["rest"]["weight"]
    assert total == pytest.approx(why["log_odds"], abs=1e-9)
    assert why["log_odds"] == pytest.approx(margin(predictions(log)[-1].scores, why["about"]), abs=1e-9)
    assert set(why["if_labelled"]) == {"ham", "spam", "work"}
    assert explainer.smoothing()["mails"] == 80
    assert (explainer.smoothing()["grid"] == []) == (name == "gaussian")
    words = explainer.words()["text"]
    assert set(words) == {"ham", "spam", "work"}
    has_words = name not in ("categorical", "gaussian")
    assert bool(words["spam"]) == has_words
    assert [entry["text"] for entry in explainer.word("money")["found"]] == (["money"] if has_words else [])


def test_without_smoothing_an_impossible_class_has_finite_log_odds(log):
    settings = Settings(
        learner=LearnerSettings(model="multinomial", smoothing=0.0), worker=WorkerSettings(poll_s=0.001)
    )
    texts = [("a", "free money"), ("b", "lunch"), ("c", "free"), ("d", "lunch"), ("e", "free lunch")]
    records = [message({"id": name, "text": text}) for name, text in texts]
    records[2:2] = [label("a", "spam"), label("b", "ham")]
    log.append([record._replace(timestamp=START + at) for at, record in enumerate(records)])
    run_worker(log, settings)

    found = {p.id: (p.label, p.log_odds, p.probability) for p in predictions(log)}
    assert found["c"] == ("spam", 1e12, 1.0)
    assert found["d"] == ("ham", -1e12, 0.0)
    assert found["e"][1:] == (0.0, 0.5)
    assert Explainer(log, settings).why(MailPlace(0, 2))["terms"][0]["weight"] == 1e12


@every_model
@pytest.mark.parametrize("other", NAMES)
def test_a_log_of_another_model_is_refused_with_the_setting_to_change(log, name, other):
    row, class_name = draw_messages(1, seed=1)[0]
    log.append([message(row), label(row["id"], class_name)])
    work(log, name)
    if name == other or {name, other} == {"multinomial", "boolean"}:  # they count the same
        assert work(log, other).model.labels_learned == 1
        return
    with pytest.raises(OtherModel, match=rf"set \[learner\] model to .*{name}.*, or begin a fresh log"):
        work(log, other)


def test_lose_at_most_is_refused_for_textbook_models(log):
    settings = Settings(learner=LearnerSettings(model="gaussian", lose_at_most=0.01))
    with pytest.raises(UserError, match="lose_at_most needs the margins"):
        Explainer(log, settings)
    with pytest.raises(BadRecord, match="lose_at_most needs the margins"):
        PolicyEditor(log, learner("gaussian")).change(PolicyValues(0.0, 0.01, 1.0, 0.0), "ann")
    log.append([policy_record(PolicyRecord(PolicyValues(0.0, 0.01, 1.0, 0.0), "ann", 1.0), -1)])
    assert work(log, "gaussian").model.labels_learned == 0


@every_model
def test_one_class_seven_classes_and_empty_messages_are_handled(log, name):
    log.append([message({"id": "e"}), label("e", "only"), message({"id": "f", "features": {"size": 1.0}})])
    work(log, name)
    assert [p.label for p in predictions(log)][1:] in (["only"], [None])
    rows = [
        {"id": f"n{i}", "text": f"word{i % 6}", "features": {"size": float(i % 6), "kind": f"k{i % 6}"}}
        for i in range(60)
    ]
    log.append([record for i, row in enumerate(rows) for record in (message(row), label(row["id"], f"c{i % 6}"))])
    replica = work(log, name)

    assert len(replica.model.classes) == 7
    assert verify(log, settings_of(name)).differences == []
    again = [{**row, "id": f"again {row['id']}"} for row in rows[:6]]
    log.append([message(row) for row in again])
    work(log, name)
    assert [p.label for p in predictions(log)[-6:]] == [f"c{i}" for i in range(6)]
