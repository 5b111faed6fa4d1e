"""Which labels are wrong of mails that score as positive: estimated from the scores of the labels of both classes."""

import numpy as np
import pytest

from stream_nb import MailNB, kernels
from stream_nb.kernels.layout import BINS, UNIT
from stream_nb.mail_nb.decision import threshold_losing

SPAM, HAM = np.zeros(BINS), np.zeros(BINS)
SPAM[:12], HAM[-12:] = 100.0, 100.0  # scores above 1, and below -1
HAM[10:16], SPAM[10:16] = (4.0, 6.0, 8.0, 12.0, 16.0, 20.0), (90.0, 80.0, 60.0, 40.0, 30.0, 20.0)


def without_wrong_labels(ham, spam):
    ham = ham.copy()
    kernels.discount_wrong_labels(ham, spam)
    return ham


def test_if_no_label_contradicts_a_sure_score_all_labels_are_kept():
    assert without_wrong_labels(HAM, SPAM).tolist() == HAM.tolist()


@pytest.mark.parametrize("share", [0.02, 0.05, 0.1])
def test_labels_wrong_at_random_are_removed_and_ham_near_the_threshold_is_kept(share):
    ham, spam = (1 - share) * HAM + share * SPAM, (1 - share) * SPAM + share * HAM
    right = without_wrong_labels(ham, spam)

    assert right[:10].sum() < 0.25 * ham[:10].sum()
    assert right[10:16] == pytest.approx(HAM[10:16], rel=0.3, abs=2.0)
    assert right[16:].tolist() == ham[16:].tolist()


def test_labels_wrong_in_only_one_direction_are_kept():
    """They cannot be distinguished from ham with the scores of spam, and the bound on lost ham holds with them."""
    ham, spam = HAM + 0.05 * SPAM, 0.95 * SPAM

    assert without_wrong_labels(ham, spam).tolist() == ham.tolist()
    assert without_wrong_labels(0.95 * HAM, SPAM + 0.05 * HAM).tolist() == (0.95 * HAM).tolist()


def test_ham_that_scores_as_spam_counts_in_full_also_from_a_doubted_source():
    model = MailNB()
    for n in range(400):
        model.learn_one(f"win money now {n % 7}", "spam")
        model.learn_one(f"see you at lunch {n % 7}", "ham")
    before, threshold = model.statistics.margins("ham"), threshold_losing(model, "spam", 0.02)
    for n in range(20):
        model.learn_one(f"win money now again {n}", "ham", "liar")

    gained = model.statistics.margins("ham") - before
    assert gained.sum() == 20 * UNIT and gained[: BINS // 2].sum() >= 10 * UNIT
    assert threshold_losing(model, "spam", 0.02) > threshold


def test_labels_learned_before_there_is_a_second_class_have_no_margin():
    model = MailNB()
    for n in range(30):
        model.learn_one(f"see you at lunch {n}", "ham")

    assert not model.statistics.margins("ham").any()
    update = model.grade("lunch at noon", "ham")
    model.apply_update("lunch at noon", update)
    model.revert_update("lunch at noon", update)
    model.learn_one("win money now", "spam")
    assert model.statistics.margins("spam").sum() == UNIT, "the first label of a class is compared with the other class"
