"""Nothing is lost or repeated when UIDVALIDITY changes, connections break or the feed stops."""

from __future__ import annotations

import time
from unittest.mock import Mock

from imapclient import IMAPClient
from imapclient.exceptions import LoginError

from consumers.mailbox.connection import ImapConnection
from consumers.runtime.log_lines import OncePerMinute
from tests.consumers.mailbox.conftest import new_mail
from tests.support.cutting_proxy import CuttingProxy
from tests.support.dovecot import Dovecot
from tests.support.postfix import open_folder


def test_a_restart_loses_nothing_and_repeats_nothing(dovecot, follow):
    (first, first_raw), (second, second_raw), (third, third_raw) = (new_mail() for _ in range(3))
    dovecot.put("INBOX", first_raw)
    dovecot.put("INBOX", second_raw)
    follow().close()

    dovecot.move("INBOX", "Junk", "1")
    dovecot.put("INBOX", third_raw)
    following = follow()

    assert following.mails() == [first, second, third]
    assert following.labels() == [(first, "spam", "ann")]


def test_mails_with_new_uids_are_recognised(dovecot, follow):
    """Dovecot assigns new UIDs, under a new UIDVALIDITY, when its list of UIDs is lost."""
    (ham, ham_raw), (spam, spam_raw) = new_mail(), new_mail("spam")
    dovecot.put("INBOX", ham_raw)
    dovecot.put("Junk", spam_raw)
    follow().close()
    before = validity(dovecot, "INBOX")
    assign_new_uids(dovecot)

    following = follow()
    new, raw = new_mail()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: new in following.mails())

    assert sorted(following.mails()) == sorted([ham, spam, new])
    assert following.labels() == []
    assert validity(dovecot, "INBOX") != before


def test_new_uids_give_no_labels_to_mails_in_both_folders(dovecot, follow):
    (spam, spam_raw), (ham, ham_raw) = new_mail("spam"), new_mail()
    dovecot.put("INBOX", spam_raw)
    dovecot.put("Junk", ham_raw)
    follow().close()
    copy(dovecot, "INBOX", "Junk")
    copy(dovecot, "Junk", "INBOX", "1")
    following = follow()
    assert following.labels() == [(ham, "ham", "ann"), (spam, "spam", "ann")]
    following.close()
    assign_new_uids(dovecot)

    following = follow()

    new, raw = new_mail()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: new in following.mails())
    assert len(following.labels()) == 2
    dovecot.move("INBOX", "Junk", str(dovecot.count("INBOX")))
    following.wait_for(lambda: following.labels()[2:] == [(new, "spam", "ann")])


def test_a_mail_that_arrives_just_before_idle_is_read_at_once(dovecot, follow, monkeypatch):
    monkeypatch.setattr("consumers.mailbox.imap.REFRESH_S", 3_600.0)
    mails = [new_mail() for _ in range(3)]
    unsent = [raw for _, raw in mails]
    start_idle = ImapConnection.start_idle

    def start_late(connection: ImapConnection) -> None:
        if unsent:
            dovecot.put("INBOX", unsent.pop(0))
        start_idle(connection)

    monkeypatch.setattr(ImapConnection, "start_idle", start_late)
    following = follow()

    following.wait_for(lambda: following.mails() == [name for name, _ in mails])


def test_a_renamed_junk_folder_is_followed(follow):
    with open_folder("imap-") as folder:
        server = Dovecot(folder, "namespace inbox {\n  mailbox Junk {\n    auto = no\n  }\n}")
        try:
            (name, raw), (spam, spam_raw) = new_mail(), new_mail("spam")
            server.imap.create("Spam")
            server.put("Spam", spam_raw)
            server.put("INBOX", raw)
            following = follow(f"imap://ann@127.0.0.1:{server.port}/INBOX")
            server.imap.rename("Spam", "Junk")
            following.wait_for(lambda: following.notices == ["Junk is the junk folder"])
            server.move("INBOX", "Junk")
            following.wait_for(lambda: following.labels() == [(name, "spam", "ann")])
            server.move("Junk", "INBOX", "1")
            following.wait_for(lambda: following.labels()[1:] == [(spam, "ham", "ann")])
            following.close()
        finally:
            server.stop()


