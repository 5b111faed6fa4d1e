"""The page of sources: senders with conflicting labels."""

from __future__ import annotations

from playwright.sync_api import expect


def test_a_sender_with_conflicting_labels_is_listed(stage, open_page):
    for number in range(7):
        stage.mail(f"n{number}", "the weekly news", sender="News <b>x</b> <news@shop.example>")
        stage.label(f"n{number}", "spam" if number < 3 else "ham", f"reader {number % 2}")
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    rows = page.locator("#sender-table tbody tr")
    expect(rows).to_have_count(1)
    assert rows.locator("th, td").all_inner_texts() == [
        "news@shop.example",
        "ham: 4 mails by 2 sources; spam: 3 mails by 2 sources",
    ]
    for number in range(3):
        stage.label(f"n{number}", "ham", f"reader {number % 2}")
    stage.reconcile()
    expect(page.locator("#disagreement")).to_be_hidden()


def test_changed_labels_are_explained_where_they_count_again(stage, open_page):
    stage.mail("m", "hello")
    for label in ("ham", "spam", "ham"):
        stage.label("m", label, "ann")
        stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    row = page.locator('#source-table [data-source="ann"] td')
    expect(row.nth(0)).to_have_text("3")
    expect(row.nth(2)).to_have_text("1 (100.0\N{NO-BREAK SPACE}%)")
    tips = {"Labels": "a changed one again", "Against the prediction": "percent of its labelled mails"}
    for name, explained in tips.items():
        page.locator("#source-table thead").get_by_text(name, exact=True).hover()
        expect(page.get_by_role("tooltip")).to_contain_text(explained)


def test_withdrawing_a_single_label_is_reported_in_the_singular(stage, open_page):
    stage.mail("m", "hello")
    stage.label("m", "ham", "ann")
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    page.get_by_role("button", name="Undo ann").click()
    expect(page.locator("#undo-question")).to_contain_text("1 of its labels counts in the model now")
    page.get_by_role("button", name="Withdraw all labels").click()
    expect(page.locator("#toast")).to_have_text("1 label of ann is being withdrawn.")


def test_a_name_written_from_right_to_left_leaves_the_question_before_undoing_in_order(stage, open_page):
    source = "דנה 5"
    stage.mail("m", "hello")
    stage.label("m", "ham", source)
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources")
    page.get_by_role("button", name=f"Undo {source}").click()
    question = page.locator("#undo-question")
    expect(question).to_contain_text(f"all labels of “{source}”? 1 of its labels")
    name, number = question.evaluate(
        """(node, texts) => texts.map((text) => {
          const walker = document.createTreeWalker(node, NodeFilter.SHOW_TEXT);
          while (!walker.nextNode().data.includes(text));
          const range = document.createRange();
          range.setStart(walker.currentNode, walker.currentNode.data.indexOf(text));
          range.setEnd(range.startContainer, range.startOffset + text.length);
          return range.getBoundingClientRect().left;
        })""",
        [source, "1 of its"],
    )
    assert name < number
    page.get_by_role("button", name="Keep").click()


def test_both_tables_fit_the_page_with_long_names_and_many_classes(stage, open_page):
    for number, name in enumerate(3 * ("billing", "shipping", "technical", "returns", "account", "sales")):
        stage.mail(f"m{number}", "a ticket", sender="desk@shop.example")
        stage.label(f"m{number}", name, "customer-service@company.example")
    stage.reconcile()
    page = open_page(f"{stage.server.url}sources", viewport={"width": 1280, "height": 900})
    page.locator("#sender-table tbody tr").wait_for()
    tables = page.locator("#sources .scroll")
    assert tables.evaluate_all("nodes => nodes.map(node => node.scrollWidth <= node.clientWidth)") == [True, True]
    heading = page.locator("#source-table thead").get_by_text("Withdrawn", exact=True)
    assert heading.bounding_box()["height"] < 24  # only between words


def test_the_table_of_senders_fits_a_phone(stage, open_page):
    names = ("Invoices-and-reminders-2026", "Meetings-and-appointments")
    for number in range(8):
        stage.mail(f"m{number}", "hello", f"word{number % 2}", sender="somebody@example.org")
        stage.label(f"m{number}", names[number % 2])
        stage.reconcile()
    page = open_page(f"{stage.server.url}sources", viewport={"width": 360, "height": 800})
    table = page.locator("#sender-table")
    table.locator("tbody td").wait_for()
    assert table.evaluate("node => node.parentElement.scrollWidth <= node.parentElement.clientWidth")
