"""Mails older than those in the page's list are found, and can be labelled."""

from __future__ import annotations

from urllib.parse import parse_qs, urlsplit

import pytest
from playwright.sync_api import expect

from consumers.monitor.topic import MAX_MAILS
from consumers.records.replay import final_labels, read_predictions
from tests.support import plain_http


def test_an_old_mail_is_found_on_the_page_labelled_and_learned(stage, open_page):
    stage.mail("old", "the needle", "rare words")
    for number in range(MAX_MAILS + 10):
        stage.mail(f"m{number}", f"hay {number}", "hay")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail").first.wait_for()
    page.fill("#search", "needle")
    expect(page.locator("#found")).to_contain_text("Found 1 of 2,011 mails")
    row = page.locator(".mail", has_text="the needle")
    row.get_by_role("button", name="This mail is spam").click()
    stage.settle_until(lambda: final_labels(stage.log).get("old") == "spam")
    row.get_by_text("✓ spam by tester, learned").wait_for()


@pytest.mark.parametrize("text", ["lunch meeting", "old-1", "people minutes"])
def test_search_results_of_the_server_are_listed(stage, open_page, text):
    stage.mail("old-1", "minutes of the meeting, and lunch")
    stage.mail("old-2", "something else")
    stage.label("old-1", "ham")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    page.locator(".mail").nth(1).wait_for()
    page.fill("#search", text)
    expect(page.locator("#found")).to_contain_text("Found 1 of 2 mails")
    expect(page.locator(".mail .subject")).to_have_text(["minutes of the meeting, and lunch"])


def test_errors_older_than_the_list_are_listed(stage, open_page):
    stage.mail("first", "offer", "casino")
    stage.mail("second", "agenda", "meeting")
    stage.label("first", "spam")
    stage.label("second", "ham")
    stage.reconcile()
    for number in range(MAX_MAILS + 150):
        stage.mail(f"m{number}", f"hay {number}", "meeting")
    stage.reconcile()
    wrong = 132  # including the first two, which were scored before any class was known
    for _, prediction in list(read_predictions(stage.log))[2:wrong]:
        stage.label(prediction.id, "ham" if prediction.label == "spam" else "spam", source="ann")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail?show=errors")
    expect(page.locator("#found")).to_contain_text(f"Found {wrong} of 2,152 mails")
    while page.locator("#more").is_visible():
        page.locator("#more").click()
        page.wait_for_selector("body:not(.busy)")
    expect(page.locator(".mail")).to_have_count(wrong)


def test_older_mails_are_found_although_many_matching_ones_have_come_meanwhile(stage, open_page):
    """The server's pages then begin with mails that it has sent before."""
    stage.mail("m", "the needle")
    stage.reconcile()
    answer = plain_http.get(f"{stage.server.url}api/search").json()
    (row,) = answer["rows"]
    places = list(range(1_000, 1_300))

    def search(route) -> None:
        skip = int(parse_qs(urlsplit(route.request.url).query)["skip"][0])
        rows = [row | {"id": f"m{n}", "place": {"partition": 0, "offset": n}} for n in places[skip : skip + 100]]
        route.fulfill(json=answer | {"found": len(places), "rows": rows})
        if not skip:
            places[:0] = range(2_000, 2_100)

    page = open_page(f"{stage.server.url}mail")
    page.route("**/api/search*", search)
    page.fill("#search", "needle")
    expect(page.locator("#found")).to_contain_text("Found 300")
    for shown in range(80, 320, 40):
        page.locator("#more").click()
        expect(page.locator(".mail")).to_have_count(min(shown, 301))
    page.locator("#more").click()
    expect(page.locator("#more")).to_be_hidden()
    expect(page.locator(".mail")).to_have_count(301)


def test_a_mail_named_in_the_address_is_found_although_many_ids_contain_its_id(stage, open_page):
    stage.mail("7", "the needle", "rare words")
    for number in range(70, 80 + MAX_MAILS):
        stage.mail(f"{number}7", f"hay {number}", "hay")
    stage.reconcile()
    places = {row["id"]: row["place"] for row in plain_http.get(f"{stage.server.url}api/search?id=7").json()["rows"]}
    page = open_page(f"{stage.server.url}mail?mail={places['7']['partition']}/{places['7']['offset']}&id=7")
    expect(page.locator("#why-body")).to_contain_text("the needle")


def test_a_search_shows_the_label_that_a_mail_opened_before_got_meanwhile(stage, open_page):
    stage.mail("old", "the needle", "rare words")
    for number in range(MAX_MAILS + 10):
        stage.mail(f"m{number}", f"hay {number}", "hay")
    stage.reconcile()
    place = plain_http.get(f"{stage.server.url}api/search?id=old").json()["rows"][0]["place"]
    page = open_page(f"{stage.server.url}mail?mail={place['partition']}/{place['offset']}&id=old")
    expect(page.locator(".why-subject")).to_have_text("the needle")
    stage.label("old", "spam", "ben")
    stage.reconcile()
    page.fill("#search", "needle")
    expect(page.locator("#found")).to_contain_text("Found 1 of")
    expect(page.locator(".mail", has_text="the needle")).to_contain_text("✓ spam by ben, learned")


def test_a_mail_that_is_no_longer_pushed_is_shown_as_learned(stage, open_page):
    stage.mail("old", "the needle", "rare words")
    stage.reconcile()
    page = open_page(f"{stage.server.url}mail")
    row = page.locator(".mail", has_text="the needle")
    row.wait_for()
    for number in range(MAX_MAILS + 10):
        stage.mail(f"m{number}", f"hay {number}", "hay")
    stage.settle_until(lambda: stage.monitor.state.mails == MAX_MAILS + 11)
    row.get_by_role("button", name="This mail is spam").click()
    row.get_by_text("spam by tester, not learned yet").wait_for()
    stage.settle_until(lambda: final_labels(stage.log).get("old") == "spam")
    row.get_by_text("✓ spam by tester, learned").wait_for()


def test_an_answer_from_before_a_label_was_learned_does_not_hide_that_it_is(stage, open_page):
    stage.mail("m", "the needle")
    stage.reconcile()
    page, held = open_page(f"{stage.server.url}mail"), []
    page.route("**/api/search?id=m", lambda route: held.append(route))
    row = page.locator(".mail", has_text="the needle")
    row.get_by_role("button", name="This mail is spam").click()
    while not held:
        page.wait_for_timeout(10)
    answer = held[0].fetch().json()
    assert answer["rows"][0]["learned_label"] is None
    stage.settle_until(lambda: final_labels(stage.log).get("m") == "spam")
    row.get_by_text("✓ spam by tester, learned").wait_for()

    held[0].fulfill(json=answer)
    page.evaluate("() => new Promise((resolve) => setTimeout(resolve, 200))")  # as a failure would show
    expect(row.get_by_text("✓ spam by tester, learned")).to_be_visible()


def test_the_policy_preview_covers_labelled_mails_older_than_the_list(stage):
    for number in range(20):
        stage.mail(f"m{number}", f"mail {number}", ("casino", "meeting")[number % 2])
        stage.label(f"m{number}", ("spam", "ham")[number % 2])
        stage.reconcile()
    for number in range(MAX_MAILS):
        stage.mail(f"new{number}", f"hay {number}", "meeting")
    stage.reconcile()
    preview = plain_http.get(f"{stage.server.url}api/policy/preview", params={"threshold": 9.0}).json()
    assert preview["mails"] == 20
    assert preview["after"]["confusion"]["spam"]["ham"] > preview["before"]["confusion"]["spam"].get("ham", 0)
