"""Errors after the first login, without a server."""

from __future__ import annotations

import threading
from unittest.mock import Mock

import pytest
from imapclient.exceptions import IMAPClientError

from consumers.errors import LogUnavailable, MissingRight, Restart, UserError
from consumers.log.memory import MemoryLog, Topics
from consumers.mailbox.address import parse_imap_address
from consumers.mailbox.connection import ImapConnection
from consumers.mailbox.imap import ImapFollower
from consumers.records.schemas import TOPICS
from consumers.settings import Settings


def new_follower() -> ImapFollower:
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 1)
    return ImapFollower(log, parse_imap_address("imap://ann@localhost"), Settings())


def test_pauses_grow_until_the_mailbox_was_read_again(monkeypatch):
    """Each broken connection is closed, and another one opened."""
    follower = new_follower()
    stop, connections, pauses = threading.Event(), [], []
    was_read = [False] * 3 + [True] + [False] * 12
    errors = [kind("broken") for kind in (OSError, IMAPClientError, LogUnavailable, Restart, UserError)]

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


def test_a_missing_right_on_the_log_ends_the_feed(monkeypatch):
    monkeypatch.setattr(ImapFollower, "_open", Mock())
    monkeypatch.setattr(ImapFollower, "_follow", Mock(side_effect=MissingRight("give it the right")))
    with pytest.raises(MissingRight):
        new_follower().run(threading.Event())
