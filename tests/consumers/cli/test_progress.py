"""The estimated time left in a progress bar."""

from __future__ import annotations

from types import SimpleNamespace

import click

from consumers.cli import progress
from consumers.cli.progress import progress_bar


def test_time_before_the_first_step_does_not_count_towards_the_time_left(monkeypatch):
    bars, make_bar, now = [], click.progressbar, 1000.0

    def made(**options):
        bars.append(make_bar(**options))
        return bars[0]

    monkeypatch.setattr(progress, "can_redraw", lambda: True)
    monkeypatch.setattr(click, "progressbar", made)
    clock = SimpleNamespace(time=lambda: now, monotonic=lambda: now)
    for module in ("consumers.cli.progress", "click._termui_impl"):  # other threads keep the real clock
        monkeypatch.setattr(f"{module}.time", clock)
    with progress_bar(100) as advance:
        now += 60.0
        advance(1)
        assert not bars[0].eta_known
        for done in range(10, 60, 10):
            now += 2.0
            advance(done)
        assert 5.0 < bars[0].eta < 20.0
