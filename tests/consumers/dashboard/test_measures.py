"""The table of all measures shows the figures of the monitor's reports."""

from __future__ import annotations

from playwright.sync_api import expect


def test_F_beta_equals_the_F1_of_the_report_if_nothing_was_predicted_positive(stage, open_page):
    """Precision is then undefined, but all positive mails were missed."""
    for number, label in enumerate(("ham", "ham", "spam")):
        stage.mail(f"m{number}", "minutes", "meeting lunch")
        stage.label(f"m{number}", label)
        stage.reconcile()
    report = stage.monitor.view.windows["start"].report
    assert (report.precision, report.recall, report.f1) == (None, 0.0, 0.0)
    page = open_page(f"{stage.server.url}quality")
    none = "0.00\N{NO-BREAK SPACE}%"
    for name, shown in (("Precision", "\N{EN DASH}"), ("Recall", none), ("F-beta", none)):
        expect(page.locator(f'[data-measure="{name}"] [data-window="start"]')).to_have_text(shown)
