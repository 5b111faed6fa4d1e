"""Apple Mail: one file .emlx for each mail, mailboxes as folders, and exported mailboxes."""

from __future__ import annotations

import pytest

from consumers.filter.mail_input import read_mails
from consumers.ingest.formats import open_source
from consumers.ingest.formats.emlx import emlx_mail
from consumers.ingest.formats.summary import summarize

MAIL = b"Message-ID: <a@b>\nSubject: hi\n\nhello\n"
PLIST = b'<?xml version="1.0" encoding="UTF-8"?>\n<plist version="1.0"><dict><key>flags</key></dict></plist>\n'


def emlx(mail: bytes) -> bytes:
    return b"%-10d\n" % len(mail) + mail + PLIST


def test_the_mail_in_an_emlx_file_is_read(tmp_path):
    for label in ("ham", "spam"):
        place = tmp_path / "mail" / label / "Messages"
        place.mkdir(parents=True)
        (place / "1.emlx").write_bytes(emlx(MAIL + label.encode()))
        (place / "2.partial.emlx").write_bytes(emlx(MAIL))
    items = list(open_source(tmp_path / "mail"))
    assert sorted((item.id, item.value.removeprefix(MAIL), item.label) for item in items) == [
        ("a@b", b"", "ham"),
        ("a@b", b"", "spam"),
        ("a@b", b"ham", "ham"),
        ("a@b", b"spam", "spam"),
    ]
    alone = tmp_path / "mail" / "ham" / "Messages" / "2.partial.emlx"
    assert [item.value for item in open_source(alone)] == [MAIL]
    assert [item.label for item in open_source(alone, label="ham")] == ["ham"]
    assert list(read_mails((str(alone),), pytest.fail)) == [(str(alone), MAIL)]


@pytest.mark.parametrize("raw", [MAIL, b"", b"12", b"x\n" + MAIL, b"-5\n" + MAIL, b"9" * 30 + b"\n" + MAIL])
def test_bytes_that_are_not_emlx_are_unchanged(raw):
    assert emlx_mail(raw) == raw


def test_in_a_folder_with_apple_s_mails_other_files_are_not_read(tmp_path):
    place = tmp_path / "Junk.mbox" / "Data" / "Messages"
    place.mkdir(parents=True)
    (place / "1.emlx").write_bytes(emlx(MAIL))
    (tmp_path / "Junk.mbox" / "Info.plist").write_bytes(PLIST)
    assert [(item.value, item.label) for item in open_source(tmp_path)] == [(MAIL, "spam")]
    assert summarize(open_source(tmp_path)) == "1 mail from 1 file: 1 spam"


def test_a_single_apple_mailbox_has_no_classes(tmp_path):
    """The names of its sub-folders are not classes, but those of mailboxes in it are."""
    place = tmp_path / "Bills.mbox"
    for folder in ("Messages", "4C1E/Data/Messages"):
        (place / folder).mkdir(parents=True)
        (place / folder / "1.emlx").write_bytes(emlx(MAIL))
    assert [item.label for item in open_source(place)] == [None, None]
    assert [item.label for item in open_source(place, label="ham")] == ["ham", "ham"]
    (place / "Old.mbox" / "Messages").mkdir(parents=True)
    (place / "Old.mbox" / "Messages" / "1.emlx").write_bytes(emlx(MAIL))
    notes = []
    assert [item.label for item in open_source(place, notify=notes.append)] == ["Old"]
    assert notes == ["2 files without a class are left out: 1.emlx, 1.emlx"]


def test_mailboxes_within_an_apple_mailbox_are_separate_folders(tmp_path):
    for name in ("INBOX.mbox", "[Gmail].mbox/Spam.mbox", "[Gmail].mbox/All Mail.mbox"):
        place = tmp_path / name / "4C1E" / "Data" / "Messages"
        place.mkdir(parents=True)
        (place / "1.emlx").write_bytes(emlx(MAIL))
    assert summarize(open_source(tmp_path)) == "3 mails from 3 files: 2 ham, 1 spam"


def test_the_folder_of_all_apple_accounts_has_the_mailboxes_of_each(tmp_path):
    for name in ("V10/0A1B/INBOX.mbox", "V10/0A1B/Junk.mbox", "V10/2C3D/[Gmail].mbox/Spam.mbox"):
        place = tmp_path / name / "4C1E" / "Data" / "Messages"
        place.mkdir(parents=True)
        (place / "1.emlx").write_bytes(emlx(MAIL))
    assert {(file.folder, file.label) for file in open_source(tmp_path / "V10").files} == {
        ("0A1B/INBOX", "ham"),
        ("0A1B/Junk", "spam"),
        ("2C3D/[Gmail]/Spam", "spam"),
    }
    assert summarize(open_source(tmp_path)) == "3 mails from 3 files: 1 ham, 2 spam"


def test_mailboxes_exported_by_apple_mail_are_read(tmp_path):
    for name in ("INBOX", "Junk"):
        (tmp_path / f"{name}.mbox").mkdir()
        (tmp_path / f"{name}.mbox" / "mbox").write_bytes(b"From a@b Thu\n" + MAIL + b"\nFrom a@b Thu\n" + MAIL)
        (tmp_path / f"{name}.mbox" / "table_of_contents").write_bytes(bytes(range(256)))
    assert summarize(open_source(tmp_path)) == "4 mails from 2 files: 2 ham, 2 spam"
    assert [item.label for item in open_source(tmp_path / "Junk.mbox")] == [None, None]
    assert [item.value for item in open_source(tmp_path / "Junk.mbox", label="spam")] == [MAIL, MAIL]
