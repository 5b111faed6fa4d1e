"""Which labels the arrival of a mail in a folder implies, and what is remembered of the mail."""

from __future__ import annotations

import msgspec
import pytest

from consumers.log.base import ProducerRecord
from consumers.mailbox.known_mail import KnownMail, Position
from consumers.mailbox.known_mails import KnownMails, mail_id
from consumers.records.mail_id import ID_HEADER, new_id, repeatable_id
from consumers.records.replay import read_all, read_labels
from consumers.records.schemas import EMAILS, FEEDS
from tests.support.memory_log import new_log

RAW = b"Subject: %d\r\n\r\ntext\r\n"
MAIL = RAW % 1
NAME = mail_id(MAIL)
CLASSES = {"INBOX": "ham", "Archive": "ham", "Junk": "spam"}


@pytest.fixture
def log():
    return new_log()


def open_known_mails(log, remember: int = 100) -> KnownMails:
    """The known mails of an account whose folders are those of `CLASSES`; others are not followed."""
    return KnownMails(log, "imap://ann@host", "ann", CLASSES.get, remember)


def labels_on(log) -> list[tuple[str, str | None, str]]:
    return [(label.id, label.label, label.source) for _, label in read_labels(log)]


@pytest.mark.parametrize(
    ("folders", "labels"),
    [
        (["INBOX"], []),
        (["Junk"], []),  # delivered there by a server
        (["INBOX", "Junk"], ["spam"]),
        (["Junk", "INBOX"], ["ham"]),
        (["Junk", "Archive"], ["ham"]),
        (["INBOX", "Archive"], []),
        (["INBOX", "Junk", "Junk"], ["spam"]),
        (["INBOX", "Junk", "INBOX"], ["spam", "ham"]),
        (["INBOX", "Elsewhere", "Junk"], []),
        (["Junk", "Elsewhere", "INBOX"], []),
    ],
)
def test_moves_into_and_out_of_junk_are_labels(log, folders, labels):
    known_mails = open_known_mails(log)
    for uid, folder in enumerate(folders, 1):
        assert known_mails.arrive(MAIL, folder, uid) == NAME
    known_mails.write()

    assert labels_on(log) == [(NAME, label, "ann") for label in labels]
    assert [record.key for record in read_all(log, EMAILS)] == [NAME.encode()], "the mail is written once"
    assert known_mails.find(NAME) == KnownMail(folders[-1], len(folders))
    assert known_mails.counts == f"1 new mail and {len(labels)} label{'s' * (len(labels) != 1)}"


