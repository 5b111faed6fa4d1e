"""The page in Chromium: its figures, buttons and behaviour."""

from __future__ import annotations

from playwright.sync_api import expect

from consumers.log.base import TopicPartition
from consumers.records.replay import final_labels
from consumers.records.schemas import LABELS, decode_label
from tests.support.outputs import predictions
from tests.support.page_mails import play


def percent(share: float) -> str:
    return f"{100 * share:.2f}\N{NO-BREAK SPACE}%"


def labelled_pairs(stage) -> list[tuple[str, str | None]]:
    """(true label, predicted label) of each labelled mail, from the log alone."""
    labels = final_labels(stage.log)
    return [(labels[p.id], p.label) for p in predictions(stage.log) if p.id in labels]


def tile(page, name: str) -> str:
    return page.locator(f'[data-tile="{name}"] .figure').inner_text()


def test_numbers_on_the_page_equal_those_computed_from_the_log(stage, open_page):
    play(stage, 300)
    page = open_page(stage.server.url)
    page.get_by_role("button", name="since start").click()
    page.wait_for_selector('[data-cell="ham/ham"]')
    pairs = labelled_pairs(stage)
    right = sum(true_label == label for true_label, label in pairs)
    assert tile(page, "Accuracy") == percent(right / len(pairs))
    hams = [label for true_label, label in pairs if true_label == "ham"]
    spams = [label for true_label, label in pairs if true_label == "spam"]
    assert tile(page, "Ham lost") == percent(hams.count("spam") / len(hams))
    assert tile(page, "Spam missed") == percent(1 - spams.count("spam") / len(spams))
    for true_label in ("ham", "spam"):
        for label in ("ham", "spam"):
            cell = page.locator(f'[data-cell="{true_label}/{label}"] b').inner_text()
            assert int(cell) == pairs.count((true_label, label))
    page.get_by_role("link", name="Quality").click()
    row = page.locator('[data-measure="Labelled mails"] [data-window="start"]')
    expect(row).to_have_text(str(len(pairs)))
    page.get_by_role("link", name="Mail", exact=True).click()
    expect(page.locator("#mails .mail")).to_have_count(40)


def test_a_click_appends_a_label_and_the_row_shows_when_it_is_learned(stage, open_page):
    play(stage, 60)
    stage.mail("fresh", "unheard of", "entirely new words here")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    row = page.locator(".mail", has_text="unheard of")
    learned = stage.worker.replica.model.labels_learned
    row.get_by_role("button", name="This mail is spam").click()
    row.get_by_text("spam: sending…").wait_for()
    stage.settle_until(lambda: stage.worker.replica.model.labels_learned == learned + 1)
    row.get_by_text("✓ spam by tester, learned").wait_for()
    last = [record for p in range(2) for record in stage.log.read({TopicPartition(LABELS, p): 0})]
    labels = [decode_label(r.value) for r in last if r.key == b"fresh"]
    assert [(label.label, label.source) for label in labels] == [("spam", "tester")]
    row.get_by_role("button", name="Withdraw your label").click()
    stage.settle_until(lambda: stage.worker.replica.model.labels_learned == learned)
    row.locator(".learned").wait_for(state="detached")


def test_withdrawing_a_label_restores_those_of_others(stage, open_page):
    stage.mail("m", "said to be ham")
    stage.label("m", "ham")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    row = page.locator(".mail")
    row.get_by_text("✓ ham by people, learned").wait_for()
    row.get_by_role("button", name="This mail is spam").click()
    stage.settle_until(lambda: final_labels(stage.log)["m"] == "spam")
    row.get_by_text("✓ spam by tester, learned").wait_for()
    row.get_by_role("button", name="Withdraw your label").click()
    stage.settle_until(lambda: final_labels(stage.log)["m"] == "ham")
    row.get_by_text("✓ ham by people, learned").wait_for()
    row.get_by_role("button", name="This mail has no label").click()
    stage.settle_until(lambda: "m" not in final_labels(stage.log))
    row.get_by_text("no label by tester").wait_for()
    row.get_by_role("button", name="Withdraw your label").click()
    stage.settle_until(lambda: final_labels(stage.log).get("m") == "ham")
    row.get_by_text("✓ ham by people, learned").wait_for()


def test_a_label_that_does_not_reach_the_server_is_reported(stage, open_page):
    stage.mail("m", "hello")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    button = page.get_by_role("button", name="This mail is ham")
    button.wait_for()
    stage.close()
    button.click()
    expect(page.locator("#toast")).to_have_text("Not labelled: the dashboard does not answer; try again when it does")
    expect(button).to_have_attribute("aria-pressed", "false")
    stage.restart_server()
    expect(page.locator(".status")).to_have_attribute("data-kind", "late")
    button.click()
    stage.settle_until(lambda: stage.worker.replica.model.labels_learned == 1)
    page.locator(".mail").get_by_text("✓ ham by tester, learned").wait_for()
    page.complaints.clear()  # the browser reports the lost connection


def test_a_label_made_before_the_page_has_met_a_restarted_server_is_sent_again(stage, open_page):
    stage.mail("m", "hello")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    button = page.get_by_role("button", name="This mail is ham")
    button.wait_for()
    page.evaluate("import('/static/store.js').then(({ store }) => { store.page.csrf = 'of the server before'; })")
    button.click()
    stage.settle_until(lambda: final_labels(stage.log).get("m") == "ham")
    page.locator(".mail").get_by_text("✓ ham by tester, learned").wait_for()
    page.complaints.clear()  # the browser reports the refusal