def test_a_renamed_junk_folder_gives_no_label_to_mails_that_the_server_put_there(follow):
    with open_folder("imap-") as folder:
        server = Dovecot(folder, "namespace inbox {\n  mailbox Junk {\n    auto = no\n  }\n}")
        try:
            (there, there_raw), (delivered, delivered_raw), (last, last_raw) = new_mail("spam"), new_mail(), new_mail()
            server.imap.create("Spam")
            server.put("Spam", there_raw)
            following = follow(f"imap://ann@127.0.0.1:{server.port}/INBOX", labels=True)
            server.put("Spam", delivered_raw)
            server.put("INBOX", new_mail()[1])  # a change in INBOX makes the follower read the junk folder
            following.wait_for(lambda: delivered in following.mails())
            server.imap.rename("Spam", "Junk")
            following.wait_for(lambda: following.notices == ["Junk is the junk folder"])
            server.put("INBOX", last_raw)
            following.wait_for(lambda: last in following.mails())
            following.close()
            assert following.labels() == [(there, "spam", "ann")]
        finally:
            server.stop()


def test_broken_connections_lose_nothing_and_repeat_nothing(dovecot, follow, monkeypatch):
    monkeypatch.setattr("consumers.mailbox.imap.LONGEST_PAUSE_S", 0.1)
    proxy = CuttingProxy(dovecot.port)
    try:
        following = follow(f"imap://ann@127.0.0.1:{proxy.port}/INBOX")
        expected = []
        labels = []
        for number in range(6):
            # each connection breaks later than the last: in the greeting, the login, a folder, a mail, IDLE
            proxy.cut_after(bytes_each=(10, 150, 900, 2_500, 6_000, 20_000)[number])
            for _ in range(3):
                name, raw = new_mail()
                dovecot.put("INBOX", raw)
                expected.append(name)
            proxy.heal_after(connections=2)
            following.wait_for(lambda: set(expected) <= set(following.mails()))
            dovecot.move("INBOX", "Junk", "1")
            labels.append((expected[number], "spam", "ann"))
            following.wait_for(lambda: set(labels) <= set(following.labels()))
        assert proxy.cut >= 6
    finally:
        following.close()
        proxy.close()

    assert following.mails() == expected
    assert following.labels() == labels


def test_following_continues_after_the_server_restarts(dovecot, follow, monkeypatch):
    monkeypatch.setattr("consumers.mailbox.imap.LONGEST_PAUSE_S", 0.5)
    following = follow()
    dovecot.stop()
    dovecot.start()
    name, raw = new_mail()
    dovecot.put("INBOX", raw)

    following.wait_for(lambda: name in following.mails())


def copy(dovecot: Dovecot, source: str, target: str, which: str = "1:*") -> None:
    dovecot.imap.select(source)
    assert dovecot.imap.copy(which, target)[0] == "OK"
    dovecot.imap.unselect()


def assign_new_uids(dovecot: Dovecot) -> None:
    """Delete the lists of UIDs, so that the server assigns new ones."""
    dovecot.stop()
    for name in ("dovecot-uidlist", "dovecot.index*", "dovecot-uidvalidity*"):
        for file in dovecot.mails.rglob(name):
            file.unlink()
    time.sleep(1.0)  # the new UIDVALIDITY is the time in seconds, and must differ
    dovecot.start()


def validity(dovecot: Dovecot, folder: str) -> bytes:
    return dovecot.imap.status(folder, "(UIDVALIDITY)")[1][0]


def test_a_refused_login_is_logged_although_a_broken_connection_was_just_logged(dovecot, follow, monkeypatch, caplog):
    """Lines of one kind are written once a minute, so the two must be of different kinds."""
    monkeypatch.setattr("consumers.mailbox.imap.LONGEST_PAUSE_S", 0.1)
    following = follow()
    monkeypatch.setattr(IMAPClient, "login", Mock(side_effect=LoginError("[AUTHENTICATIONFAILED]")))
    dovecot.stop()
    dovecot.start()
    following.wait_for(lambda: "ann is refused" in caplog.text)

    once = OncePerMinute()
    written = [record.getMessage() for record in caplog.records if once.filter(record)]

    assert any("ann is refused: [AUTHENTICATIONFAILED]; check the user" in line for line in written)
    monkeypatch.undo()
    name, raw = new_mail()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: name in following.mails())
