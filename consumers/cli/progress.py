"""How far long work is: on a terminal a line that moves, elsewhere nothing, or one line that stands."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import click


@contextmanager
def progress_bar(what: str, total: int | None) -> Iterator[Callable[[int], None]]:
    """Yields a function to call with the number done so far; `total` None says that it is not known."""
    if not sys.stderr.isatty():
        yield lambda done: None
        return
    with click.progressbar(length=total or 1, label=what, file=sys.stderr, show_pos=True) as bar:
        shown = 0

        def advance(done: int) -> None:
            nonlocal shown
            if total is None:
                bar.length = done + 1
            bar.update(done - shown)
            shown = done

        yield advance
