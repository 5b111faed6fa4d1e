"""The model that settings describe is evaluated with its policy, decay and limit, and says what is odd of its mails."""

import pytest

from consumers.errors import UserError
from consumers.evaluation.learner import evaluate_learner
from consumers.ingest.feeder import Item
from consumers.ingest.synthetic import synthetic_mails
from consumers.settings import LearnerSettings
from tests.consumers.evaluation.test_prequential import items

MAILS = list(synthetic_mails(120, seed=2))


def test_the_policy_of_the_settings_decides():
    lenient, strict = (evaluate_learner(MAILS, LearnerSettings(threshold=at)).report for at in (-50.0, 50.0))
    assert lenient.recall > 0.9 and strict.recall == 0.0
    assert lenient.one_minus_auc_pct == strict.one_minus_auc_pct


@pytest.mark.parametrize("changed", [{"half_life": 10}, {"max_features": 200}, {"smoothing": 3.0}])
def test_settings_of_the_model_change_its_scores(changed):
    plain, other = (evaluate_learner(MAILS, LearnerSettings(**each)).report for each in ({}, changed))
    assert plain.n == other.n
    assert plain.lam_pct != other.lam_pct or plain.one_minus_auc_pct != other.one_minus_auc_pct


def test_notes_name_copies_order_case_and_mails_without_a_label():
    sorted_mails = sorted(MAILS, key=lambda item: item.label or "")
    odd = [*sorted_mails, sorted_mails[0], Item("c", b"Subject: c\n\nhello", "Spam"), Item("d", b"\n\nx", None)]
    _, skipped, notes = evaluate_learner(odd, LearnerSettings())
    assert skipped == 1
    case, copies = notes
    assert "Spam, spam" in case and copies.startswith("1 of these mails are copies of others")
    (order,) = evaluate_learner(sorted_mails, LearnerSettings()).notes
    assert order.endswith("; --shuffle 0 mixes them")


def test_a_model_that_reads_nothing_of_the_mails_says_so():
    _, _, notes = evaluate_learner(items("ham", "spam"), LearnerSettings(model="gaussian"))
    assert any("the model gaussian found nothing to read" in note for note in notes)


def test_a_starter_that_is_no_file_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"nothing\.snb"):
        evaluate_learner(MAILS, LearnerSettings(), tmp_path / "nothing.snb")
