"""Starts filters on free ports, with a trained worker, and runs programs that ask them."""

from __future__ import annotations

import io
import itertools
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import msgspec
import pytest

from consumers.cli.main import main
from consumers.errors import Restart
from consumers.filter.server import FilterServer
from consumers.ingest.feeder import Feeder, Item
from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import Log
from consumers.records.replay import read_all
from consumers.records.schemas import LABELS, LabelRecord, decode_label
from consumers.records.setup import open_ready_log
from consumers.settings import FilterSettings, Settings
from consumers.worker.worker import Worker
from stream_nb import MailNB
from stream_nb.mail import message_id, read_mail
from tests.support.filter_client import PATIENCE_S
from tests.support.ports import free_ports
from tests.support.waiting import until

TRAINED_ON = 400
EXIM_MAIN = """
exim_path = {exim}
primary_hostname = mx.test.example
spool_directory = {folder}/spool
log_file_path = {folder}/spool/log_%s
tls_advertise_hosts =
keep_environment =
"""
"""The main settings of an Exim of its own; the rest of the configuration follows."""


class RunningFilter:
    """A filter and, with `trained`, a worker with a model, as threads of this process."""

    def __init__(self, settings: Settings, trained: bool) -> None:
        self.settings = settings
        self._stop = threading.Event()
        self._threads: list[threading.Thread] = []
        if trained:
            with self.open() as log:
                Feeder(log, delays=iter(lambda: 0, 1)).run(synthetic_mails(TRAINED_ON, seed=4))
            self._start(self._work)
            self.wait_for(lambda log: len(list(read_all(log, "predictions"))) >= TRAINED_ON)
        self._server = FilterServer(self.open, settings)
        self.port = self._server.port
        self.address = f"127.0.0.1:{self.port}"
        ready = threading.Event()
        self._start(lambda: self._server.run(self._stop, ready.set))
        assert ready.wait(PATIENCE_S)

    def open(self) -> Log:
        return open_ready_log(self.settings, notify=lambda text: None)

    def labels(self) -> list[LabelRecord]:
        """The labels on the log, without those of the training."""
        with self.open() as log:
            return [label for label in (decode_label(r.value) for r in read_all(log, LABELS)) if label.source != "feed"]

    def emails(self) -> dict[str, bytes]:
        """The mails on the log that the filter put there, by id."""
        with self.open() as log:
            found = {r.key.decode(): r.value for r in read_all(log, "emails")}
        return {key: value for key, value in found.items() if len(key) == 49 and key[32] == "."}

    def wait_for(self, there) -> None:
        """Wait until `there(log)` is true."""
        with self.open() as log:
            until(lambda: there(log))

    def close(self) -> None:
        self._stop.set()
        for thread in self._threads:
            thread.join(2 * PATIENCE_S)  # requests in progress are answered first, by their deadline
            assert not thread.is_alive()

    def _start(self, target) -> None:
        self._threads.append(threading.Thread(target=target))
        self._threads[-1].start()

    def _work(self) -> None:
        while not self._stop.is_set():
            try:
                with open_ready_log(self.settings, notify=lambda text: None) as log:
                    Worker(log, self.settings, "test").run(self._stop)
            except Restart:
                continue


@contextmanager
def running(folder: Path, trained: bool = True, **filter_settings: object) -> Iterator[RunningFilter]:
    """A filter with its own log; its deadline is long, so that answers are the same on a busy machine."""
    options = {"port": 0, "deadline_s": PATIENCE_S, **filter_settings}
    settings = msgspec.structs.replace(Settings(), log=f"sqlite:{folder}", filter=FilterSettings(**options))
    server = RunningFilter(settings, trained)
    try:
        yield server
    finally:
        server.close()


@pytest.fixture(scope="session")
def mail_filter(tmp_path_factory) -> Iterator[RunningFilter]:
    """One trained filter, shared by all tests that need no other settings."""
    with running(tmp_path_factory.mktemp("filter")) as server:
        yield server


@pytest.fixture
def filter_on(tmp_path):
    """A function: starts a filter with settings of [filter]; with `trained=False` no worker runs."""
    stack: list = []

    def start(trained: bool = True, **filter_settings: object) -> RunningFilter:
        stack.append(running(tmp_path / f"log{len(stack)}", trained, **filter_settings))
        return stack[-1].__enter__()

    yield start
    for one in reversed(stack):
        one.__exit__(None, None, None)


@pytest.fixture
def free_port() -> int:
    """A port that nobody listens on."""
    (port,) = free_ports(1)
    return port


def _label(item: Item) -> str:
    return item.label or ""


def _clearly_classified() -> Iterator[Item]:
    """Generated mails that the trained model classifies correctly, by a clear margin; others are hard on purpose."""
    items = list(synthetic_mails(TRAINED_ON, seed=4))
    mails = [read_mail(item.value).mail for item in items]
    model = MailNB()
    model.learn_many(mails, [item.label or "ham" for item in items])
    for item, score in zip(items, model.score_many(mails), strict=True):
        if score.label == item.label and abs(score.log_odds) > 2.0:  # tests teach the filter labels, also wrong ones
            yield item


_known = {
    label: list(items) for label, items in itertools.groupby(sorted(_clearly_classified(), key=_label), key=_label)
}
_numbers = itertools.count()


def fresh(label: str) -> Item:
    """A mail with a new Message-ID, and otherwise like one that the trained filter has learned."""
    number = next(_numbers)
    item = _known[label][number % len(_known[label])]
    raw = item.value.replace(b"Message-ID: <", b"Message-ID: <%d-" % number, 1)
    return Item(message_id(raw), raw, label)


def program(name: str, package: str, *folders: str, ci: bool = True) -> str:
    """The path of a program. Without it the test is skipped with a reason, or fails in CI if `ci` is set."""
    path = os.pathsep.join([os.environ.get("PATH", ""), "/usr/sbin", "/sbin", *folders])
    found = shutil.which(name, path=path)
    if found is None:
        reason = f"no {name} here: install {package} (tests/prepare names what CI has)"
        if ci and os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    return found


def run(*command: str, stdin: bytes = b"", status: int | None = 0) -> str:
    """Run a program until it ends; returns its output."""
    done = subprocess.run(command, input=stdin, capture_output=True, timeout=PATIENCE_S, check=False)
    out = done.stdout.decode("utf-8", "replace")
    assert status is None or done.returncode == status, f"{command} ended with {done.returncode}: {out} {done.stderr!r}"
    return out


@pytest.fixture
def cli(monkeypatch, capfdbinary):
    """A function: runs a command with a mail on standard input; returns its status, output and errors."""

    def run(*arguments: object, stdin: bytes = b"", **environment: str) -> tuple[int, bytes, str]:
        for name, value in environment.items():
            monkeypatch.setenv(f"STREAM_NB_{name}", value)
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        with pytest.raises(SystemExit) as ended:
            main([str(argument) for argument in arguments])
        out, err = capfdbinary.readouterr()
        return int(ended.value.code or 0), out, err.decode()

    return run


@pytest.fixture
def model(tmp_path, cli) -> Path:
    """A model file that has learned 40 mails of spam, then 40 of ham."""
    path = tmp_path / "my.snb"
    for label in ("spam", "ham"):
        (tmp_path / label).mkdir()
        for number in range(40):
            (tmp_path / label / str(number)).write_bytes(fresh(label).value)
        assert cli("learn", f"--{label}", "--model", path, tmp_path / label)[0] == 0
    return path
