"""What all models of named features derive from counts and terms: classes, priors and evidence."""

import math

import pytest

from stream_nb import BinnedNB, CategoricalNB, GaussianNB, MixedNB

MODELS = [GaussianNB, BinnedNB, CategoricalNB, MixedNB]
MESSAGES = [({"size": 1.5, "lines": 4}, "ham"), ({"size": 2.5, "lines": 6}, "ham"), ({"size": 9.0, "lines": 5}, "spam")]


def trained(cls):
    model = cls()
    model.learn_many([x for x, _ in MESSAGES] * 2, [y for _, y in MESSAGES] * 2)
    return model


@pytest.mark.parametrize("cls", MODELS)
def test_an_empty_model_has_no_classes_priors_or_evidence_and_predicts_nothing(cls):
    model = cls()
    assert (model.predict_one({"size": 1.0}), model.predict_proba_one({"size": 1.0})) == (None, {})
    assert model.log_odds_one({"size": 1.0}, "spam") == 0.0
    assert (model.classes, model.log_priors(), model.evidence({"size": 1.0}).terms) == ((), {}, ())
    assert model.log_likelihood().total == 0.0


@pytest.mark.parametrize("cls", MODELS)
def test_classes_and_priors_follow_from_the_counts(cls):
    model = trained(cls)
    assert model.class_counts == {"ham": 4.0, "spam": 2.0}
    assert model.classes == ("ham", "spam")
    assert model.log_priors() == pytest.approx({"ham": math.log(4 / 6), "spam": math.log(2 / 6)})


@pytest.mark.parametrize("cls", MODELS)
def test_bias_and_terms_add_up_to_the_log_odds(cls):
    model = trained(cls)
    x = {"size": 2.5, "lines": 5}
    evidence, joint = model.evidence(x), model.joint_log_likelihood(x)
    if math.isinf(joint["spam"]):
        assert evidence.bias == 0.0
        return
    log_odds = joint["spam"] - joint["ham"]
    assert evidence.bias + sum(term.weight for term in evidence.terms) == pytest.approx(log_odds, abs=1e-9)


@pytest.mark.parametrize("cls", MODELS)
def test_the_evidence_of_the_other_class_is_the_opposite(cls):
    model, x = trained(cls), {"size": 2.5, "lines": 5}
    own, other = model.evidence(x), model.evidence(x, label="ham")
    assert (own.label, own.rival, other.label, other.rival) == ("spam", "ham", "ham", "spam")
    assert other.log_odds == pytest.approx(-own.log_odds)
    with pytest.raises(KeyError, match="receipts"):
        model.evidence(x, label="receipts")


@pytest.mark.parametrize("cls", MODELS)
@pytest.mark.parametrize("x", ["size", [("size", 1.0)], 3])
def test_a_message_that_is_no_mapping_is_refused(cls, x):
    model = trained(cls)
    for read in (model.score, model.evidence, lambda x: model.learn_one(x, "ham")):
        with pytest.raises(TypeError, match=f"a message of type {type(x).__name__}: give a dict of features"):
            read(x)
