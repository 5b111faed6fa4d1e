"""Which labels of mails that score as positive are wrong, by the scores of all labels of either kind."""

import numpy as np
import pytest

from stream_nb import MailNB, kernels
from stream_nb.kernels.layout import BINS, UNIT
from stream_nb.mail_nb.decision import losing_at_most

SPAM, HAM = np.zeros(BINS), np.zeros(BINS)
SPAM[:12], HAM[-12:] = 100.0, 100.0  # scores above 1, and below -1
HAM[10:16], SPAM[10:16] = (4.0, 6.0, 8.0, 12.0, 16.0, 20.0), (90.0, 80.0, 60.0, 40.0, 30.0, 20.0)


def left(ham, spam):
    ham = ham.copy()
    kernels.take_out_wrong(ham, spam)
    return ham


def test_without_labels_that_contradict_sure_scores_all_are_right():
    assert left(HAM, SPAM).tolist() == HAM.tolist()


@pytest.mark.parametrize("share", [0.02, 0.05, 0.1])
def test_labels_wrong_at_random_are_taken_out_and_those_of_the_tail_stay(share):
    ham, spam = (1 - share) * HAM + share * SPAM, (1 - share) * SPAM + share * HAM
    right = left(ham, spam)

    assert right[:10].sum() < 0.25 * ham[:10].sum()
    assert right[10:16] == pytest.approx(HAM[10:16], rel=0.3, abs=2.0)
    assert right[16:].tolist() == ham[16:].tolist()


def test_labels_wrong_one_way_only_count_as_lost():
    """Nothing tells them from ham that the model scores as spam: the bound holds all the same."""
    ham, spam = HAM + 0.05 * SPAM, 0.95 * SPAM

    assert left(ham, spam).tolist() == ham.tolist()
    assert left(0.95 * HAM, SPAM + 0.05 * HAM).tolist() == (0.95 * HAM).tolist()


def test_ham_that_scores_as_spam_counts_in_full_however_little_its_label_is_believed():
    model = MailNB()
    for n in range(400):
        model.learn_one(f"win money now {n % 7}", "spam")
        model.learn_one(f"see you at lunch {n % 7}", "ham")
    before, cut = model.statistics.margins("ham"), losing_at_most(model, "spam", 0.02)
    for n in range(20):
        model.learn_one(f"win money now again {n}", "ham", "liar")

    gained = model.statistics.margins("ham") - before
    assert gained.sum() == 20 * UNIT and gained[: BINS // 2].sum() >= 10 * UNIT
    assert losing_at_most(model, "spam", 0.02) > cut


def test_labels_that_come_before_a_second_class_have_no_margin():
    model = MailNB()
    for n in range(30):
        model.learn_one(f"see you at lunch {n}", "ham")

    assert not model.statistics.margins("ham").any()
    update = model.grade("lunch at noon", "ham")
    model.apply_update("lunch at noon", update)
    model.revert_update("lunch at noon", update)
    model.learn_one("win money now", "spam")
    assert model.statistics.margins("spam").sum() == UNIT, "a first label has the other class to be compared with"
