"""Each study gives the figures it claims, on mail of our own making."""

import math

import numpy as np
import pytest

from consumers.errors import UserError
from consumers.studies import convergence, dependence, gaussian, learning, logistic, numbers, picture, risk, smoothing
from consumers.studies.corpus import Labelled, divided, generate, word_set
from stream_nb import MultinomialNB
from stream_nb.types import Mail, Part
from tests.consumers.studies.made import mails_of_our_own


@pytest.mark.parametrize("sizes", [(400, 50, 50), (10, 0, 5)])
def test_Q5_parts_do_not_overlap(sizes):
    parts = divided(list(range(500)), sizes, seed=3)
    assert [len(part) for part in parts] == list(sizes)
    assert len(set().union(*parts)) == sum(sizes)
    assert parts == divided(list(range(500)), sizes, seed=3)
    with pytest.raises(UserError, match=r"501 mails are needed \(400 \+ 101\), there are 500"):
        divided(list(range(500)), (400, 101), seed=3)


def test_Q6_learning_curve_rises_for_test_mails_and_starts_overfitted():
    rows = learning.study(generate(600, seed=1).mails).figures["rows"]
    assert [size for size, _, _ in rows] == [10, 20, 50, 100, 200, 480]
    assert rows[0][1] == 1.0 > rows[0][2]
    assert rows[-1][2] > rows[0][2] + 0.05
    assert abs(rows[-1][1] - rows[-1][2]) < rows[0][1] - rows[0][2]


def test_Q6_last_test_accuracy_is_a_plain_fit_and_test(mails):
    train, test = divided(mails, (480, 120), seed=0)
    model = MultinomialNB(smoothing=0.1, presence=True)
    for mail, label, _ in train:
        model.learn_one(mail, label)
    expected = sum(model.predict_one(mail) == label for mail, label, _ in test) / 120
    assert learning.study(mails).figures["rows"][-1][2] == expected


def test_Q6_stop_words_and_models_are_options(mails):
    made = generate(200, seed=1).mails
    plain = learning.study(made, model="multinomial", smoothing=0.0).figures["rows"]
    without = learning.study(made, model="multinomial", smoothing=0.0, stop_words=10).figures["rows"]
    nothing = learning.study(mails, stop_words=10_000).figures["rows"]
    assert plain != without
    assert nothing[-1][2] == sum(m.label == "ham" for m in divided(mails, (480, 120), seed=0)[1]) / 120
    assert learning.study(mails, model="bernoulli").title == learning.study(mails, model="mail").title


def test_Q7_one_pass_equals_one_run_for_each_lambda(mails):
    rows = smoothing.study(mails[:200], (0.0, 0.1, 1.0)).figures["rows"]
    for value, accuracy, *_ in rows:
        model, right = MultinomialNB(smoothing=value, presence=True), 0
        for mail, label, _ in mails[:200]:
            right += model.predict_one(mail) == label
            model.learn_one(mail, label)
        assert accuracy == right / 200
    assert rows[1][1] > rows[0][1]  # a little smoothing beats none


def test_Q7_the_picture_has_lambda_0_and_the_text_has_the_best(mails):
    section = smoothing.study(mails[:200])
    (line,) = [part for part in section.charts[0].split("<") if part.startswith("polyline") and "dash" not in part]
    assert line.count(",") == len(section.figures["rows"]) == 13
    assert ">0</text>" in section.charts[0]
    best = max(section.figures["rows"], key=lambda row: row[1])
    assert f"Best here: lambda {best[0]:g}, accuracy {best[1]:.2%}." in section.text[1]
    for model in ("multinomial", "bernoulli"):
        assert smoothing.study(mails[:50], model=model).text[0].startswith(model.capitalize())


def test_Q7_at_ties_it_does_not_matter_which_class_came_first(mails):
    first = next(mail for mail in mails if mail.label == "ham")
    second = next(mail for mail in mails if mail.label == "spam")
    rest = [mail for mail in mails[:150] if mail not in (first, second)]
    ways = [smoothing.study([*start, *rest], (0.0,)).figures["rows"][0] for start in ([first, second], [second, first])]
    assert ways[0] == ways[1]
    assert ways[0][4] > 0  # so many mails are impossible in both classes


def test_Q8_estimates_end_near_the_truth_and_depend_on_the_seed_only():
    section = convergence.study(seed=4, draws=5000)
    for _, truth, estimate, error, inside in section.figures["table"]:
        assert abs(estimate - truth) < 4 * error
        assert inside == pytest.approx(0.95, abs=4 * math.sqrt(0.95 * 0.05 / 400))
    assert section == convergence.study(seed=4, draws=5000)
    assert section != convergence.study(seed=5, draws=5000)
    assert len(section.charts) == 3
    assert all(">truth</span>" in chart for chart in section.charts)
    assert convergence.study(draws=1000, heads=0.9).figures["table"][0][1] == 0.9
    with pytest.raises(UserError, match="heads 1"):
        convergence.study(heads=1.0)


