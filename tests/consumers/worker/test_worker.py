"""The worker on an embedded log: scored once, learned once, whatever the history and wherever it stops."""

import time

import msgspec
import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st

from consumers.errors import Restart
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.memory import MemoryLog, Topics
from consumers.log.sqlite.log import SqliteLog
from consumers.model.replica import Replica
from consumers.records.replay import read_all
from consumers.records.schemas import (
    EMAILS,
    LABELS,
    MODEL,
    PREDICTIONS,
    TOPICS,
    LabelRecord,
    encode,
)
from consumers.settings import LearnerSettings, Settings, WorkerSettings
from consumers.worker.partition_task import PartitionTask
from consumers.worker.worker import Worker
from tests.support.outputs import predictions, quarantined

EVERYTHING = Settings(learner=LearnerSettings(learn="everything"), worker=WorkerSettings(poll_s=0.001))
NEAR_ERROR = Settings(worker=WorkerSettings(poll_s=0.001))
TEXTS = {
    "a": b"Subject: win money\n\nfree money now, click here",
    "b": b"Subject: lunch\n\nsee you at noon in the canteen",
    "c": b"Subject: cheap pills\n\nmoney back, click now",
    "d": b"Subject: minutes\n\nplease find the minutes of the meeting",
}


@pytest.fixture
def log(tmp_path):
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        yield log


def mail(message_id, text=None):
    return ProducerRecord(EMAILS, message_id.encode(), TEXTS[message_id] if text is None else text)


def label(message_id, name, source="ann", forget=False):
    record = LabelRecord(message_id, name, source, time.time(), forget)
    return ProducerRecord(LABELS, message_id.encode(), encode(record))


def work(log, settings=EVERYTHING, records=()):
    """Append records a millisecond apart, let a worker act on all there is, then go away; returns its model."""
    now = time.time() - len(records) / 1000
    log.append([record._replace(timestamp=now + i / 1000) for i, record in enumerate(records)])
    worker = Worker(log, settings, "w-0")
    while not worker.partitions or worker.step():
        worker.step()
    worker.consumer.close()
    return worker.replica.model


def reasons(log):
    return [entry.reason for entry in quarantined(log)]


def test_mails_read_together_are_scored_as_one_by_one(monkeypatch):
    """Over two partitions, with labels before, between and after their mails, changed ones, and bad records."""
    history = [mail(name, TEXTS["abcd"[i % 4]]) for i, name in enumerate("pqrstuvwxyz")]
    history[9:9] = [label("p", "spam"), mail("q", TEXTS["a"]), ProducerRecord(EMAILS, b"bad", b""), label("s", "ham")]
    history[2:2] = [label("p", "ham"), label("z", "spam"), label("q", "spam"), label("w", "ham")]
    start = time.time() - 100
    history = [record._replace(timestamp=start + i) for i, record in enumerate(history)]

    def outcome():
        log = MemoryLog(Topics())
        log.create_topics(TOPICS, 2)
        log.append([ProducerRecord(MODEL, b"key/test", b"k" * 32, 0), *history])
        worker = Worker(log, NEAR_ERROR, "w-0")
        while worker.totals.mails + worker.totals.labels < len(history):
            worker.step()
        scored = [(p.id, p.label, p.log_odds, p.probability, p.known, p.labels_learned) for p in predictions(log)]
        return scored, reasons(log), worker.replica.model.to_bytes()

    together = outcome()
    assert sorted(together[1]) == ["duplicate-id", "empty"]
    assert len({labels_learned for *_, labels_learned in together[0]}) >= 4, "the model changed between the mails"
    add_mail = PartitionTask.add_mail

    def add_and_score(task, record):
        add_mail(task, record)
        task._score()

    monkeypatch.setattr(PartitionTask, "add_mail", add_and_score)
    assert together == outcome()


def test_a_mail_is_scored_when_it_arrives_and_learned_when_its_label_comes(log):
    model = work(log, records=[mail("a"), label("a", "spam"), mail("b"), label("b", "ham"), mail("c")])

    scored = predictions(log)
    assert [p.id for p in scored] == ["a", "b", "c"]
    assert [p.label for p in scored] == [None, "spam", "spam"]
    assert [p.labels_learned for p in scored] == [0, 1, 2]
    assert (scored[2].partition, scored[2].next_offset, scored[2].topic) == (0, 3, EMAILS)
    assert scored[2].arrived_at <= scored[2].scored_at
    assert model.labels_learned == 2


def test_a_label_before_its_mail_waits_and_is_learned_after_the_mail_was_scored(log):
    assert work(log, records=[label("a", "spam")]).labels_learned == 0

    model = work(log, records=[mail("a")])

    assert predictions(log)[0].labels_learned == 0
    assert model.labels_learned == 1


