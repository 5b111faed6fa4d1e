"""A question that the dashboard or the log did not answer is asked again when they answer, without a click."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.support import plain_http
from tests.support.browser import wait_until
from tests.support.page_mails import play, play_features
from tests.support.waiting import until


@pytest.fixture
def played(stage):
    play(stage, 40)
    stage.mail("m", "cheap lunch offer", "cheap meeting offer")
    stage.reconcile()
    stage.wait_for_mail("m")
    return stage


def test_an_explanation_is_asked_for_again(played, open_page):
    page = open_page(f"{played.server.url}mail")
    row = page.locator(".mail", has_text="cheap lunch offer")
    row.wait_for()
    played.close()
    row.locator(".subject").click()
    expect(page.locator("#why-body")).to_have_text("The dashboard does not answer.")
    played.restart_server()
    page.locator("#why-sum").wait_for()
    page.complaints.clear()  # the browser reports the lost connection


def test_an_explanation_that_the_log_held_up_is_asked_for_again(played, open_page):
    page = open_page(f"{played.server.url}mail")
    row = page.locator(".mail", has_text="cheap lunch offer")
    row.wait_for()
    kept = dict(played.topics.specs)
    played.topics.specs.clear()  # every request about a topic now fails
    row.locator(".subject").click()
    expect(page.locator("#why-body .empty")).not_to_have_text("Asking the model…")
    expect(page.locator("#why-sum")).to_have_count(0)
    played.topics.specs.update(kept)
    page.locator("#why-sum").wait_for()
    page.complaints.clear()  # the browser reports the status of the answer


def test_a_word_its_lists_and_its_lessons_are_asked_for_again(played, open_page):
    page = open_page(f"{played.server.url}words?word=offer")
    page.locator("#word-answer summary").first.wait_for()
    page.locator("#word-lists a").first.wait_for()
    played.close()
    page.locator("#word-answer summary").first.click()
    expect(page.locator("#word-answer .lessons .empty").first).to_have_text("The dashboard does not answer.")
    played.restart_server()
    page.locator("#word-answer .lessons table").first.wait_for()
    played.close()
    page.fill("#word", "lunch")
    page.press("#word", "Enter")
    expect(page.locator("#word-answer")).to_have_text("The dashboard does not answer.")
    played.restart_server()
    page.locator("#word-answer .found").first.wait_for()
    page.complaints.clear()  # the browser reports the lost connection


@pytest.mark.parametrize(
    ("name", "figure"), [("words", "#word-lists tbody a"), ("features", "#feature-cards tbody td")]
)
def test_the_lists_stay_while_an_answer_is_lost(played, open_page, name, figure):
    play_features(played, 20)
    page, lost = open_page(f"{played.server.url}{name}"), []
    page.locator(figure).first.wait_for()
    before = page.locator(figure).count()
    page.route(f"**/api/{name}", lambda route: lost.append(route) or route.abort())
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 21_000; }")
    until(lambda: page.wait_for_timeout(20) or lost)
    wait_until(page, "document.body.matches(':not(.busy)')")
    assert page.locator(figure).count() == before
    page.complaints.clear()  # the browser reports the lost answer


def test_the_mails_to_label_stay_while_an_answer_is_lost(played, open_page):
    page = open_page(f"{played.server.url}ask")
    page.locator("#ask-mails .mail").first.wait_for()
    gain = page.locator("#ask-gain").inner_text()
    page.route("**/api/ask", lambda route: route.abort())
    with page.expect_event("requestfailed"):
        page.get_by_role("button", name="Ask for the next ones").click()
    wait_until(page, "document.body.matches(':not(.busy)')")
    expect(page.locator("#ask-gain")).to_have_text(gain)
    expect(page.locator("#no-ask")).to_be_hidden()
    page.unroute("**/api/ask")
    page.get_by_role("button", name="Ask for the next ones").click()
    expect(page.locator("#ask-gain")).to_have_text(gain)
    page.complaints.clear()  # the browser reports the lost answer


def test_older_mail_is_searched_again(played, open_page):
    page = open_page(f"{played.server.url}mail")
    page.locator(".mail").first.wait_for()
    played.close()
    page.fill("#search", "lunch")
    expect(page.locator("#found")).to_have_text("Older mail was not searched: The dashboard does not answer.")
    played.restart_server()
    expect(page.locator("#found")).to_contain_text("of 41 mails remembered")
    page.complaints.clear()  # the browser reports the lost connection


def test_a_mail_that_is_no_longer_remembered_is_said_to_be(played, open_page):
    page = open_page(f"{played.server.url}mail?mail=1/123456&id=gone")
    expect(page.locator("#why-body")).to_have_text("This mail is no longer remembered.")


def test_an_address_of_a_mail_of_another_log_explains_no_other_mail(played, open_page):
    row = plain_http.get(f"{played.server.url}api/state").json()["changes"]["mails"][0]
    place = f"{row['place']['partition']}/{row['place']['offset']}"
    page = open_page(f"{played.server.url}mail?mail={place}&id=another")
    expect(page.locator("#why-body")).to_have_text("This mail is no longer remembered.")
    page.goto(f"{played.server.url}mail?mail={place}&id={row['id']}")
    expect(page.locator(".why-subject")).to_have_text(row["subject"])


def test_the_address_of_an_explained_mail_names_its_id(played, open_page):
    page = open_page(f"{played.server.url}mail")
    page.locator(".mail", has_text="cheap lunch offer").locator(".subject").click()
    page.locator("#why-sum").wait_for()
    assert "&id=m" in page.url


@pytest.mark.parametrize("name", ["ask", "words", "features", "policy"])
def test_nothing_is_asked_for_again_before_the_last_answer_came(played, open_page, name):
    """A log that does not answer for an hour would leave hundreds of requests, and every click behind them."""
    page, held = open_page(played.server.url), []
    page.locator("#tiles .tile").first.wait_for()
    page.route(f"**/api/{name}", lambda route: held.append(route))
    page.locator(f'nav [data-page="{"quality" if name == "policy" else name}"]').click()
    until(lambda: page.wait_for_timeout(20) or held)
    page.evaluate("() => { const now = Date.now; Date.now = () => now() + 25_000; }")
    page.wait_for_timeout(2_500)
    assert len(held) == 1
    held[0].fulfill(json={"error": "late"})
