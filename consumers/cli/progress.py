"""Progress of long work: on a terminal a line that is updated, elsewhere nothing or plain lines."""

from __future__ import annotations

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

import click


@contextmanager
def progress_bar(what: str, total: int | None) -> Generator[Callable[[int], None], None, None]:
    """Yield a function to be called with the number done so far.

    `what` is shown before the bar; `total` is the number at the end, None where it is not known.
    """
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
