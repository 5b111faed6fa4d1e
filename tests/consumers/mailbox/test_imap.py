"""A followed mailbox on a real Dovecot: its mails on the log, and the moves that are labels."""

from __future__ import annotations

import uuid
from unittest.mock import Mock

import msgspec
import pytest
from imapclient import IMAPClient

from consumers.errors import UserError
from consumers.mailbox.connection import ImapConnection
from consumers.records.heartbeat import FEED, HeartbeatWriter
from consumers.records.mail_id import new_id
from consumers.settings import ImapSettings, KafkaSettings
from tests.consumers.filter.conftest import PATIENCE_S
from tests.consumers.mailbox.conftest import Following, new_mail
from tests.support.dovecot import Dovecot
from tests.support.postfix import open_folder
from tests.support.stage_states import stage_states


def test_existing_and_new_mails_are_on_the_log_once(dovecot, follow):
    mails = [new_mail() for _ in range(25)]
    for _, raw in mails[:23]:
        dovecot.put("INBOX", raw)

    following = follow()
    assert following.mails() == [name for name, _ in mails[:23]]
    for _, raw in mails[23:]:
        dovecot.put("INBOX", raw)

    following.wait_for(lambda: len(following.mails()) >= 25)
    assert following.mails() == [name for name, _ in mails]
    assert following.labels() == []


def test_with_labels_the_mails_already_there_are_labelled_by_folder(dovecot, follow):
    (ham, ham_raw), (spam, spam_raw), (later, later_raw) = new_mail("ham"), new_mail("spam"), new_mail("spam")
    dovecot.put("INBOX", ham_raw)
    dovecot.put("Junk", spam_raw)

    following = follow(labels=True)
    dovecot.put("Junk", later_raw)
    dovecot.put("INBOX", new_mail()[1])  # a change in INBOX makes the follower read Junk

    following.wait_for(lambda: len(following.mails()) >= 4)
    assert later in following.mails()
    assert sorted(following.labels()) == sorted([(ham, "ham", "ann"), (spam, "spam", "ann")])


def test_the_folders_are_read_evenly_at_the_start(dovecot, follow, monkeypatch):
    monkeypatch.setattr("consumers.mailbox.reading.MAILS_A_FETCH", 2)
    for folder in ["INBOX"] * 8 + ["Junk"] * 4:
        dovecot.put(folder, new_mail()[1])

    labels = [label for _, label, _ in follow(labels=True).labels()]

    assert labels == ["ham", "ham", "spam", "spam", "ham", "ham", "ham", "ham", "spam", "spam", "ham", "ham"]


def test_a_server_may_keep_the_next_uid_to_itself(dovecot, follow, monkeypatch):
    """Courier does; mails that are there at the start must not be taken for new ones."""
    select = IMAPClient.select_folder

    def select_like_courier(client, *arguments, **options):
        found = select(client, *arguments, **options)
        del found[b"UIDNEXT"]
        return found

    monkeypatch.setattr(IMAPClient, "select_folder", select_like_courier)
    (ham, ham_raw), (later, later_raw) = new_mail("ham"), new_mail("ham")
    dovecot.put("INBOX", ham_raw)

    following = follow(labels=True)  # Junk is empty
    dovecot.put("INBOX", later_raw)

    following.wait_for(lambda: later in following.mails())
    assert following.labels() == [(ham, "ham", "ann")]


def test_moves_into_and_out_of_junk_are_labels_and_moves_to_trash_are_not(dovecot, follow):
    name, raw = new_mail()
    following = follow()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: name in following.mails())

    dovecot.move("INBOX", "Junk")
    following.wait_for(lambda: len(following.labels()) >= 1)
    dovecot.move("Junk", "INBOX")
    following.wait_for(lambda: len(following.labels()) >= 2)
    dovecot.move("INBOX", "Trash")
    dovecot.move("Trash", "INBOX")
    dovecot.move("INBOX", "Junk")
    following.wait_for(lambda: len(following.labels()) >= 3)
    dovecot.move("Junk", "Trash")
    last, raw = new_mail()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: last in following.mails())

    assert following.labels() == [(name, label, "ann") for label in ("spam", "ham", "spam")]
    assert following.mails() == [name, last]


def test_a_junk_folder_may_be_created_later(follow):
    """Mail programs create it when the first mail is moved there."""
    told = "no junk folder was found, so moves are not labels; set STREAM_NB_IMAP_JUNK to its name"
    with open_folder("imap-") as folder:
        server = Dovecot(folder, "namespace inbox {\n  mailbox Junk {\n    auto = no\n  }\n}")
        try:
            name, raw = new_mail()
            server.put("INBOX", raw)
            following = follow(f"imap://ann@127.0.0.1:{server.port}/INBOX")
            assert following.notices == [told]

            server.imap.create("Junk")
            server.move("INBOX", "Junk")

            following.wait_for(lambda: following.labels() == [(name, "spam", "ann")])
            assert following.notices == [told, "Junk is the junk folder"]
            following.close()
        finally:
            server.stop()