def test_Q9_misfit_tells_normal_from_not(mails):
    section = gaussian.study(mails)
    misfits = {(feature, label): misfit for feature, label, _, _, misfit, *_ in section.figures["misfits"]}
    assert misfits["exclamations", "spam"] > 0.2  # there or not there
    assert misfits["log bytes", "ham"] < 0.1
    assert len(section.charts) == 10
    assert section.figures["constant"] == ["capitals", "digits", "high bytes", "links"]
    assert sorted(chart.count("<polyline") for chart in section.charts) == [0] * 4 + [2] * 6


def test_Q9_the_mass_where_no_value_can_be_is_named(mails):
    rows = {(row[0], row[1]): row for row in gaussian.study(mails).figures["misfits"]}
    _, _, mean, std, _, possible, outside = rows["exclamations", "spam"]
    assert possible == "0 to 1"
    below = 0.5 * math.erfc(mean / std / math.sqrt(2))
    assert outside == pytest.approx(below, abs=1e-9)
    assert outside > 0.1
    assert rows["log bytes", "ham"][5] == "0 to inf"


def test_Q9_a_constant_number_is_one_bar_without_a_curve():
    mails = [Labelled(Mail(()), "ab"[i % 2], {"same": 1e6, "other": float(i)}) for i in range(20)]
    section = gaussian.study(mails)
    assert section.figures["constant"] == ["same"]
    assert section.text[0].startswith("2 numbers of 20 messages")
    same = next(chart for chart in section.charts if "same" in chart)
    assert same.count('class="bar"') == 2
    assert "<polyline" not in same
    assert gaussian.study(mails, feature="other").text[0].startswith("1 number of 20")


def test_M7_report_of_gaussian_against_binned_accuracy(mails):
    accuracy = gaussian.study(mails).figures["accuracy"]
    assert set(accuracy) == {"Gaussian, own variances", "Gaussian, shared variance", "12 bins"}
    assert all(0.5 < value < 1.0 for value in accuracy.values())


def test_Q10_regret_is_never_negative_and_falls():
    figures = risk.study(tested=400).figures
    assert 0 < figures["bayes_risk"] < 0.5
    regrets = [regret for _, _, regret in figures["rows"]]
    assert min(regrets) >= -1e-12
    assert regrets[-1] < 0.01 < max(regrets)


def test_Q10_the_truth_may_be_the_words_of_mails_and_a_class_must_be_there(mails):
    figures = risk.study(mails, length=3, tested=200).figures
    assert 0 < figures["bayes_risk"] < 0.4
    assert min(regret for _, _, regret in figures["rows"]) >= -1e-12
    assert risk.study(mails, positive="ham", length=3, tested=200).figures["bayes_risk"] == pytest.approx(
        figures["bayes_risk"]
    )
    for study in (risk, logistic):
        with pytest.raises(UserError, match="--positive offer: there are ham, spam"):
            study.study(mails, positive="offer")


def test_Q11_dependent_words_are_found_and_independent_ones_left_alone():
    section = dependence.study(mails_of_our_own(2000, seed=2))
    share = {label: dependent for label, _, _, dependent in section.figures["summary"]}
    top = section.tables[2][1][0]
    assert {top[0], top[1]} == {"win", "now"}
    assert top[2] == pytest.approx(0.5, abs=0.05)
    assert top[3] == pytest.approx(0.25, abs=0.05)
    assert share["ham"] < 0.1
    assert section.charts[0].count("<circle") > 100


def test_Q11_the_words_may_be_chosen(mails):
    section = dependence.study(mails, words="win, now, free")
    assert [pairs for _, _, pairs, _ in section.figures["summary"]] == [0, 3]
    assert section.tables[2][1][0][:2] == ("now", "win")
    for words in ("free", "free,zebra"):
        with pytest.raises(UserError, match="--words"):
            dependence.study(mails, words=words)


def test_Q11_chi_square_equals_scipy():
    from scipy.stats import chi2_contingency

    both, a, b, n = 30, 50, 60, 200
    table = np.array([[both, a - both], [b - both, n - a - b + both]])
    joint, product, ratio, chi_square = dependence._compare(both, a, b, n)
    assert chi_square == pytest.approx(chi2_contingency(table, correction=False).statistic)
    assert (joint, product, ratio) == (0.15, 0.075, 2.0)


def test_L6_both_curves_and_the_filled_table(mails):
    section = logistic.study(mails)
    scores = {name: accuracy for name, accuracy, _ in section.figures["rows"]}
    assert min(scores.values()) > 0.85
    assert section.charts[0].count("<polyline") == 2
    table = section.tables[1][1]
    assert all(all(cell.strip() for cell in row) for row in table)
    assert ("similar", "linear classifier: sign of w.x + b", "linear classifier: sign of w.x + b") in table


def test_M10_picture_of_a_model_trained_on_the_mails(mails):
    filter_, mixed = picture.study(mails[:100]).charts
    assert "MailNB" in filter_
    assert "MixedNB" in mixed
    assert mixed.count("node seen") == 3


def test_numbers_of_an_empty_mail_are_finite():
    for mail in (Mail(()), Mail((Part("", b""),)), Mail((Part("", b"\xff" * 10),))):
        assert all(math.isfinite(value) for value in numbers.mail_numbers(mail).values())
    assert word_set(Mail((Part("subject", b"Free"), Part("", b"free free")))) == {"subject:free": 1, "free": 1}
