"""Names of classes that look alike are told apart wherever they are shown."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import expect

SHOWN = "names => import('/static/class_names.js').then(({ fullName }) => names.map((name) => fullName(name)))"
SHORT = "names => import('/static/class_names.js').then(({ shortName }) => names.map((name) => shortName(name, names)))"
ALIKE = [
    "news",
    "a b",
    "a  b",
    " a b",
    "a b ",
    "Newsletters of the department, 2025",
    "Newsletters of the department, 2026",
    "דואר זבל",
]
VISIBLE_TEXTS = """nodes => nodes.map((node) => {
  const box = node.getBoundingClientRect();
  const range = document.createRange();
  return [...node.childNodes].flatMap((child) => [...child.data].filter((_, at) => {
    range.setStart(child, at);
    range.setEnd(child, at + 1);
    const { left, right, top, bottom } = range.getBoundingClientRect();
    return left >= box.left - 1 && right <= box.right + 1 && top >= box.top - 1 && bottom <= box.bottom + 1;
  })).join("");
})"""


@pytest.fixture
def alike(stage):
    """Labelled mails of classes whose names look alike, each with words of its own; the last mails have no label."""
    draw = random.Random(2)
    for number in range(10 * len(ALIKE)):
        index = number % len(ALIKE)
        stage.mail(f"m{number}", f"mail {number}", " ".join(f"word{8 * index + draw.randrange(8)}" for _ in range(8)))
        if number < 9 * len(ALIKE):
            stage.label(f"m{number}", ALIKE[index])
        if number % len(ALIKE) == 0:
            stage.reconcile()
    stage.reconcile()
    return stage


def test_blanks_that_a_page_does_not_show_are_marked(stage, open_page):
    page = open_page(stage.server.url)
    assert page.evaluate(SHOWN, ["a b", "a  b", " a b", "a b ", "a   b"]) == ["a b", "a␣␣b", "␣a b", "a b␣", "a␣␣␣b"]


def test_a_long_beginning_that_names_share_is_left_out(stage, open_page):
    page = open_page(stage.server.url)
    long = "x" * 90
    names = ["spam", "ham", "work-2025", "work-2026", *ALIKE[5:7], f"{long}1", f"{long}2", long, "🎉" * 20, "🎉" * 21]
    short = page.evaluate(SHORT, names)
    assert short[:6] == ["spam", "ham", "work-2025", "work-2026", "New…2025", "New…2026"]
    assert short[6:9] == ["xxx…xxxx1", "xxx…xxxx2", "xxx…xxxx"]
    assert short[9:] == ["🎉🎉🎉…", "🎉🎉🎉…🎉"]


@pytest.mark.parametrize("width", [1280, 390])
def test_no_two_classes_look_alike(alike, open_page, width):
    page = open_page(alike.server.url, viewport={"width": width, "height": 900})
    rows = page.locator(".confusion tbody th bdi")
    expect(rows).to_have_count(len(ALIKE))
    for names in (rows, page.locator(".confusion thead th[scope=col] bdi")):
        shown = names.evaluate_all(VISIBLE_TEXTS)
        assert len(set(shown)) == len(shown) >= len(ALIKE)
    page.goto(f"{alike.server.url}mail")
    page.locator(".mail .label").first.wait_for()
    chips = page.locator(".mail .label:not(:text-is('(none)'))")
    shown = dict(
        zip(
            chips.evaluate_all("nodes => nodes.map((node) => node.title)"),
            chips.evaluate_all(VISIBLE_TEXTS),
            strict=True,
        )
    )
    assert len(set(shown.values())) == len(shown) > 5
    page.get_by_label("Another class").first.click()
    choices = page.locator("#class-menu button bdi")
    shown = choices.evaluate_all(VISIBLE_TEXTS)
    assert len(set(shown)) == len(shown) == len(ALIKE)
    page.goto(f"{alike.server.url}words")
    page.locator("#word-lists h2").first.wait_for()
    headings = page.locator("#word-lists h2").all_inner_texts()
    assert len(set(headings)) == len(headings) == len(ALIKE) + 1


def test_the_reasons_of_a_score_tell_names_apart(alike, open_page):
    page = open_page(f"{alike.server.url}mail")
    page.locator(".mail .subject", has_text=re.compile(r"^mail 67$")).click()
    reasons = page.locator("#why-body")
    expect(reasons.locator("> p", has_text="Learned as")).to_contain_text("Learned as ␣a b from people")
    reasons.locator("summary", has_text="If you label it").click()
    names = reasons.locator("details[open] dt").all_inner_texts()
    assert len(set(names)) == len(names) == len(ALIKE)


def test_names_beside_wide_figures_are_not_cut(stage, open_page):
    draw = random.Random(3)
    names = ["Not paid", "Not paid late", "never married", "never-married"]
    for number in range(6 * len(names)):
        name = names[number % len(names)]
        stage.features(f"m{number}", {"income": draw.gauss(1e6 + number % len(names), 1.0), "state": name})
        stage.label(f"m{number}", name)
    stage.reconcile()
    page = open_page(f"{stage.server.url}features", viewport={"width": 390, "height": 900})
    shown = page.locator("#feature-cards tbody th bdi")
    expect(shown).to_have_count(2 * len(names))
    assert shown.evaluate_all(VISIBLE_TEXTS) == 2 * names


@pytest.mark.parametrize("width", [360, 1280])
def test_the_names_of_two_classes_are_not_broken_on_their_buttons(stage, open_page, width):
    names = ["newsletters", "things-of-the-family"]
    for number in range(2):
        stage.mail(f"m{number}", f"mail {number}", f"word{number}")
        stage.label(f"m{number}", names[number])
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail", viewport={"width": width, "height": 900})
    buttons = page.locator(".mail .buttons .class")
    expect(buttons).to_have_count(4)
    lines = """buttons => buttons.map(button => {
        const range = document.createRange();
        range.selectNodeContents(button);
        return new Set([...range.getClientRects()].map(box => box.top)).size;
    })"""
    assert buttons.evaluate_all(lines) == [1, 1, 1, 1]


def test_two_classes_do_not_look_alike_on_the_buttons_and_above_the_evidence(stage, open_page):
    names = ["never-paid", "never-paying"]
    for number in range(4):
        stage.mail(f"m{number}", f"mail {number}", f"word{number % 2} another{number % 2}")
        stage.label(f"m{number}", names[number % 2])
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    buttons = page.locator(".mail .buttons .class")
    expect(buttons).to_have_count(8)
    assert buttons.evaluate_all(VISIBLE_TEXTS) == 4 * names
    page.locator(".mail .subject").first.click()
    heads = page.locator("#why .terms thead bdi")
    expect(heads).to_have_count(2)
    assert heads.evaluate_all(VISIBLE_TEXTS) == names


def test_the_second_class_of_an_unsure_mail_is_seen_whole(stage, open_page):
    for number, name in enumerate(["folder-25", "folder-34", "spam"]):
        stage.mail(f"m{number}", f"mail {number}", f"word{number}")
        stage.label(f"m{number}", name)
        stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail").first.wait_for()
    page.evaluate("""async () => {
        const { applyChanges, store } = await import("/static/store.js");
        const unsure = { label: "folder-25", runner_up: "folder-34", margin: 0.1, log_odds: 0, threshold: 0 };
        applyChanges({ mails: [...store.mails.values()].map(row => ({ ...row, ...unsure })), points: [] });
    }""")
    assert page.locator(".mail .rival bdi").evaluate_all(VISIBLE_TEXTS) == ["folder-34"] * 3