def test_a_server_without_idle_is_asked_again_and_again(dovecot, follow, monkeypatch):
    can = ImapConnection.can
    monkeypatch.setattr(ImapConnection, "can", lambda self, name: name != "IDLE" and can(self, name))
    monkeypatch.setattr(ImapConnection, "start_idle", lambda self: pytest.fail("IDLE is unknown"))
    monkeypatch.setattr("consumers.mailbox.imap.WAKE_S", 0.05)
    monkeypatch.setattr("consumers.mailbox.imap.REFRESH_S", 0.1)
    following = follow()
    name, raw = new_mail()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: following.mails() == [name])

    dovecot.move("INBOX", "Junk")
    following.wait_for(lambda: following.labels() == [(name, "spam", "ann")])


def test_a_server_without_idle_is_not_asked_all_the_time(dovecot, follow, monkeypatch):
    can = ImapConnection.can
    select = Mock(wraps=ImapConnection.select)
    monkeypatch.setattr(ImapConnection, "can", lambda self, name: name != "IDLE" and can(self, name))
    monkeypatch.setattr(ImapConnection, "select", lambda *given, **options: select(*given, **options))
    monkeypatch.setattr("consumers.mailbox.imap.WAKE_S", 0.001)
    beat = Mock()
    monkeypatch.setattr(HeartbeatWriter, "beat", beat)
    following = follow()

    following.wait_for(lambda: beat.call_count > 100)

    assert select.call_count < 20


def test_on_kafka_moves_are_labels_and_a_restart_repeats_nothing(kafka, dovecot, settings, follow):
    prefix = KafkaSettings(prefix=f"t{uuid.uuid4().hex[:8]}-")
    settings = msgspec.structs.replace(settings, log=f"kafka://{kafka.bootstrap}", kafka=prefix)
    (first, raw), (second, later) = new_mail(), new_mail()
    dovecot.put("INBOX", raw)
    following = follow(settings=settings)
    dovecot.move("INBOX", "Junk")
    following.wait_for(lambda: following.labels() == [(first, "spam", "ann")])
    following.close()
    dovecot.put("INBOX", later)
    following = follow(settings=settings)
    dovecot.move("Junk", "INBOX")

    following.wait_for(lambda: following.labels() == [(first, "spam", "ann"), (first, "ham", "ann")])
    following.wait_for(lambda: sorted(following.mails()) == sorted([first, second]))


def test_delivery_into_junk_is_no_label(dovecot, follow):
    following = follow()
    (name, raw), (other, other_raw) = new_mail("spam"), new_mail()
    dovecot.put("Junk", raw)
    dovecot.put("INBOX", other_raw)

    following.wait_for(lambda: {name, other} <= set(following.mails()))
    assert following.labels() == []


def test_a_mail_keeps_the_id_that_the_filter_gave_it(dovecot, follow):
    raw = new_mail()[1]
    passed = new_id(raw)
    dovecot.put("INBOX", b"X-Stream-NB-Id: " + passed.encode() + b"\r\n" + raw)
    dovecot.put("INBOX", b"X-Stream-NB-Id: " + passed.encode() + b"\r\n" + new_mail()[1])

    mails = follow().mails()

    assert mails[0] == passed
    assert mails[1] != passed, "an id with the content hash of another mail is ignored"


@pytest.mark.parametrize(
    "url, password, advice",
    [
        ("imap://ann@127.0.0.1:{port}/INBOX", "wrong", "check the user and STREAM_NB_IMAP_PASSWORD"),
        ("imap://ann@127.0.0.1:{port}/Inbx", "secret", "no folder 'Inbx'"),
        ("imap://ann@127.0.0.1:{port}/B%C3%BCro", "secret", "no folder 'Büro' can hold mails"),
        ("imap://ann@127.0.0.1:{port}/*", "secret", "no folder '*'"),
        ("imap://ann@127.0.0.1:{port}/Junk", "secret", "'Junk' is the junk folder"),
    ],
)
def test_a_wrong_password_or_folder_is_an_error_at_once(dovecot, settings, url, password, advice):
    settings = msgspec.structs.replace(settings, imap=ImapSettings(password=password))
    dovecot.imap.create("B&APw-ro.Ablage")  # also creates its parent, which can hold only folders

    following = Following(url.format(port=dovecot.port), settings, ready=False)
    following._thread.join(PATIENCE_S)

    (error,) = following.errors
    assert isinstance(error, UserError) and advice in str(error)
    assert "secret" not in str(error) and "wrong" not in str(error) and "b'" not in str(error)


def test_the_inbox_in_any_spelling_is_no_junk_folder_of_its_own(dovecot, settings):
    settings = msgspec.structs.replace(settings, imap=ImapSettings(password="secret", junk="inbox"))

    following = Following(f"imap://ann@127.0.0.1:{dovecot.port}/INBOX", settings, ready=False)
    assert following._ready.wait(PATIENCE_S)
    following.close()

    (error,) = following.errors
    assert isinstance(error, UserError) and "'INBOX' is the junk folder" in str(error)


def test_a_followed_mailbox_sends_heartbeats_with_its_state(dovecot, follow, monkeypatch):
    monkeypatch.setattr("consumers.records.heartbeat.HEARTBEAT_S", 0.1)
    following = follow()
    with following.open() as log:
        following.wait_for(lambda: list(stage_states(log, FEED).values()) == ["running"])
        assert f"127.0.0.1:{dovecot.port}" in next(iter(stage_states(log, FEED)))
        dovecot.stop()
        following.wait_for(lambda: list(stage_states(log, FEED).values()) == ["waiting for the mail server"])
        following.close()
        assert list(stage_states(log, FEED).values()) == ["stopped"]
    dovecot.start()
