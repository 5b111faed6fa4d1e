"""Updates recorded on one model and applied to others give the same model, bit for bit."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_nb import MailNB, SnapshotError, flat
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Mail, OriginatorUpdate, Part

KEY = b"k" * 16
WORDS = "free money lunch offer noon win now meeting report lottery".split()


def mail(rng: random.Random, features: bool = False) -> Mail:
    texts = [" ".join(rng.choices(WORDS, k=rng.randrange(0, 9))).encode() for _ in range(2)]
    named = (("size", rng.random()), ("list", rng.choice(["a", "b"]))) if features and rng.random() < 0.7 else ()
    return Mail((Part("subject", texts[0]), Part("", texts[1])), (), named, rng.choice(["", "list@example.org"]))


@settings(deadline=None, max_examples=30)
@given(st.integers(0, 2**32), st.booleans(), st.sampled_from([1, 2, 5]))
def test_models_that_apply_the_recorded_changes_are_equal(seed: int, features: bool, classes: int):
    rng = random.Random(seed)
    model, other, follower = MailNB(KEY), MailNB(KEY), MailNB(KEY)
    recorder, learned_mails, recorded = model.recorder(), [], []
    for _ in range(rng.randrange(1, 40)):
        if learned_mails and rng.random() < 0.3:
            x, update = learned_mails.pop(rng.randrange(len(learned_mails)))
            recorder.revert_update(x, update)
        else:
            x = mail(rng, features)
            label = f"class {rng.randrange(classes)}"
            if rng.random() < 0.5:
                update = recorder.learn(x, label, rng.choice("ab"))
            else:
                update = model.grade(x, label)._replace(corrects=rng.choice(["", "a", "c"]))
                recorder.apply_update(x, update)
            learned_mails.append((x, update))
        if rng.random() < 0.2:
            recorded.append(recorder.take())
            other.apply_changes(recorded[-1])
    recorded.append(recorder.take())
    if recorded[-1]:
        other.apply_changes(recorded[-1])
    assert other == model
    for data in filter(None, recorded):
        follower.apply_changes(data)
    assert follower == model
    plain = MailNB(KEY)
    for x, update in learned_mails:
        plain.apply_update(x, update)
    assert plain == model


@pytest.mark.parametrize("many", [True, False])
def test_a_class_of_which_nothing_is_left_is_dropped_by_all_models(many):
    """A label may end the run of an originator that is all that is left of a class whose labels were reverted."""
    rng, model, other = random.Random(1), MailNB(KEY), MailNB(KEY)
    recorder, learned = model.recorder(), {}
    mails = [mail(rng)._replace(originator="list@example.org") for _ in range(15)]
    for _ in range(150):
        x = rng.choice(mails)
        if x in learned:
            recorder.revert_update(x, learned.pop(x))
        label = f"class {rng.randrange(6)}"
        if rng.random() < 0.7:
            learned[x] = recorder.score_then_learn([x], [label], [""])[0][1] if many else recorder.learn(x, label)
        if changes := recorder.take():
            other.apply_changes(changes)
        assert sorted(other.classes) == sorted(model.classes)
    assert other == model


def test_an_update_that_ends_the_last_run_of_a_class_drops_it():
    model = MailNB(KEY)
    update = model.grade("free money", "spam")
    for run in (1, -1):
        model.apply_update("free money", update._replace(originator=OriginatorUpdate(1, 0, (("ham", run),))))
    assert model.classes == ("spam",)


def test_a_recorder_learns_like_its_model():
    rng = random.Random(1)
    one, other = MailNB(KEY), MailNB(KEY)
    recorder = one.recorder()
    for _ in range(100):
        x, label = mail(rng, True), rng.choice(["ham", "spam"])
        expected = other.grade(x, label, "anna")
        other.learn_one(x, label, "anna")
        assert recorder.learn(x, label, "anna") == expected
    assert one == other


def test_two_models_that_apply_each_others_changes_are_equal():
    rng = random.Random(2)
    first, second = MailNB(KEY), MailNB(KEY)
    recorders = first.recorder(), second.recorder()
    for _ in range(50):
        for recorder in recorders:
            recorder.learn(mail(rng), rng.choice(["ham", "spam", "list"]))
    changes = [recorder.take() for recorder in recorders]
    first.apply_changes(changes[1])
    second.apply_changes(changes[0])
    assert first == second


def test_the_text_of_a_word_is_recorded_once_and_applied_in_any_order():
    first, second, follower = MailNB(KEY), MailNB(KEY), MailNB(KEY)
    recorder = first.recorder()
    recorder.learn("lottery", "spam")
    introduced = recorder.take()
    second.apply_changes(introduced)
    recorder = second.recorder()
    recorder.learn("lottery", "spam")
    repeated = recorder.take()
    assert len(repeated) < len(introduced)
    follower.apply_changes(repeated)
    follower.apply_changes(introduced)
    assert follower == second
    assert follower.evidence("lottery").terms[0].text == "lottery"


def test_a_recorder_without_updates_returns_no_bytes():
    recorder = MailNB(KEY).recorder()
    assert recorder.take() == b""
    recorder.learn("", "ham")
    assert recorder.take() != b""


def test_damaged_changes_are_refused_and_change_nothing():
    model, other = MailNB(KEY), MailNB(KEY)
    recorder = model.recorder()
    recorder.learn("free money", "spam")
    data = recorder.take()
    before = other.to_bytes()
    for damaged in (b"", data[:-1], data[:40] + b"x" + data[41:], model.to_bytes()):
        with pytest.raises(SnapshotError):
            other.apply_changes(damaged)
    assert other.to_bytes() == before


@pytest.mark.parametrize(
    "change",
    [
        {"kind": "x"},
        {"classes": 3},
        {"classes": ["a", "b"]},
        {"classes": [["a"]]},
        {"sources": [["a", 1]]},
        {"features": {}},
    ],
)
def test_changes_with_an_invalid_header_are_refused_and_change_nothing(change: dict):
    model, other = MailNB(KEY), MailNB(KEY)
    recorder = model.recorder()
    recorder.learn("free money for lunch", "spam")
    header, arrays = flat.unpack(recorder.take())
    with pytest.raises(SnapshotError):
        other.apply_changes(flat.pack(header | change, arrays))
    assert other == MailNB(KEY)


def test_changes_recorded_across_an_eviction_are_refused():
    model = MailNB(KEY, max_features=2000)
    recorder = model.recorder()
    for n in range(20):
        recorder.learn(" ".join(f"w{n}x{i}" for i in range(100)), "spam")
    with pytest.raises(RuntimeError, match="evicted"):
        recorder.take()


@pytest.mark.parametrize("move", [MailNB.compact, lambda model: model.attach(MailStatistics())])
def test_changes_recorded_before_texts_moved_are_refused(move):
    model = MailNB(KEY)
    recorder = model.recorder()
    recorder.learn("win money now", "spam")
    move(model)
    recorder.learn("lunch at noon", "ham")
    with pytest.raises(RuntimeError, match="call take"):
        recorder.take()


def test_changes_recorded_after_texts_moved_have_the_right_texts():
    model = MailNB(KEY)
    recorder = model.recorder()
    for k, move in enumerate((model.compact, lambda: model.evict(3), lambda: model.attach(MailStatistics()))):
        other = MailNB(KEY)
        move()
        recorder.learn(f"new{k}", "spam")
        other.apply_changes(recorder.take())
        assert other.statistics.text(0) == f"new{k}"


@pytest.mark.parametrize(
    "features",
    [
        lambda n: tuple((f"number {i}", n * i + 0.5) for i in range(50)),
        lambda n: tuple((f"number {n} {i}", 0.5) for i in range(50)),
        lambda n: tuple((f"category {i}", f"{n} {i} {'x' * 100}") for i in range(20)),
    ],
    ids=["new values of numbers", "new numbers", "new values of categories"],
)
def test_the_size_of_recorded_features_is_known(features):
    recorder = MailNB(KEY).recorder()
    for n in range(40):
        update = recorder.learn(Mail((), (), features(n)), f"class{n % 4}")
    recorder.revert_update(Mail((), (), features(39)), update)
    expected = recorder.nbytes
    assert expected / 3 < len(recorder.take()) < 1.5 * expected
    assert recorder.nbytes < 10


def test_applying_the_removal_of_the_rarest_features_equals_eviction():
    rng = random.Random(3)
    model, other = MailNB(KEY), MailNB(KEY)
    for x in (model, other):
        rng.seed(3)
        for _ in range(60):
            x.learn_one(" ".join(f"w{int(rng.paretovariate(0.5)) % 500}" for _ in range(30)), rng.choice("abc"))
    assert model == other
    parts = model.rarest(model.features - 200, 70)
    assert model == other and len(parts) > 2
    for changes in parts:
        before = model.features
        model.apply_changes(changes)
        assert before - model.features == min(70, before - 200)
    model.compact()
    other.evict(200)
    assert model == other
    assert model.features == 200 and model.statistics.features < 400
    model.apply_changes(*model.rarest(10**6, 10**6))
    model.compact()
    assert model.features == model.statistics.features == 0