def test_a_restarted_worker_goes_on_where_it_was(log):
    work(log, records=[mail("a"), label("a", "spam"), mail("b")])
    before = predictions(log)

    model = work(log, records=[label("b", "ham"), mail("c")])

    assert predictions(log)[:2] == before
    assert [p.id for p in predictions(log)] == ["a", "b", "c"]
    assert predictions(log)[2].labels_learned == 2
    assert model.labels_learned == 2
    assert verify(log, EVERYTHING).differences == ()


def test_a_mail_whose_bytes_left_the_cache_is_read_again_from_the_log(log):
    """The second worker never saw the mail, only its label."""
    work(log, records=[mail("a"), mail("b")])

    model = work(log, records=[label("a", "spam"), label("b", "ham")])

    assert model == work_once(log, {"a": "spam", "b": "ham"})


def event_label(event):
    """A label record from an event of a history."""
    _, message_id, name, source = event
    forget = name == "(forget)"
    return label(message_id, None if forget else name, source, forget)


def counts(model):
    """The counters of every word and pair, and labels and mass, by class: what the final labels alone decide.

    The tallies of new words and of margins are observations made when each label was learned; they are remembered with
    it and taken back with it, and `verify` recounts them.
    """
    statistics = model.statistics
    labels = sorted(model.classes)
    order = [model.classes.index(label) for label in labels]
    counts = statistics.counts()[:, order].tolist()
    table = sorted((statistics.text(number), row) for number, row in enumerate(counts) if any(row))
    learned = [statistics.labels[label] for label in labels]
    sources = {name: sums.labels for name, sums in statistics.sources.items()}
    return labels, table, learned, statistics.sums()[order].tolist(), sources


def work_once(log, labels):
    """A model that has learned the final labels alone; `labels` is message id -> label, or (label, source)."""
    from consumers.model.factory import new_model
    from consumers.records.messages import read_value

    fresh = new_model(EVERYTHING.learner, Replica.load(log, EVERYTHING).model.key)
    for message_id, name in labels.items():
        name, source = (name, "ann") if isinstance(name, str) else name
        fresh.learn_one(read_value(TEXTS[message_id], message_id, EVERYTHING.learner.headers).mail, name, source)
    return fresh


events = st.lists(
    st.one_of(
        st.sampled_from(sorted(TEXTS)).map(lambda i: ("mail", i)),
        st.tuples(
            st.just("label"),
            st.sampled_from(sorted(TEXTS)),
            st.sampled_from(["ham", "spam", "work", None, "(forget)"]),
            st.sampled_from(["ann", "bob"]),
        ),
        st.just(("restart",)),
    ),
    max_size=25,
)


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@example([("mail", "c"), ("label", "c", "ham", "ann"), ("restart",), ("label", "c", "(forget)", "ann"), ("mail", "c")])
@given(history=events)
def test_after_any_history_the_model_is_what_the_final_labels_alone_teach(tmp_path_factory, history):
    """Labels early, late, twice, changed, withdrawn, workers restarted anywhere: train on everything is exact."""
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

        last = {i: list(votes.items())[-1] for i, votes in final.items() if votes and i in seen}
        alone = work_once(log, {i: (name, source) for i, (source, name) in last.items() if name})
        assert counts(model) == counts(alone)
        assert sorted(p.id for p in predictions(log)) == sorted(seen)
        assert verify(log, EVERYTHING).differences == ()


@settings(max_examples=20, deadline=None)
@given(history=events)
def test_after_any_history_near_error_learning_recounts_exactly(tmp_path_factory, history):
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

        assert verify(log, NEAR_ERROR).differences == ()


def test_withdrawing_everything_leaves_an_empty_model(log):
    work(log, NEAR_ERROR, [mail(i) for i in TEXTS] + [label(i, "spam" if i in "ac" else "ham") for i in TEXTS])

    model = work(log, NEAR_ERROR, [label(i, None) for i in TEXTS])

    assert (model.labels_learned, model.features, model.classes) == (0, 0, ())


