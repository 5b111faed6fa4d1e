"""Answers that arrive after the person has gone on."""

from __future__ import annotations

from playwright.sync_api import APIResponse, Locator, Page, Route, expect

from consumers.model.policy_editor import PolicyEditor
from consumers.records.policy import PolicyValues
from consumers.records.replay import final_labels
from tests.support.browser import wait_until
from tests.support.page_mails import play
from tests.support.waiting import until

LEARNED = "[...store.mails.values()].some(({ id, learned_label }) => id === 'doubtful' && learned_label === 'spam')"
NEXT_FRAME = "() => new Promise((resolve) => requestAnimationFrame(resolve))"


class Held:
    """The first answer to a request, which the page gets on `release`; later requests go on undisturbed."""

    def __init__(self, page: Page, pattern: str) -> None:
        self._page = page
        self._answers: list[tuple[Route, APIResponse]] = []
        page.route(pattern, self._hold)

    def _hold(self, route: Route) -> None:
        if self._answers:
            route.continue_()
        else:
            self._answers.append((route, route.fetch()))

    def wait(self) -> None:
        until(lambda: self._page.wait_for_timeout(20) or self._answers)

    def release(self) -> None:
        [(route, answer)] = self._answers
        with self._page.expect_request_finished(lambda request: request == route.request):
            route.fulfill(response=answer)
        self._page.evaluate("() => fetch('api/page').then((later) => later.text())")


def test_a_list_in_use_is_not_replaced_by_an_answer_that_was_on_its_way(stage, open_page):
    play(stage, 40)
    page = open_page(f"{stage.server.url}ask")
    mail = page.locator("#ask-mails .mail").nth(1)
    mail.wait_for()
    subjects = page.locator("#ask-mails .subject")
    old = subjects.all_inner_texts()
    for number in range(3):
        stage.mail(f"new{number}", f"new mail {number}", "entirely new words winner minutes")
    stage.reconcile()
    held = Held(page, "**/api/ask")
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 11_000; }")
    held.wait()
    mail.hover()
    held.release()
    assert subjects.all_inner_texts() == old
    page.get_by_role("button", name="Ask for the next ones").click()
    expect(subjects.filter(has_text="new mail 0")).to_have_count(1)


def doubtful_mail(stage, open_page) -> tuple[Page, Locator]:
    """The page with a mail that has no label, and the mail's row."""
    play(stage, 40)
    stage.mail("doubtful", "could be both", "winner money offer minutes lunch project")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    return page, page.locator("#mails .mail", has_text="could be both")


def label_on_page(stage, row: Locator, label: str) -> None:
    """Click a label, and wait until it is on the log."""
    row.get_by_role("button", name=f"This mail is {label}").click()
    until(lambda: row.page.wait_for_timeout(20) or final_labels(stage.log).get("doubtful") == label)


def monitor_reads(stage) -> None:
    """The worker learns nothing meanwhile."""
    while stage.monitor.step(timeout_s=0.0):
        pass
    stage.monitor.publish(curves=False)


def test_a_score_that_arrives_late_does_not_bring_back_the_label_before(stage, open_page):
    page, row = doubtful_mail(stage, open_page)
    held = Held(page, "**/api/score*")
    label_on_page(stage, row, "spam")
    stage.reconcile()
    held.wait()
    stage.label("doubtful", "ham", "ben")
    stage.reconcile()
    expect(row).to_contain_text("ham by ben, learned")
    held.release()
    page.evaluate(NEXT_FRAME)
    assert "ham by ben, learned" in row.inner_text()


def test_a_label_on_its_way_stays_shown_when_the_one_before_is_learned(stage, open_page):
    page, row = doubtful_mail(stage, open_page)
    label_on_page(stage, row, "spam")
    monitor_reads(stage)
    expect(row).to_contain_text("spam by tester, not learned yet")
    while stage.worker.step():
        pass
    held = Held(page, "**/api/search*")
    label_on_page(stage, row, "ham")
    held.wait()
    stage.monitor.publish(curves=False)  # before it reads that label
    wait_until(page, f"import('/static/store.js').then(({{ store }}) => {LEARNED})")
    expect(row).to_contain_text("ham: sending…")
    held.release()
    expect(row).to_contain_text("ham by tester, not learned yet")


