"""The token on the page: what an address asks for is kept, and a token that no longer holds is named."""

from __future__ import annotations

import msgspec
from playwright.sync_api import expect

from tests.support import plain_http
from tests.support.page_mails import play


def test_an_address_with_a_token_keeps_what_else_it_asks_for(make_stage, open_page):
    stage = make_stage(token="correct horse")
    play(stage, 30)
    page = open_page(f"{stage.server.url}mail?show=errors&token=correct%20horse&q=a%26b%20c")
    expect(page.locator("#filters [aria-pressed=true]")).to_have_text("Errors")
    expect(page.locator("#search")).to_have_value("a&b c")
    assert "horse" not in page.url


def test_a_page_whose_token_was_changed_says_so(make_stage, open_page):
    stage = make_stage(token="old")
    play(stage, 30)
    page = open_page(f"{stage.server.url}?token=old")
    expect(page.locator('[data-part="dashboard"]')).to_contain_text("answers")
    changed = msgspec.structs.replace(stage.settings.dashboard, token="new")
    stage.settings = msgspec.structs.replace(stage.settings, dashboard=changed)
    stage.restart_server()
    expect(page.locator(".status")).to_contain_text("The dashboard refuses this page: This page needs a token")
    expect(page.locator('[data-part="dashboard"]')).to_have_text("Dashboard refuses this page")
    page.complaints.clear()  # the refusals are reported there


def test_a_wrong_token_is_called_wrong(make_stage):
    url = make_stage(token="correct horse").server.url
    assert plain_http.get(url).text.startswith("This page needs a token")
    assert plain_http.get(f"{url}?token=wrong").text.startswith("This token is not the dashboard's")


def test_two_dashboards_on_one_host_keep_their_sessions_apart(make_stage):
    """A browser keeps cookies by host, whatever the port."""
    tokens = {make_stage(token=token).server.url: token for token in ("one", "two")}
    cookies: dict[str, str] = {}
    for url, token in tokens.items():
        name, _, value = plain_http.get(f"{url}?token={token}").headers["set-cookie"].partition(";")[0].partition("=")
        cookies[name] = value
    headers = {"Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items())}
    assert [plain_http.get(url, headers=headers).status_code for url in tokens] == [200, 200]
