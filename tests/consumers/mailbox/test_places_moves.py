"""Which labels the arrival of a mail in a folder implies, and what is remembered of the mail."""

from __future__ import annotations

import msgspec
import pytest

from consumers.log.memory import MemoryLog, Topics
from consumers.mailbox.places import Place, Places, mail_id
from consumers.records.replay import read_all, read_labels
from consumers.records.schemas import EMAILS, TOPICS

RAW = b"Subject: %d\r\n\r\ntext\r\n"
MAIL = RAW % 1
NAME = mail_id(MAIL)
JUNK = {"INBOX": False, "Archive": False, "Junk": True}


@pytest.fixture
def log():
    log = MemoryLog(Topics())
    log.create_topics(TOPICS, 1)
    return log


def open_places(log, remember: int = 100) -> Places:
    """The places of an account whose folders are those of `JUNK`; others are not followed."""
    return Places(log, "imap://ann@host", "ann", JUNK.get, remember)


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
    places = open_places(log)
    for uid, folder in enumerate(folders, 1):
        assert places.arrive(MAIL, folder, uid) == NAME
    places.write()

    assert labels_on(log) == [(NAME, label, "ann") for label in labels]
    assert [record.key for record in read_all(log, EMAILS)] == [NAME.encode()], "the mail is written once"
    assert places.find(NAME) == Place(folders[-1], len(folders))
    assert places.counts == f"1 new mail and {len(labels)} label{'s' * (len(labels) != 1)}"


def test_our_own_move_is_no_label_but_its_reversal_is(log):
    places = open_places(log)
    places.arrive(MAIL, "INBOX", 1)
    places.put(NAME, Place("INBOX", 1, going="Junk"))
    assert set(places.ours()) == {NAME}

    places.arrive(MAIL, "Junk", 1)
    assert places.find(NAME) == Place("Junk", 1, moved=True)
    places.arrive(MAIL, "Junk", 2)  # with a new number
    assert places.find(NAME) == Place("Junk", 2, moved=True)
    assert set(places.ours()) == {NAME} and places.labels == 0

    places.arrive(MAIL, "INBOX", 3)
    assert places.find(NAME) == Place("INBOX", 3) and places.ours() == {}
    places.write()
    assert labels_on(log) == [(NAME, "ham", "ann")]


def test_a_move_back_by_us_is_no_label_and_the_mail_no_longer_ours(log):
    places = open_places(log)
    places.arrive(MAIL, "Junk", 1)
    places.put(NAME, Place("Junk", 1, moved=True, going="INBOX"))

    places.arrive(MAIL, "INBOX", 2)

    assert places.find(NAME) == Place("INBOX", 2) and places.labels == 0


def test_a_mark_of_ours_is_remembered_in_its_folder_only(log):
    places = open_places(log)
    places.arrive(MAIL, "INBOX", 1)
    places.put(NAME, msgspec.structs.replace(places.find(NAME), marked=True))
    assert set(places.ours()) == {NAME}

    places.arrive(MAIL, "INBOX", 2)
    assert places.find(NAME).marked
    places.arrive(MAIL, "Archive", 3)
    assert not places.find(NAME).marked


def test_a_copy_is_no_move(log):
    places = open_places(log)
    places.arrive(MAIL, "INBOX", 1)

    places.arrive(MAIL, "Junk", 1, maybe_copy=True)

    assert places.labels == 0


def test_a_mail_that_existed_at_the_start_gets_the_given_label_and_stays_old(log):
    places = open_places(log)
    places.arrive(MAIL, "INBOX", 1, old=True, label="ham")
    places.arrive(MAIL, "Junk", 1)
    places.write()

    assert [label for _, label, _ in labels_on(log)] == ["ham", "spam"]
    assert places.find(NAME).old


def test_a_keyword_that_was_there_before_the_move_is_no_label_again(log):
    places = open_places(log)
    places.arrive(MAIL, "INBOX", label="ham", keyword="ham")
    places.arrive(MAIL, "Archive", label="ham", keyword="ham")
    places.arrive(MAIL, "INBOX", label="spam", keyword="spam")
    places.write()

    assert [label for _, label, _ in labels_on(log)] == ["ham", "spam"]


def test_after_a_restart_too_the_mail_that_was_moved_least_recently_is_forgotten_first(log):
    places = open_places(log, remember=2)
    first, second = (places.arrive(RAW % number, "INBOX", number) for number in (1, 2))
    places.arrive(RAW % 1, "Junk", 1)
    places.write()

    again = open_places(log, remember=2)
    third = again.arrive(RAW % 3, "INBOX", 3)

    assert [name for name, _ in again.all()] == [first, third] and again.find(second) is None