@pytest.mark.parametrize(
    ("record", "reason"),
    [
        (ProducerRecord(EMAILS, b"x", b""), "empty"),
        (ProducerRecord(EMAILS, b"x", encode({"id": "x", "words": {"free": 1.5}})), "bad-count"),
        (ProducerRecord(EMAILS, b"x", encode({"id": "x", "features": {"": 52341}})), "bad-feature"),
        (ProducerRecord(EMAILS, b"x", b'{"id": "x", "features": {"size": NaN}}'), "bad-json"),
        (ProducerRecord(EMAILS, b"x", b"Subject: big\n\n" + b"x" * (1 << 20)), "oversized"),
        (ProducerRecord(EMAILS, b"x", b'{"id": "x", "text": "\xff\xfe"}'), "bad-json"),
        (ProducerRecord(EMAILS, b"x", b'{"id": 7}'), "bad-json"),
        (ProducerRecord(EMAILS, b"x", b'{"id": "y", "text": "hello"}'), "bad-key"),
        (ProducerRecord(EMAILS, b"\xff", b"Subject: x\n\ny"), "bad-id"),
        (ProducerRecord(EMAILS, b"a", b"Subject: x\n\na second mail of this id"), "duplicate-id"),
        (ProducerRecord(LABELS, b"x", b"spam"), "bad-json"),
        (ProducerRecord(LABELS, b"x", b'{"id": "x", "label": "spam"}'), "bad-json"),
        (ProducerRecord(LABELS, b"x", encode(LabelRecord("x", "", "ann", 0.0))), "bad-label"),
        (ProducerRecord(LABELS, b"x", encode(LabelRecord("x", "sp\x1bam", "ann", 0.0))), "bad-label"),
        (ProducerRecord(LABELS, b"y", encode(LabelRecord("x", "spam", "ann", 0.0))), "bad-key"),
        (ProducerRecord(LABELS, b"", encode(LabelRecord("", "spam", "ann", 0.0))), "bad-id"),
    ],
)
def test_what_cannot_be_used_goes_to_quarantine_and_the_stream_goes_on(log, record, reason):
    model = work(log, records=[mail("a"), record, label("a", "spam"), mail("b")])

    assert reasons(log) == [reason]
    entry = quarantined(log)[0]
    assert (entry.topic, entry.partition) == (record.topic, 0)
    assert [p.id for p in predictions(log)] == ["a", "b"]
    assert model.labels_learned == 1


def test_a_label_whose_mail_never_comes_is_let_go_with_its_reason(log):
    brief = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, remember_days=1e-9))
    work(log, brief, [label("a", "spam")])

    assert reasons(log) == ["label-without-mail"]


def test_P3_the_notes_word_counts_are_a_message(log):
    """Note 004's vector: a word and how often it occurs."""
    from stream_nb.mail_nb.vocabulary import strongest

    vector = {"free": 100, "identification": 2, "lottery": 10, "money": 10}
    spam = ProducerRecord(EMAILS, b"n", encode({"id": "n", "words": vector}))

    model = work(log, EVERYTHING, [spam, label("n", "spam")])
    assert model.features == 4

    model = work(log, EVERYTHING, [mail("b"), label("b", "ham")])
    assert {term.text for term in strongest(model, "spam")} == set(vector)
    assert verify(log, EVERYTHING).differences == ()


def test_a_log_can_start_from_a_trained_model(log, tmp_path):
    from consumers.errors import UserError
    from consumers.model.files import put_model, read_model, save_model

    labels = [label(i, "spam" if i in "ac" else "ham") for i in TEXTS]
    trained = work(log, EVERYTHING, [mail(i) for i in TEXTS] + labels)
    save_model(log, EVERYTHING, tmp_path / "model")
    with pytest.raises(UserError, match="fresh log"):
        put_model(log, read_model(tmp_path / "model", EVERYTHING.learner))

    with SqliteLog(tmp_path / "second") as second:
        second.create_topics(TOPICS, 1)
        put_model(second, read_model(tmp_path / "model", EVERYTHING.learner))
        assert Replica.load(second, EVERYTHING).model == trained
        model = work(second, EVERYTHING, [mail("a"), label("a", "spam")])

        assert predictions(second)[0].label == "spam"
        assert model.labels_learned == 5
        assert verify(second, EVERYTHING).differences == ()


def test_an_update_whose_entry_was_evicted_counts_and_is_not_learned_again(log):
    """Labels that say they are 50 years old are kept; those the ledger let go leave their update, and are counted."""
    old = ProducerRecord(LABELS, b"a", encode(LabelRecord("a", "spam", "ann", 0.0)))
    work(log, EVERYTHING, [mail("a"), old])
    assert set(Replica.load(log, EVERYTHING).ledger(0).entries) == {"a"}

    brief = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, remember_days=1e-9))
    work(log, brief, [mail("b"), label("b", "ham")])
    model = work(log, brief, [label("a", "ham", "bob"), label("b", None)])

    assert model.labels_learned == 2
    assert Replica.load(log, brief).evicted == 2
    assert set(reasons(log)) == {"label-without-mail"}
    assert verify(log, brief).differences == ()


def test_a_label_under_another_key_is_no_label(log):
    work(log, EVERYTHING, [mail("a"), label("a", "ham"), label("a", "spam")._replace(key=b"b")])

    assert reasons(log) == ["bad-key"]
    assert verify(log, EVERYTHING).differences == ()


