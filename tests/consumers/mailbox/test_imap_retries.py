"""When folders are read again, and errors after the first login, without a server."""

from __future__ import annotations

import threading
from unittest.mock import Mock

import pytest
from imapclient.exceptions import IMAPClientError

from consumers.errors import LogUnavailable, MissingRight, Restart, UserError
from consumers.mailbox.address import parse_imap_address
from consumers.mailbox.connection import ImapConnection, Selected
from consumers.mailbox.imap import ImapFollower
from consumers.mailbox.known_mail import KnownMail
from consumers.mailbox.known_mails import KnownMails
from consumers.records.heartbeat import HeartbeatWriter
from consumers.settings import Settings
from tests.support.memory_log import new_log


def new_follower(**options) -> ImapFollower:
    log = new_log()
    return ImapFollower(log, parse_imap_address("imap://ann@localhost"), Settings(), **options)


def test_pauses_grow_until_the_mailbox_was_read_again(monkeypatch):
    """Each broken connection is closed, and another one opened."""
    follower = new_follower()
    stop, connections, pauses = threading.Event(), [], []
    was_read = [False] * 3 + [True] + [False] * 12
    errors = [kind("broken") for kind in (OSError, IMAPClientError, LogUnavailable, Restart)]

    def connect(*_: object) -> Mock:
        connections.append(Mock())
        return connections[-1]

    def follow(self: ImapFollower, _: ImapConnection) -> None:
        if was_read.pop(0):
            self._healthy = True
        if not was_read:
            stop.set()
        raise errors[len(pauses) % len(errors)]

    monkeypatch.setattr("consumers.mailbox.imap.ImapConnection", connect)
    monkeypatch.setattr("consumers.mailbox.imap.random.uniform", lambda *_: 1.0)
    for name, function in (("_open", connect), ("_follow", follow), ("_pause", lambda _, wait: pauses.append(wait))):
        monkeypatch.setattr(ImapFollower, name, function)
    follower.run(stop)

    assert pauses == [0.5, 1.0, 2.0, 0.5, 1.0, 2.0, 4.0, 8.0, 16.0, 32.0, 64.0, 128.0, 256.0, 300.0, 300.0, 300.0]
    assert [connection.close.call_count for connection in connections] == [1] * len(pauses)


def test_a_refused_password_is_not_tried_again_soon(monkeypatch):
    """Servers lock the account, or the address, after a few refusals in ten minutes."""
    follower, stop, pauses = new_follower(), threading.Event(), []

    def pause(wait: float) -> None:
        pauses.append(wait)
        if len(pauses) == 4:
            stop.set()

    monkeypatch.setattr(follower, "_open", Mock(side_effect=[Mock()]))
    monkeypatch.setattr(follower, "_follow", Mock(side_effect=OSError("broken")))
    monkeypatch.setattr(follower, "_pause", pause)
    monkeypatch.setattr("consumers.mailbox.imap.ImapConnection", Mock(side_effect=UserError("ann is refused")))
    follower.run(stop)

    assert pauses[0] <= 0.5
    assert all(150 <= wait <= 300 for wait in pauses[1:])


def test_a_missing_right_on_the_log_ends_the_feed(monkeypatch):
    monkeypatch.setattr(ImapFollower, "_open", Mock())
    monkeypatch.setattr(ImapFollower, "_follow", Mock(side_effect=MissingRight("give it the right")))
    with pytest.raises(MissingRight):
        new_follower().run(threading.Event())


def test_a_pause_goes_on_although_the_log_does_not_answer(monkeypatch):
    monkeypatch.setattr(HeartbeatWriter, "beat", Mock(side_effect=LogUnavailable("away")))

    new_follower()._pause(0.0)

    assert HeartbeatWriter.beat.call_count == 1


@pytest.mark.parametrize(
    ("events", "waits"),
    [
        ([False] * 5, [1, 4]),
        ([False] * 61, [1, 30, 30]),
        ([True, False, False, True, *[False] * 30], [1, 3, 30]),
    ],
)
def test_folders_are_read_again_after_an_event_and_every_30_seconds(monkeypatch, events, waits):
    """And shortly after the first reading, at which the feed says once that it follows. `waits` are seconds between."""
    connection, stop = Mock(), threading.Event()
    idles, ready = [], []
    states = {"INBOX": Selected(1, 3, 2), "Junk": Selected(2, 5, 1)}

    def wait(_: float) -> bool:
        idles[-1] += 1
        if len(events) == 1:
            stop.set()
        return events.pop(0)

    connection.find_junk.return_value = "Junk"
    connection.uids_from.return_value = []
    connection.select.side_effect = lambda folder, **_: states[folder]
    connection.start_idle = lambda: idles.append(0)
    connection.events = wait
    monkeypatch.setattr("consumers.mailbox.imap.ImapConnection", lambda *_: connection)
    follower = new_follower(notify=ready.append)
    follower.run(stop, lambda: ready.append("ready"))

    assert idles == waits
    assert connection.stop_idle.call_count == len(idles)
    assert ready == ["ready"] and follower._healthy


@pytest.mark.parametrize(("error", "logins", "idles"), [(OSError("BYE"), 8, 6), (LogUnavailable("away"), 24, 23)])
def test_a_server_that_ends_each_connection_at_idle_is_asked_without_it(monkeypatch, error, logins, idles):
    """Until that connection breaks, too. A log that is away says nothing about the server."""
    connection, connect, stop = Mock(), Mock(), threading.Event()
    connection.find_junk.return_value = "Junk"
    connection.uids_from.return_value = []
    connection.start_idle.side_effect = error
    connect.return_value = connection

    def select(folder: str) -> Selected:
        if connection.select.call_count == 36:
            raise OSError("cut")
        if connection.select.call_count == 72:
            stop.set()
        return Selected(1, 3, 2)

    connection.select.side_effect = select
    monkeypatch.setattr("consumers.mailbox.imap.ImapConnection", connect)
    monkeypatch.setattr("consumers.mailbox.imap.WAKE_S", 0.001)
    monkeypatch.setattr("consumers.mailbox.imap.REFRESH_S", 0.001)
    monkeypatch.setattr(ImapFollower, "_pause", Mock())
    new_follower().run(stop)

    assert (connect.call_count, connection.start_idle.call_count) == (logins, idles)


def test_an_undo_that_breaks_off_can_be_run_again(monkeypatch):
    follower = new_follower()
    known_mails = KnownMails(follower._log, "imap://ann@localhost:143", "ann", Mock(), 9)
    known_mails.put("a", KnownMail("Junk", 1, moved=True))
    known_mails.write()
    connection = Mock(**{"find_junk.return_value": "Junk", "select.side_effect": OSError("cut")})
    monkeypatch.setattr("consumers.mailbox.imap.ImapConnection", lambda *_: connection)

    with pytest.raises(UserError, match="cut; run the command again to undo the rest"):
        follower.undo()

    assert connection.close.call_count == 1
