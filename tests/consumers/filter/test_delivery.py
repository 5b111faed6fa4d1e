"""Procmail and maildrop deliver mail through `classify --passthrough`, as docs/filter.md describes."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import RunningFilter, fresh, program, run

STREAM_NB = Path(sys.executable).with_name("stream-nb")


def deliver(agent: str, folder: Path, mail: bytes) -> str:
    """The mail as the agent delivered it. Settings are in a file because procmail clears the environment."""
    classify = f"{STREAM_NB} classify --passthrough --config {folder / 'settings.toml'}"
    box = folder / "box"
    recipe = folder / "recipe"
    if agent == "procmail":
        recipe.write_text(f"DEFAULT={box}\n:0fw\n| {classify}\n")
        run(program("procmail", "procmail"), "-m", str(recipe), stdin=mail)
    else:
        recipe.write_text(f'xfilter "{classify}"\nto "{box}"\n')
        recipe.chmod(0o600)
        run(program("maildrop", "maildrop"), str(recipe), stdin=mail)
    return box.read_text("utf-8", "replace")


@pytest.fixture(params=["procmail", "maildrop"])
def agent(request, tmp_path):
    """A function: delivers a mail through the filter on a port; returns the mail as delivered."""

    def send(port: int, mail: bytes) -> str:
        (tmp_path / "settings.toml").write_text(f"[filter]\nport = {port}\n")
        return deliver(request.param, tmp_path, mail)

    return send


def test_the_mail_is_delivered_with_header_fields(agent, mail_filter: RunningFilter):
    assert "X-Stream-NB: ham; probability=" in agent(mail_filter.port, fresh("ham").value)


def test_mail_is_delivered_unchanged_while_the_filter_is_down(agent, free_port):
    kept = agent(free_port, fresh("spam").value)

    assert "Subject:" in kept and "X-Stream-NB" not in kept
