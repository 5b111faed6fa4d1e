"""Laws of the state of every model of words: sums are exact, and can be undone and merged exactly.

A law runs for all models (`all_models`), for the textbook models (`textbook_models`), or for `MailNB` with texts and
with mails that have numbers and categories (`mail_kinds`).
"""

import math
import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb import BernoulliNB, Mail, MailNB, MultinomialNB, Part, SnapshotError
from tests.support import strategies

# Their statistics are sums over messages, whereas what MailNB learns also depends on earlier messages.
TEXTBOOK = [MultinomialNB(), MultinomialNB(presence=True, prior="uniform"), BernoulliNB()]
MAIL = [
    MailNB(),
    MailNB(band=math.inf, trust=False, novelty=0.0),
    MailNB(shape=1.0, damping=0.7, band=3.0),
]
textbook_models = pytest.mark.parametrize("model", TEXTBOOK, ids=repr)
all_models = pytest.mark.parametrize(
    ("model", "messages"),
    [
        *(pytest.param(model, strategies.texts, id=repr(model)) for model in [*TEXTBOOK, *MAIL]),
        pytest.param(MAIL[0], strategies.mails, id="MailNB of mails with features"),
    ],
)
mail_kinds = pytest.mark.parametrize("messages", [strategies.texts, strategies.mails], ids=["texts", "mails"])
PROBES = [
    "free money lunch",
    Mail((Part("", b"free money"),), features=(("size", 2.5), ("format", "html"), ("signed", True))),
    Mail((), features=(("size", 1e6), ("links", 3.0))),
]


def predictions(model):
    """A mail model's scores and evidence for some mails."""
    return [(model.score(x), model.evidence(x)) for x in PROBES]


def trained(model, data):
    model = model.clone()
    for x, y in data:
        model.learn_one(x, y)
    return model


@all_models
@given(data=st.data())
def test_E9_predictions_and_evidence_leave_the_model_unchanged_byte_for_byte(model, messages, data):
    model, x = trained(model, data.draw(strategies.data(messages))), data.draw(messages)
    before = model.to_bytes()
    model.predict_one(x)
    model.predict_proba_one(x)
    model.score(x)
    model.evidence(x)
    assert model.to_bytes() == before


@mail_kinds
@given(data=st.data())
def test_grading_leaves_the_model_unchanged_byte_for_byte(messages, data):
    model = trained(MailNB(), data.draw(strategies.data(messages)))
    before = model.to_bytes()
    model.grade(data.draw(messages), "new class", "somebody")
    assert model.to_bytes() == before


@textbook_models
@given(data=strategies.data(strategies.texts), x=strategies.texts, y=strategies.labels)
def test_unlearning_restores_a_textbook_model_byte_for_byte(model, data, x, y):
    model = trained(model, data)
    before, score = model.to_bytes(), model.joint_log_likelihood("free money")
    model.learn_one(x, y)
    model.unlearn_one(x, y)
    assert model.to_bytes() == before
    assert model.joint_log_likelihood("free money") == score


@mail_kinds
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_reverting_updates_in_any_order_restores_the_model_byte_for_byte(messages, data, random):
    model = trained(MailNB(), data.draw(strategies.data(messages)))
    before, predicted = model.to_bytes(), predictions(model)
    updates = []
    for x, y in data.draw(strategies.data(messages, most=5)):
        updates.append((x, model.grade(x, y, source=y)._replace(corrects=data.draw(st.sampled_from(["", "others"])))))
        model.apply_update(*updates[-1])
    for x, update in random.sample(updates, len(updates)):
        model.revert_update(x, update)
    assert model.to_bytes() == before
    assert predictions(model) == predicted


@mail_kinds
@given(data=st.data(), random=st.randoms(use_true_random=False))
def test_applying_updates_in_any_order_gives_the_same_model(messages, data, random):
    model, updates = MailNB(), []
    for x, y in data.draw(strategies.data(messages)):
        updates.append((x, model.grade(x, y)))
        model.apply_update(*updates[-1])
    other = MailNB()
    for x, update in random.sample(updates, len(updates)):
        other.apply_update(x, update)
    assert other.to_bytes() == model.to_bytes()
    assert predictions(other) == predictions(model)


