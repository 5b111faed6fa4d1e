"""The page while a proxy answers for a dashboard that is down, with a page of its own."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

ANSWERS = {
    "nginx": {"status": 502, "content_type": "text/html", "body": "<html><h1>502 Bad Gateway</h1></html>"},
    "Caddy": {"status": 502, "body": ""},
    "Traefik": {"status": 504, "content_type": "text/plain; charset=utf-8", "body": "Gateway Timeout"},
}


@pytest.mark.parametrize("proxy", ANSWERS)
def test_a_proxys_own_page_is_not_an_answer_of_the_dashboard(stage, open_page, proxy):
    stage.mail("m0", "hello")
    stage.reconcile()
    stage.beat()
    page = open_page(f"{stage.server.url}mail")
    page.locator('.status[data-kind="live"]').wait_for()
    asked = re.compile("/api/|/events")
    page.route(asked, lambda route: route.fulfill(**ANSWERS[proxy]))
    page.locator(".mail .subject").click()
    expect(page.locator("#why-body")).to_have_text("The dashboard does not answer.")
    page.locator(".mail").get_by_role("button", name="spam").first.click()
    expect(page.locator("#toast")).to_contain_text("the dashboard does not answer")
    stage.restart_server()
    expect(page.locator("#status")).to_have_text("The dashboard does not answer, trying again")
    page.unroute(asked)
    expect(page.locator("#why-body")).to_contain_text("hello")
    page.complaints.clear()  # the browser reports the lost connection and the answers
