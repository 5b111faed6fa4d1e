"""`verify` reports no difference because of labels that workers refuse for `max_classes`."""

from __future__ import annotations

import pytest
from msgspec.structs import replace

from consumers.evaluation.class_limit import exceeds_max_classes
from consumers.evaluation.verify import verify
from consumers.model.replica import Replica
from tests.support.few_mails import mail
from tests.support.memory_log import new_log
from tests.support.worker_run import EVERYTHING, label, run_worker

TWO_CLASSES = replace(EVERYTHING, learner=replace(EVERYTHING.learner, max_classes=2))
DROPPED = "labels that a withdrawal may have dropped: the log has more classes than [learner] max_classes"


@pytest.fixture
def log():
    return new_log()


def test_a_vote_that_a_withdrawal_drops_is_no_difference(log):
    """Bob labels a mail that is not there yet; when Ann withdraws hers, the model has no room for his class."""
    early = [label("c", "list", "bob"), label("c", "ham", "ann")]
    run_worker(log, TWO_CLASSES, [mail("a"), mail("b"), *early, label("a", "ham"), label("b", "spam")])
    run_worker(log, TWO_CLASSES, [label("c", None, "ann")])

    found = verify(log, TWO_CLASSES)

    assert (found.differences, found.left_out[DROPPED]) == ([], 0)  # "no label" is a vote, and it counts
    run_worker(log, TWO_CLASSES, [label("c", None, "ann", forget=True)])
    found = verify(log, TWO_CLASSES)
    assert (found.differences, found.left_out[DROPPED]) == ([], 1)


def test_a_vote_that_another_one_hides_is_no_difference(log):
    early = [label("c", "list", "bob"), label("c", "ham", "ann"), label("c", "ham", "eve")]
    run_worker(log, TWO_CLASSES, [mail("a"), mail("b"), *early, label("a", "ham"), label("b", "spam")])
    run_worker(log, TWO_CLASSES, [label("c", None, who, forget=True) for who in ("ann", "eve")])

    found = verify(log, TWO_CLASSES)

    assert (found.differences, found.left_out[DROPPED]) == ([], 1)


@pytest.mark.parametrize(("classes", "exceeds"), [(("ham", "spam"), False), (("ham", "spam", "list"), True)])
def test_more_classes_than_a_model_may_have(log, classes, exceeds):
    labels = [label(name, given) for name, given in zip("abc", classes, strict=False)]
    run_worker(log, TWO_CLASSES, [mail("a"), mail("b"), mail("c"), *labels])
    three = replace(TWO_CLASSES, learner=replace(TWO_CLASSES.learner, max_classes=3))

    assert exceeds_max_classes(log, TWO_CLASSES, Replica.load(log, TWO_CLASSES)) == exceeds
    assert exceeds_max_classes(log, three, Replica.load(log, three)) == exceeds  # the refused label shows it


def test_the_classes_of_a_log_without_a_model(log):
    log.append([label("a", name) for name in ("ham", "spam", "list")])
    assert exceeds_max_classes(log, TWO_CLASSES, Replica.load(log, TWO_CLASSES))
