"""Fixtures: a real Dovecot, and followers that copy its mails to a log."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

import msgspec
import pytest

from consumers.log.base import Log
from consumers.mailbox.address import ImapAddress, parse_imap_address
from consumers.mailbox.connection import ImapConnection
from consumers.mailbox.imap import ImapFollower
from consumers.mailbox.known_mails import mail_id
from consumers.records.replay import read_all
from consumers.records.schemas import LABELS, decode_label
from consumers.records.setup import open_ready_log
from consumers.settings import ImapSettings, Settings
from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh, mail_filter
from tests.support.dovecot import Dovecot
from tests.support.postfix import open_folder
from tests.support.waiting import until

__all__ = ["mail_filter"]


class Following:
    """An ImapFollower that runs in a thread, on the log of `settings`."""

    def __init__(self, url: str | ImapAddress, settings: Settings, ready: bool = True, **options) -> None:
        self.settings = settings
        self.notices: list[str] = []
        self.errors: list[BaseException] = []
        self.classes: dict[str, str | None] = {}
        self._stop = threading.Event()
        self._ready = threading.Event()
        self._thread = threading.Thread(target=self._run, args=(url, options))
        self._thread.start()
        if ready:
            assert self._ready.wait(PATIENCE_S) and not self.errors, self.errors

    def _run(self, url: str | ImapAddress, options: dict) -> None:
        try:
            with self.open() as log:
                address = parse_imap_address(url) if isinstance(url, str) else url
                follower = ImapFollower(log, address, self.settings, notify=self.notices.append, **options)
                follower.run(self._stop, self._ready.set)
                self.classes = follower.classes
        except BaseException as error:
            self.errors.append(error)
            self._ready.set()

    def open(self) -> Log:
        return open_ready_log(self.settings, notify=lambda text: None)

    def mails(self) -> list[str]:
        """The ids of the mails on the log, repeated if a mail is there more than once."""
        with self.open() as log:
            return [record.key.decode() for record in read_all(log, "emails")]

    def labels(self) -> list[tuple[str, str, str]]:
        """The labels on the log, without those of the training: (id, label, source)."""
        with self.open() as log:
            found = [decode_label(record.value) for record in read_all(log, LABELS)]
        return [(label.id, label.label, label.source) for label in found if label.source != "feed"]

    def wait_for(self, there: Callable[[], bool]) -> None:
        """Wait until `there()` is true, or fail with the first error."""
        until(lambda: there() or self.errors, lambda: (self.mails(), self.labels()))
        assert not self.errors

    def close(self) -> None:
        self._stop.set()
        self._thread.join(PATIENCE_S)
        assert not self._thread.is_alive()


@pytest.fixture
def dovecot() -> Iterator[Dovecot]:
    with open_folder("imap-") as folder:
        server = Dovecot(folder)
        yield server
        server.stop()


@pytest.fixture
def settings(tmp_path) -> Settings:
    """Settings with a new log and the password of Dovecot's user."""
    return msgspec.structs.replace(Settings(), log=f"sqlite:{tmp_path}/log", imap=ImapSettings(password="secret"))


@pytest.fixture
def follow(dovecot: Dovecot, settings: Settings) -> Iterator[Callable[..., Following]]:
    """A function: options of ImapFollower -> a running follower."""
    started: list[Following] = []

    def start(url: str | None = None, settings: Settings = settings, **options) -> Following:
        started.append(Following(url or f"imap://ann@127.0.0.1:{dovecot.port}/INBOX", settings, **options))
        return started[-1]

    yield start
    for one in started:
        one.close()


@pytest.fixture
def trained(mail_filter: RunningFilter):
    """Settings with the log of `mail_filter`, whose worker is trained, and the password."""
    return msgspec.structs.replace(mail_filter.settings, imap=ImapSettings(password="secret"))


def connected(url: str) -> ImapConnection:
    """A connection to this mailbox, with the password of Dovecot's user."""
    return ImapConnection(parse_imap_address(url), ImapSettings(password="secret"))


def labels_since(following: Following, before: int) -> list:
    return following.labels()[before:]


def has_labels(following: Following, count: int) -> bool:
    return len(following.labels()) >= count


def undo(dovecot, following: Following) -> int:
    with following.open() as log:
        address = parse_imap_address(f"imap://ann@127.0.0.1:{dovecot.port}/INBOX")
        return ImapFollower(log, address, following.settings).undo()


def new_mail(label: str = "ham") -> tuple[str, bytes]:
    """The id and the bytes of a new mail."""
    raw = fresh(label).value.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n")
    return mail_id(raw), raw