HOSTILE = [
    "<script>document.title='stolen'</script>",
    "<img src=x onerror=document.title='stolen'>",
    "exe.\u202egpj",
    "nul\u0000byte and \u0007bell",
    "z" + "\u0301" * 60,
    "W" * 5_000,
    "{{7*7}} ${7*7} <%= 7*7 %>",
]


def test_hostile_subjects_are_shown_safely(stage, open_page):
    for number, subject in enumerate(HOSTILE):
        stage.mail(f"<script>{number}", subject, sender=f"{subject} <evil@example.org>")
    stage.label("<script>0", "<b>bold</b>", source="<i>\u202eme</i>")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.wait_for_selector(".mail")
    assert page.locator(".mail").count() == len(HOSTILE)
    shown = page.locator("#mails").inner_text()
    assert "<script>document.title='stolen'</script>" in shown
    assert "⟨U+202E⟩" in shown
    assert not set("\u202e\u0000\u0007") & set(shown)
    assert page.locator("#mails script, #mails img, #mails b, #mails i").count() == 0
    assert page.title() == "Mail · stream_nb"
    for name in ("overview", "mail", "quality", "words", "features", "sources", "operations"):
        page.goto(f"{stage.server.url}{name}")
        page.locator(f"#{name} h1").wait_for()
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert page.locator("main script, main b b, main i i").count() == 0
        assert not set("\u202e\u0000\u0007") & set(page.locator("main").inner_text())


def test_new_mails_do_not_move_the_list(stage, open_page):
    play(stage, 30)
    page = open_page(f"{stage.server.url}mail")
    first = page.locator(".mail").first
    first.wait_for()
    before = page.locator(".mail").evaluate_all("items => items.map(item => item.dataset.place)")
    stage.mail("late", "came while reading")
    stage.reconcile()
    page.get_by_role("button", name="1 new: show them").wait_for()
    assert page.locator(".mail").evaluate_all("items => items.map(item => item.dataset.place)") == before
    page.get_by_role("button", name="1 new: show them").click()
    page.locator(".mail").first.get_by_text("came while reading").wait_for()


def test_when_following_new_mail_appears_at_once_except_under_the_mouse_pointer(stage, open_page):
    play(stage, 30)
    page = open_page(f"{stage.server.url}mail")
    page.check("#follow")
    page.locator(".mail").first.hover()
    stage.mail("late", "came while pointing")
    stage.reconcile()
    page.get_by_role("button", name="1 new: show them").wait_for()
    page.locator("#search").focus()
    page.mouse.move(5, 5)
    page.locator(".mail").first.get_by_text("came while pointing").wait_for()


def test_following_begins_when_the_mouse_pointer_that_switched_it_on_has_left(stage, open_page):
    play(stage, 30)
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail").first.wait_for()
    page.check("#follow")
    page.mouse.move(5, 5)
    stage.mail("late", "came after that")
    stage.reconcile()
    page.locator(".mail").first.get_by_text("came after that").wait_for()


def test_reload_and_restarts_keep_the_figures(stage, open_page):
    play(stage, 80)
    page = open_page(f"{stage.server.url}quality")
    page.wait_for_selector("[data-measure]")
    before = page.locator("#measures").inner_text()
    page.reload()
    page.wait_for_selector("[data-measure]")
    assert page.locator("#measures").inner_text() == before
    page.goto(f"{stage.server.url}mail")
    stage.restart_server()
    stage.mail("after", "after the restart")
    stage.reconcile()
    page.get_by_role("button", name="1 new: show them").click()
    page.get_by_text("after the restart").wait_for()
    page.get_by_role("link", name="Quality").click()
    assert page.locator("#measures").inner_text() == before
    page.go_back()
    page.locator(".mail", has_text="after the restart").get_by_role("button", name="This mail is ham").click()
    page.locator(".mail", has_text="after the restart").get_by_text("sending…").wait_for()
    stage.settle_until(lambda: final_labels(stage.log).get("after") == "ham")
    page.get_by_text("✓ ham by tester, learned").first.wait_for()
    page.complaints.clear()  # the browser reports the lost connection


def test_new_classes_appear_at_run_time(stage, open_page):
    for number in range(12):
        stage.mail(f"m{number}", f"mail {number}", ["win money", "lunch today", "quarterly report"][number % 3])
        stage.label(f"m{number}", ["spam", "ham", "work"][number % 3])
        stage.reconcile()
    page = open_page(stage.server.url)
    page.get_by_role("button", name="since start").click()
    pairs = labelled_pairs(stage)
    for true_label, label in set(pairs):
        cell = page.locator(f'[data-cell="{true_label}/{label or "(none)"}"] b')
        assert int(cell.inner_text()) == pairs.count((true_label, label))
    assert page.locator('[data-tile="Other mail lost"]').count() == 1
    page.get_by_role("link", name="Mail", exact=True).click()
    menu = page.locator("#class-menu")
    page.locator(".mail").first.get_by_role("button", name="Another class").click()
    expect(menu.locator(".menu-items button")).to_have_text(["spam", "ham", "work"])
    page.keyboard.press("Escape")
    stage.label("m0", "family")
    stage.reconcile()
    page.locator("#label-filter option", has_text="family").wait_for(state="attached")
    page.locator(".mail").first.get_by_role("button", name="Another class").click()
    menu.get_by_label("New class").fill("travel")
    menu.get_by_role("button", name="Add").click()
    stage.settle_until(lambda: "travel" in final_labels(stage.log).values())
