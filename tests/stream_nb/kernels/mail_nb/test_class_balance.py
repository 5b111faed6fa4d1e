"""With few labels: a bias from past margins, smoothing by the rarer class, and moderated scores."""

import math
from collections import deque
from random import Random

import numpy as np
import pytest

from consumers.ingest.synthetic import synthetic_mails
from consumers.model.silence import unmeasured
from consumers.records.messages import read_value
from stream_nb import MailNB
from stream_nb.mail_nb import vocabulary
from tests.benchmarks.robustness import one_minus_auc
from tests.support.trained import trained


def labelled_mails(total, seed):
    return [(read_value(item.value, item.id, "safe").mail, item.label) for item in synthetic_mails(total, seed)]


def mean_margin(margins, shift):
    """The mean of a class's margins and of two that are 0, each rounded down to quarters, shifted, and clipped to 1."""
    clipped = [min(max(math.floor(4 * margin) / 4 + shift, -1), 1) for margin in [*margins, 0, 0]]
    return sum(clipped) / len(clipped)


def test_the_bias_makes_the_classes_equal_in_their_mean_margin_and_fades_with_errors():
    model, margins = MailNB(band=math.inf, trust=False), {"ham": [], "spam": []}
    for text, label in [("a b", "ham"), ("c d", "spam")] + [("a b", "ham"), ("a e", "spam"), ("a b", "ham")] * 4:
        scores = model.class_scores(text)
        if scores:
            other = "ham" if label == "spam" else "spam"
            margins[label].append(scores.get(label, 0.0) - scores.get(other, 0.0))
        model.learn_one(text, label)

    bias = model.evidence("a").bias
    errors = sum(margin < 0 for each in margins.values() for margin in each)
    right = sum(map(len, margins.values())) - errors
    shift = bias / 2 / (right / (right + 5) * 15 / (errors + 15))
    assert errors > 0
    assert shift > 0.1
    assert mean_margin(margins["spam"], shift) == pytest.approx(mean_margin(margins["ham"], -shift), abs=1e-4)
    model.balance = False
    assert model.evidence("a").bias == 0.0


def test_labels_before_a_second_class_is_known_tell_nothing_of_the_bias():
    model = trained(MailNB(), [("a b", "spam")] * 30 + [("a c", "ham")] * 3)
    assert model.evidence("a").bias == 0.0
    model.learn_one("a b", "spam")
    assert model.evidence("a").bias != 0.0


def test_the_bias_fades_with_labels_of_silence_in_both_classes():
    model = trained(MailNB(), [("a b", "ham"), ("c d", "spam"), *[("a b", "ham"), ("a e", "spam")] * 4])
    biases = [model.evidence("a").bias]
    for label in ("ham", "spam"):
        for _ in range(20):
            model.apply_update("x y", unmeasured(model.grade("x y", label, "silence")))
        biases.append(model.evidence("a").bias)
    one_error = 1
    assert biases == pytest.approx([biases[0], biases[0], biases[0] * (15 + one_error) / (15 + one_error + 20)])


def test_the_first_labels_of_another_class_take_no_mail_of_classes_that_are_never_confused():
    random = Random(0)

    def mail(label):
        words = random.choices([f"{label}{number}" for number in range(40)], k=8)
        return " ".join(words + random.choices([f"common{number}" for number in range(60)], k=4))

    model = trained(MailNB(), [(mail(label), label) for _ in range(100) for label in ("ham", "spam")])
    for _ in range(5):
        model.learn_one(mail("news"), "news")
        for label in ("ham", "spam"):
            assert [model.predict_one(mail(label)) for _ in range(20)] == [label] * 20


@pytest.mark.parametrize("labels", [0, 2, 3, 14, 15, 62, 63, 1100])
def test_smoothing_is_halved_for_each_factor_of_four_between_the_classes(labels):
    model = trained(
        MailNB(band=math.inf, trust=False, shape=1.0, damping=0.0, pairs=False, novelty=0.0),
        [("money", "spam"), *[("lunch", "ham")] * (labels + 1 if labels else 1)],
    )
    unbalanced = model.copy()
    unbalanced.balance = False
    halvings = int(math.log((labels + 2) / 2) / math.log(4) + 1e-9)
    unbalanced.smoothing = 0.1 / 2**halvings

    why = model.evidence("money")
    moderated = 1 / math.sqrt(1 + 40 / (model.labels_learned + 2))
    assert why.log_odds - why.bias == pytest.approx(moderated * unbalanced.score("money").log_odds, abs=1e-12)
    (money,) = [term for term in vocabulary.strongest(model, "spam") if term.text == "money"]
    assert moderated * money.weight == pytest.approx(why.terms[0].weight, abs=1e-12)
    assert vocabulary.word_probabilities(model, money) == pytest.approx(
        vocabulary.word_probabilities(unbalanced, money)
    )


def ranking_error(mails, delay, balance):
    model, scores, unlabelled = MailNB(balance=balance), [], deque()
    for mail in mails:
        scores.append(model.score(mail[0]).log_odds)
        unlabelled.append(mail)
        if len(unlabelled) > delay:
            model.learn_one(*unlabelled.popleft())
    spam = np.array([label == "spam" for _, label in mails])
    return one_minus_auc(spam[delay:], np.array(scores)[delay:], 0)[0]


@pytest.mark.parametrize("delay, ratio", [(0, 0.97), (100, 1.05)])
def test_balance_ranks_early_mails_among_later_ones(delay, ratio):
    mails = labelled_mails(1000, seed=0)
    assert ranking_error(mails, delay, balance=True) < ratio * ranking_error(mails, delay, balance=False)


def test_scores_are_equal_for_every_order_of_classes():
    data = [("money now", "spam"), ("see you", "ham"), ("the report", "work"), ("money", "spam"), ("you", "ham")] * 3
    first_model, second_model = (
        trained(MailNB(), [(text, label) for text, label in [first, *data]]) for first in (data[0], data[2])
    )
    merged, swapped = first_model.copy(), second_model.copy()
    merged.merge(second_model)
    swapped.merge(first_model)
    assert merged.classes != swapped.classes
    for text in ("see the money", "report", "zzz"):
        assert merged.class_scores(text) == swapped.class_scores(text)


def balanced_accuracy(model, mails):
    right = {"ham": [], "spam": []}
    for mail, label in mails:
        right[label].append((model.score(mail).log_odds > 0) == (label == "spam"))
    return sum(sum(each) / len(each) for each in right.values()) / 2


@pytest.mark.parametrize("rare", ["ham", "spam"])
def test_balance_raises_the_balanced_accuracy_if_a_class_has_few_labels(rare):
    gains = []
    for seed in range(6):
        mails = labelled_mails(1400, seed)
        rare_mails = [mail for mail in mails[:700] if mail[1] == rare][:6]
        common_mails = [mail for mail in mails[:700] if mail[1] != rare][:60]
        training_mails = [
            mail for start in range(6) for mail in [rare_mails[start], *common_mails[10 * start : 10 * start + 10]]
        ]
        with_balance, without = (
            balanced_accuracy(trained(MailNB(balance=balance), training_mails), mails[700:])
            for balance in (True, False)
        )
        gains.append(with_balance - without)
    assert sum(gains) / len(gains) > 0.003
