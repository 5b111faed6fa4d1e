"""Every model works in river: in pipelines, in progressive validation and with rolling metrics."""

import math
import random
from collections import Counter

import pytest
from river import checks, compose, evaluate, feature_extraction, metrics, preprocessing, utils

from consumers.ingest.synthetic import synthetic_mails
from stream_nb import (
    BernoulliNB,
    BinnedNB,
    CategoricalNB,
    GaussianNB,
    MailNB,
    MixedNB,
    MultinomialNB,
)
from stream_nb.mail import read_mail
from tests.support.models import CLASSES
from tests.support.trained import KEY

WINDOW = 40
DELAY = 20


def parsed_mail(raw):
    return read_mail(raw).mail


def colours_and_sizes():
    draw = random.Random(2)
    for _ in range(160):
        y = draw.choice(("ham", "spam"))
        colour = draw.choice(("red", "red", "blue") if y == "spam" else ("blue", "blue", "red"))
        yield {"colour": colour, "size": draw.gauss(3.0 * (y == "spam"), 1.0), "unread": 1.0}, y


def predict_then_learn(pipeline, stream, delay=1):
    """Test, then train, without river: yield the label, prediction and probabilities of each row.

    A row's label is learned before the prediction `delay` rows later.
    """
    *transformers, model = pipeline.steps.values()
    for number, (x, y) in enumerate(stream):
        if number >= delay:
            old, label = stream[number - delay]
            for transformer in transformers:
                transformer.learn_one(old)
                old = transformer.transform_one(old)
            model.learn_one(old, label)
        for transformer in transformers:
            x = transformer.transform_one(x)
        yield y, model.predict_one(x), model.predict_proba_one(x)


MAILS = [(item.value, item.label) for item in synthetic_mails(160, seed=4)]
TEXTS = [(b" ".join(part.text for part in parsed_mail(raw).parts).decode("utf-8", "replace"), y) for raw, y in MAILS]
FEATURES = list(colours_and_sizes())

PIPELINES = {
    "MailNB": (lambda: compose.FuncTransformer(parsed_mail) | MailNB(key=KEY), MAILS),
    "MultinomialNB": (lambda: compose.FuncTransformer(parsed_mail) | MultinomialNB(key=KEY), MAILS),
    "BernoulliNB": (lambda: compose.FuncTransformer(parsed_mail) | BernoulliNB(key=KEY), MAILS),
    "MailNB of dicts": (lambda: feature_extraction.BagOfWords() | MailNB(key=KEY), TEXTS),
    "MultinomialNB of dicts": (lambda: feature_extraction.BagOfWords() | MultinomialNB(key=KEY), TEXTS),
    "BernoulliNB of dicts": (lambda: feature_extraction.BagOfWords() | BernoulliNB(key=KEY), TEXTS),
    "GaussianNB": (lambda: compose.Select("size") | preprocessing.StandardScaler() | GaussianNB(), FEATURES),
    "BinnedNB": (lambda: compose.Select("size") | preprocessing.StandardScaler() | BinnedNB(), FEATURES),
    "CategoricalNB": (lambda: compose.Select("colour") | CategoricalNB(), FEATURES),
    "MixedNB": (lambda: compose.Discard("unread") | MixedNB(), FEATURES),
}
every_pipeline = pytest.mark.parametrize(("new", "stream"), list(PIPELINES.values()), ids=list(PIPELINES))


@every_pipeline
def test_progressive_validation_equals_test_then_train_by_hand(new, stream):
    measured = evaluate.progressive_val_score(stream, new(), metrics.Accuracy())
    # An empty model does not predict, and river does not count that.
    first, *rows = predict_then_learn(new(), stream)
    assert first[1:] == (None, {})
    assert measured.get() == sum(y == guess for y, guess, _ in rows) / len(rows)
    assert measured.get() > max(Counter(y for y, _, _ in rows).values()) / len(rows)


