"""Laws of the state of every model of words: sums are exact, and can be undone and merged exactly.

A law runs for all models (`every`), the textbook models (`textbook`), or the mail models (`of_mail`). `MailNB` also
runs with numbers and categories.
"""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb import BernoulliNB, Mail, MailNB, MultinomialNB, Part, SnapshotError
from tests.support import strategies

# Their statistics are sums over messages. What MailNB learns also depends on the messages before.
TEXTBOOK = [MultinomialNB(), MultinomialNB(presence=True, prior="uniform"), BernoulliNB()]
MAIL = [
    MailNB(),
    MailNB(band=math.inf, trust=False, novelty=0.0),
    MailNB(shape=1.0, damping=0.7, band=3.0),
]
textbook = pytest.mark.parametrize("model", TEXTBOOK, ids=repr)
every = pytest.mark.parametrize(
    ("model", "messages"),
    [
        *(pytest.param(model, strategies.texts, id=repr(model)) for model in [*TEXTBOOK, *MAIL]),
        pytest.param(MAIL[0], strategies.mails, id="MailNB of mails with features"),
    ],
)
of_mail = pytest.mark.parametrize("messages", [strategies.texts, strategies.mails], ids=["texts", "mails"])
PROBES = [
    "free money lunch",
    Mail((Part("", b"free money"),), features=(("size", 2.5), ("format", "html"), ("signed", True))),
    Mail((), features=(("size", 1e6), ("links", 3.0))),
]


def read(model):
    """A mail model's predictions for some mails."""
    return [(model.score(x), model.evidence(x)) for x in PROBES]


def trained(model, data):
    model = model.clone()
    for x, y in data:
        model.learn_one(x, y)
    return model


@every
@given(data=st.data())
def test_E9_reading_changes_no_byte(model, messages, data):
    model, x = trained(model, data.draw(strategies.data(messages))), data.draw(messages)
    before = model.to_bytes()
    model.predict_one(x)
    model.predict_proba_one(x)
    model.score(x)
    model.evidence(x)
    assert model.to_bytes() == before


@of_mail
@given(data=st.data())
def test_grading_changes_no_byte(messages, data):
    model = trained(MailNB(), data.draw(strategies.data(messages)))
    before = model.to_bytes()
    model.grade(data.draw(messages), "new class", "somebody")
    assert model.to_bytes() == before


@textbook
@given(data=strategies.data(strategies.texts), x=strategies.texts, y=strategies.labels)
def test_learn_then_unlearn_is_the_old_state(model, data, x, y):
    model = trained(model, data)
    before, score = model.to_bytes(), model.joint_log_likelihood("free money")
    model.learn_one(x, y)
    model.unlearn_one(x, y)
    assert model.to_bytes() == before
    assert model.joint_log_likelihood("free money") == score


@of_mail
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_updates_are_taken_back_bit_for_bit_in_any_order(messages, data, random):
    model = trained(MailNB(), data.draw(strategies.data(messages)))
    before, found = model.to_bytes(), read(model)
    updates = []
    for x, y in data.draw(strategies.data(messages, most=5)):
        updates.append((x, model.grade(x, y, source=y)._replace(corrects=data.draw(st.sampled_from(["", "others"])))))
        model.apply_update(*updates[-1])
    for x, update in random.sample(updates, len(updates)):
        model.revert_update(x, update)
    assert model.to_bytes() == before
    assert read(model) == found


@of_mail
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_updates_give_the_same_model_in_any_order(messages, data, random):
    model, updates = MailNB(), []
    for x, y in data.draw(strategies.data(messages)):
        updates.append((x, model.grade(x, y)))
        model.apply_update(*updates[-1])
    other = MailNB()
    for x, update in random.sample(updates, len(updates)):
        other.apply_update(x, update)
    assert other.to_bytes() == model.to_bytes()
    assert read(other) == read(model)


@textbook
@given(data=strategies.data(strategies.texts), random=st.randoms(use_true_random=False))
def test_the_order_of_learning_does_not_matter(model, data, random):
    shuffled = random.sample(data, len(data))
    assert trained(model, shuffled) == trained(model, data)
    assert trained(model, shuffled).to_bytes() == trained(model, data).to_bytes()


@textbook
@given(shards=st.lists(strategies.data(strategies.texts, most=5), max_size=4))
def test_E7_shards_merge_to_the_whole(model, shards):
    merged = model.clone()
    for shard in shards:
        merged.merge(trained(model, shard))
    whole = trained(model, [pair for shard in shards for pair in shard])
    assert merged.to_bytes() == whole.to_bytes()
    assert merged.joint_log_likelihood("free money lunch") == whole.joint_log_likelihood("free money lunch")
    for shard in shards:
        merged.unmerge(trained(model, shard))
    assert merged.to_bytes() == model.clone().to_bytes()


