"""Requests that are never answered, because a router or a firewall has forgotten the connection."""

from __future__ import annotations

from tests.support.waiting import until


def test_a_state_that_does_not_arrive_is_asked_for_again(stage, open_page):
    stage.beat()
    page = open_page(stage.server.url)
    live = page.locator('.status[data-kind="live"]')
    live.wait_for()
    held = []
    page.route("**/api/state", lambda route: route.continue_() if held else held.append(route))
    page.clock.install()
    page.reload()
    until(lambda: page.wait_for_timeout(50) or held)
    page.clock.fast_forward(31_000)
    live.wait_for()
