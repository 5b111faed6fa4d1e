"""Fixtures for tests in real Chromium; a conftest imports them."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import pytest

from tests.support.waiting import until

if TYPE_CHECKING:
    from playwright.sync_api import Page

# The engine alone opens a page in two fifths of the CPU time that the whole browser takes.
PROGRAMS = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome")
ARGUMENTS = (
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--no-first-run",
)
WAIT_S = 120.0


@pytest.fixture(scope="session")
def chromium():
    path = next(filter(None, map(shutil.which, PROGRAMS)), None)
    if path is None:
        missing = "Chromium is missing (apt-get install chromium-headless-shell)"
        if os.environ.get("CI") == "true":
            pytest.fail(missing)
        pytest.skip(f"{missing}: the page was not tested in a browser")
    from playwright.sync_api import expect, sync_playwright

    expect.set_options(timeout=WAIT_S * 1000)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=list(ARGUMENTS))
        yield browser
        browser.close()


@pytest.fixture
def open_page(chromium) -> Iterator[Callable]:
    """A function that opens a page; the test fails if the page logs an error or sends a request to another host."""
    contexts = []
    complaints: list[str] = []

    def opened(url: str, **options: object):
        context = chromium.new_context(**options)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(WAIT_S * 1000)
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
        host = url.split("/")[2]
        page.on(
            "request", lambda request: None if request.url.split("/")[2] == host else complaints.append(request.url)
        )
        page.goto(url)
        page.complaints = complaints
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def wait_until(page: Page, expression: str, argument: object = None) -> None:
    """Wait until a JavaScript expression, or a function of `argument`, is true.

    Unlike `Page.wait_for_function`, whose second and later looks are an `eval` that the page's CSP forbids.
    """
    until(lambda: page.evaluate(expression, argument))
