"""Mails that the server cannot send, or that are marked as deleted, and folders with many mails."""

from __future__ import annotations

import imaplib
import shutil
from itertools import islice
from unittest.mock import Mock

import pytest
from imapclient import IMAPClient

from consumers.log.memory import MemoryLog
from consumers.mailbox.connection import IMAP_ERRORS, Fetched, Selected
from consumers.mailbox.known_mail import KnownMail, Position
from consumers.mailbox.known_mails import KnownMails, mail_id
from consumers.mailbox.reading import TRIES, MailReader
from consumers.records.replay import read_all
from consumers.records.schemas import LABELS, decode_label
from tests.consumers.mailbox.conftest import new_mail
from tests.support.memory_log import new_log


def test_a_mail_that_the_server_cannot_send_keeps_back_no_others(dovecot, follow, monkeypatch, caplog):
    """Dovecot ends the connection when it cannot read the file of a mail that is asked for."""
    monkeypatch.setattr("consumers.mailbox.imap.LONGEST_PAUSE_S", 0.1)
    mails = [new_mail() for _ in range(6)]
    for _, raw in mails:
        dovecot.put("INBOX", raw)
    for file in (dovecot.mails / "ann").glob("*/*M*"):
        if mail_id(file.read_bytes()) in (mails[2][0], mails[3][0]):
            shutil.chown(file, "root")
            file.chmod(0)
    following = follow()
    new, raw = new_mail()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: new in following.mails())

    readable = [name for number, (name, _) in enumerate(mails) if number not in (2, 3)]
    assert following.mails() == [*readable, new]
    left_out = [record.getMessage() for record in caplog.records if "left out" in record.getMessage()]
    assert left_out == [f"INBOX: the server cannot send the mail with UID {uid}; it is left out" for uid in (3, 4)]


def test_no_mail_is_left_out_while_the_server_can_send_none(dovecot, follow, monkeypatch):
    monkeypatch.setattr("consumers.mailbox.imap.LONGEST_PAUSE_S", 0.05)
    mails = [new_mail() for _ in range(3)]
    for _, raw in mails:
        dovecot.put("INBOX", raw)
    failed: list[int] = []
    fetch = IMAPClient.fetch

    def fail_after_one(self, *arguments):
        failed.append(1)
        if len(failed) == 1:
            return fetch(self, *arguments)
        raise IMAP_ERRORS[0]("FETCH failed: Internal error occurred")

    with monkeypatch.context() as broken:
        broken.setattr("consumers.mailbox.reading.MAILS_A_FETCH", 1)
        broken.setattr(IMAPClient, "fetch", fail_after_one)
        following = follow(ready=False)
        following.wait_for(lambda: len(failed) > 20)
    following.wait_for(lambda: following.mails() == [name for name, _ in mails])


def test_a_mail_that_is_deleted_while_it_is_read_is_left_out(dovecot, follow, monkeypatch):
    """Dovecot answers NIL if another client deletes a mail after it was searched for."""
    (_, lost), (name, raw) = new_mail(), new_mail()
    dovecot.put("INBOX", lost)
    dovecot.put("INBOX", raw)
    fetch = IMAPClient.fetch

    def without_first(self, *arguments):
        found = fetch(self, *arguments)
        if 1 in found:
            found[1][b"BODY[]<0>"] = None
        return found

    monkeypatch.setattr(IMAPClient, "fetch", without_first)
    assert follow().mails() == [name]


def test_a_folder_that_was_empty_at_the_start_is_known_after_a_restart(dovecot, follow):
    """Otherwise mails that the server puts there while the feed is off get labels, as if they had always been there."""
    follow(labels=True).close()
    name, raw = new_mail("spam")
    dovecot.put("Junk", raw)

    following = follow(labels=True)

    assert (following.mails(), following.labels()) == ([name], [])


def test_a_mail_to_be_deleted_from_where_it_was_gives_no_label(dovecot, follow):
    """Clients without MOVE copy a mail, mark the original, and may delete it much later."""
    name, raw = new_mail()
    dovecot.put("INBOX", raw)
    follow().close()

    copy_and_mark(dovecot.imap, "INBOX", "Junk")
    copy_and_mark(dovecot.imap, "Junk", "INBOX")
    following = follow()
    assert following.labels() == []

    dovecot.imap.select("INBOX")
    dovecot.imap.expunge()
    copy_and_mark(dovecot.imap, "INBOX", "Junk")
    following.wait_for(lambda: following.labels() == [(name, "spam", "ann")])
    assert following.mails() == [name]


def test_a_folder_may_have_more_mails_than_fit_into_an_answer(dovecot, follow, monkeypatch):
    """imaplib refuses lines of more than a megabyte, about 150,000 UIDs."""
    search = IMAPClient.search

    def search_little(self, *arguments):
        found = search(self, *arguments)
        if len(found) > 20:
            raise IMAP_ERRORS[0]("got more than 1000000 bytes")
        return found

    monkeypatch.setattr(IMAPClient, "search", search_little)
    monkeypatch.setattr("consumers.mailbox.connection.UIDS_A_SEARCH", 20)
    mails = [new_mail() for _ in range(41)]
    for _, raw in mails:
        dovecot.put("INBOX", raw)

    following = follow()

    assert following.mails() == [name for name, _ in mails]


