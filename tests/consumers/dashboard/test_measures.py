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


def test_the_ends_of_an_interval_are_not_rounded_to_100_percent(stage, open_page):
    """The overview has always said ">99.9 % to 100.0 %"."""
    for number in range(2):
        stage.mail(f"m{number}", "minutes", "meeting lunch")
        stage.label(f"m{number}", "ham")
    stage.reconcile()
    page = open_page(f"{stage.server.url}quality")
    cell = page.locator('[data-measure="95 % interval"] [data-window="start"]')
    cell.wait_for()
    page.evaluate("""async () => {
        const { applyChanges, store } = await import("./static/store.js");
        const { report } = store.view.windows.start;
        report.accuracy_low = 0.9996;
        report.accuracy_high = 1;
        applyChanges({ view: store.view, mails: [], points: [] });
    }""")
    expect(cell).to_have_text(">99.9 to 100.0\N{NO-BREAK SPACE}%")