def test_a_json_message_is_learned_like_a_mail(log):
    plain = encode({"id": "x", "text": "free money", "words": {"win": 3}, "features": {"list": "news"}})
    model = work(log, records=[ProducerRecord(EMAILS, b"x", plain), label("x", "spam")])

    assert predictions(log)[0].id == "x"
    assert model.labels_learned == 1


def test_a_source_above_its_cap_teaches_nothing_more(log):
    capped = msgspec.structs.replace(EVERYTHING, worker=WorkerSettings(poll_s=0.001, source_cap_per_hour=2))
    records = [mail(i) for i in TEXTS] + [label(i, "spam", "eve") for i in TEXTS] + [label("d", "ham", "ann")]

    model = work(log, capped, records)

    assert model.labels_learned == 3
    assert model == work_once(log, {"a": ("spam", "eve"), "b": ("spam", "eve"), "d": ("ham", "ann")})
    assert verify(log, capped).differences == ()


def test_a_source_that_lies_half_the_time_does_not_move_the_filter(log):
    """One label in ten comes from a source that tosses a coin; its flip rate is learned and its word counts less."""
    import random

    from consumers.ingest.synthetic import synthetic_mails
    from consumers.records.replay import final_labels

    draw, records, truth = random.Random(1), [], {}
    for i, item in enumerate(synthetic_mails(1200, seed=9)):
        liar = i % 10 == 0
        truth[item.id] = item.label
        given = draw.choice(["ham", "spam"]) if liar else item.label
        records += [
            ProducerRecord(EMAILS, item.id.encode(), item.value),
            label(item.id, given, "eve" if liar else "ann"),
        ]
    from stream_nb.mail_nb.vocabulary import reliabilities

    model = work(log, NEAR_ERROR, records)
    known = reliabilities(model)
    wrong = sum(p.label != truth[p.id] for p in predictions(log)[200:])

    honest = [d for d in records if d.topic == EMAILS or b'"eve"' not in d.value]
    with SqliteLog(log._store.folder.parent / "honest") as other:
        other.create_topics(TOPICS, 1)
        work(other, NEAR_ERROR, honest)
        wrong_without = sum(p.label != truth[p.id] for p in predictions(other)[200:])

    assert len(final_labels(log)) == 1200
    assert known["eve"].flip_rate > 0.2 and known["ann"].flip_rate < 0.05
    assert wrong <= wrong_without + 10


def test_snapshots_replace_deltas_and_lose_nothing(log, monkeypatch):
    """With a snapshot at almost every commit, a loaded model still equals the recount, and old deltas go."""
    monkeypatch.setattr("consumers.worker.snapshot_writer.MIN_SNAPSHOT_BYTES", 1)
    for number in range(12):
        name = "abcd"[number % 4]
        work(log, NEAR_ERROR, ([mail(name)] if number < 4 else []) + [label(name, "ham" if number % 3 else "spam")])

    assert verify(log, NEAR_ERROR).differences == ()
    assert Replica.load(log, NEAR_ERROR).manifest.number >= 2
    kept = [record.key for record in read_all(log, "model") if record.key.startswith(b"d/")]
    assert len(kept) < 12


def test_a_missing_delta_is_seen(log):
    work(log, records=[mail("a"), label("a", "spam")])
    work(log, records=[mail("b"), label("b", "ham")])
    log.append([ProducerRecord("model", b"d/0/1", None, 0)])

    with pytest.raises(Restart, match="delta"):
        Replica.load(log, EVERYTHING)


def test_a_wrong_count_is_found_by_verify(log):
    """The check can fail: a forged delta, and a prediction published twice."""
    work(log, records=[mail("a"), label("a", "spam")])
    first = next(read_all(log, PREDICTIONS))
    log.append([ProducerRecord(PREDICTIONS, first.key, first.value, 0)])
    recorder = Replica.load(log, EVERYTHING).model.recorder()
    recorder.learn("something else", "ham")
    from consumers.model.changelog import FORMAT, Checkpoint, Delta, delta_record

    log.append([delta_record(Delta(FORMAT, 0, Checkpoint(2, 1, 1), recorder.take(), ()))])

    differences = verify(log, EVERYTHING).differences

    assert any("acted on 2 times" in text for text in differences)
    assert any(text.startswith("model:") for text in differences)


@pytest.mark.parametrize("topic", [EMAILS, LABELS])
def test_a_topic_that_begins_anew_is_named_with_what_to_do(topic):
    """Deleted and created again, it is shorter than what was learned of it; no record is passed over silently."""
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 1)
    work(log, records=[mail("a"), mail("b"), label("a", "spam"), label("b", "ham")])
    log.topics.records[TopicPartition(topic, 0)].clear()
    log.topics.committed.clear()

    with pytest.raises(Restart, match=rf"{topic}\[0\] ends at 0 and was learned up to 2.*stream-nb save"):
        work(log, records=[mail("c"), label("c", "spam")][topic == EMAILS :][:1])
