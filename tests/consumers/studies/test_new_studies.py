"""Studies of event models, priors, boundaries, novelty, entropy and likelihood: their figures against plain ones."""

import math
import random

import pytest

from consumers.errors import UserError
from consumers.studies import boundary, entropy, events, likelihood, novelty, prior
from consumers.studies.corpus import Labelled
from stream_nb import BernoulliNB, GaussianNB, MultinomialNB
from stream_nb.metrics import Ranking
from stream_nb.types import Mail, Part

EMPTY = Mail((Part("", b""),))


def test_M1_M2_M3_Q2_the_three_event_models_are_their_own_runs(mails):
    rows = {row[0]: row for row in events.study(mails[:200]).figures["rows"]}
    for name, model in (
        ("multinomial", MultinomialNB(smoothing=0.1)),
        ("boolean", MultinomialNB(smoothing=0.1, presence=True)),
        ("Bernoulli", BernoulliNB(smoothing=0.1)),
    ):
        right, ranking, lost, caught = 0, Ranking(), 0, 0
        for mail, label, _ in mails[:200]:
            score = model.score(mail)
            right += score.label == label
            ranking.add(score.log_odds, label == "spam")
            caught += score.log_odds > 0 and label == "spam"
            lost += score.log_odds > 0 and label == "ham"
            model.learn_one(mail, label)
        spam = sum(mail.label == "spam" for mail in mails[:200])
        assert rows[name][1:5] == (right / 200, ranking.one_minus_auc_pct(), lost / (200 - spam), caught / spam)
    charts = events.study(mails[:200]).charts
    assert charts[0].count("<polyline") == 3
    assert charts[1].count('class="annotation"') == 6


def test_Q3_E4_a_greater_prior_never_makes_less_mail_positive(mails):
    figures = prior.study(mails[:300]).figures
    for column in (2, 3):
        shares = [row[column] for row in figures["given"]]
        assert shares == sorted(shares)
    assert figures["given"][6][0] == 0.5
    assert figures["given"][6][1:] == figures["rows"][0][1:]  # one half each is the uniform prior
    model, right = MultinomialNB(smoothing=0.1), 0
    for mail, label, _ in mails[:300]:
        right += model.predict_one(mail) == label
        model.learn_one(mail, label)
    assert figures["rows"][1][1] == right / 300


def numbers(n, seed=0):
    rng = random.Random(seed)
    for i in range(n):
        wide = i % 3 == 0
        x = {"a": rng.gauss(0, 3 if wide else 1), "b": rng.gauss(0, 3 if wide else 1), "noise": rng.gauss(0, 1)}
        yield Labelled(EMPTY, "wide" if wide else "narrow", x)


def test_L3_own_variances_give_a_conic_where_a_line_is_of_no_use():
    section = boundary.study(list(numbers(900)), positive="wide")
    assert set(section.figures["pair"]) == {"a", "b"}
    (curve, right), (line, chance) = section.figures["rows"]
    assert "curve" in curve and "line" in line
    assert right > chance + 0.05
    model = GaussianNB()
    for mail in numbers(900):
        model.learn_one({name: mail.features[name] for name in "ab"}, "wide" if mail.label == "wide" else "other")
    assert section.figures["quadratic"] == model.discriminant("wide", "other").quadratic
    named = boundary.study(list(numbers(90)), positive="wide", feature="a, noise")
    assert set(named.figures["pair"]) == {"a", "noise"}
    with pytest.raises(UserError, match="name two numbers"):
        boundary.study(list(numbers(90)), positive="wide", feature="a")


def test_L3_the_boundary_is_drawn_where_the_log_odds_are_0():
    model = GaussianNB()
    for mail in numbers(600):
        model.learn_one({name: mail.features[name] for name in "ab"}, mail.label)
    discriminant = model.discriminant("wide", "narrow")
    points = boundary._curve(discriminant, ("a", "b"), (-5, 5), (-5, 5))
    drawn = [(x, y) for x, y in points if math.isfinite(y)]
    assert len(drawn) > 100
    for x, y in drawn:
        assert discriminant.log_odds({"a": x, "b": y}) == pytest.approx(0, abs=1e-9)


def test_M11_M12_a_mail_of_other_words_is_the_strangest(mails):
    odd = Labelled(Mail((Part("subject", b"odd"), Part("", b" ".join([b"zyx%d" % i for i in range(14)])))), "ham")
    section = novelty.study([*mails[:250], odd, *mails[250:300]])
    number, subject, label, words, new, bits, *_ = section.figures["rows"][0]
    assert (number, subject, label, words) == (251, "odd", "ham", 15)
    assert new == 1.0
    assert bits > 1.5 * section.figures["rows"][1][5]


def test_M12_novelty_is_minus_the_logarithm_of_p_of_x_a_word(mails):
    model = MultinomialNB(smoothing=0.1, unseen="smooth")
    measured = {number: bits for number, _, bits in novelty.study(mails[:60]).figures["novelty"]}
    for number, (mail, label, _) in enumerate(mails[:60], 1):
        x = mail.parts[0].text.decode().replace("!", " ")
        if number in measured:
            p = sum(math.exp(value) for value in model.joint_log_likelihood(x).values())
            assert measured[number] == pytest.approx(-math.log2(p) / len(x.split()))
        model.learn_one(x, label)
    assert len(measured) > 40


def test_L5_entropy_by_its_definition(mails):
    rows = {row[0]: row for row in entropy.study(mails[:100]).figures["rows"]}
    for label in ("ham", "spam"):
        words = [
            w for m in mails[:100] if m.label == label for w in m.mail.parts[0].text.decode().replace("!", "").split()
        ]
        shares = [words.count(word) / len(words) for word in set(words)]
        assert rows[label][2] == pytest.approx(-math.fsum(p * math.log2(p) for p in shares))
        assert rows[label][3] == pytest.approx(2 ** rows[label][2])


@pytest.mark.parametrize("model", likelihood.MODELS)
def test_E7_a_series_for_every_model_whose_parts_add_up(mails, model):
    figures = likelihood.study(mails[:80], model=model, smoothing=0.5).figures
    series = figures["series"]
    assert set(series) == {"total", "labels", "ham", "spam"}
    for number, total in series["total"]:
        parts = [dict(series[name]).get(number, 0.0) for name in ("labels", "ham", "spam")]
        assert total == pytest.approx(math.fsum(parts))
    assert series["total"][-1][0] == 80
    new, read = likelihood.MODELS[model]
    learner = new(0.5)
    learner.learn_many([read(mail) for mail in mails[:80]], [mail.label for mail in mails[:80]])
    expected = math.fsum(learner.joint_log_likelihood(read(mail))[mail.label] for mail in mails[:80])
    assert figures["rows"][0][1] == pytest.approx(expected, rel=1e-9)
