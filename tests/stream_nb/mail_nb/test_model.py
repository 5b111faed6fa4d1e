"""MailNB: its formulas, its limits, and difficult mails."""

import math
import random

import pytest

from stream_nb import MailNB
from stream_nb.mail_nb.reliability import reliabilities
from stream_nb.mail_nb.starter import starter
from stream_nb.types import OriginatorUpdate
from tests.support.trained import KEY, trained


def test_a_confidently_predicted_label_is_learned_with_less_weight_than_an_error():
    model = trained(MailNB(trust=False), [("win money", "spam"), ("lunch at noon", "ham")] * 15)
    assert model.grade("win money", "spam").weight < 64 < 256 == model.grade("win money", "ham").weight
    model.band = math.inf
    assert model.grade("win money", "spam").weight == 256


def test_the_first_20_labels_are_learned_with_full_weight():
    model = MailNB()
    for number in range(20):
        assert model.grade("win money", "spam").weight == 256
        model.learn_one("win money" if number % 2 else "lunch at noon", "spam" if number % 2 else "ham")
    assert model.grade("win money", "spam").weight < 256


def test_a_label_that_contradicts_the_prediction_takes_counts_from_the_predicted_class():
    model = trained(MailNB(key=KEY), [("win money", "spam"), ("lunch at noon", "ham")] * 150)
    rows = model.statistics.find("money")
    right, wrong = model.grade("win money", "spam"), model.grade("win money", "ham")
    counts, before = model.statistics.counts(rows)[0], model.to_bytes()
    margin = model.score("win money").log_odds

    assert (right.taken, right.rival) == (0, None)
    assert (wrong.taken, wrong.rival) == (math.floor(256 * min(margin, 4.0) / 2 + 0.5), "spam")
    model.apply_update("win money", wrong)
    assert model.statistics.counts(rows)[0] == pytest.approx([counts[0] - wrong.taken / 256, counts[1] + 1.0])
    for _ in range(9):
        model.apply_update("win money", wrong)
    assert model.statistics.counts(rows)[0, 0] == 0.0 > model.statistics.balances(rows)[0, 0]
    assert model.score("win money").log_odds < 0.0
    for _ in range(10):
        model.revert_update("win money", wrong)
    assert model.to_bytes() == before

    model.trust = False
    assert model.grade("win money", "ham").taken == 0


def test_a_correction_takes_less_from_a_class_with_few_labels():
    young = trained(MailNB(key=KEY), [("win money", "spam"), ("lunch at noon", "ham")] * 15)
    margin = young.score("win money").log_odds

    assert young.grade("win money", "ham").taken == math.floor(256 * min(margin, 4.0) * 15 / 165 + 0.5)


def test_a_class_with_negative_counts_is_kept_until_the_correction_is_reverted():
    model = trained(MailNB(key=KEY), [("win money", "spam"), ("lunch at noon", "ham")] * 15)
    update = model.grade("win money", "ham")
    alone = MailNB(key=KEY)
    alone.apply_update("win money", update)
    assert alone.classes == ("ham", "spam") and alone.score("win money").label == "ham"
    alone.revert_update("win money", update)
    assert alone == MailNB(key=KEY)


def test_an_update_of_a_doubted_source_is_reverted_and_merged_exactly():
    draw = random.Random(3)
    mails = [(f"{draw.choice(('win', 'lunch'))} {draw.randint(0, 9)}", draw.choice(["ham", "spam"])) for _ in range(80)]
    model = trained(MailNB(key=KEY), mails)
    before, other = model.to_bytes(), model.clone()
    x, y = "win 3", "ham"
    update = model.grade(x, y, "eve")
    model.apply_update(x, update)
    other.apply_update(x, update)
    after = model.to_bytes()
    model.revert_update(x, update)

    assert model.to_bytes() == before != after
    model.merge(other)
    assert model.to_bytes() == after


def with_one_wrong_label(trust):
    """A model of a source with 8 % wrong labels, and a mail of new words that is learned once with the wrong label."""
    draw, model = random.Random(1), MailNB(trust=trust)
    for _ in range(400):
        label = draw.choice(("ham", "spam"))
        letters = "abcdefghij" if label == "spam" else "klmnopqrst"
        words = [draw.choice(letters) + "x" * draw.randint(1, 9) for _ in range(30)]
        model.learn_one(" ".join(words), label if draw.random() > 0.08 else {"ham": "spam", "spam": "ham"}[label])
    new = " ".join(f"odd{k}" for k in range(100))
    model.learn_one(new, "spam")
    return model, new


def test_with_trust_a_score_from_one_label_is_bounded_by_the_flip_rate_of_labels():
    without_trust, mail = with_one_wrong_label(trust=False)
    with_trust, _ = with_one_wrong_label(trust=True)
    rate = reliabilities(with_trust)[""].flip_rate - 0.003

    assert without_trust.score(mail).log_odds > 5.0
    assert 0.02 < rate < 0.15
    evidence = with_trust.evidence(mail)
    assert evidence.log_odds - evidence.bias == pytest.approx(math.log((1 - rate) / rate) / 4.5, rel=2e-2)
    assert evidence.bias + math.fsum(term.weight for term in evidence.terms) == pytest.approx(
        evidence.log_odds, abs=1e-12
    )


