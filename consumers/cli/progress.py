"""Progress of long work: a line that is updated on a terminal; elsewhere nothing, or plain lines."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import click

from ..runtime.log_lines import CLEAR_LINE

T = TypeVar("T")
REDRAW_S = 0.5
"""Seconds between updates. The bar estimates the time left from its last few steps, so longer steps make the estimate
steadier."""


def can_redraw() -> bool:
    """Whether stderr is a terminal on which a line can be redrawn."""
    return sys.stderr.isatty() and os.environ.get("TERM") != "dumb"


@contextmanager
def progress_bar(total: int | None) -> Generator[Callable[[int], None]]:
    """Yield a function to call with the number of mails so far; `total` is the final number, None if unknown."""
    if not can_redraw():
        yield lambda done: None
        return
    with click.progressbar(length=total or 1, label="mails", file=sys.stderr, show_pos=True) as bar:
        shown, drawn_at = 0, time.monotonic()

        def advance(done: int) -> None:
            nonlocal shown, drawn_at
            if done <= shown or (done != total and time.monotonic() - drawn_at < REDRAW_S):
                return
            if not shown:
                bar.start = bar.last_eta = time.time()  # leave the time before the first step out of the estimate
            if total is None:
                bar.length = done + 1
            bar.update(done - shown)
            shown, drawn_at = done, time.monotonic()

        yield advance


def with_progress(items: Iterable[T], total: int | None) -> Iterator[T]:
    """Yield `items`, which are mails, under a progress bar; `total` is as for `progress_bar`."""
    with progress_bar(total) as progress:
        for done, item in enumerate(items, 1):
            yield item
            progress(done)


@contextmanager
def status_line() -> Generator[Callable[[str], None]]:
    """Yield a function that shows a text in place of the previous one. If stderr is not a terminal, it prints only the
    part before the first colon, once."""
    printed: set[str] = set()

    def show(text: str) -> None:
        head = text.partition(":")[0]
        if can_redraw():
            click.echo(f"{CLEAR_LINE}{text}", nl=False, err=True)
        elif head not in printed:
            printed.add(head)
            click.echo(head, err=True)

    try:
        yield show
    finally:
        if can_redraw():
            click.echo(CLEAR_LINE, nl=False, err=True)