@textbook_models
@given(data=strategies.data(strategies.texts), random=st.randoms(use_true_random=False))
def test_learning_in_any_order_gives_the_same_textbook_model(model, data, random):
    shuffled = random.sample(data, len(data))
    assert trained(model, shuffled) == trained(model, data)
    assert trained(model, shuffled).to_bytes() == trained(model, data).to_bytes()


@textbook_models
@given(shards=st.lists(strategies.data(strategies.texts, most=5), max_size=4))
def test_E7_merged_shards_equal_one_model_that_learned_everything(model, shards):
    merged = model.clone()
    for shard in shards:
        merged.merge(trained(model, shard))
    whole = trained(model, [pair for shard in shards for pair in shard])
    assert merged.to_bytes() == whole.to_bytes()
    assert merged.joint_log_likelihood("free money lunch") == whole.joint_log_likelihood("free money lunch")
    for shard in shards:
        merged.unmerge(trained(model, shard))
    assert merged.to_bytes() == model.clone().to_bytes()


@mail_kinds
@given(data=st.data())
def test_merging_models_from_bytes_gives_the_same_model(messages, data):
    model = trained(MailNB(), data.draw(strategies.data(messages)))
    follower = model.copy()
    learned, reverted = model.clone(), model.clone()
    updates = []
    for x, y in data.draw(strategies.data(messages, most=6)):
        update = model.grade(x, y)
        model.apply_update(x, update)
        learned.apply_update(x, update)
        updates.append((x, update))
    for x, update in data.draw(st.lists(st.sampled_from(updates), unique_by=id) if updates else st.just([])):
        model.revert_update(x, update)
        reverted.apply_update(x, update)
    # In this order no class becomes empty in between, because an empty class is removed with all its counts.
    follower.merge(MailNB.from_bytes(learned.to_bytes()))
    follower.unmerge(MailNB.from_bytes(reverted.to_bytes()))
    assert follower.to_bytes() == model.to_bytes()
    assert predictions(follower) == predictions(model)


def test_a_model_of_one_mail_takes_less_than_20_bytes_per_feature():
    text = " ".join(f"word{i % 150} other{i % 70}" for i in range(300))
    model = trained(MailNB(), [(text, "ham")])
    assert model.features > 300
    assert len(model.to_bytes()) < 20 * model.features


@all_models
@given(data=st.data())
def test_a_copy_is_equal_and_independent(model, messages, data):
    model, later = trained(model, data.draw(strategies.data(messages))), data.draw(strategies.data(messages, most=4))
    before = model.to_bytes()
    restored = type(model).from_bytes(before), pickle.loads(pickle.dumps(model))
    for duplicate in (model.copy(), model.clone(include_attributes=True), *restored):
        assert duplicate == model and duplicate.to_bytes() == before
        assert duplicate.score("free lunch at noon") == model.score("free lunch at noon")
        for x, y in later:
            duplicate.learn_one(x, y)
        assert (duplicate == model) == (not later)
    assert model.to_bytes() == before


@all_models
@given(data=st.data())
def test_decay_scales_counts_and_0_forgets_everything(model, messages, data):
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
def test_after_decay_and_learning_scores_equal_those_of_a_restored_model(model):
    model = trained(model, [("a b", "ham"), ("a", "ham"), ("b c", "spam")])
    model.joint_log_likelihood("a")
    model.decay(0.7)
    model.learn_one("a c", "ham")
    fresh = type(model).from_bytes(model.to_bytes())
    assert model.joint_log_likelihood("a") == fresh.joint_log_likelihood("a")


def test_a_snapshot_of_another_model_is_refused_with_both_names():
    with pytest.raises(SnapshotError, match=r"'MultinomialNB'.*'MailNB'"):
        MailNB.from_bytes(MultinomialNB().to_bytes())


def test_unlearning_from_an_unknown_class_is_refused():
    with pytest.raises(ValueError, match="'spam'"):
        MultinomialNB().unlearn_one("x", "spam")


@pytest.mark.parametrize("model", [*TEXTBOOK, *MAIL], ids=repr)
def test_batches_give_the_same_model_and_predictions_as_single_messages(model):
    data = [("win money now", "spam"), ("see you at lunch", "ham"), ("free lunch", "work")] * 10
    many = model.clone()
    many.learn_many([x for x, _ in data], [y for _, y in data])
    assert many == trained(model, data)
    xs = ["money", "lunch at noon", ""]
    assert many.predict_many(xs) == [many.predict_one(x) for x in xs]
    with pytest.raises(ValueError):
        many.learn_many(["x"], [])
