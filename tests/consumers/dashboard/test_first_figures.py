"""What the page shows of nothing, of very little, and of a model without an error."""

from __future__ import annotations

import time

from playwright.sync_api import expect

from consumers.records.heartbeat import WORKER, HeartbeatWriter


def test_unseen_words_are_unknown_before_the_first_mail(stage, open_page):
    stage.reconcile()
    page = open_page(f"{stage.server.url}operations")
    unseen = page.locator("#model dt", has_text="Unseen words").locator("+ dd")
    expect(unseen).to_have_text("\N{EN DASH}")
    stage.mail("m0", "new words only")
    stage.reconcile()
    expect(unseen).to_have_text("100.0\N{NO-BREAK SPACE}%")


def test_before_the_first_label_the_cards_of_the_overview_lie_close_together(stage, open_page):
    stage.mail("m0", "hello")
    stage.reconcile()
    page = open_page(stage.server.url, viewport={"width": 1280, "height": 900})
    cards = page.locator("#overview-cards .card")
    expect(cards.nth(1)).to_contain_text("No labelled mail yet.")
    above, below = (cards.nth(index).bounding_box() for index in (1, 2))
    assert below["y"] - (above["y"] + above["height"]) < 20


def test_a_starting_worker_is_not_said_to_have_nothing_waiting(stage, open_page):
    """It has not read its position yet, so nobody knows."""
    stage.mail("m0", "hello")
    stage.monitor.step()
    HeartbeatWriter(stage.log, WORKER, "host-0", clock=lambda: time.time() + 3_600).beat(starting="loading")
    page = open_page(f"{stage.server.url}operations")
    row = page.locator('#processes [data-process="worker"]')
    expect(row).to_contain_text("starting")
    expect(row.locator("td").nth(2)).to_have_text("\N{EN DASH}")


def test_mail_that_only_the_monitor_has_not_seen_counts_as_scored(stage, open_page):
    stage.mail("m0", "hello")
    stage.worker.step()
    HeartbeatWriter(stage.log, WORKER, "host-0", clock=lambda: time.time() + 3_600).beat()
    page = open_page(f"{stage.server.url}mail")
    hint = page.locator("#missing")
    expect(hint).to_contain_text("The monitor is not running")
    expect(hint).not_to_contain_text("scored")
    expect(page.locator("#no-mails")).to_contain_text("No mail to show yet.")


def test_before_the_first_label_the_page_of_words_says_what_it_lacks(stage, open_page):
    stage.mail("m0", "hello")
    stage.reconcile()
    page = open_page(f"{stage.server.url}words")
    expect(page.locator("#word-lists")).to_have_text("No label has been learned yet, so no word tells classes apart.")


def test_a_small_amount_is_not_shown_as_0(stage, open_page):
    page = open_page(stage.server.url)
    texts = page.evaluate("""async () => {
        const { mailCount } = await import("./static/format.js");
        return [0, 1e-17, 0.001, 0.04, 0.05, 0.5].map(mailCount);
    }""")
    assert texts == ["0", "0.0", "<0.1", "<0.1", "0.1", "0.5"]


def test_a_line_at_100_percent_is_at_the_top_of_the_chart(stage, open_page):
    stage.mail("m0", "hello")
    stage.label("m0", "spam")
    stage.reconcile()
    page = open_page(stage.server.url)
    page.locator("#accuracy-chart .line.main").first.wait_for(state="attached")
    page.evaluate("""async () => {
        const { applyChanges, store } = await import("./static/store.js");
        for (const points of store.history.values()) for (const point of points.values())
            for (const name in point) if (name.includes("accuracy") || name === "base_rate") point[name] = 1;
        applyChanges({ view: store.view, mails: [], points: [] });
    }""")
    expect(page.locator("#accuracy-chart .tick", has_text="90 %")).to_be_visible(timeout=20_000)


def test_a_class_cannot_have_the_name_that_withdraws_labels_elsewhere(stage, open_page):
    for number, name in enumerate(("ham", "spam", "work")):
        stage.mail(f"m{number}", "hello")
        stage.label(f"m{number}", name)
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail").first.get_by_role("button", name="Another class").click(timeout=20_000)
    field = page.locator("#class-menu").get_by_label("New class")
    for name, valid in ((" none ", False), ("none", False), ("none of these", True), ("nonesuch", True), ("a", True)):
        field.fill(name)
        assert field.evaluate("field => field.checkValidity()") == valid, name


def test_the_chart_of_the_accuracy_begins_with_the_first_label(stage, open_page):
    """The demo's monitor waits for a minute until the worker has compiled, and the chart was blank but for its end."""
    stage.mail("m0", "hello")
    stage.label("m0", "ham")
    stage.reconcile()
    page = open_page(stage.server.url)
    line = page.locator("#accuracy-chart .line.main").first
    line.wait_for(state="attached")
    page.evaluate("""async () => {
        const { applyChanges, constants, historyPoints, store } = await import("./static/store.js");
        const [labelled] = historyPoints(constants().history[0].step_s).filter((point) => point.accuracy_1000 !== null);
        const points = [{ ...labelled, timestamp: labelled.timestamp - 60, accuracy_1000: null }];
        applyChanges({ view: store.view, mails: [], points });
    }""")
    assert line.get_attribute("d").startswith("M46.0 ")  # the left end