def test_our_own_move_is_no_label_but_its_reversal_is(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX", 1)
    known_mails.put(NAME, KnownMail("INBOX", 1, going="Junk"))
    assert set(known_mails.ours()) == {NAME}

    known_mails.arrive(MAIL, "Junk", 1)
    assert known_mails.find(NAME) == KnownMail("Junk", 1, moved=True)
    known_mails.arrive(MAIL, "Junk", 2)  # with a new number
    assert known_mails.find(NAME) == KnownMail("Junk", 2, moved=True)
    assert set(known_mails.ours()) == {NAME} and known_mails.labels == 0

    known_mails.arrive(MAIL, "INBOX", 3)
    assert known_mails.find(NAME) == KnownMail("INBOX", 3) and known_mails.ours() == {}
    known_mails.write()
    assert labels_on(log) == [(NAME, "ham", "ann")]


def test_a_move_back_by_us_is_no_label_and_the_mail_no_longer_ours(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "Junk", 1)
    known_mails.put(NAME, KnownMail("Junk", 1, moved=True, going="INBOX"))

    known_mails.arrive(MAIL, "INBOX", 2)

    assert known_mails.find(NAME) == KnownMail("INBOX", 2) and known_mails.labels == 0


def test_a_mark_of_ours_is_remembered_in_its_folder_only(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX", 1)
    known_mails.put(NAME, msgspec.structs.replace(known_mails.find(NAME), marked=True))
    assert set(known_mails.ours()) == {NAME}

    known_mails.arrive(MAIL, "INBOX", 2)
    assert known_mails.find(NAME).marked
    known_mails.arrive(MAIL, "Archive", 3)
    assert not known_mails.find(NAME).marked


def test_a_copy_is_no_move(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX", 1)

    known_mails.arrive(MAIL, "Junk", 1, maybe_copy=True)

    assert known_mails.labels == 0


def test_a_mail_that_existed_at_the_start_gets_the_given_label_and_stays_old(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX", 1, old=True, label="ham")
    known_mails.arrive(MAIL, "Junk", 1)
    known_mails.write()

    assert [label for _, label, _ in labels_on(log)] == ["ham", "spam"]
    assert known_mails.find(NAME).old


def test_a_known_mail_is_old_in_a_folder_that_had_it_before_it_was_followed(log):
    """Else the first feed of another folder of the account would move mails that its owner has filed there."""
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX", 1)
    known_mails.arrive(MAIL, "Archive", 1, old=True)

    assert known_mails.find(NAME).old


def test_a_move_means_more_than_a_new_keyword(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX")
    known_mails.arrive(MAIL, "Junk", label="ham", keyword="ham")
    known_mails.write()

    assert [label for _, label, _ in labels_on(log)] == ["spam"]


def test_a_mail_may_be_forgotten_whose_record_a_broker_has_compacted_away(log):
    log.append([ProducerRecord(FEEDS, f"imap://ann@host mail {NAME}".encode(), None, 0)])

    assert open_known_mails(log).find(NAME) is None


def test_a_keyword_that_was_there_before_the_move_is_no_label_again(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX", label="ham", keyword="ham")
    known_mails.arrive(MAIL, "Archive", label="ham", keyword="ham")
    known_mails.arrive(MAIL, "INBOX", label="spam", keyword="spam")
    known_mails.write()

    assert [label for _, label, _ in labels_on(log)] == ["ham", "spam"]


def test_nothing_is_written_while_nothing_changes(log):
    known_mails = open_known_mails(log)
    known_mails.arrive(MAIL, "INBOX", 7)
    written: list[int] = []
    for _ in range(2):
        known_mails.reach("INBOX", Position(3, 8, 1))
        known_mails.reach_predictions({0: 5})
        known_mails.write()
        written.append(sum(1 for topic in (EMAILS, FEEDS) for _ in read_all(log, topic)))

    assert written == [4, 4]
    assert known_mails.position("INBOX") == Position(3, 8, 1)


def test_the_id_that_our_filter_gave_counts_only_in_its_own_mail():
    """Else a forged one would give the labels of a mail to another one."""
    passed = new_id(MAIL)
    carries = f"{ID_HEADER}: {passed}\r\n".encode()

    assert mail_id(carries + MAIL) == passed
    assert mail_id(carries + MAIL + b"more") == repeatable_id(carries + MAIL + b"more")


@pytest.mark.parametrize("restarts", [False, True])
def test_the_mail_that_was_moved_least_recently_is_forgotten_first(log, restarts):
    known_mails = open_known_mails(log, remember=2)
    first, second = (known_mails.arrive(RAW % number, "INBOX", number) for number in (1, 2))
    known_mails.arrive(RAW % 1, "Junk", 1)
    known_mails.write()

    again = open_known_mails(log, remember=2) if restarts else known_mails
    third = again.arrive(RAW % 3, "INBOX", 3)

    assert [name for name, _ in again.all()] == [first, third] and again.find(second) is None


def test_a_mail_that_is_still_there_is_not_forgotten(log):
    known_mails = KnownMails(log, "imap://ann@host", "ann", CLASSES.get, 2, is_there=lambda mail: mail.uid % 2 == 1)
    for uid in range(1, 6):
        known_mails.arrive(RAW % uid, "INBOX", uid)

    assert {mail.uid for _, mail in known_mails.all()} == {1, 3, 5}
