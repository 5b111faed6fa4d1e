"""The page with other classes than spam and ham: none positive, a single one, unusual names."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from consumers.dashboard.page import PAGES
from consumers.monitor.figures import windows
from consumers.records.replay import final_labels
from tests.support.page_mails import CLASSES, play

OTHERS = [name for name in CLASSES if name != "spam"]


@pytest.fixture
def no_spam(stage):
    """Mails of five classes, the last one without a label."""
    for number in range(60):
        name = OTHERS[number % len(OTHERS)]
        stage.mail(f"m{number}", f"about {name}", CLASSES[name])
        stage.label(f"m{number}", name)
        if number % 10 == 0:
            stage.reconcile()
    stage.mail("last", "the last one", f"{CLASSES['work']} dinner photos")
    stage.reconcile()
    return stage


@pytest.mark.parametrize("name", [name for name in PAGES if name != "quality"])
def test_no_page_mentions_a_class_that_does_not_occur(no_spam, open_page, name):
    page = open_page(f"{no_spam.server.url}{name}")
    page.locator(f"#{name} h1").wait_for()
    if name == "mail":
        page.locator(".mail .subject", has_text="the last one").click()
        page.wait_for_selector("#why-sum")
    page.wait_for_selector("body:not(.busy)")
    assert "spam" not in page.locator("main").inner_text()


def test_without_the_positive_class_the_evidence_is_for_the_best_class(no_spam, open_page):
    page = open_page(f"{no_spam.server.url}mail")
    row = page.locator(".mail", has_text="the last one")
    expect(row.locator(".label")).to_have_text("work")
    expect(row.locator(".probability")).to_contain_text("ahead of family")
    row.locator(".subject").click()
    why = page.locator("#why-body")
    expect(why).to_contain_text("in the log-odds of work")
    now = page.locator("#why-log-odds").inner_text()
    assert float(now) == pytest.approx(float(page.locator("#why-sum").inner_text()), abs=0.01)
    after = dict(zip(why.locator("dt").all_inner_texts(), why.locator("dd").all_inner_texts(), strict=True))
    assert float(now) > float(after["If you label it family"].replace("\u2212", "-"))


def test_the_quality_page_names_the_class_that_its_curves_need(no_spam, open_page):
    page = open_page(f"{no_spam.server.url}quality")
    expect(page.locator("#no-positive")).to_contain_text("That class is spam, but no mail has this label yet.")
    for hidden in ("#threshold-card", "#calibration-card", "#more-measures", '[data-measure="Recall"]'):
        expect(page.locator(hidden)).to_be_hidden()
    expect(page.locator('[data-measure="Accuracy"]')).to_be_visible()


def test_with_a_single_class_the_page_says_that_nothing_can_be_distinguished(stage, open_page):
    for number in range(5):
        stage.mail(f"m{number}", f"bill {number}", CLASSES["receipts"])
        stage.label(f"m{number}", "receipts")
        stage.reconcile()
    page = open_page(stage.server.url)
    expect(page.locator("#coverage-note")).to_contain_text(
        "All labels are receipts, so there is nothing to distinguish yet"
    )
    page.goto(f"{stage.server.url}mail")
    expect(page.locator(".mail .label")).to_have_text(["receipts"] * 4 + ["(none)"])
    assert page.locator(".mail .rival").all_inner_texts() == [""] * 5
    page.locator(".mail .subject").first.click()
    expect(page.locator("#why-body")).to_contain_text("The model knows fewer than two classes")


IN_READING_ORDER = """(element) => {
  const words = [];
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    for (const { index, 0: word } of walker.currentNode.data.matchAll(/\\S+/g)) {
      const range = document.createRange();
      range.setStart(walker.currentNode, index);
      range.setEnd(walker.currentNode, index + word.length);
      words.push(range.getBoundingClientRect());
    }
  }
  return words.every((box, at) => !at || box.top > words[at - 1].top + 2 || box.left > words[at - 1].left);
}"""


def test_figures_next_to_right_to_left_class_names_keep_their_place(stage, open_page):
    classes = {"عاجل": CLASSES["work"], "رسائل": CLASSES["family"]}
    for number in range(20):
        name = list(classes)[number % 2]
        stage.mail(f"m{number}", f"mail {number}", classes[name])
        stage.label(f"m{number}", name, source="علي")
        stage.label(f"m{number}", name, source="منى")
        stage.reconcile()
    for number in range(4):
        stage.mail(f"n{number}", f"new {number}", f"{CLASSES['work']} {CLASSES['family']} new{number}")
    stage.reconcile()
    page = open_page(f"{stage.server.url}ask")
    page.locator("#ask-mails .mail").first.wait_for()
    for place in (".meta", "#ask-keys"):
        for line in page.locator(place).all():
            assert line.evaluate(IN_READING_ORDER), line.inner_text()
    page.goto(f"{stage.server.url}mail")
    page.locator(".mail .subject", has_text="mail 19").click()
    page.wait_for_selector("#why-sum")
    for line in page.locator("#why-body dd, #why-body p").all():
        assert line.evaluate(IN_READING_ORDER), line.inner_text()
    page.goto(f"{stage.server.url}words?word=meeting")
    page.locator(".lessons summary").click()
    page.locator(".lessons td").first.wait_for()
    for line in page.locator(".lessons p, .lessons td").all():
        assert line.evaluate(IN_READING_ORDER), line.inner_text()


def test_a_class_may_be_named_like_a_property_of_javascript_objects(stage, open_page):
    names = ("constructor", "__proto__", "toString")
    for number in range(30):
        name = names[number % len(names)]
        stage.mail(f"m{number}", f"about {name}", f"{name} words of this class {number}")
        stage.label(f"m{number}", name, source="constructor" if number % 2 else "anna")
        if number % 10 == 0:
            stage.reconcile()
    stage.reconcile()
    page = open_page(stage.server.url)
    cells = page.locator("#confusion td b")
    expect(cells.first).to_be_visible()
    assert sum(int(text) for text in cells.all_inner_texts()) == 30
    assert "NaN" not in page.locator("main").inner_text()
    page.goto(f"{stage.server.url}sources")
    row = page.locator('[data-source="constructor"]')
    expect(row).to_contain_text("constructor")
    assert "NaN" not in row.inner_text()


@pytest.mark.parametrize("names", [("newsletters", "receipts"), ("easy", "hard", "spam")])
def test_the_table_of_evidence_fits_into_its_card(stage, open_page, names):
    for number in range(12):
        name = names[number % len(names)]
        stage.mail(f"m{number}", f"about {name}", f"sweepstakes redemption {name}{number} {name}")
        stage.label(f"m{number}", name)
        stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.set_viewport_size({"width": 1280, "height": 900})
    page.locator(".mail .subject").first.click()
    page.wait_for_selector("#why-sum")
    wide, room = page.locator("#why .terms").evaluate("table => [table.offsetWidth, table.parentElement.clientWidth]")
    assert wide <= room
    heads = page.locator("#why .terms thead th[title]").evaluate_all("heads => heads.map(head => head.title)")
    caption = page.locator("#why .terms caption").inner_text()
    if len(names) == 2:
        assert heads == list(names) and "against" not in caption
    else:
        assert len(heads) == 2 and f"log-odds of {heads[0]} against {heads[1]}; counts in mails learned" in caption


def test_a_window_of_time_says_when_it_holds_only_the_latest_mails(make_stage, monkeypatch, open_page):
    monkeypatch.setattr(windows, "MAX_TIMED", 3)
    stage = make_stage()
    for number in range(5):
        stage.mail(f"m{number}", "hello")
        stage.label(f"m{number}", ("spam", "ham")[number % 2])
    stage.reconcile()
    page = open_page(f"{stage.server.url}?window=1+h")
    note = page.locator("#coverage-note")
    expect(note).to_contain_text("The window “1 h” holds only its latest 3 labelled mails.")
    page.get_by_role("button", name="last 100", exact=True).first.click()
    expect(note).to_contain_text("Measured only on mails that somebody labelled")
    expect(note).not_to_contain_text("holds only")


def test_an_estimate_names_the_number_of_labelled_mails_behind_it(stage, open_page):
    for number in range(9):
        stage.mail(f"m{number}", "hello")
        if number < 3:
            stage.label(f"m{number}", ("spam", "ham")[number % 2])
    stage.reconcile()
    page = open_page(stage.server.url)
    expect(page.locator("#coverage-note")).to_contain_text("from their scores and 3 labelled mails is")


RIGHT_TO_LEFT = {
    "العربية الرسائل المزعجة جدا في البريد": "win money",
    "עברית דואר זבל ארוך מאוד ועוד קצת": "lunch at noon",
    "work": "the minutes",
}
CUT_FROM_THE_LEFT = """nodes => nodes.filter(node => getComputedStyle(node).textOverflow === "ellipsis"
    && node.scrollWidth > node.clientWidth && /^[\\u0590-\\u06ff]/.test(node.textContent)
    && getComputedStyle(node).direction !== "rtl").map(node => node.className || node.parentElement.className)"""


def test_a_right_to_left_name_is_truncated_at_its_end(stage, open_page):
    for number in range(60):
        name = [*RIGHT_TO_LEFT][number % 3]
        subject, text = (f"{name} {number}", RIGHT_TO_LEFT[name]) if number < 30 else ("", f"later{number % 3}")
        stage.mail(f"m{number}", subject, text)
        stage.label(f"m{number}", name)
        if number % 10 == 0:
            stage.reconcile()
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail .label").first.wait_for()
    page.locator(".buttons [aria-haspopup]").first.click()
    check_cut(page.locator(".mail *, .menu-items *"))
    page.goto(f"{stage.server.url}words")
    page.locator("#word-lists .label").first.wait_for()
    check_cut(page.locator("#word-lists *"))


def check_cut(cut) -> None:
    assert cut.evaluate_all("nodes => nodes.some(node => node.scrollWidth > node.clientWidth)")
    assert cut.evaluate_all(CUT_FROM_THE_LEFT) == []


@pytest.mark.parametrize(("name", "place"), [("mail", "#mails"), ("mail", "#why-body"), ("ask", "#ask-mails")])
def test_a_new_class_is_offered_for_the_mails_that_are_shown(stage, open_page, name, place):
    play(stage, 30)
    page = open_page(f"{stage.server.url}{name}")
    if place == "#why-body":
        page.locator("#mails .subject").first.click()
    offered = page.locator(place).get_by_role("button", name="This mail is ham").first
    offered.hover()  # so that the list stays as it is
    stage.mail("new", "one more")
    stage.label("new", "work")
    stage.reconcile()
    page.locator(place).get_by_role("button", name="Another class").first.wait_for()


def test_beside_two_classes_a_third_can_be_added_where_a_mail_is_explained(stage, open_page):
    for label in ("spam", "ham"):
        stage.mail(label, f"about {label}", f"words of {label}")
        stage.label(label, label)
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    assert page.get_by_role("button", name="Another class").count() == 0
    page.locator(".mail .subject", has_text="about ham").click()
    page.locator("#why-body").get_by_role("button", name="Another class").click()
    page.locator("#class-menu").get_by_label("New class").fill("travel")
    page.locator("#class-menu").get_by_role("button", name="Add").click()
    stage.settle_until(lambda: "travel" in final_labels(stage.log).values())
    expect(page.locator("#why-body .state")).to_contain_text("travel")
