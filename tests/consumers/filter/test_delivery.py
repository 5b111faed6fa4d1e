"""Procmail, maildrop and Exim deliver mail through `classify --passthrough`, as docs/filter.md describes."""

from __future__ import annotations

import configparser
import os
import re
import shutil
import sys
import textwrap
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import EXIM_MAIN, RunningFilter, fresh, program, run
from tests.support.postfix import open_folder

STREAM_NB = Path(sys.executable).with_name("stream-nb")
GUIDE = (Path(__file__).parents[3] / "docs" / "filter.md").read_text("utf-8")

EXIM = (
    EXIM_MAIN
    + """begin routers
all:
  driver = accept
  transport = box
begin transports
box:
  driver = appendfile
  file = {folder}/spool/box
  user = Debian-exim
  {transport_filter}
"""
)


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


def test_exim_writes_no_message_into_a_mail():
    offered = re.search(r"^    (transport_filter = .*)", GUIDE, re.MULTILINE)
    assert offered
    exim = program("exim4", "exim4-daemon-heavy", "/opt/exim4/usr/sbin")
    if os.getuid() != 0:
        pytest.skip("Exim takes a configuration of its own only from root")
    with open_folder("exim-") as folder:
        (folder / "spool").mkdir()
        shutil.chown(folder / "spool", "Debian-exim")
        stand_in = folder / "stream-nb"  # Exim's user may be unable to read the interpreter
        stand_in.write_text('#!/bin/sh\necho "stream-nb: the mail is passed on without a score" >&2\nexec cat\n')
        stand_in.chmod(0o755)
        transport_filter = offered[1].replace("/usr/local/bin/stream-nb", str(stand_in))
        (folder / "exim.conf").write_text(EXIM.format(exim=exim, folder=folder, transport_filter=transport_filter))
        mail = b"Subject: hello\n\nhi\n"

        run(exim, "-C", str(folder / "exim.conf"), "-odf", "-f", "ann@a.example", "bob@test.example", stdin=mail)

        kept, log = (folder / "spool" / "box").read_text(), (folder / "spool" / "log_main").read_text()
    assert kept.endswith("\n\nhi\n\n"), (kept, log)
    assert "stream-nb:" not in kept


def test_getmail_delivers_mail_although_the_command_says_something():
    offered = re.search(r"^    \[filter-stream-nb\]\n(?:    .*\n)+", GUIDE, re.MULTILINE)
    assert offered
    settings = configparser.ConfigParser()
    settings.read_string(textwrap.dedent(offered[0]))
    assert settings.getboolean("filter-stream-nb", "ignore_stderr")