@pytest.mark.parametrize("new", CLASSES)
def test_nan_from_an_untrained_scaler_before_the_first_message_is_accepted(new):
    """MinMaxScaler turns all values into nan before it has learned any."""
    pipeline = compose.Select("size") | preprocessing.MinMaxScaler() | new()
    x, _ = FEATURES[0]
    assert pipeline.predict_one(x) is None and pipeline.predict_proba_one(x) == {}
    assert new().log_odds_one({"size": math.nan}, "spam") == 0.0
    evaluate.progressive_val_score(FEATURES, pipeline, metrics.Accuracy())
    assert set(pipeline.predict_proba_one(x)) == {"ham", "spam"}


@every_pipeline
def test_river_metrics_of_probabilities_use_those_the_model_predicts(new, stream):
    stream = [(x, y == "spam") for x, y in stream]
    both = evaluate.progressive_val_score(stream, new(), metrics.LogLoss() + metrics.ROCAUC())
    expected = metrics.LogLoss() + metrics.ROCAUC()
    for y, _, probabilities in list(predict_then_learn(new(), stream))[1:]:
        expected.update(y, probabilities)
    assert [metric.get() for metric in both] == [metric.get() for metric in expected]


@every_pipeline
def test_a_rolling_accuracy_is_that_of_the_last_window(new, stream):
    rolling = evaluate.progressive_val_score(stream, new(), utils.Rolling(metrics.Accuracy, window_size=WINDOW))
    rows = list(predict_then_learn(new(), stream))[-WINDOW:]
    assert len(rolling.window) == WINDOW
    assert rolling.get() == sum(y == guess for y, guess, _ in rows) / WINDOW


@every_pipeline
def test_a_confusion_matrix_counts_each_of_three_classes(new, stream):
    stream = [(x, "work" if number % 5 == 0 else y) for number, (x, y) in enumerate(stream)]
    confusion = evaluate.progressive_val_score(stream, new(), metrics.ConfusionMatrix())
    _, *rows = predict_then_learn(new(), stream)
    pairs = Counter((y, guess) for y, guess, _ in rows)
    assert {(y, guess): confusion[y][guess] for y, guess in pairs} == pairs
    assert set(rows[-1][2]) == {"ham", "spam", "work"}


@every_pipeline
def test_with_delayed_labels_progressive_validation_equals_delayed_training_by_hand(new, stream):
    delayed = evaluate.progressive_val_score(stream, new(), metrics.Accuracy(), delay=DELAY)
    rows = list(predict_then_learn(new(), stream, DELAY))[DELAY:]
    assert delayed.get() == sum(y == guess for y, guess, _ in rows) / len(rows)


@every_pipeline
def test_a_clone_with_attributes_has_learned_the_same_and_learns_alone(new, stream):
    (*_, model), x = new().steps.values(), {"size": 1.0}
    model.learn_one(x, "ham")
    clone, without = model.clone(include_attributes=True), model.clone()
    assert clone == model and without.classes == ()
    clone.learn_one(x, "spam")
    without.learn_one(x, "ham")
    without.learn_one(x, "spam")
    assert clone.predict_proba_one(x) == without.predict_proba_one(x) != model.predict_proba_one(x)


@pytest.mark.parametrize("cls", CLASSES)
def test_options_that_may_be_set_on_a_trained_model_may_be_mutated_in_a_pipeline(cls):
    model = cls()
    pipeline = compose.Discard("unread") | model
    pipeline.mutate({cls.__name__: {"positive": "ham"}})
    assert model.positive == "ham"
    fixed = {"key", "pairs", "grams", "max_features", "words", "categories", "numbers", "text"}
    for name, value in model.options().items():
        if name not in fixed:
            pipeline.mutate({cls.__name__: {name: value}})
        else:
            with pytest.raises(ValueError, match=f"'{name}' is not a mutable attribute"):
                pipeline.mutate({cls.__name__: {name: value}})


def river_checks():
    for new in CLASSES:
        model = new()
        for number, check in enumerate(checks.yield_checks(model)):
            yield pytest.param(model, check, id=f"{type(model).__name__}-{number}-{check.__name__}")


@pytest.mark.parametrize(("model", "check"), list(river_checks()))
def test_models_pass_the_checks_of_river(model, check):
    check(model.clone())
