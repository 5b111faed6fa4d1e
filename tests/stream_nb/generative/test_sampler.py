"""Messages drawn from a model, and a learner that recovers the model from them."""

import math
from collections import Counter
from email import message_from_bytes, policy

import numpy as np
import pytest

from stream_nb import BernoulliNB, MailNB, MultinomialNB
from stream_nb.generative.sampler import Sampler, as_mail
from stream_nb.mixed import MixedNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB

MAILS = [("cheap pills cheap offer", "spam"), ("meeting at noon", "ham"), ("noon offer meeting notes", "ham")]


def text_truth():
    truth = MultinomialNB()
    for text, label in MAILS:
        truth.learn_one(text, label)
    return truth


def mixed_truth(words=None):
    truth = MixedNB(words, CategoricalNB(min_categories=2))
    for (text, label), lines, kind in zip(MAILS, (3.0, 9.0, 10.0), ("html", "plain", "html"), strict=True):
        truth.learn_one({"text": text, "lines": lines, "kind": kind}, label)
    return truth


def test_M9_a_learner_recovers_word_probabilities_and_prior_of_a_multinomial_model():
    truth, learner = text_truth(), MultinomialNB()
    n, drawn_labels = 3000, Counter()
    for x, y in Sampler(truth, length=20).draw(np.random.default_rng(0), n):
        learner.learn_one(x, y)
        drawn_labels[y] += 1
    assert drawn_labels["spam"] / n == pytest.approx(1 / 3, abs=4 * math.sqrt(2 / 9 / n))
    for word in ("cheap", "noon", "offer", "notes"):
        for label, probability in truth.word_probabilities(word).items():
            words = 20 * drawn_labels[label]
            assert learner.word_probabilities(word)[label] == pytest.approx(
                probability, abs=4 * math.sqrt(probability * (1 - probability) / words)
            )


def test_M9_a_learner_recovers_word_probabilities_and_prior_of_a_bernoulli_model():
    truth, learner, drawn_labels, n = BernoulliNB.reading(text_truth()), BernoulliNB(), Counter(), 3000
    for x, y in Sampler(truth).draw(np.random.default_rng(2), n):
        assert set(x.values()) <= {1}
        learner.learn_one(x, y)
        drawn_labels[y] += 1
    assert drawn_labels["spam"] / n == pytest.approx(1 / 3, abs=4 * math.sqrt(2 / 9 / n))
    for word in ("cheap", "noon", "offer", "notes"):
        for label, probability in truth.word_probabilities(word).items():
            assert learner.word_probabilities(word)[label] == pytest.approx(
                probability, abs=4 * math.sqrt(probability * (1 - probability) / drawn_labels[label])
            )


def test_M9_a_learner_recovers_numbers_and_categories_of_a_mixed_model():
    truth, learner = mixed_truth(), MixedNB()
    for x, y in Sampler(truth).draw(np.random.default_rng(1), 3000):
        learner.learn_one(x, y)
    for label in ("ham", "spam"):
        real, found = truth.numbers.normals("lines")[label], learner.numbers.normals("lines")[label]
        n = learner.class_counts[label]
        assert found.mean == pytest.approx(real.mean, abs=4 * real.std / math.sqrt(n))
        assert found.std == pytest.approx(real.std, rel=4 / math.sqrt(2 * n))
        for kind in ("html", "plain"):
            assert learner.categories.value_probabilities("kind", kind)[label] == pytest.approx(
                truth.categories.value_probabilities("kind", kind)[label], abs=0.07
            )


@pytest.mark.parametrize("words", [None, MultinomialNB(prior="uniform"), BernoulliNB(prior="uniform")], ids=repr)
def test_M9_the_same_seed_gives_the_same_messages_and_leaves_the_model_unchanged(words):
    truth = text_truth() if words is None else mixed_truth(words.copy())
    before = truth.to_bytes()
    first = list(Sampler(truth).draw(np.random.default_rng(7), 20))
    assert first == list(Sampler(truth).draw(np.random.default_rng(7), 20))
    assert first != list(Sampler(truth).draw(np.random.default_rng(8), 20))
    assert truth.to_bytes() == before


@pytest.mark.parametrize("smoothing", [0.0, 1.0])
def test_M9_messages_of_a_class_without_words_are_empty_without_smoothing(smoothing):
    """Otherwise numpy would raise an exception, or word counts be nan."""
    truth = MultinomialNB(smoothing=smoothing)
    truth.learn_one("", "ham")
    assert all(x == {} for x, _ in Sampler(truth).draw(np.random.default_rng(0), 5))
    truth.learn_one("free money", "spam")
    drawn = list(Sampler(truth).draw(np.random.default_rng(0), 20))
    assert {y for _, y in drawn} == {"ham", "spam"}
    assert all(bool(x) == (y == "spam" or smoothing > 0) for x, y in drawn)


def test_M9_a_drawn_message_is_written_as_a_mail_of_its_words():
    x = {"cheap": 2, "pills": 5, "text": 1}
    mail = message_from_bytes(as_mail(x, np.random.default_rng(0)), policy=policy.default)
    words = (mail["subject"] + " " + mail.get_content()).split()
    assert sorted(words) == ["cheap"] * 2 + ["pills"] * 5 + ["text"]
    assert as_mail({"cheap": 1}, np.random.default_rng(0)).startswith(b"Subject: cheap\r\n")


def test_M9_words_add_no_headers_to_a_drawn_mail():
    mail = message_from_bytes(as_mail({"win\r\nX-Evil: 1": 1}, np.random.default_rng(0)), policy=policy.default)
    assert mail["x-evil"] is None


def test_Q10_no_prediction_has_a_lower_expected_error_than_that_of_the_true_model():
    def error(x, label):
        return 1.0 - truth.predict_proba_one(x).get(label, 0.0)

    truth = text_truth()
    learner = MultinomialNB()
    sampler, rng = Sampler(truth, length=3), np.random.default_rng(3)
    for x, y in sampler.draw(rng, 20):
        learner.learn_one(x, y)
    fresh = [x for x, _ in sampler.draw(rng, 300)]
    best = [error(x, truth.predict_one(x)) for x in fresh]
    for x, optimum in zip(fresh, best, strict=True):
        for label in ("ham", "spam", learner.predict_one(x), None):
            assert error(x, label) >= optimum - 1e-15


def test_models_that_cannot_be_drawn_from_are_refused():
    with pytest.raises(ValueError, match="no classes"):
        Sampler(GaussianNB())
    stranger = MultinomialNB(prior={"x": 1.0})
    stranger.learn_one("win money", "spam")
    with pytest.raises(ValueError, match=r"no share to a class of the model; the classes are \['spam'\]"):
        Sampler(stranger)
    model = MailNB()
    model.learn_one("hello", "ham")
    with pytest.raises(ValueError, match="cannot draw from MailNB: give a textbook model"):
        Sampler(model)


def test_M9_numbers_that_cannot_be_drawn_with_are_refused():
    sampler = Sampler(text_truth())
    with pytest.raises(TypeError, match=r"rng is 0: give a generator, as numpy.random.default_rng\(0\) returns"):
        list(sampler.draw(0, 10))
    for n in (-1, 2.5, None):
        with pytest.raises(ValueError, match=f"n is {n}: give a whole number of 0 or more"):
            list(sampler.draw(np.random.default_rng(0), n))
    for length in (-1.0, float("nan"), "long"):
        with pytest.raises(ValueError, match=f"length is {length!r}: give a number from 0 to"):
            Sampler(text_truth(), length=length)
