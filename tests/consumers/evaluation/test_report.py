"""The figures of a run, compared with river's metrics."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from river import metrics

from consumers.evaluation.report import RunningReport, render
from stream_nb.metrics import Ranking, lam_pct

LABELS = st.sampled_from(["spam", "ham", "work"])
MAILS = st.lists(st.tuples(LABELS, LABELS), max_size=60)
SCORED = st.lists(st.tuples(LABELS, st.none() | LABELS, st.floats(-9, 9)), max_size=20)


@given(MAILS, MAILS)
def test_Q1_shares_equal_those_of_river_also_after_reverting_and_storing(mails, others):
    report, matrix = RunningReport("spam"), metrics.ConfusionMatrix()
    for true_label, label in mails + others:
        report.update(true_label, label, 0.0)
    for true_label, label in others:
        report.revert(true_label, label, 0.0)
    for true_label, label in mails:
        matrix.update(true_label, label)
    stored = RunningReport("spam")
    stored.restore(report.report().confusion)
    for found in (report.report(), stored.report()):
        assert found.n == matrix.n_samples
        for name, metric in (("precision", metrics.Precision), ("recall", metrics.Recall), ("f1", metrics.F1)):
            value = getattr(found, name)
            assert (0.0 if value is None else value) == pytest.approx(metric(cm=matrix, pos_val="spam").get())
        wrong = [true_label for true_label, label in mails if (true_label == "spam") != (label == "spam")]
        positives = sum(true_label == "spam" for true_label, _ in mails)
        missed = wrong.count("spam")
        assert found.lam_pct == lam_pct(len(wrong) - missed, len(mails) - positives, missed, positives)
        if mails:
            assert found.accuracy == pytest.approx(metrics.Accuracy(cm=matrix).get())


@given(SCORED, SCORED)
def test_Q1_scores_of_unpredicted_mails_are_not_ranked_and_reverting_restores_all_figures(mails, others):
    both, alone, ranking = RunningReport("spam"), RunningReport("spam"), Ranking()
    for mail in others + mails:
        both.update(*mail)
    for mail in others:
        both.revert(*mail)
    for true_label, label, log_odds in mails:
        alone.update(true_label, label, log_odds)
        if label is not None:
            ranking.add(log_odds, true_label == "spam")
    assert both.report() == alone.report()
    assert alone.report().one_minus_auc_pct == ranking.one_minus_auc_pct()


def test_shares_without_mails_are_none():
    report = RunningReport("spam")
    assert (report.report().accuracy, report.report().f1) == (None, None)
    report.update("ham", "ham", 0.0)
    found = report.report()
    assert (found.accuracy, found.precision, found.recall, found.f1) == (1.0, None, None, None)
    report.update("ham", "spam", 0.0)
    found = report.report()
    assert (found.accuracy, found.precision, found.recall, found.f1) == (0.5, 0.0, None, None)


@pytest.mark.parametrize(
    ("mails", "why"),
    [
        ([], "no mail has both a score and a label"),
        (
            [("ham", "ham")],
            "no labelled mail is spam; name the class to compute figures for: [learner] positive,",
        ),
        ([("spam", "spam")], "all labelled mails are spam"),
        ([("spam", "ham"), ("ham", "ham")], "no mail was predicted to be spam"),
        ([("spam", "spam"), ("ham", "ham")], None),
    ],
)
def test_missing_figures_are_explained(mails, why):
    report = RunningReport("spam")
    for true_label, label in mails:
        report.update(true_label, label, 0.0)
    shown = render(report.report())
    assert ("(-: " in shown) == (why is not None) == ("  - %" in shown)
    assert why is None or why in shown


def test_each_column_of_the_confusion_matrix_is_as_wide_as_its_name():
    report = RunningReport("spam")
    names = ("Rechnungen & Mahnungen", "spam", "\u4ed5\u4e8b\u3068\u5bb6\u65cf\u3068\u53cb\u9054")
    for true_label in names:
        for label in names[:-1]:
            report.update(true_label, label, 0.0)
    report.update(names[0], names[-1], 0.0)
    shown = render(report.report()).splitlines()
    head, *rows = shown[-4:]
    assert head.split("  ")[0] == "true \\ predicted"
    assert {cell_len(line) for line in (head, *rows)} == {24 + 24 + 9 + 18}
    assert [row.split()[-3:] for row in rows] == [["1", "1", "1"], ["1", "1", "0"], ["1", "1", "0"]]


def test_instead_of_a_table_that_is_too_wide_the_most_frequent_mistakes_are_listed():
    report = RunningReport("spam")
    names = [f"{n:03}" + "x" * 97 for n in range(30)]
    for n, name in enumerate(names):
        for _ in range(n + 1):
            report.update(name, names[0], 0.0)
    shown = render(report.report()).splitlines()
    at = shown.index("  mails  true -> predicted")
    assert shown[at + 1] == f"     30  {names[29]} -> {names[0]}"
    assert len(shown[at + 1 : -1]) == 20
    assert shown[-1] == "         and 9 more, in --json"
    for n in range(1, 10):
        for _ in range(n + 1):
            report.revert(names[n], names[0], 0.0)
    shown = render(report.report()).splitlines()
    assert shown[-1] == f"     11  {names[10]} -> {names[0]}"


def test_mails_before_the_first_label_and_the_speed_are_shown_if_there_are_any():
    report = RunningReport("spam")
    report.update("spam", "spam", 0.0)
    assert not any(text in render(report.report()) for text in ("before", "speed"))
    report.update("spam", None, 0.0)
    shown = render(report.report(mails_per_s=1234.5)).splitlines()
    assert shown[0] == "mails       2   (1 before the first label)" and "speed       1234 mails/s" in shown


def test_a_report_without_mails_has_no_confusion_matrix():
    assert "predicted" not in render(RunningReport("spam").report())


def test_no_figure_is_rounded_to_perfect_although_there_was_an_error():
    report = RunningReport("spam")
    for label, mails in (("spam", 30_000), ("ham", 30_000)):
        report.restore({label: {label: mails}})
    report.update("ham", "spam", 0.1)
    shown = render(report.report())
    assert "accuracy    >99.99 %   (95 % interval 99.99 to >99.99)" in shown
    assert "precision   >99.99 %   of spam\nrecall      100.00 %\nF1          >99.99 %" in shown
    report.revert("ham", "spam", 0.1)
    assert "accuracy    100.00 %   (95 % interval 99.99 to 100.00)" in render(report.report())
