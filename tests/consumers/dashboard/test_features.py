"""The page of features: figures of numbers, tables of categories, and unusual names and values."""

from __future__ import annotations

import itertools
import re
import statistics

import pytest
from playwright.sync_api import expect

from consumers.records.sanitize import show_safely
from stream_nb.tabular.feature_text import normal_text

FIGURES = [("spam", 12_000.0), ("ham", 3_000.0), ("spam", 14_000.0), ("ham", 5_000.0), ("spam", 13_000.0)]


def learn(stage, messages) -> None:
    for number, (label, features) in enumerate(messages):
        stage.features(f"f{number}", features)
        stage.label(f"f{number}", label)
    stage.reconcile()


def cells(row) -> list[str]:
    return row.locator("th, td").all_inner_texts()


def test_means_and_tables_equal_those_of_the_messages(stage, open_page):
    learn(stage, [(label, {"size": size, "language": "en" if label == "ham" else "de"}) for label, size in FIGURES])
    page = open_page(f"{stage.server.url}features")
    number = page.locator('[data-number="size"]')
    number.wait_for()
    for label in ("spam", "ham"):
        sizes = [size for given, size in FIGURES if given == label]
        shown = cells(number.locator(f'[data-class="{label}"]'))
        assert shown[:3] == [label, str(len(sizes)), f"{statistics.mean(sizes):,.0f}"]
        assert float(shown[3].replace(",", "")) == pytest.approx(statistics.pstdev(sizes), rel=1e-3)
        assert 0.0 < float(shown[4]) < 1.0
    expect(number.locator(".legend")).to_contain_text("spam")
    assert number.locator("path.line").count() == 2
    bars = number.locator("rect.column").evaluate_all("bars => bars.map(bar => Number(bar.getAttribute('height')))")
    assert sum(height > 0 for height in bars) == len(FIGURES)
    rows = page.locator('[data-category="language"] tbody tr')
    assert [cells(row) for row in rows.all()] == [["de", "3", "0"], ["en", "0", "2"]]
    expect(page.locator("#feature-weights")).to_contain_text("words 1, numbers ")


def test_the_evidence_of_a_score_has_the_mean_and_deviation_of_each_class(stage, open_page):
    learn(stage, [(label, {"size": size, "language": "en"}) for label, size in FIGURES])
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail .subject").first.click()
    page.wait_for_selector("#why-sum")
    expect(page.locator("#why .terms thead th").first).to_have_text("Feature")
    normals = page.locator("#why .normals")
    expect(normals).to_have_count(1)
    assert set(normals.inner_text().split(", ")) == {"ham 4,000 ± 1,000", "spam 13,000 ± 816.5"}


NORMALS = [(0.0, 0.0), (12.5, 0.0), (-0.0352, 1e-9), (1000002.14, 1.157), (13500.0, 6012.0), (9.995e4, 1e3)]
NORMALS += [(sign * 1.2345678e-5 * 10.0**power, 3.3e7) for power in range(0, 26, 2) for sign in (-1, 1)]
NORMALS += [(1e-4, 1.0), (1.2e12, 3.45e11), (9.99e14, 4e15), (1.2345e15, 1.0), (-2.5e300, 1.7e299)]


def test_means_and_deviations_are_formatted_alike_on_the_page_and_in_the_terminal(stage, open_page):
    page = open_page(stage.server.url)
    shown = page.evaluate(
        """async (normals) => {
            const { meanAndDeviation } = await import("./static/format.js");
            return normals.map(([mean, std]) => meanAndDeviation({ mean, std }));
        }""",
        NORMALS,
    )
    minus = "\N{MINUS SIGN}"  # a terminal has a hyphen
    assert shown == [re.sub("^-", minus, normal_text(mean, std)) for mean, std in NORMALS]


def test_long_values_at_an_axis_do_not_overlap(stage, open_page):
    learn(stage, [(label, {"account": 9.97e11 + 5e5 * size, "size": size}) for label, size in FIGURES])
    page = open_page(f"{stage.server.url}features", viewport={"width": 768, "height": 900})
    page.locator("#feature-cards svg").first.wait_for()
    boxes = page.locator("[data-number=account] text.tick").evaluate_all(
        "ticks => ticks.map(tick => tick.getBoundingClientRect())"
    )
    edges = [(box["left"], box["right"]) for box in boxes if box["width"] > 40]
    assert len(edges) >= 2
    assert all(end < start for (_, end), (start, _) in itertools.pairwise(edges))


