"""Moves and flags that the server refuses are retried, and moves by the owner meanwhile are labels."""

from __future__ import annotations

from unittest.mock import Mock

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from consumers.errors import UserError
from consumers.mailbox import imap, treatment
from consumers.mailbox.connection import ImapConnection
from tests.consumers.mailbox.conftest import labels_since, new_mail, undo


@pytest.mark.parametrize("act", ["move", "flag"])
def test_broken_off_moves_and_flags_are_retried(dovecot, follow, trained, monkeypatch, act):
    """For example the connection ends between two mails."""
    do, refusals = getattr(ImapConnection, {"move": "move", "flag": "mark"}[act]), [1, 2, 3]

    def refuse(*arguments):
        if refusals:
            raise IMAPClientError(f"connection lost {refusals.pop()}")
        do(*arguments)

    monkeypatch.setattr(ImapConnection, do.__name__, refuse)
    monkeypatch.setattr(imap, "LONGEST_PAUSE_S", 0.1)
    following = follow(settings=trained, act=act, apply=True)
    for _ in range(2):
        dovecot.put("INBOX", new_mail("spam")[1])

    done = {
        "move": lambda: dovecot.count("Junk") == 2,
        "flag": lambda: sum("$Junk" in flags for flags in dovecot.flags()) == 2,
    }
    following.wait_for(done[act])
    assert not refusals


def test_a_refused_move_is_tried_again_and_delays_nothing(dovecot, follow, trained, monkeypatch, caplog):
    monkeypatch.setattr(treatment, "RETRY_S", 2.0)
    monkeypatch.setattr(imap, "REFRESH_S", 3.0)
    following = follow(settings=trained, act="move", apply=True)
    before = len(following.labels())
    arriving = dovecot.mails / "ann" / ".Junk" / "tmp"
    arriving.chmod(0o500)
    (spam_id, spam), (ham_id, ham) = new_mail("spam"), new_mail("ham")
    dovecot.put("INBOX", spam)
    following.wait_for(lambda: "not moved to Junk: " in caplog.text)
    dovecot.put("INBOX", ham)
    following.wait_for(lambda: {spam_id, ham_id} <= {*following.mails()})
    assert following.notices == []

    arriving.chmod(0o700)
    following.wait_for(lambda: dovecot.count("Junk") == 1)

    assert "mailbox.imap" not in {record.name.partition(".")[2] for record in caplog.records}, "the connection is kept"
    assert labels_since(following, before) == [], "a refused move is not the owner's"


def test_a_refused_flag_is_tried_again_and_delays_no_other_mail(dovecot, follow, trained, monkeypatch, caplog):
    """For example, a server may refuse to flag a mail that another program has just deleted (RFC 2180)."""
    add_flags, refused = IMAPClient.add_flags, []

    def refuse(client, uids, *arguments, **options):
        refused.append(uids)
        if uids == refused[0] and refused.count(uids) < 3:
            raise IMAPClientError("store failed")
        return add_flags(client, uids, *arguments, **options)

    monkeypatch.setattr(IMAPClient, "add_flags", refuse)
    monkeypatch.setattr(treatment, "RETRY_S", 0.05)
    monkeypatch.setattr(imap, "REFRESH_S", 2.0)
    following = follow(settings=trained, act="flag", apply=True)
    for _ in range(2):
        dovecot.put("INBOX", new_mail("spam")[1])

    following.wait_for(lambda: sum("$Junk" in flags for flags in dovecot.flags()) == 2)

    assert "not flagged as junk: " in caplog.text
    assert "mailbox.imap" not in {record.name.partition(".")[2] for record in caplog.records}, "the connection is kept"


def test_a_move_by_the_owner_while_the_server_refuses_ours_is_a_label(dovecot, follow, trained, monkeypatch):
    refusals = []

    def refuse(*_):
        refusals.append(1)
        raise IMAPClientError("[LIMIT] not now")

    monkeypatch.setattr(IMAPClient, "move", refuse)
    monkeypatch.setattr(treatment, "RETRY_S", 0.05)
    monkeypatch.setattr(imap, "WAKE_S", 0.1)
    monkeypatch.setattr(imap, "REFRESH_S", 0.2)
    following = follow(settings=trained, act="move", apply=True)
    before = len(following.labels())
    name, spam = new_mail("spam")
    dovecot.put("INBOX", spam)
    following.wait_for(lambda: len(refusals) >= 5)

    dovecot.move("INBOX", "Junk")

    following.wait_for(lambda: labels_since(following, before) == [(name, "spam", "ann")])
    following.close()
    assert undo(dovecot, following) == 0, "the follower did not move it"


def test_a_move_out_of_junk_by_the_owner_after_a_refused_undo_is_a_label(dovecot, follow, trained, monkeypatch):
    following = follow(settings=trained, act="move", apply=True)
    before = len(following.labels())
    name, spam = new_mail("spam")
    dovecot.put("INBOX", spam)
    following.wait_for(lambda: dovecot.count("Junk") == 1)
    following.close()
    with monkeypatch.context() as patch, pytest.raises(UserError, match="run the command again to undo the rest"):
        patch.setattr(IMAPClient, "move", Mock(side_effect=IMAPClientError("[LIMIT] not now")))
        undo(dovecot, following)

    dovecot.move("Junk", "INBOX")

    again = follow(settings=trained)
    again.wait_for(lambda: labels_since(again, before) == [(name, "ham", "ann")])