def quality(stage, open_page) -> Page:
    play(stage, 60)
    page = open_page(f"{stage.server.url}quality")
    expect(page.locator("#policy-unsure")).to_be_enabled()
    return page


def test_a_policy_that_was_read_before_a_change_does_not_replace_the_changed_one(stage, open_page):
    page = quality(stage, open_page)
    held = Held(page, "**/api/policy")
    page.evaluate(
        "() => { const now = Date.now; Date.now = () => now() + 11_000; dispatchEvent(new Event('popstate')); }"
    )
    held.wait()
    page.locator("#policy-unsure").fill("2")
    page.get_by_role("button", name="Apply to new mail").click()
    in_force = page.locator("#policy-in-force")
    expect(in_force).to_contain_text("unsure within 2")
    held.release()
    assert "unsure within 2" in in_force.inner_text()


def test_a_policy_proposed_while_another_is_applied_stays_proposed(stage, open_page):
    page = quality(stage, open_page)
    page.locator("#policy-unsure").fill("2")
    held = Held(page, "**/api/policy")
    page.get_by_role("button", name="Apply to new mail").click()
    held.wait()
    page.locator("#policy-unsure").fill("3")
    held.release()
    expect(page.locator("#policy-in-force")).to_contain_text("unsure within 2")
    expect(page.locator("#policy-unsure")).to_have_value("3")
    expect(page.get_by_role("button", name="Apply to new mail")).to_be_enabled()


def test_a_change_of_the_policy_by_somebody_else_is_not_undone_before_it_is_shown(stage, open_page):
    page = quality(stage, open_page)
    page.locator("#policy-unsure").fill("1")
    page.get_by_role("button", name="Apply to new mail").click()
    in_force = page.locator("#policy-in-force")
    expect(in_force).to_contain_text("unsure within 1, by tester")
    PolicyEditor(stage.log, stage.settings.learner).change(PolicyValues(unsure=3.0), "ben")
    page.get_by_role("button", name="Undo this change").click()
    page.get_by_text("Not changed: the policy was changed again meanwhile").wait_for()
    expect(in_force).to_contain_text("unsure within 3, by ben")
    page.get_by_role("button", name="Undo this change").click()
    expect(in_force).to_contain_text("unsure within 1, by tester")
    page.complaints.clear()  # the browser reports the refusal


def test_a_double_click_undoes_a_change_of_the_policy_once(stage, open_page):
    page = quality(stage, open_page)
    page.locator("#policy-unsure").fill("1")
    page.get_by_role("button", name="Apply to new mail").click()
    undo, in_force = page.get_by_role("button", name="Undo this change"), page.locator("#policy-in-force")
    undo.hover()
    page.mouse.down()
    page.mouse.up()
    expect(in_force).not_to_contain_text("unsure within 1")
    page.mouse.down(click_count=2)
    page.mouse.up(click_count=2)
    page.evaluate(NEXT_FRAME)
    expect(undo).to_be_enabled()
    assert [change.policy for change in PolicyEditor(stage.log, stage.settings.learner).state().changes] == [
        None,
        PolicyValues(unsure=1.0),
    ]


def test_an_explanation_shows_the_label_that_came_while_it_was_on_its_way(stage, open_page):
    page, row = doubtful_mail(stage, open_page)
    held = Held(page, "**/api/why*")
    row.locator(".subject").click()
    held.wait()
    stage.label("doubtful", "ham")
    monitor_reads(stage)
    expect(row).to_contain_text("ham by people, not learned yet")
    held.release()
    page.locator("#why-sum").wait_for()
    expect(page.locator("#why-body .given")).to_contain_text("ham by people, not learned yet")


def test_an_explanation_that_is_asked_for_again_shows_the_label_that_came_meanwhile(stage, open_page):
    page, row = doubtful_mail(stage, open_page)
    page.route("**/api/why*", lambda route: route.abort())
    row.locator(".subject").click()
    expect(page.locator("#why-body")).to_have_text("The dashboard does not answer.")
    stage.label("doubtful", "ham")
    monitor_reads(stage)
    expect(row).to_contain_text("ham by people, not learned yet")
    page.unroute("**/api/why*")
    page.locator("#why-sum").wait_for()
    expect(page.locator("#why-body .given")).to_contain_text("ham by people, not learned yet")
    page.complaints.clear()  # the browser reports the lost connection
