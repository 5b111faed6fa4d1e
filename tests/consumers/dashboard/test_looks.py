"""Every page at three widths and in both themes: nothing overflows or overlaps, and axe finds nothing."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import expect

from consumers.dashboard.page import PAGES
from tests.support.browser import wait_until
from tests.support.page_mails import CLASSES, play, play_classes, play_features, play_forty, play_hostile
from tests.support.page_stage import Stage, settings_of

WIDTHS = (1280, 768, 390)
# axe sees each scheme and each width once, because colours depend on the scheme and boxes on the width.
AXE_VIEWS = (("light", 1280), ("dark", 390))
CONTENTS: dict[str, Callable[[Stage], object]] = {
    "two classes": lambda stage: (play_features(stage, 60), play(stage, 120)),
    "six classes": lambda stage: (play_features(stage, 90, tuple(CLASSES)), play_classes(stage, 150)),
    "hostile": lambda stage: (play_features(stage, 30), play_hostile(stage)),
    "forty classes": lambda stage: (play_features(stage, 30), play_forty(stage)),
    "nothing": lambda stage: stage.reconcile(),
}
READY = {
    "overview": "#tiles .tile",
    "mail": "#mails .mail",
    "ask": "#ask-cards",
    "quality": "#measures tr",
    "words": "#word-lists .terms",
    "features": "#feature-cards svg",
    "sources": "#source-table tr",
    "operations": "#model dd",
}
A4 = ((794, 1123), (1123, 794))
BOXES = (Path(__file__).parents[2] / "support" / "boxes.js").read_text("utf-8")
CUT_OFF = """() => [...document.querySelectorAll("main .scroll, main .why")].filter((node) => node.checkVisibility()
    && (node.scrollWidth > node.clientWidth || node.scrollHeight > node.clientHeight)
    && getComputedStyle(node).overflow !== "visible").map((node) => node.ariaLabel ?? node.id)"""


@pytest.fixture(scope="module", params=CONTENTS)
def filled(request):
    stage = Stage(settings_of())
    CONTENTS[request.param](stage)
    if request.param != "nothing":
        stage.beat()
    yield request.param, stage
    stage.close()


def open_ready(open_page, filled, name: str, **options: object):
    content, stage = filled
    page = open_page(f"{stage.server.url}{name}", **options)
    page.locator(f"#{name} h1").wait_for()
    if content != "nothing":
        page.locator(READY[name]).first.wait_for()
    if name == "mail" and content != "nothing":
        page.locator(".mail .subject").first.click()
        page.wait_for_selector("#why-sum")
    return page


@pytest.mark.parametrize("name", PAGES)
def test_screens_and_paper_show_all_and_axe_finds_no_accessibility_problem(filled, open_page, name):
    """All on one page, because to open a page takes longer than to look at it."""
    page = open_ready(open_page, filled, name)
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wait_until(page, "width => document.documentElement.clientWidth <= width", width)
        assert page.evaluate(BOXES) == [], width
    # axe takes minutes for the cells of forty classes, which are those of six classes many times.
    for scheme, width in AXE_VIEWS if filled[0] != "forty classes" else ():
        page.emulate_media(color_scheme=scheme)
        page.set_viewport_size({"width": width, "height": 900})
        found = Axe().run(page, options={"resultTypes": ["violations"]}).response["violations"]
        assert [(rule["id"], [node["target"] for node in rule["nodes"]][:3]) for rule in found] == [], (scheme, width)
    # A browser makes the print of a page that is too wide smaller; it cannot scroll.
    page.emulate_media(media="print")
    for width, height in A4:
        page.set_viewport_size({"width": width, "height": height})
        wait_until(page, "width => document.documentElement.clientWidth <= width", width)
        assert page.evaluate(CUT_OFF) == [], width
        assert [text for text in page.evaluate(BOXES) if text.startswith("overlap")] == [], width


CUT = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth).map(node => node.textContent)"


def test_the_names_of_two_classes_are_not_truncated(filled, open_page):
    if filled[0] != "two classes":
        pytest.skip("long names and many are cut, with the whole name in the tip")
    page = open_ready(open_page, filled, "mail")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        assert page.locator(".mail .buttons .class").evaluate_all(CUT) == [], width


def test_figures_are_on_one_line(filled, open_page):
    page = open_ready(open_page, filled, "overview")
    page.evaluate("""async () => {
        const { applyChanges, store } = await import("./static/store.js");
        for (const { report } of Object.values(store.view?.windows ?? {})) {
            report.accuracy = 1;
            for (const row of Object.values(report.confusion)) for (const label in row) row[label] *= 12_345_678;
        }
        applyChanges({ view: store.view, mails: [], points: [] });
    }""")
    lines = """nodes => nodes.map(node => {
        const range = document.createRange();
        range.selectNodeContents(node);
        return range.getClientRects().length;
    })"""
    for width in (*WIDTHS, 320):
        page.set_viewport_size({"width": width, "height": 900})
        assert set(page.locator(".confusion td :is(b, small), .figure").evaluate_all(lines)) <= {1}, width


@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_source_name_covers_nothing(stage, open_page, width):
    stage.mail("m", "hello")
    stage.label("m", "ham", source="s" * 200)
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources", viewport={"width": width, "height": 900})
    name = page.locator("#source-table tbody th")
    name.wait_for()
    assert name.bounding_box()["width"] <= width / 3 + 20
    page.goto(f"{stage.server.url}mail")
    row = page.locator(".mail")
    expect(row.locator(".state")).to_contain_text("learned")
    assert row.locator(".state").bounding_box()["height"] < 40


def test_the_search_field_is_wide_enough(filled, open_page):
    page = open_ready(open_page, filled, "mail")
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wait_until(page, "width => document.documentElement.clientWidth <= width", width)
        assert page.locator("#search").bounding_box()["width"] > 150, width


@pytest.mark.parametrize("width", [1280, 390])
def test_a_long_class_name_leaves_room_for_the_caption_of_its_figure(stage, open_page, width):
    for number in range(6):
        name = ("orders and what belongs to them, in this year and last", "letters of people whom I know")[number % 2]
        stage.mail(f"m{number}", f"mail {number}", name)
        stage.label(f"m{number}", name)
        stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": width, "height": 900})
    page.locator(".mail .subject").nth(1).click()
    page.wait_for_selector("#why-sum")
    for figure in page.locator("#why-body dt").all():
        assert figure.bounding_box()["width"] > 80, figure.inner_text()


def test_the_gauge_of_a_certain_score_is_seen_whole(stage, open_page):
    for number in range(2):
        stage.mail(f"m{number}", "money", "cheap pills")
        stage.label(f"m{number}", ("spam", "ham")[number % 2])
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".gauge .at").first.wait_for()
    page.evaluate("""async () => {
        const { applyChanges, store } = await import("./static/store.js");
        const mails = [...store.mails.values()].map((row, index) => ({ ...row, log_odds: index ? 50 : -50 }));
        applyChanges({ view: store.view, mails, points: [] });
    }""")
    places = page.locator(".gauge .at").evaluate_all("dots => dots.map(dot => Number(dot.getAttribute('cx')))")
    assert sorted(places) == [4, 56]  # the dot's radius is 4, the gauge 60 pixels wide


def test_the_matrix_keeps_the_names_of_its_rows_in_sight(stage, open_page):
    play_classes(stage, 60)
    page = open_page(stage.server.url, viewport={"width": 390, "height": 900})
    scroll = page.locator("#confusion .scroll")
    scroll.locator("tbody th").first.wait_for()
    scroll.evaluate("node => { node.scrollLeft = 100; }")
    assert scroll.evaluate("node => node.scrollLeft") > 0
    left = scroll.bounding_box()["x"]
    assert all(abs(name.bounding_box()["x"] - left) < 2 for name in scroll.locator("tbody th").all())


def test_six_classes_are_seen_whole_on_a_tablet_and_on_a_printed_page(stage, open_page):
    """The list of confused classes used to stand beside the matrix and leave too little room for it."""
    play_classes(stage, 60)
    page = open_page(stage.server.url, viewport={"width": 768, "height": 1024})
    scroll = page.locator("#confusion .scroll")
    scroll.locator("tbody th").first.wait_for()
    assert scroll.evaluate("node => node.scrollWidth <= node.clientWidth")


def test_a_note_in_place_of_cards_is_as_wide_as_all_of_them(stage, open_page):
    page = open_page(f"{stage.server.url}words", viewport={"width": 1280, "height": 900})
    note = page.locator("#word-lists > .empty")
    note.wait_for()
    assert note.bounding_box()["width"] > 1000


def test_the_dark_theme_is_not_printed(stage, open_page):
    page = open_page(stage.server.url)
    page.locator("#theme").click()
    ink = "getComputedStyle(document.body).color"
    dark = page.evaluate(ink)
    page.emulate_media(media="print")
    assert page.evaluate(ink) != dark
    page.emulate_media(media="screen")
    assert page.evaluate(ink) == dark


CONTRASTS = """names => {
    const probe = document.querySelector(".card").appendChild(document.createElement("i"));
    const light = name => {
        probe.style.color = `var(--${name})`;
        const parts = getComputedStyle(probe).color.match(/\\d+/g).map(part => part / 255);
        const [r, g, b] = parts.map(part => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b + 0.05;
    };
    const ratio = (a, b) => Math.max(a, b) / Math.min(a, b);
    const card = light("card");
    return Object.fromEntries(names.map(name => [name, ratio(light(name), card)]));
}"""


def test_lines_of_charts_can_be_seen_on_their_cards(stage, open_page):
    """WCAG 2.2, 1.4.11; axe measures texts only."""
    page = open_page(stage.server.url)
    lines = ["accent", "faint", "start", "base", "last", "spam", "ham"]
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        contrasts = page.evaluate(CONTRASTS, lines)
        assert {name: ratio for name, ratio in contrasts.items() if ratio < 3} == {}, scheme


def test_the_lists_of_words_fit_into_their_cards(filled, open_page):
    page = open_ready(open_page, filled, "words")
    wide = "nodes => nodes.filter(node => node.scrollWidth > node.clientWidth).map(node => node.ariaLabel)"
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 900})
        wait_until(page, "width => document.documentElement.clientWidth <= width", width)
        assert page.locator("#word-lists .scroll").evaluate_all(wide) == [], width
    for narrow in (390, 320):  # a screen that is touched shows no titles, which have the whole words elsewhere
        page.set_viewport_size({"width": narrow, "height": 900})
        wait_until(page, "width => document.documentElement.clientWidth <= width", narrow)
        assert page.locator("#word-lists tbody th bdi").evaluate_all(CUT) == [], narrow
