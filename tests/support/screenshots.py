"""Pictures of the dashboard: `make screenshots` writes them to `docs/pages/`.

Every page with six classes, 1280 and 390 pixels wide, in both themes, with the real stages on a log in memory. The
overview, which README.md shows, is pictured in full length. pngquant reduces the files to a third of their size.
"""

from __future__ import annotations

import argparse
import shutil
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

from consumers.dashboard.page import PAGES
from tests.support.browser import ARGUMENTS
from tests.support.page_mails import CLASSES, play_classes, play_features
from tests.support.page_stage import Stage, settings_of

FOLDER = Path(__file__).parents[2] / "docs" / "pages"
HEIGHTS = {1280: 900, 390: 1_200}
MAILS = 500
MESSAGES = 300
HALF_HOUR_S = 1_790.0
COLOURS = 64
ADDRESSES = {"overview": "", "words": "words?word=invoice"}
READY = {
    "overview": "#tiles .tile",
    "mail": "#mails .mail",
    "ask": "#ask-mails .mail",
    "quality": "#roc svg",
    "words": "#word-answer .found",
    "features": "#feature-cards svg",
    "sources": "#source-table tbody tr",
    "operations": "#processes tbody th",
}


class HalfHour(Stage):
    """A stage on which the mails arrive evenly over the past half hour."""

    def __init__(self) -> None:
        self._ago = HALF_HOUR_S
        super().__init__(settings_of(), clock=lambda: time.time() - self._ago)

    def mail(self, *arguments: str, **named: str) -> None:
        self._wait()
        super().mail(*arguments, **named)

    def features(self, *arguments: Any) -> None:
        self._wait()
        super().features(*arguments)

    def _wait(self) -> None:
        for _ in range(4):  # a step may only read, or only process, depending on what is known of the other topic
            self.worker.step(timeout_s=0.0)
            self.monitor.step(timeout_s=0.0)
        self._ago = max(0.0, self._ago - HALF_HOUR_S / (MAILS + MESSAGES))


def main() -> None:
    """Fill a stage, open each page and write its pictures."""
    from playwright.sync_api import sync_playwright

    argparse.ArgumentParser(description=__doc__.splitlines()[0]).parse_args()
    chromium = shutil.which("chromium") or shutil.which("google-chrome")
    if chromium is None or shutil.which("pngquant") is None:
        sys.exit("Chromium or pngquant is missing: apt-get install chromium pngquant")
    FOLDER.mkdir(exist_ok=True)
    stage = HalfHour()
    try:
        play_features(stage, MESSAGES, tuple(CLASSES), CLASSES)
        play_classes(stage, MAILS)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium, args=list(ARGUMENTS))
            for width, height in HEIGHTS.items():
                page = browser.new_page(viewport={"width": width, "height": height})
                for name in PAGES:
                    stage.beat(young_s=0.0)
                    page.goto(f"{stage.server.url}{ADDRESSES.get(name, name)}")
                    _prepare(page, name)
                    for scheme in ("light", "dark"):
                        page.emulate_media(color_scheme=scheme)
                        _write(FOLDER / f"{name}-{width}-{scheme}.png", page.screenshot(full_page=name == "overview"))
            browser.close()
    finally:
        stage.close()


def _prepare(page: Any, name: str) -> None:
    """Wait until a page shows its data; on the page of mails, open an explanation."""
    page.locator('#health [data-part="worker"][data-kind="live"]').wait_for()
    page.locator(READY[name]).first.wait_for()
    if name == "mail":
        page.locator(".mail .subject").first.click()
        page.wait_for_selector("#why-sum")
        page.evaluate("scrollTo(0, 0)")
    page.mouse.move(0, 0)


def _write(path: Path, png: bytes) -> None:
    smaller = subprocess.run(
        ["pngquant", "--speed", "1", str(COLOURS), "-"], input=png, capture_output=True, check=True
    )
    path.write_bytes(smaller.stdout)
    print(f"{path.name}: {len(smaller.stdout) // 1024} kB")


if __name__ == "__main__":
    main()