@pytest.mark.parametrize("width", [360, 1280])
def test_no_class_name_is_broken_within_a_word_beside_a_long_mean(stage, open_page, width):
    names = ("newsletters", "system-notifications", "spam")
    learn(stage, [(name, {"received": 1_760_000_000 + 7_001 * i}) for i in range(4) for name in names])
    page = open_page(f"{stage.server.url}features", viewport={"width": width, "height": 900})
    page.locator("#feature-cards tbody th").first.wait_for()
    lines = """names => Object.fromEntries(names.map(name => {
        const range = document.createRange();
        range.selectNodeContents(name);
        return [name.textContent, range.getClientRects().length];
    }))"""
    shown = page.locator("#feature-cards tbody th bdi").evaluate_all(lines)
    assert shown == {"spam": 1, "newsletters": 1, "system-notifications": 2}


def test_the_headings_of_a_long_table_stay_in_sight(stage, open_page):
    learn(stage, [(f"class{number:02}", {"size": 10.0 * number}) for number in range(30)])
    page = open_page(f"{stage.server.url}features")
    table = page.locator("#feature-cards .scroll")
    table.locator("tbody tr").nth(29).wait_for()
    table.evaluate("node => { node.scrollTop = 200; }")
    assert table.evaluate("node => node.scrollTop") == 200
    heading = table.get_by_text("Learned").bounding_box()
    assert 0 <= heading["y"] - table.bounding_box()["y"] < 10


def test_without_features_the_page_explains_how_to_send_them(stage, open_page):
    page = open_page(f"{stage.server.url}features")
    expect(page.locator("#features code")).to_contain_text('"features": {"size": 12041')
    stage.mail("m", "no features")
    stage.label("m", "ham")
    stage.reconcile()
    page.reload()
    expect(page.locator("#features .empty")).to_have_text("The model has not learned any number or category yet.")


def test_many_features_are_listed_in_parts_and_can_be_filtered_by_name(stage, open_page):
    learn(stage, [(label, {f"n{i:03}": size + i for i in range(120)}) for label, size in FIGURES])
    page = open_page(f"{stage.server.url}features")
    cards = page.locator("#feature-cards .card")
    expect(cards).to_have_count(12)
    expect(page.locator("#feature-weights")).to_contain_text("Only the first 100 numbers of 120")
    page.get_by_role("button", name="Show more").click()
    expect(cards).to_have_count(24)
    page.get_by_label("Names with").fill("N07")
    expect(cards).to_have_count(10)
    page.reload()
    expect(cards).to_have_count(10)
    page.get_by_label("Names with").fill("nothing like it")
    expect(page.locator("#feature-cards")).to_have_text("No feature has such a name.")


ODD = {
    "<img src=x onerror=document.title='stolen'>": 1.0,
    "rtl\u202e": 2.0,
    "W" * 200: 3.0,
    "huge": 1e308,
    "negative": -1e308,
    "tiny": 5e-324,
    "near": 1e17,
    "text": "<b>bold</b>",
}


def test_unusual_names_and_values_are_shown_safely(stage, open_page):
    odd = [
        {name: (value * (1 - number / 8) if isinstance(value, float) else value) for name, value in ODD.items()}
        | {"near": 1e17 + 16 * number}
        for number in range(6)
    ]
    learn(stage, [("<i>class</i>" if i % 2 else "W" * 100, features) for i, features in enumerate(odd)])
    page = open_page(f"{stage.server.url}features", viewport={"width": 390, "height": 900})
    page.locator("#feature-cards .card").first.wait_for()
    headings = page.locator("#feature-cards h2").all_inner_texts()
    assert sorted(headings) == sorted(show_safely(name, 60) for name in ODD)
    assert page.locator("#features :is(img, script, b, i:not(.swatch))").count() == 0
    assert page.title() == "Features · stream_nb"
    assert "\u202e" not in page.locator("main").inner_text()
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_values_that_differ_only_in_blanks_do_not_look_alike(stage, open_page):
    learn(stage, [(label, {"unit": unit}) for label in ("spam", "ham") for unit in ("kg", " kg", "kg ", "k  g")])
    page = open_page(f"{stage.server.url}features")
    names = page.locator("#feature-cards tbody th")
    expect(names).to_have_count(4)
    assert set(names.all_inner_texts()) == {"kg", "␣kg", "kg␣", "k␣␣g"}
