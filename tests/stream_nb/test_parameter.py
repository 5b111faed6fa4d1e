"""Options take effect at once, even on the message scored last, and invalid values are refused."""

import math

import numpy as np
import pytest

from stream_nb import BinnedNB, CategoricalNB, GaussianNB, MailNB, MultinomialNB
from stream_nb.parameter import MOST_SMOOTHING
from tests.support.models import CLASSES, WORD_CLASSES

MAILS = [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")]
TEXT = "money at noon free"


def trained(model):
    for text, label in MAILS:
        model.learn_one(text, label)
    return model


@pytest.mark.parametrize(
    ("option", "value"),
    [("smoothing", 5.0), ("shape", 1.0), ("damping", 0.0), ("novelty", 0.0), ("pair_weight", 0.0)],
)
def test_E3_an_option_changed_between_two_scores_of_the_same_mail_takes_effect(option, value):
    model = trained(MailNB(balance=False))  # with balance, learning would depend on the options
    before = model.score(TEXT + " never").log_odds
    old = getattr(model, option)

    setattr(model, option, value)
    changed = model.score(TEXT + " never").log_odds
    setattr(model, option, old)

    assert changed == trained(MailNB(balance=False, **{option: value})).score(TEXT + " never").log_odds != before
    assert model.score(TEXT + " never").log_odds == before


@pytest.mark.parametrize("option", [{"band": 0.5}, {"trust": False}])
def test_an_option_of_learning_changed_between_two_grades_of_the_same_mail_takes_effect(option):
    model = trained(MailNB(band=float("inf")))
    for _ in range(30):
        model.learn_one("money", "ham", source="eve")
    reference = model.copy()
    ((name, value),) = option.items()
    model.grade(TEXT, "spam", source="eve")
    setattr(model, name, value)
    setattr(reference, name, value)

    assert model.grade(TEXT, "spam", source="eve") == reference.grade(TEXT, "spam", source="eve")


@pytest.mark.parametrize("change", [{"money": 3.0}, {"money": 0}, {"new": 1}, {"money": True}, {1: 1}])
def test_a_dict_of_counts_changed_in_place_after_scoring_is_read_again(change):
    counts = {"money": 2, "lunch": 1}
    model = trained(MultinomialNB())
    model.score(counts)
    counts |= change
    assert model.score(counts) == trained(MultinomialNB()).score(dict(counts))
    model.learn_one(counts, "ham")
    fresh = trained(MultinomialNB())
    fresh.learn_one(dict(counts), "ham")
    assert model == fresh


def test_equal_dicts_with_other_keys_or_another_order_are_read_again():
    for first, second in (({1: 1}, {True: 1}), ({"a": 1, "b": 1}, {"b": 1, "a": 1})):
        model, fresh = trained(MultinomialNB()), trained(MultinomialNB())
        model.score(first)
        model.learn_one(second, "ham")
        fresh.learn_one(second, "ham")
        assert model == fresh


@pytest.mark.parametrize(
    ("model", "option", "value", "range_"),
    [
        *[(MailNB(), "smoothing", wrong, "0 to") for wrong in (math.nan, -1, math.inf, "0.1", None)],
        (MailNB(), "shape", 0.5, "1 to 10"),
        (MailNB(), "damping", math.nan, "0 to 1"),
        *[(MailNB(), "novelty", wrong, "0 to 10") for wrong in (-1, 11)],
        (MailNB(), "pair_weight", -0.1, "0 to 10"),
        (MailNB(), "band", 0.0, "0.001 to inf"),
        (MailNB(), "trust", "yes", "True or False"),
        *[
            (kind(), "smoothing", wrong, "0 to")
            for kind in CLASSES
            if "smoothing" in kind().options()
            for wrong in (math.nan, -1, math.inf)
        ],
        *[
            (kind(), "prior", wrong, "learned, smoothed, uniform")
            for kind in CLASSES
            if kind is not MailNB
            for wrong in ("Uniform", None)
        ],
        *[
            (kind(), "positive", wrong, "text, a bool or a number")
            for kind in CLASSES
            for wrong in (None, math.nan, b"spam", ["spam"])
        ],
        *[
            (MultinomialNB(), "prior", {"ham": wrong, "spam": 0.0}, "share of 0 or more, not all 0")
            for wrong in (-1.0, 0, math.inf, math.nan, "half")
        ],
        (MultinomialNB(), "unseen", "keep", "drop, smooth"),
        (MultinomialNB(), "presence", 2, "True or False"),
        (BinnedNB(), "bins", 1, "2 or more"),
        (BinnedNB(), "bins", 2.5, "2 or more"),
        (GaussianNB(), "variance", "bogus", "own, shared"),
    ],
)
def test_invalid_values_of_options_are_refused_when_set_and_when_constructed(model, option, value, range_):
    before = getattr(model, option)
    with pytest.raises(ValueError, match=f"{option}.*{range_}"):
        setattr(model, option, value)
    assert getattr(model, option) == before
    with pytest.raises(ValueError, match=option):
        type(model)(**{option: value})


@pytest.mark.parametrize("key", [b"short", "text of enough characters"])
@pytest.mark.parametrize("kind", WORD_CLASSES)
def test_a_key_that_is_short_or_not_bytes_is_refused(kind, key):
    with pytest.raises(ValueError, match="key"):
        kind(key=key)


@pytest.mark.parametrize(
    ("model", "option", "value"),
    [
        (MailNB(), "pairs", False),
        (MailNB(), "grams", True),
        (MailNB(), "max_features", 5000),
        *[(kind(), "key", b"sixteen secret bytes") for kind in WORD_CLASSES],
    ],
)
def test_options_of_the_constructor_cannot_be_changed_later(model, option, value):
    before = getattr(model, option)
    with pytest.raises(AttributeError, match=option):
        setattr(model, option, value)
    assert getattr(model, option) == before


@pytest.mark.parametrize("value", [True, False])
def test_a_bool_of_numpy_is_an_option_that_must_be_true_or_false(value):
    for option in ("pairs", "trust"):
        model = MailNB(**{option: np.bool(value)})
        assert getattr(model, option) is value
        assert MailNB.from_bytes(model.to_bytes()) == model == MailNB(**{option: value})


@pytest.mark.parametrize("option", ["pairs", "grams", "trust", "balance"])
@pytest.mark.parametrize("value", ["no", None, 1])
def test_an_option_that_must_be_true_or_false_refuses_other_values(option, value):
    with pytest.raises(ValueError, match=f"{option} is .*: give True or False"):
        MailNB(**{option: value})


@pytest.mark.parametrize(
    ("model", "option"), [(MultinomialNB, "prior"), (MultinomialNB, "unseen"), (GaussianNB, "variance")]
)
def test_an_option_with_named_values_refuses_an_array(model, option):
    with pytest.raises(ValueError, match=f"{option} is array.*: give one of"):
        model(**{option: np.array([0.5, 0.5])})


@pytest.mark.parametrize("value", [1, True, np.float32(1), np.int64(1), np.float64(1)])
@pytest.mark.parametrize("model", [MailNB, MultinomialNB, CategoricalNB])
def test_numbers_of_any_type_are_stored_as_floats(model, value):
    """Options with equal numbers give equal models, which can be written and read."""
    given, expected = model(smoothing=value), model(smoothing=1.0)
    options = {"key": expected.key} if "key" in expected.options() else {}
    given = model(smoothing=value, **options)
    assert given == expected
    assert model.from_bytes(given.to_bytes()) == expected


def test_a_number_beyond_the_range_of_floats_is_refused():
    with pytest.raises(ValueError, match="band is 1000"):
        MailNB(band=10**400)


def test_a_class_may_have_a_share_of_0():
    assert MultinomialNB(prior={"ham": 1, "spam": 0}).prior == {"ham": 1.0, "spam": 0.0}


def test_numpy_numbers_are_accepted_as_options():
    binned, categorical = BinnedNB(bins=np.int64(5)), CategoricalNB(min_categories={"a": np.int32(4)})
    gaussian = GaussianNB(prior={np.int64(0): np.float32(0.25), 1: 0.75})

    for model in (binned, categorical, gaussian):
        assert type(model).from_bytes(model.to_bytes()) == model
    assert (binned.bins, categorical.min_categories, gaussian.prior) == (5, {"a": 4}, {0: 0.25, 1: 0.75})
    for wrong in (np.True_, np.float64(3.0), True):
        with pytest.raises(ValueError, match="give a whole number of 2 or more"):
            binned.bins = wrong


@pytest.mark.parametrize("cls", [cls for cls in CLASSES if "smoothing" in cls().options()])
def test_scores_are_numbers_with_the_largest_smoothing_and_more_is_refused(cls):
    """Smoothing times the number of words must not overflow."""
    model = cls(smoothing=MOST_SMOOTHING)
    for i in range(60):
        model.learn_one({f"w{i % 37}": 1, f"w{i % 11}": 2}, "ham" if i % 3 else "spam")
    for x in ({"w1": 1, "w2": 2}, {"w36": 1}):
        score, evidence = model.score(x), model.evidence(x)
        assert not any(math.isnan(each) for each in (*score.scores.values(), score.log_odds, evidence.log_odds))
    with pytest.raises(ValueError, match=r"smoothing is .*: give a number from 0 to 1e\+300"):
        model.smoothing = 2 * MOST_SMOOTHING


@pytest.mark.parametrize("cls", [MailNB, MultinomialNB, CategoricalNB])
def test_the_message_of_an_unknown_option_names_the_class(cls):
    with pytest.raises(TypeError, match=rf"{cls.__name__}.__init__\(\) got an unexpected keyword argument 'smooth'"):
        cls(smooth=1)
