"""Naive Bayes beside logistic regression."""

from consumers.studies import logistic


def test_L6_both_curves_and_the_filled_table(mails):
    section = logistic.study(mails)
    scores = {name: accuracy for name, accuracy, _ in section.figures["rows"]}
    assert min(scores.values()) > 0.85
    assert section.charts[0].count("<polyline") == 2
    table = section.tables[1][1]
    assert all(all(cell.strip() for cell in row) for row in table)
    assert ("similar", "linear classifier: sign of w.x + b", "linear classifier: sign of w.x + b") in table
