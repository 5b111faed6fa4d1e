"""The commands in README and docs run in a shell exactly as printed, on a small generated mailbox."""

from __future__ import annotations

import os
import re
import shlex
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from consumers.cli.demo_run import caught_up
from consumers.ingest.synthetic import synthetic_mails
from consumers.log import open_log
from consumers.settings import Settings, load_settings
from stream_nb.mail import message_id
from tests.support.ports import free_ports

ROOT = Path(__file__).parents[2]
PATIENCE_S = 300.0
MAILS = 80
FOLLOWING = ("worker", "monitor", "dashboard", "filter", "silence", "combiner", "feed ~/Maildir --follow")
"""Commands that run until Ctrl-C."""
ONLY_PARSED = {
    "make ": "sets up .venv; the demo and the tests are run by their own tests",
    "eval ": "completion is the interactive shell's",
    "env _STREAM": "completion is the interactive shell's",
    "stream-nb study all": "minutes; each study has a test",
    "STREAM_NB_IMAP_PASSWORD": "needs an IMAP server: tests/consumers/mailbox",
    "stream-nb feed imap://": "needs an IMAP server: tests/consumers/mailbox",
    "model.snb": "moves a model to Kafka: tests/consumers/model/test_files.py saves and loads one",
    "stream-nb feed sqlite:": "needs Kafka: tests/consumers/ingest/test_log_mails.py feeds one log to another",
    "stream-nb topics": "needs Kafka: tests/flow runs these commands on it",
    "stream-nb worker --log kafka": "needs Kafka: tests/flow runs these commands on it",
    "stream-nb monitor --log kafka": "needs Kafka: tests/flow runs these commands on it",
    "stream-nb dashboard --log kafka": "needs Kafka: tests/flow runs these commands on it",
    "rspamc": "needs rspamd's client: tests/consumers/filter",
}
"""A part of each command that is not run here -> the reason."""

README = (ROOT / "README.md").read_text("utf-8")
SECTIONS = {
    "How it works": README.split("## How it works")[1].split("\n## ")[0],
    "I have a mailbox": README.split("## I have a mailbox")[1].split("\n## ")[0],
    "I have a mail server": README.split("## I have a mail server")[1].split("\n## ")[0],
    "I have Kafka": README.split("## I have Kafka")[1].split("\n## ")[0],
    "One mailbox, no server": (ROOT / "docs/filter.md").read_text("utf-8").split("## One mailbox, no server")[1],
    "Mailboxes": (ROOT / "docs/mailbox.md").read_text("utf-8"),
}


def commands(text: str) -> list[str]:
    """The lines of indented blocks that are commands."""
    lines = re.findall(r"^    (\S.*)$", text, re.MULTILINE)
    return [line for line in lines if re.match(r"(\w+=\S+ )?(stream-nb|make|eval|env|rspamc) ", line)]


def reason_not_to_run(line: str) -> str | None:
    return next((reason for part, reason in ONLY_PARSED.items() if part in line), None)


