"""Connections to an IMAP server: IDLE, and moves, also by a server that has no MOVE."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import closing
from unittest.mock import Mock
from urllib.parse import quote

import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientError

from consumers.ingest.formats.mbox import MAX_READ_BYTES
from consumers.mailbox.connection import Fetched, ImapConnection
from consumers.mailbox.imap_errors import IMAP_ERRORS, Refused
from tests.consumers.mailbox.conftest import connected, new_mail
from tests.support.dovecot import Dovecot
from tests.support.imap_server import ANSWERS, serving
from tests.support.postfix import open_folder


@pytest.fixture
def connection(dovecot: Dovecot) -> Iterator[ImapConnection]:
    """A connection that has selected an INBOX of two mails, the first of which its owner has marked as deleted."""
    for _ in range(2):
        dovecot.put("INBOX", new_mail()[1])
    dovecot.imap.select("INBOX")
    dovecot.imap.store("1", "+FLAGS", "\\Deleted")
    dovecot.imap.unselect()
    found = connected(f"imap://ann@127.0.0.1:{dovecot.port}/INBOX")
    found.select("INBOX", readonly=False)
    yield found
    found.close()


@pytest.mark.parametrize("user", ["ann lee", 'DOMAIN\\ann "lee"'])
def test_a_user_may_have_any_characters(user):
    with open_folder("imap-") as folder:
        server = Dovecot(folder, "auth_username_chars =")  # all
        try:
            with closing(connected(f"imap://{quote(user)}@127.0.0.1:{server.port}/INBOX")) as connection:
                assert connection.find_junk() == "Junk"
        finally:
            server.stop()


@pytest.mark.parametrize("by", ["MOVE", "COPY"])
def test_a_move_marks_only_the_mail_that_it_moves_until_the_folder_is_settled(dovecot, connection, monkeypatch, by):
    if by == "COPY":
        monkeypatch.setattr(ImapConnection, "can", lambda self, name: False)

    connection.move(2, "Junk")

    assert [mail.uid for mail in connection.read(connection.uids_from(1))] == [1]
    assert "$StreamNBMoving" in flags(dovecot, "Junk")
    connection.settle("Junk")
    assert "$StreamNBMoving" not in flags(dovecot, "Junk")
    assert dovecot.count("Junk") == 1


@pytest.mark.parametrize(("by", "has_move"), [("move", True), ("copy", False)])
def test_a_mail_whose_move_is_refused_is_as_before(dovecot, connection, monkeypatch, by, has_move):
    """With the keyword left on it, the server's rules would not learn from a later move by its owner."""
    monkeypatch.setattr(ImapConnection, "can", lambda self, name: has_move)
    monkeypatch.setattr(IMAPClient, by, Mock(side_effect=IMAPClientError("[OVERQUOTA] full")))

    with pytest.raises(Refused, match="OVERQUOTA"):
        connection.move(2, "Junk")

    assert "$StreamNBMoving" not in flags(dovecot, "INBOX")
    assert [mail.deleted for mail in connection.read([1, 2])] == [True, False]


def flags(dovecot: Dovecot, folder: str) -> str:
    """The flags of the mails in a folder."""
    dovecot.imap.select(folder)
    found = str(dovecot.imap.fetch("1:*", "(FLAGS)")[1])
    dovecot.imap.unselect()
    return found


@pytest.mark.parametrize("end", [b"+ still idling\r\n", b"* BYE\r\n"])
def test_an_invalid_response_in_idle_is_a_connection_error(end):
    with serving(ANSWERS | {b"DONE": end}) as url:
        connection = connected(url)
        connection.start_idle()
        with pytest.raises(IMAP_ERRORS):
            connection.stop_idle()


def test_a_folder_of_folders_holds_no_mails():
    with serving(ANSWERS | {b"LIST": b'* LIST (\\NoSelect) "/" Lists\r\n'}) as url:
        assert not connected(url).has_folder("Lists")


@pytest.mark.parametrize(
    ("kept", "keeps"), [(b"\\Seen $Junk", (True, False)), (b"\\*", (True, True)), (b"", (False, False))]
)
def test_only_keywords_that_the_server_stores_are_set(kept, keeps):
    examined = ANSWERS[b"EXAMINE"] + b"* OK [PERMANENTFLAGS (" + kept + b")] ok\r\n"
    with serving(ANSWERS | {b"EXAMINE": examined}) as url:
        connection = connected(url)
        connection.select("INBOX")
        assert (connection.keeps("$Junk"), connection.keeps("$StreamNBMoving")) == keeps


def test_the_last_mail_is_not_read_again_and_of_a_large_one_only_the_start_is_kept():
    """`3:*` includes the last mail, 2; and some servers send more than the bytes that were asked for."""
    whole = b"* 1 FETCH (UID 1 FLAGS () BODY[] {%d}\r\n%s)\r\n" % (MAX_READ_BYTES + 5, b"x" * (MAX_READ_BYTES + 5))
    with serving(ANSWERS | {b"FETCH": whole + b"* 2 FETCH (UID 2 FLAGS () BODY[]<0> NIL)\r\n"}) as url:
        connection = connected(url)
        connection.select("INBOX")
        assert (connection.uids_from(2), connection.uids_from(3)) == ([2], [])
        assert connection.read([1, 2]) == [Fetched(1, b"x" * MAX_READ_BYTES)]
