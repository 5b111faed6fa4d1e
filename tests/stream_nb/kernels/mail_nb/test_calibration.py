"""Probabilities are calibrated: of mails with probability 0.9, nine in ten are spam."""

import numpy as np
import pytest
from scipy.optimize import minimize

from consumers.ingest.synthetic import synthetic_mails
from consumers.records.messages import read_value
from stream_nb import MailNB
from stream_nb.kernels.layout import BINS, MAIL_TOTALS, UNIT, WIDEST, MailTotal
from stream_nb.kernels.mail_nb.calibration import calibrate
from tests.support.trained import trained


def test_the_probabilities_of_two_classes_are_complements():
    model = MailNB()
    for number in range(40):
        model.learn_one(f"win money {number % 3}", "spam")
        model.learn_one(f"lunch at noon {number % 5}", "ham")
    for x in ("money at noon", "win 2", "", "lunch 4"):
        probabilities = model.predict_proba_one(x)
        assert probabilities["spam"] == pytest.approx(model.score(x).probability)
        model.positive = "ham"
        assert probabilities["ham"] == pytest.approx(model.score(x).probability)
        model.positive = "spam"


def test_probabilities_shrink_when_the_labels_contradict_the_scores():
    consistent, contradicted = MailNB(trust=False), MailNB(trust=False)
    for number in range(200):
        for x, y, z in (("win money", "spam", "ham"), ("lunch at noon", "ham", "spam")):
            consistent.learn_one(x, y)
            contradicted.learn_one(x, z if number % 3 == 0 else y)
    assert consistent.predict_proba_one("win money")["spam"] > 0.99
    assert contradicted.predict_proba_one("win money")["spam"] < 0.95


@pytest.mark.parametrize("wrong", [0, 1, 3, 22, 300])
@pytest.mark.parametrize("seed", range(6))
def test_the_curve_has_the_maximum_likelihood_for_every_distribution_of_margins(wrong, seed):
    """As when a mailbox is read before its junk folder: ham learned before there is another class has no margin, and
    nearly all later mails are spam; the few ham among them have margins far on the wrong side."""
    rng = np.random.default_rng(seed)
    margins = np.zeros((2, BINS), np.int64)
    np.add.at(margins[1], rng.choice(BINS, 1200, p=shares_of_bins(seed)), UNIT)
    np.add.at(margins[0], rng.choice(BINS, wrong, p=shares_of_bins(seed)[::-1]), UNIT)

    a, b = calibrate(totals_of(margins), 1)

    maximum = minimize(lambda ab: negative_log_likelihood(margins / UNIT, *ab), (a, b), method="Nelder-Mead").x
    assert (a, b) == pytest.approx((max(maximum[0], 0.1), maximum[1]), abs=1e-3)
    assert calibrate(totals_of(margins[::-1]), 0) == (a, b)


@pytest.mark.parametrize("lead", [0, 1])
def test_without_margins_the_curve_is_that_of_the_priors(lead):
    assert calibrate(totals_of(0), lead) == (3.5, 0.0)


def totals_of(margins):
    """The totals of two classes of which only the margins are counted."""
    totals = np.zeros((2, MAIL_TOTALS), np.int64)
    totals[:, MailTotal.MARGINS : MailTotal.ALL_MARGINS] = margins
    return totals


def shares_of_bins(seed):
    """The share of each bin, for margins of which most are on the right side and wide."""
    shares = np.exp((0.05 + 0.05 * seed) * np.arange(BINS))
    return shares / shares.sum()


def negative_log_likelihood(mails, a, b):
    """The negative log-likelihood of spam's curve with its priors, as the docstring of `calibration` defines it."""
    spam, ham = mails[1], mails[0][::-1]
    s = (np.arange(BINS) + 0.5) * 2 * WIDEST / BINS - WIDEST
    prior_weight = 1 + 800 / (20 + mails.sum())
    negative = spam @ np.logaddexp(0, -(a * s + b)) + ham @ np.logaddexp(0, a * s + b)
    return negative + 0.5 * (a - 3.5) ** 2 + 0.5 * prior_weight * b**2


def count_labels_against_probability(labels):
    """Count mails whose label contradicts their probability: of 300 generated ones for each of four seeds."""
    wrong = 0
    for seed in range(4):
        mails = [(read_value(item.value, item.id, "safe").mail, item.label) for item in synthetic_mails(600, seed)]
        model = trained(MailNB(), mails[:labels])
        for mail, _ in mails[300:]:
            score = model.score(mail)
            wrong += (score.log_odds > 0.0) != (score.probability > 0.5)
    return wrong


@pytest.mark.parametrize("labels", [10, 20, 50])
def test_after_few_labels_hardly_any_mail_has_the_less_probable_label(labels):
    assert count_labels_against_probability(labels) <= 20  # of 1,200


@pytest.fixture(scope="module")
def enron2(real_mail):
    paths = [path for label in ("ham", "spam") for path in (real_mail("enron2") / label).iterdir()]
    paths.sort(key=lambda path: (int(path.name.split(".")[0]), path.name))
    return [(path.read_bytes(), path.parent.name) for path in paths]


def test_probabilities_of_real_mail_are_reliable(enron2):
    model, probabilities, truth = MailNB(), [], []
    for text, label in enron2:
        probabilities.append(model.score(text).probability)
        truth.append(label == "spam")
        model.learn_one(text, label)
    probabilities, truth = np.array(probabilities[200:]), np.array(truth[200:])

    # In each bin the mean probability is within three standard errors and two percentage points of the share of spam.
    for low, high in ((0.0, 0.01), (0.01, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 1.0001)):
        inside = (probabilities >= low) & (probabilities < high)
        expected, share, n = probabilities[inside].mean(), truth[inside].mean(), inside.sum()
        assert abs(expected - share) < 0.02 + 3 * np.sqrt(expected * (1 - expected) / n), (low, high, n)
