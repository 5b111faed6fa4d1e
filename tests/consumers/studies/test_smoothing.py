"""The study of smoothing."""

import math

from consumers.studies import smoothing
from stream_nb import MultinomialNB


def test_Q7_the_accuracies_equal_those_of_a_separate_run_for_each_lambda(mails):
    rows = [row for row in smoothing.study(mails[:200]).figures["rows"] if row.smoothing in (0.0, 0.1, 1.0)]
    for value, accuracy, _, _, impossible in rows:
        model, right, excluded = MultinomialNB(smoothing=value, presence=True), 0, 0
        for mail, label in mails[:200]:
            right += model.predict_one(mail) == label
            scores = model.joint_log_likelihood(mail).values()
            excluded += bool(scores) and set(scores) == {-math.inf}
            model.learn_one(mail, label)
        assert (accuracy, impossible) == (right / 200, excluded / 200)
        assert (excluded > 0) == (value == 0.0)
    assert rows[1][1] > rows[0][1]  # with a little smoothing the accuracy is better than without


def test_Q7_the_chart_includes_lambda_0_and_the_text_names_the_best_lambda(mails):
    section = smoothing.study(mails[:200])
    (line,) = [part for part in section.charts[0].split("<") if part.startswith("polyline") and "dash" not in part]
    assert line.count(",") == len(section.figures["rows"]) == 13
    assert ">0</text>" in section.charts[0]
    best = max(section.figures["rows"], key=lambda row: row[1])
    assert f"Best here: lambda {best[0]:g}, accuracy {100 * best[1]:.2f} %." in section.text[1]
    for model in ("multinomial", "bernoulli"):
        assert smoothing.study(mails[:50], model=model).text[0].startswith(model.capitalize())


def test_Q7_ties_do_not_depend_on_which_class_came_first(mails):
    first = next(mail for mail in mails if mail.label == "ham")
    second = next(mail for mail in mails if mail.label == "spam")
    rest = [mail for mail in mails[:150] if mail not in (first, second)]
    ways = [smoothing.study([*start, *rest]).figures["rows"][0] for start in ([first, second], [second, first])]
    assert ways[0] == ways[1]
    assert ways[0][4] > 0  # some mails have probability 0 in both classes


def test_the_text_compares_the_best_lambda_with_0_and_1():
    none, best = smoothing._Row(0.0, 0.5, 0.4, 0.6, 0.25), smoothing._Row(0.1, 0.9, 0.85, 0.95, 0.0)
    for high, verdict in ((0.84, "lower beyond chance"), (0.86, "within the intervals of chance")):
        laplace = smoothing._Row(1.0, 0.8, 0.7, high, 0.0)
        text = smoothing._conclusion(best, none, laplace)
        assert "Without smoothing accuracy is 50.00 %" in text and "25.00 % of the mails have probability 0" in text
        assert f"Laplace's lambda 1 has 80.00 %, {verdict}." in text
    assert smoothing._conclusion(none, none, none) == "Best here: lambda 0, accuracy 50.00 %."
