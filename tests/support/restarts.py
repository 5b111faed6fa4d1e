"""Shows a test which processes its supervisor restarts."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from consumers.runtime.child import Child


def note_restarts(monkeypatch: pytest.MonkeyPatch, note: Callable[[int], object]) -> None:
    """Call `note` with the exit status of each process that will be restarted, before its end is logged."""
    should_log = Child.should_log

    def noting(child: Child, status: int) -> bool:
        note(status)
        return should_log(child, status)

    monkeypatch.setattr(Child, "should_log", noting)
