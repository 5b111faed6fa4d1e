"""The study of the prior's effect."""

import math
from statistics import mean

import pytest

from consumers.studies import prior
from stream_nb import MultinomialNB


def test_Q3_E4_a_greater_prior_never_makes_fewer_mails_positive(mails):
    figures = prior.study(mails[:300]).figures
    for column in (2, 3):
        shares = [row[column] for row in figures["given"]]
        assert shares == sorted(shares)
    assert figures["given"][6][0] == 0.5
    assert figures["given"][6][1:] == figures["rows"][0][1:]  # priors of one half are the uniform prior
    model, right = MultinomialNB(smoothing=0.1), 0
    for mail, label in mails[:300]:
        right += model.predict_one(mail) == label
        model.learn_one(mail, label)
    assert figures["rows"][1][1] == right / 300


@pytest.mark.parametrize(
    ("rule", "row"), [("uniform", ("rows", 0)), ("learned", ("rows", 1)), ({"spam": 0.01, "ham": 0.99}, ("given", 2))]
)
def test_Q3_the_figures_equal_those_of_a_model_with_the_prior(doubtful, rule, row):
    table, number = row
    model, predicted = MultinomialNB(smoothing=0.1, prior=rule), []
    for mail, label in doubtful[:300]:
        predicted.append((model.predict_one(mail), label))
        model.learn_one(mail, label)
    caught, lost = (mean(guess == "spam" for guess, label in predicted if label == kind) for kind in ("spam", "ham"))
    accuracy = mean(guess == label for guess, label in predicted)
    figures = prior.study(doubtful[:300]).figures
    assert figures[table][number][1:] == pytest.approx((accuracy, caught, lost), abs=1e-12)
    assert rule != "uniform" or lost > 0


def test_the_text_has_the_share_of_the_class_and_the_number_of_decisions_that_the_prior_changes(doubtful):
    """The chart has the log-odds of each prior on its x axis."""
    models, changed = [MultinomialNB(smoothing=0.1, prior=rule) for rule in ("uniform", "learned")], 0
    for mail, label in doubtful[:300]:
        changed += models[0].predict_one(mail) != models[1].predict_one(mail)
        for model in models:
            model.learn_one(mail, label)
    section = prior.study(doubtful[:300])
    of_spam = sum(label == "spam" for _, label in doubtful[:300])
    text = f"; {of_spam} of them ({of_spam / 3:.1f} %) are spam. The learned prior changes the decision on {changed} of"
    assert text in section.text[0]
    assert 0 < changed < 150
    assert prior._log_odds(0.9) == pytest.approx(math.log(9))


def test_given_shares_leave_the_rest_to_the_other_classes_in_equal_parts():
    joint = prior._with_share({"spam": 0.0, "ham": 0.0, "work": 0.0}, "spam", 0.5)
    assert {label: math.exp(value) for label, value in joint.items()} == pytest.approx(
        {"spam": 0.5, "ham": 0.25, "work": 0.25}
    )