class Shell:
    """A home folder with mail, in which commands run; `stop` ends those that run until Ctrl-C."""

    def __init__(self, home: Path) -> None:
        self.home = home
        items = list(synthetic_mails(MAILS, seed=6))
        for number, item in enumerate(items):
            for folder in (f"path/to/mail/{item.label}", f"Mail/{'Junk' if item.label == 'spam' else 'Inbox'}/cur"):
                (home / folder).mkdir(parents=True, exist_ok=True)
                (home / folder / f"{number}.eml").write_bytes(item.value)
        for part in ("cur", "new", "tmp"):
            for folder in ("Maildir", "Mail/Junk", "Mail/Inbox"):
                (home / folder / part).mkdir(parents=True, exist_ok=True)
        spam = next(item for item in items if item.label == "spam")
        self.message_id = message_id(spam.value)
        (home / "mail.eml").write_bytes(spam.value)
        escaped = spam.value.replace(b"\nFrom ", b"\n>From ")
        (home / "junk.mbox").write_bytes(b"From a@b Thu Jan  1 00:00:00 2026\n" + escaped)
        (home / "bin").mkdir()
        program = f'#!/bin/sh\nexec {shlex.quote(sys.executable)} -m consumers "$@"\n'
        (home / "bin" / "stream-nb").write_text(program)
        (home / "bin" / "stream-nb").chmod(0o755)
        # Commands that query the filter find it by its port, and wait long enough on a busy machine.
        (port,) = free_ports(1)
        ports = {"STREAM_NB_MONITOR_PORT": "0", "STREAM_NB_DASHBOARD_PORT": "0", "STREAM_NB_FILTER_PORT": str(port)}
        ports["STREAM_NB_FILTER_DEADLINE_S"] = str(PATIENCE_S)
        path = f"{home / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self._environment = os.environ | ports | {"HOME": str(home), "PATH": path, "PYTHONPATH": str(ROOT)}
        self._started: list[tuple[str, subprocess.Popen[str]]] = []

    def run(self, line: str) -> None:
        """Run a line, with its placeholders filled in; a command that runs until Ctrl-C is only started."""
        filled = line.replace("MESSAGE_ID", f"'{self.message_id}'").replace("NAME", "feed").replace("FOLDER", "copy")
        filled = filled.replace(" PATH ", " path/to/mail ")
        command = ["bash", "-c", filled]
        if any(f"stream-nb {what}" in line for what in FOLLOWING):
            self._start(line, ["bash", "-c", f"exec {filled}"])
            return
        done = subprocess.run(
            command,
            cwd=self.home,
            env=self._environment,
            capture_output=True,
            text=True,
            timeout=PATIENCE_S,
            check=False,
        )
        assert done.returncode == 0, f"{filled}: {done.stdout}{done.stderr}"
        assert "Traceback" not in done.stderr, done.stderr

    def _start(self, line: str, command: list[str]) -> None:
        process = subprocess.Popen(command, cwd=self.home, env=self._environment, stderr=subprocess.PIPE, text=True)
        self._started.append((line, process))
        assert process.stderr is not None
        assert any("Ctrl-C stops" in said for said in process.stderr), line
        if "worker" in line and (self.home / "var" / "log").exists():
            settings = load_settings(None, {"STREAM_NB_LOG": f"sqlite:{self.home}/var/log"})
            self._wait_until_caught_up(settings)

    def _wait_until_caught_up(self, settings: Settings) -> None:
        deadline = time.monotonic() + PATIENCE_S
        with open_log(settings) as log:
            while not caught_up(log, settings):
                assert time.monotonic() < deadline
                time.sleep(0.2)

    def stop(self) -> None:
        """Send Ctrl-C to all started commands; they must end without a traceback."""
        for _, process in self._started:
            process.send_signal(signal.SIGINT)
        for line, process in self._started:
            _, errors = process.communicate(timeout=PATIENCE_S)
            assert process.returncode in (0, 130), f"{line}: {process.returncode}: {errors}"
            assert "Traceback" not in errors, f"{line}: {errors}"
        self._started.clear()


@pytest.fixture
def shell(tmp_path) -> Iterator[Shell]:
    one = Shell(tmp_path)
    yield one
    one.stop()


@pytest.mark.timeout(1_800)
@pytest.mark.parametrize("section", SECTIONS)
def test_the_commands_run_as_printed_in_order(section, shell):
    for line in commands(SECTIONS[section]):
        if reason_not_to_run(line) is None:
            shell.run(line)
    shell.stop()


def test_every_printed_command_is_tested_and_every_reason_applies():
    printed = [line for line in commands(README) if not line.startswith("make ")]
    tested = [line for section in SECTIONS.values() for line in commands(section)]
    assert [line for line in printed if line not in tested] == []
    assert [part for part in ONLY_PARSED if not any(part in line for line in [*tested, *printed, "make "])] == []