@of_mail
@given(data=st.data())
def test_deltas_travel_as_bytes_and_add_up(messages, data):
    model = trained(MailNB(), data.draw(strategies.data(messages)))
    follower = model.copy()
    given_, taken = model.delta(), model.delta()
    updates = []
    for x, y in data.draw(strategies.data(messages, most=6)):
        update = model.grade(x, y)
        model.apply_update(x, update)
        given_.apply_update(x, update)
        updates.append((x, update))
    for x, update in data.draw(st.lists(st.sampled_from(updates), unique_by=id) if updates else st.just([])):
        model.revert_update(x, update)
        taken.apply_update(x, update)
    # In this order no class becomes empty in between, because an empty class is removed with all its counts.
    follower.merge(MailNB.from_bytes(given_.to_bytes()))
    follower.unmerge(MailNB.from_bytes(taken.to_bytes()))
    assert follower.to_bytes() == model.to_bytes()
    assert read(follower) == read(model)


def test_a_delta_of_one_mail_is_small():
    text = " ".join(f"word{i % 150} other{i % 70}" for i in range(300))
    delta = trained(MailNB(), [(text, "ham")])
    assert delta.features > 300
    assert len(delta.to_bytes()) < 20 * delta.features


@every
@given(data=st.data())
def test_a_copy_is_equal_and_independent(model, messages, data):
    model, later = trained(model, data.draw(strategies.data(messages))), data.draw(strategies.data(messages, most=4))
    before = model.to_bytes()
    for twin in (model.copy(), type(model).from_bytes(before), pickle.loads(pickle.dumps(model))):
        assert twin == model and twin.to_bytes() == before
        assert twin.score("free lunch at noon") == model.score("free lunch at noon")
        for x, y in later:
            twin.learn_one(x, y)
        assert (twin == model) == (not later)
    assert model.to_bytes() == before


@every
@given(data=st.data())
def test_decay_by_half_forgets_half(model, messages, data):
    once = trained(model, data.draw(strategies.data(messages)))
    twice = once.copy()
    twice.merge(once)
    twice.decay(0.5)
    assert twice == once
    once.decay(1.0)
    assert twice == once
    once.decay(0.7)
    assert type(model).from_bytes(once.to_bytes()) == once
    once.decay(0.0)
    assert once == model.clone()
    assert once.predict_one("free") is None
    with pytest.raises(ValueError, match="decay factor"):
        once.decay(1.1)


@pytest.mark.parametrize("model", [MultinomialNB(), BernoulliNB()], ids=repr)
def test_decayed_counts_keep_their_meaning(model):
    model = trained(model, [("a b", "ham"), ("a", "ham"), ("b c", "spam")])
    model.joint_log_likelihood("a")
    model.decay(0.7)
    model.learn_one("a c", "ham")
    fresh = type(model).from_bytes(model.to_bytes())
    assert model.joint_log_likelihood("a") == fresh.joint_log_likelihood("a")


@pytest.mark.parametrize("model", [*TEXTBOOK, *MAIL], ids=repr)
def test_damaged_bytes_are_refused(model):
    data = trained(model, [("win money now", "spam"), ("see you at lunch", "ham")]).to_bytes()
    for at in range(0, len(data), 7):
        with pytest.raises(SnapshotError):
            type(model).from_bytes(data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :])
    for damaged in (b"", data[:-1], data[: len(data) // 2], data + b"\0", b"junk" * 100):
        with pytest.raises(SnapshotError):
            type(model).from_bytes(damaged)


def test_a_snapshot_of_another_model_is_refused_by_name():
    with pytest.raises(SnapshotError, match=r"'MultinomialNB'.*'MailNB'"):
        MailNB.from_bytes(MultinomialNB().to_bytes())


def test_unlearning_what_was_never_learned_is_refused():
    with pytest.raises(ValueError, match="'spam'"):
        MultinomialNB().unlearn_one("x", "spam")


@pytest.mark.parametrize("model", [*TEXTBOOK, *MAIL], ids=repr)
def test_learn_many_is_one_by_one(model):
    data = [("win money now", "spam"), ("see you at lunch", "ham"), ("free lunch", "work")] * 10
    many = model.clone()
    many.learn_many([x for x, _ in data], [y for _, y in data])
    assert many == trained(model, data)
    xs = ["money", "lunch at noon", ""]
    assert many.predict_many(xs) == [many.predict_one(x) for x in xs]
    with pytest.raises(ValueError):
        many.learn_many(["x"], [])
