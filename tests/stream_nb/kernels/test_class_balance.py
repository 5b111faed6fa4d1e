"""Few labels: a bias by past margins, smoothing that follows the rarer class, and scores that say less."""

import math
from collections import deque

import numpy as np
import pytest

from consumers.ingest.synthetic import synthetic_mails
from consumers.records.messages import read_value
from stream_nb import MailNB
from stream_nb.mail_nb import vocabulary
from tests.benchmarks.robustness import one_minus_auc
from tests.support.trained import trained


def labelled(total, seed):
    return [(read_value(item.value, item.id, "safe").mail, item.label) for item in synthetic_mails(total, seed)]


def mean_margin(margins):
    """The mean of a class, with five labels of margin 0, each in bins of a quarter and within 1.5 of 0."""
    return sum(min(max(math.floor(4 * margin), -6), 6) / 4 for margin in margins) / (len(margins) + 5)


def test_the_bias_is_what_the_mean_margin_lacks_and_fades_with_labels():
    model, margins = MailNB(band=math.inf, trust=False), {"ham": [], "spam": []}
    for text, label in [("a b", "ham"), ("c d", "spam")] + [("a b", "ham")] * 30 + [("a e", "spam")] * 3:
        scores = model.class_scores(text)
        other = "ham" if label == "spam" else "spam"
        margins[label].append(scores.get(label, 0.0) - scores.get(other, 0.0))
        model.learn_one(text, label)

    lead = mean_margin(margins["ham"]) - mean_margin(margins["spam"])
    assert lead > 0.3
    assert model.evidence("a").bias == pytest.approx(lead * 20 / (20 + 4), abs=1e-5)
    assert MailNB(balance=False, band=math.inf, trust=False).evidence("a").bias == 0.0


@pytest.mark.parametrize("labels", [0, 2, 3, 14, 15, 62, 63, 1100])
def test_smoothing_is_halved_whenever_one_class_is_four_times_as_rare(labels):
    model = trained(
        MailNB(band=math.inf, trust=False, shape=1.0, damping=0.0, pairs=False, novelty=0.0),
        [("money", "spam"), *[("lunch", "ham")] * (labels + 1 if labels else 1)],
    )
    plain = model.copy()
    plain.balance = False
    halvings = int(math.log((labels + 2) / 2) / math.log(4) + 1e-9)
    plain.smoothing = 0.1 / 2**halvings

    why = model.evidence("money")
    moderated = 1 / math.sqrt(1 + 40 / (model.labels_learned + 2))
    assert why.log_odds - why.bias == pytest.approx(moderated * plain.score("money").log_odds, abs=1e-12)
    (money,) = [term for term in vocabulary.strongest(model, "spam") if term.text == "money"]
    assert moderated * money.weight == pytest.approx(why.terms[0].weight, abs=1e-12)
    assert vocabulary.word_probabilities(model, money) == pytest.approx(vocabulary.word_probabilities(plain, money))


def misranked(mails, delay, balance):
    model, scores, due = MailNB(balance=balance), [], deque()
    for mail in mails:
        scores.append(model.score(mail[0]).log_odds)
        due.append(mail)
        if len(due) > delay:
            model.learn_one(*due.popleft())
    spam = np.array([label == "spam" for _, label in mails])
    return one_minus_auc(spam[delay:], np.array(scores)[delay:], 0)[0]


@pytest.mark.parametrize("delay, ratio", [(0, 0.97), (100, 1.05)])
def test_early_mails_rank_where_they_belong_beside_later_ones(delay, ratio):
    mails = labelled(1000, seed=0)
    assert misranked(mails, delay, balance=True) < ratio * misranked(mails, delay, balance=False)


def test_the_order_of_classes_changes_no_bit():
    data = [("money now", "spam"), ("see you", "ham"), ("the report", "work"), ("money", "spam"), ("you", "ham")] * 3
    one, two = (trained(MailNB(), [(text, label) for text, label in [first, *data]]) for first in (data[0], data[2]))
    merged, swapped = one.copy(), two.copy()
    merged.merge(two)
    swapped.merge(one)
    assert merged.classes != swapped.classes
    for text in ("see the money", "report", "zzz"):
        assert merged.class_scores(text) == swapped.class_scores(text)


def balanced_accuracy(model, mails):
    right = {"ham": [], "spam": []}
    for mail, label in mails:
        right[label].append((model.score(mail).log_odds > 0) == (label == "spam"))
    return sum(sum(each) / len(each) for each in right.values()) / 2


@pytest.mark.parametrize("rare", ["ham", "spam"])
def test_a_class_of_few_labels_is_told_better(rare):
    mails = labelled(1400, seed=5)
    few = [mail for mail in mails[:350] if mail[1] == rare][:6]
    many = [mail for mail in mails[:350] if mail[1] != rare][:60]
    learned = [mail for start in range(6) for mail in [few[start], *many[10 * start : 10 * start + 10]]]
    with_balance, without = (
        balanced_accuracy(trained(MailNB(balance=balance), learned), mails[350:700]) for balance in (True, False)
    )
    assert with_balance > without + 0.01