def copy_and_mark(imap: imaplib.IMAP4, source: str, target: str) -> None:
    imap.select(source)
    assert imap.copy("1:*", target)[0] == "OK"
    assert imap.store("1:*", "+FLAGS", "\\Deleted")[0] == "OK"
    imap.unselect()


def test_a_server_may_send_a_whole_mail_though_only_its_start_was_asked_for(dovecot, follow, monkeypatch):
    fetch = IMAPClient.fetch

    def fetch_whole(client, *arguments, **options):
        found = fetch(client, *arguments, **options)
        return {uid: {key.removesuffix(b"<0>"): value for key, value in mail.items()} for uid, mail in found.items()}

    monkeypatch.setattr(IMAPClient, "fetch", fetch_whole)
    name, raw = new_mail()
    dovecot.put("INBOX", raw)

    assert follow().mails() == [name]


def test_a_mail_that_is_gone_has_no_uid_after_the_server_has_assigned_new_ones():
    """Its old one is another mail's now, which would be moved in its place."""
    log = new_log()
    known_mails = open_known_mails(log)
    reader = MailReader(known_mails)
    (gone, first), (name, second) = new_mail(), new_mail()
    for uidvalidity, raws in ((1, [first, second]), (2, [second])):
        connection = Mock()
        connection.uids_from.return_value = [*range(1, len(raws) + 1)]
        connection.read.return_value = [Fetched(uid, raw) for uid, raw in enumerate(raws, 1)]
        list(reader.read(connection, "INBOX", Selected(uidvalidity, len(raws) + 1, len(raws)), None))
    assert (known_mails.find(gone).uid, known_mails.find(name).uid) == (0, 1)
    assert dict(open_known_mails(log).all()) == dict(known_mails.all())


def open_known_mails(log: MemoryLog) -> KnownMails:
    return KnownMails(log, "imap://ann@host", "ann", {"INBOX": "ham", "Junk": "spam"}.get, 100)


def test_a_mail_to_be_deleted_is_read_unless_it_was_seen_elsewhere():
    log = new_log()
    known_mails = open_known_mails(log)
    (new, first), (moved, second) = new_mail(), new_mail()
    known_mails.arrive(second, "Junk", 7)
    connection = Mock(**{"uids_from.return_value": [1, 2]})
    connection.read.return_value = [Fetched(1, first, deleted=True), Fetched(2, second, deleted=True)]

    list(MailReader(known_mails).read(connection, "INBOX", Selected(1, 3, 2), None))

    assert known_mails.find(new) == KnownMail("INBOX", 1, old=True)
    assert known_mails.find(moved) == KnownMail("Junk", 7)


def test_a_feed_that_is_stopped_goes_on_after_the_batch_that_it_wrote(monkeypatch):
    monkeypatch.setattr("consumers.mailbox.reading.MAILS_A_FETCH", 2)
    log = new_log()
    mails = [new_mail() for _ in range(5)]
    connection = Mock()
    connection.uids_from = lambda first: [*range(first, 6)]
    connection.read = lambda uids: [Fetched(uid, mails[uid - 1][1]) for uid in uids]
    read, shares = [], []
    for batches in (1, 1, None):
        known_mails = open_known_mails(log)
        reading = MailReader(known_mails).read(connection, "INBOX", Selected(1, 6, 5), None)
        shares.append(list(islice(reading, batches)))
        read.append(len(dict(open_known_mails(log).all())))

    assert read == [2, 4, 5]
    assert shares == [[2 / 5], [2 / 3], [1.0]]
    assert known_mails.position("INBOX") == Position(1, 6, old=6)


def test_the_only_mail_of_a_folder_is_left_out_too_if_the_server_cannot_send_it():
    log = new_log()
    known_mails = open_known_mails(log)
    connection = Mock(**{"uids_from.return_value": [1], "read.side_effect": IMAP_ERRORS[0]("FETCH failed")})
    reader = MailReader(known_mails)
    for _ in range(TRIES):
        with pytest.raises(IMAP_ERRORS):
            list(reader.read(connection, "INBOX", Selected(1, 2, 1), None))

    list(reader.read(connection, "INBOX", Selected(1, 2, 1), None))

    assert known_mails.position("INBOX") == Position(1, 2, old=2)


def test_only_mails_that_were_unknown_at_the_start_get_the_label_of_their_folder():
    """Neither those of a renamed folder nor those that arrived while the server assigned new UIDs."""
    log = new_log()
    known_mails = open_known_mails(log)
    mails = [new_mail() for _ in range(3)]
    known_mails.arrive(mails[0][1], "Renamed", 7)
    for uidvalidity, count in ((1, 2), (2, 3)):
        connection = Mock()
        connection.uids_from.return_value = [*range(1, count + 1)]
        connection.read.return_value = [Fetched(uid, raw) for uid, (_, raw) in enumerate(mails[:count], 1)]
        list(MailReader(known_mails).read(connection, "INBOX", Selected(uidvalidity, count + 1, count), "ham"))

    assert [decode_label(record.value).id for record in read_all(log, LABELS)] == [mails[1][0]]
    assert [known_mails.find(name).old for name, _ in mails] == [True, True, False]
