"""Known mails are read back from their topic, whatever other records it has."""

from __future__ import annotations

import json

import pytest

from consumers.errors import UserError
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.mailbox.known_mail import KnownMail, Position
from consumers.mailbox.known_mails import KnownMails
from consumers.records.schemas import EMAILS, FEEDS, LABELS
from consumers.records.setup import open_ready_log
from tests.support.memory_log import new_log

RAW = b"Message-ID: <%d@example.org>\r\nSubject: %d\r\n\r\ntext\r\n"


@pytest.fixture
def log(settings):
    with open_ready_log(settings, notify=lambda text: None) as log:
        yield log


def open_known_mails(log, remember: int = 100) -> KnownMails:
    return KnownMails(log, "imap://ann@host/INBOX", "ann", {"INBOX": "ham", "Junk": "spam"}.get, remember)


def test_the_state_is_read_back(log):
    known_mails = open_known_mails(log)
    name = known_mails.arrive(RAW % (1, 1), "INBOX", 7)
    known_mails.reach("INBOX", Position(3, 8, 1))
    known_mails.reach_predictions({0: 5})
    known_mails.write()
    again = open_known_mails(log)
    assert again.find(name) == KnownMail("INBOX", 7)
    assert again.position("INBOX") == Position(3, 8, 1)
    assert again.read_to == {0: 5}
    assert again.position("Junk") is None


def test_the_label_of_each_mail_comes_before_the_next_mail_and_timestamps_do_not_decrease(log):
    known_mails = open_known_mails(log)
    names = [known_mails.arrive(RAW % (n, n), "INBOX", n, label="ham") for n in range(50)]
    known_mails.label(names[0], "spam")
    known_mails.write()
    mails, labels = (list(log.scan(TopicPartition(topic, 0))) for topic in (EMAILS, LABELS))
    records = sorted(mails + labels, key=lambda record: (record.timestamp, record.topic == LABELS))
    keys = [record.key.decode() for record in records]
    assert keys == [key for name in names for key in (name, name)] + [names[0]]
    assert all(json.loads(record.value)["timestamp"] == record.timestamp for record in labels)


UNREADABLE = (b'{"folder": "\xff"}', b'{"a":' * 100_000)


@pytest.mark.parametrize("kind", ["mail <a@b>", "position Work", "predictions", "mail", "other", ""])
@pytest.mark.parametrize(
    "value", [b"\xff\x00", b"{}", b"[1]", b'{"folder": 5}', b'{"0": "x"}', b"9" * 5000, None, *UNREADABLE]
)
def test_invalid_records_are_skipped(log, kind, value):
    known_mails = open_known_mails(log)
    name = known_mails.arrive(RAW % (1, 1), "INBOX", 7)
    known_mails.reach("INBOX", Position(3, 8, 1))
    known_mails.write()
    log.append([ProducerRecord(FEEDS, f"imap://ann@host/INBOX {kind}".encode(), value, 0)])
    log.append([ProducerRecord(FEEDS, b"\xff", value, 0)])
    again = open_known_mails(log)
    assert again.find(name) == KnownMail("INBOX", 7)
    assert again.position("INBOX") == Position(3, 8, 1)


@pytest.mark.parametrize("compacted", [True, False])
def test_a_forgotten_mail_stays_forgotten_after_a_restart(log, compacted):
    if not compacted:
        log = new_log()
    known_mails = open_known_mails(log, remember=2)
    names = [known_mails.arrive(RAW % (n, n), "INBOX", n) for n in (1, 2)]
    known_mails.write()
    names.append(known_mails.arrive(RAW % (3, 3), "INBOX", 3))
    known_mails.write()
    again = open_known_mails(log)
    assert [name for name, _ in again.all()] == names[1:]


def test_labels_of_the_first_mails_come_too_late_when_an_earlier_run_has_read_them(log):
    first = open_known_mails(log)
    assert first.too_late is None
    for number in (1, 2):
        first.arrive(RAW % (number, number), "INBOX", number, old=True)
    assert first.too_late is None
    first.write()

    later = open_known_mails(log)
    later.arrive(RAW % (3, 3), "INBOX", 3)
    assert later.too_late is not None
    assert later.too_late.startswith("an earlier run has read 2 mails, which --labels does not label any more;")
    later.arrive(RAW % (4, 4), "INBOX", 4, label="ham")  # an earlier run was stopped before it had read all
    assert later.too_late is None


def test_a_user_whose_name_other_labels_have_is_refused(log):
    with pytest.raises(UserError, match=r"imap://silence@host: source 'silence'"):
        KnownMails(log, "imap://silence@host", "silence", {"INBOX": "ham", "Junk": "spam"}.get, 100)
