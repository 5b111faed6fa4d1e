"""0.9 means nine in ten, on mail."""

import numpy as np
import pytest

from consumers.ingest.synthetic import synthetic_mails
from consumers.records.messages import read_value
from stream_nb import MailNB
from tests.support.trained import trained


def test_two_classes_are_two_sides_of_one_probability():
    model = MailNB()
    for number in range(40):
        model.learn_one(f"win money {number % 3}", "spam")
        model.learn_one(f"lunch at noon {number % 5}", "ham")
    for x in ("money at noon", "win 2", "", "lunch 4"):
        chances = model.predict_proba_one(x)
        assert chances["spam"] == pytest.approx(model.score(x).probability)
        model.positive = "ham"
        assert chances["ham"] == pytest.approx(model.score(x).probability)
        model.positive = "spam"


def test_probabilities_shrink_when_the_labels_contradict_the_scores():
    sure, unsure = MailNB(trust=False), MailNB(trust=False)
    for number in range(200):
        for x, y, z in (("win money", "spam", "ham"), ("lunch at noon", "ham", "spam")):
            sure.learn_one(x, y)
            unsure.learn_one(x, z if number % 3 == 0 else y)
    assert sure.predict_proba_one("win money")["spam"] > 0.99
    assert unsure.predict_proba_one("win money")["spam"] < 0.95


def called_what_is_less_probable(labels):
    """Of 300 generated mails after so many labels, over four seeds."""
    wrong = 0
    for seed in range(4):
        mails = [(read_value(item.value, item.id, "safe").mail, item.label) for item in synthetic_mails(600, seed)]
        model = trained(MailNB(), mails[:labels])
        for mail, _ in mails[300:]:
            score = model.score(mail)
            wrong += (score.log_odds > 0.0) != (score.probability > 0.5)
    return wrong


@pytest.mark.parametrize("labels", [10, 20, 50])
def test_after_few_labels_hardly_a_mail_is_called_what_is_less_probable(labels):
    assert called_what_is_less_probable(labels) <= 20  # of 1,200


@pytest.fixture(scope="module")
def enron2(real_mail):
    paths = [path for label in ("ham", "spam") for path in (real_mail("enron2") / label).iterdir()]
    paths.sort(key=lambda path: (int(path.name.split(".")[0]), path.name))
    return [(path.read_bytes(), path.parent.name) for path in paths]


def test_probabilities_of_real_mail_are_reliable(enron2):
    model, chances, truth = MailNB(), [], []
    for text, label in enron2:
        chances.append(model.score(text).probability)
        truth.append(label == "spam")
        model.learn_one(text, label)
    chances, truth = np.array(chances[200:]), np.array(truth[200:])

    # Bins of equal expected error: none is further from its share than three standard errors and two points.
    for low, high in ((0.0, 0.01), (0.01, 0.1), (0.1, 0.5), (0.5, 0.9), (0.9, 0.99), (0.99, 1.0001)):
        inside = (chances >= low) & (chances < high)
        expected, share, n = chances[inside].mean(), truth[inside].mean(), inside.sum()
        assert abs(expected - share) < 0.02 + 3 * np.sqrt(expected * (1 - expected) / n), (low, high, n)
