"""Tabs that nobody sees hold no connection: a browser opens six to one server at most, for all its tabs."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.waiting import until

HIDDEN = "Object.defineProperty(document, 'hidden', { get: () => window.away, configurable: true });"


def show(page, shown: bool) -> None:
    page.evaluate("away => { window.away = away; document.dispatchEvent(new Event('visibilitychange')); }", not shown)


def test_more_tabs_can_be_opened_than_a_browser_opens_connections(stage, open_page):
    stage.beat()
    first = open_page(stage.server.url)
    first.context.add_init_script(HIDDEN)
    pages = [first.context.new_page() for _ in range(8)]
    for page in pages:
        page.goto(stage.server.url)
        page.locator('.status[data-kind="live"]').wait_for()
        show(page, shown=False)


def test_a_tab_that_is_shown_again_has_what_came_meanwhile(stage, open_page):
    stage.beat()
    page = open_page(f"{stage.server.url}mail")
    live = page.locator('.status[data-kind="live"]')
    page.evaluate(HIDDEN)
    for number, news in enumerate((page.locator(".mail"), page.get_by_role("button", name="1 new: show them"))):
        live.wait_for()
        show(page, shown=False)
        expect(page.locator("#status")).to_have_text("Connecting")
        stage.mail(f"m{number}", f"came while hidden, {number}")
        stage.reconcile()
        show(page, shown=True)
        news.wait_for()
    page.get_by_role("button", name="1 new: show them").click()
    expect(page.locator(".mail .subject")).to_have_text(["came while hidden, 1", "came while hidden, 0"])


def test_a_tab_opened_in_the_background_connects_when_it_is_shown(stage, open_page):
    stage.beat()
    first = open_page(stage.server.url)
    first.context.add_init_script(f"window.away = true; {HIDDEN}")
    page = first.context.new_page()
    page.goto(stage.server.url)
    page.locator("main:not(.loading)").wait_for()
    expect(page.locator("#status")).to_have_text("Connecting")
    show(page, shown=True)
    page.locator('.status[data-kind="live"]').wait_for()


def test_a_hidden_tab_does_not_ask_for_the_policy(stage, open_page):
    first = open_page(stage.server.url)
    first.context.add_init_script(HIDDEN)
    page = first.context.new_page()
    page.clock.install()
    page.goto(f"{stage.server.url}quality")
    page.locator("#policy-unsure:enabled").wait_for(state="attached")
    asked = []
    page.on("request", lambda request: asked.append(request) if request.url.endswith("api/policy") else None)
    show(page, shown=False)
    page.clock.run_for(60_000)
    assert asked == []
    show(page, shown=True)
    page.clock.run_for(2_000)
    until(lambda: page.wait_for_timeout(20) or asked)
