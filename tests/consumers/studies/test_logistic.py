"""The study of naive Bayes and logistic regression."""

from consumers.studies import logistic


def test_L6_both_models_have_a_curve_and_every_cell_of_the_comparison_has_text(mails):
    section = logistic.study(mails)
    scores = {name: accuracy for name, accuracy, _ in section.figures["rows"]}
    assert min(scores.values()) > 0.85
    assert section.charts[0].count("<polyline") == 2
    table = section.tables[1][1]
    assert all(all(cell.strip() for cell in row) for row in table)
    assert ("similar", "linear classifier: sign of w.x + b", "linear classifier: sign of w.x + b") in table
