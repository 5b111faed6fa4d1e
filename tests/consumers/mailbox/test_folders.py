"""The choice of the junk folder."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from imapclient import imap_utf7

from consumers.mailbox.connection import ImapConnection
from tests.consumers.mailbox.conftest import connected
from tests.support.imap_server import ANSWERS, serving


@pytest.mark.parametrize(
    ("folders", "junk"),
    [
        ([((), b"/", "INBOX"), ((), b"/", "Mail/SPAM")], "Mail/SPAM"),
        ([((), b"\\", "INBOX"), ((), b"\\", "INBOX\\Junk")], "INBOX\\Junk"),
        ([((), b".", "INBOX.Spam"), ((b"\\Junk",), b".", "INBOX.Müll")], "INBOX.Müll"),
        ([((), b"/", "no.spam"), ((), None, "reports/spam")], None),
        ([((), b"/", b"R&D"), ((), b"/", b"caf\xe9 &"), ((), b"/", "Junk")], "Junk"),
    ],
)
def test_the_junk_folder_is_found_by_its_mark_or_its_name(folders, junk):
    connection = object.__new__(ImapConnection)
    connection._client = SimpleNamespace(
        list_folders=lambda *names: encoded(folders), has_capability=lambda name: False
    )
    assert connection.find_junk() == junk


@pytest.mark.parametrize(
    ("spaces", "junk"),
    [
        (((("", "."),), (("Others.", "."),), (("All.", "."),)), "INBOX.Spam"),
        (((("INBOX.", "."),), None, (("", "."),)), "INBOX.Spam"),
        (((("Own.", "."),), None, (("", "."),)), None),
    ],
)
def test_junk_folders_of_other_users_are_ignored(spaces, junk):
    """Mail moved there would end up in the mailbox of another user."""
    folders = [((b"\\Junk",), b".", "All.Junk"), ((b"\\Junk",), b".", "Others.bob.Junk"), ((), b".", "INBOX.Spam")]
    connection = object.__new__(ImapConnection)
    connection._client = SimpleNamespace(
        list_folders=lambda *names: encoded(folders),
        has_capability=lambda name: name == "NAMESPACE",
        namespace=lambda: spaces,
    )

    assert connection.find_junk() == junk


def test_a_junk_folder_beside_one_with_an_invalid_name_is_found_and_selected():
    listed = b'* LIST () "/" R&D\r\n* LIST (\\Junk) "/" M&APw-ll\r\n'
    with serving(ANSWERS | {b"LIST": listed}) as url:
        connection = connected(url)
        assert connection.find_junk() == "Müll"
        assert connection.select("Müll").mails == 2
        connection.close()


def test_the_folders_for_received_mail_are_neither_written_mail_nor_trash_nor_views():
    listed = [
        ((), b"/", "inbox"),
        ((b"\\Noselect",), b"/", "[Gmail]"),
        ((b"\\All",), b"/", "[Gmail]/Alle"),
        ((), b"/", "Sent"),
    ]
    listed += [
        ((b"\\Trash",), b"/", "Weg"),
        ((), b"/", "Work/Sent/old"),
        ((b"\\Junk",), b"/", "Weg2"),
        ((), b"/", "Work"),
    ]
    connection = object.__new__(ImapConnection)
    connection._client = SimpleNamespace(list_folders=lambda *names: encoded(listed), has_capability=lambda name: False)

    assert connection.find_received() == ["INBOX", "Weg2", "Work"]


def encoded(folders: list) -> list:
    """The folders as IMAPClient lists them without decoding their names; bytes are invalid names."""
    return [(flags, separator, imap_utf7.encode(name)) for flags, separator, name in folders]