def test_without_a_label_of_the_positive_class_the_log_odds_are_0():
    model = trained(MailNB(positive="junk"), [("win money", "spam"), ("lunch", "ham")])
    assert (model.score("win").log_odds, model.predict_one("win")) == (0.0, "spam")


def test_an_empty_model_has_no_label_classes_or_probabilities():
    model = MailNB()
    score = model.score("anything at all")
    assert (score.label, score.log_odds, score.probability, score.scores) == (None, 0.0, 0.5, {})
    assert model.predict_proba_one("x") == {} and model.classes == () and model.labels_learned == 0


def test_of_classes_with_equal_scores_the_one_with_more_labels_is_predicted():
    assert trained(MailNB(), [("a", "spam"), ("b", "spam"), ("c", "ham")]).predict_one("") == "spam"
    assert trained(MailNB(), [("a", "spam"), ("b", "ham"), ("c", "ham")]).predict_one("") == "ham"


def test_models_of_different_keys_score_alike_and_cannot_be_merged():
    data = [("win money now", "spam"), ("see you at lunch", "ham")] * 12
    first, second = trained(MailNB(), data), trained(MailNB(key=KEY), data)
    assert first.score("money for lunch") == second.score("money for lunch")
    with pytest.raises(ValueError, match="key"):
        first.merge(second)
    assert "secret" not in repr(second)


def test_M8_a_class_without_words_does_not_suppress_the_others():
    model = trained(MailNB(), [("win money", "spam"), ("lunch at noon", "ham")] * 12)
    before = model.score("win money now").log_odds
    model.learn_one("", "work")
    score = model.score("win money now")
    assert score.label == "spam" and score.log_odds > 0.5 * before > 0
    assert score.scores["work"] == score.scores["ham"]
    why = model.evidence("win money now")
    assert why.bias + math.fsum(term.weight for term in why.terms) == pytest.approx(why.log_odds, abs=1e-12)


def test_M8_mails_of_three_folders_are_predicted():
    folders = {"work": "the report is due", "home": "see you at dinner", "spam": "win free money"}
    model = MailNB()
    for number in range(40):
        for folder, text in folders.items():
            model.learn_one(f"{text} {number}", folder)
    for folder, text in folders.items():
        score = model.score(f"{text} again")
        assert score.label == folder and max(score.scores.values()) == score.scores[folder] > 0
        assert sum(model.predict_proba_one(text).values()) == pytest.approx(1)
        assert model.predict_proba_one(text)[folder] > 0.9


@pytest.mark.parametrize("options", [{}, {"band": math.inf, "trust": False}, {"grams": True}])
def test_a_class_is_removed_when_its_last_label_is_unlearned(options):
    """Otherwise it would keep a share of all probabilities."""
    model = MailNB(**options)
    for text, label in [("win money", "spam"), ("lunch at noon", "ham"), ("the typo", "spma"), ("a typo", "spma")]:
        model.learn_one(text, label)
    model.unlearn_one("the typo", "spma")
    assert model.classes == ("spam", "ham", "spma")
    model.unlearn_one("a typo", "spma")
    assert model.classes == ("spam", "ham")
    assert set(model.predict_proba_one("a typo")) == set(model.score("a typo").scores) == {"spam", "ham"}
    assert MailNB.from_bytes(model.to_bytes()) == model
    model.unlearn_one("win money", "spam")
    model.unlearn_one("lunch at noon", "ham")
    assert model.predict_one("win money") is None and model.labels_learned == 0


def test_reverting_an_update_of_another_model_removes_all_classes_that_it_brought():
    """Among them the class from which it took, and those whose runs of labels it ended."""
    ends_a_run = OriginatorUpdate(7, 1, (("work", -2), ("spam", 1)))
    update = MailNB().grade("win money", "spam")._replace(taken=9, rival="ham", originator=ends_a_run)
    model = MailNB()
    model.apply_update("win money", update)
    assert set(model.classes) == {"spam", "ham", "work"}
    model.revert_update("win money", update)
    assert model == MailNB() and model.classes == ()


def test_an_update_that_corrects_its_own_source_can_be_reverted():
    model = MailNB()
    model.learn_one("lunch", "ham", source="anna")
    before, update = model.copy(), model.grade("win money", "spam", source="bob")._replace(corrects="bob")
    model.apply_update("win money", update)
    model.revert_update("win money", update)
    assert model == before


def test_a_class_of_the_starter_is_kept_when_its_last_label_is_unlearned():
    known = MailNB()
    known.learn_many(["win money", "lunch"], ["spam", "ham"])
    model = starter(known)
    model.learn_one("win", "spam")
    model.unlearn_one("win", "spam")
    assert set(model.classes) == {"spam", "ham"}


def test_unlearning_from_a_class_without_messages_is_refused():
    model = MailNB()
    model.learn_one("win money", "spam")
    before = model.copy()
    with pytest.raises(ValueError, match="class 'spma' has no message to unlearn; the classes are"):
        model.unlearn_one("win money", "spma")
    assert model == before


def test_unlearning_from_a_class_that_only_the_starter_has_labels_of_is_refused():
    known = MailNB()
    known.learn_many(["win money", "lunch"], ["spam", "ham"])
    model = starter(known)
    model.learn_one("win", "spam")
    before = model.copy()
    with pytest.raises(ValueError, match="class 'ham' has no message to unlearn"):
        model.unlearn_one("lunch", "ham")
    assert model == before
