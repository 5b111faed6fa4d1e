"""Browsers whose settings restrict the page: no JavaScript, blocked cookies, forced colours."""

from __future__ import annotations

from playwright.sync_api import expect

from tests.support.browser import wait_until
from tests.support.page_mails import play, play_classes

BESIDE = """() => {
    const [name, tip] = [...document.querySelectorAll(".term:focus, #tip")].map((node) => node.getBoundingClientRect());
    return Math.abs(name.bottom - tip.top) < 20 || Math.abs(tip.bottom - name.top) < 20;
}"""
BLOCKED = """
Object.defineProperty(window, 'localStorage', { get() { throw new DOMException('denied', 'SecurityError'); } });
"""


def test_without_javascript_the_page_says_that_it_needs_it(stage, open_page):
    page = open_page(stage.server.url, java_script_enabled=False, viewport={"width": 1280, "height": 600})
    expect(page.locator("body")).not_to_contain_text("Connecting")
    expect(page.locator("noscript")).to_be_in_viewport()


def test_the_page_works_where_nothing_may_be_stored(stage, open_page):
    play(stage, 30)
    page = open_page(f"{stage.server.url}mail")
    page.add_init_script(BLOCKED)
    page.goto(f"{stage.server.url}mail")
    page.locator(".mail").first.wait_for()
    page.get_by_label("Follow new mail").check()
    page.get_by_role("button", name="Switch between light and dark").click()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    page.get_by_label("Keys in this list").uncheck()
    expect(page.locator("#keys")).to_have_text("off")


def test_forced_colours_show_what_is_chosen(stage, open_page):
    play_classes(stage, 30)
    page = open_page(f"{stage.server.url}mail", forced_colors="active")
    page.locator(".mail .subject").first.click()

    def colour(selector: str, name: str) -> str:
        return page.locator(selector).first.evaluate("(node, name) => getComputedStyle(node)[name]", name)

    for chosen, other in (
        ('#filters [aria-pressed="true"]', '#filters [aria-pressed="false"]'),
        ('nav a[aria-current="page"]', "nav a:not([aria-current])"),
        ('.buttons [aria-pressed="true"]', '.buttons [aria-label="Another class"]'),
    ):
        assert colour(chosen, "backgroundColor") != colour(other, "backgroundColor"), chosen
    assert colour(".mail.selected", "borderLeftColor") != colour(".mail:not(.selected)", "borderLeftColor")


def test_forced_colours_show_where_an_explanation_ends(stage, open_page):
    play_classes(stage, 30)
    page = open_page(stage.server.url, forced_colors="active")
    page.locator(".tile .term").first.hover()
    tip = page.get_by_role("tooltip")
    border, background = tip.evaluate(
        "node => (({ borderColor, backgroundColor }) => [borderColor, backgroundColor])(getComputedStyle(node))"
    )
    assert tip.evaluate("node => getComputedStyle(node).borderStyle") == "solid"
    assert border != background


def test_an_explanation_stays_while_one_points_at_it(stage, open_page):
    play_classes(stage, 30)
    page = open_page(stage.server.url)
    page.locator(".tile .term").first.hover()
    tip = page.get_by_role("tooltip")
    expect(tip).to_be_visible()
    box = page.locator(".tile .term").first.bounding_box()
    at = box["x"] + 5
    for y in range(int(box["y"] + box["height"] / 2), int(tip.bounding_box()["y"]) + 10, 2):
        page.mouse.move(at, y)
    expect(tip).to_be_visible()
    page.keyboard.press("Escape")
    expect(tip).to_be_hidden()
    page.locator(".tile .term").last.hover()
    expect(tip).to_be_visible()
    page.locator("h1:visible").hover()
    expect(tip).to_be_hidden()


def test_the_explanation_of_what_the_browser_scrolls_to_is_beside_it(stage, open_page):
    """A browser scrolls to what gets the focus with the keyboard, and the pointer is then over something else."""
    play_classes(stage, 30)
    page = open_page(f"{stage.server.url}quality", viewport={"width": 1280, "height": 300})
    name = page.locator("#measures .term").last
    name.wait_for()
    page.mouse.move(600, 150)
    name.focus()
    tip = page.get_by_role("tooltip")
    expect(tip).to_be_visible()
    page.evaluate("scrollBy(0, -20)")
    wait_until(page, BESIDE)
