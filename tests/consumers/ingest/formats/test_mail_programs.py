"""Folders and exports of mail programs: mbsync's and Thunderbird's folders, Gmail's X-Gmail-Labels."""

from __future__ import annotations

import pytest

from consumers.ingest.formats import open_source
from consumers.ingest.formats.gmail import gmail_class
from consumers.ingest.formats.summary import summarize

MAIL = b"Message-ID: <a@b>\nSubject: hi\n\nhello\n"


def gmail(*mails: tuple[str | None, str]) -> bytes:
    return b"".join(
        b"From 1@xxx Mon Jan 01 00:00:00 +0000 2024\nX-GM-THRID: 1\n"
        + f"{labels or ''}Subject: {subject}\n\ntext\n\n".encode()
        for labels, subject in mails
    )


@pytest.mark.parametrize(
    ("field", "label"),
    [
        ("Inbox,Unread", "ham"),
        ("Archived", "ham"),
        ("Spam,Unread", "spam"),
        ("Unread,\r\n Spam", "spam"),
        ("=?UTF-8?Q?Spam,Unread?=", "spam"),
        ('"Work, Spam",Inbox', "ham"),
        ("Not Spam", "ham"),
        ("Trash,Opened", None),
        ("Spam,Trash", None),
        ("Bin", None),
        ("Sent,Opened", None),
        ("=?UTF-8?Q?Entw=C3=BCrfe?=", None),
        ("Inbox,Work/Sent", "ham"),
        ("Papierkorb,=?UTF-8?Q?Ge=C3=B6ffnet?=", None),
        ("=?UTF-8?B?0KHQv9Cw0Lw=?=", "spam"),
        ("Inbox,Bulk,Work/Spam,Work/Bin", "ham"),  # a label that the user chose
        ("=?broken?Q", "ham"),
        ("=?utf-8?B?x?=", "ham"),
        ("Inbox,=?utf-8?Q?a=0Db,Spam?=", "spam"),
        ("", None),
    ],
)
def test_the_class_is_derived_from_gmail_labels(field, label):
    assert gmail_class(b"X-GM-THRID: 1\nX-Gmail-Labels: " + field.encode() + b"\nSubject: x\n\n") == label


def test_gmail_labels_written_by_the_sender_are_ignored():
    """Servers add their fields above those of the sender, and Gmail adds its labels above all others."""
    assert gmail_class(b"Received: from x\nX-Gmail-Labels: Inbox\n\n") is None
    assert gmail_class(b"Subject: X\n\nX-Gmail-Labels: Spam\n") is None


def test_maildirs_in_a_folder_as_of_mbsync_are_read(tmp_path):
    for name in ("Inbox", "[Gmail]/Spam", "[Gmail]/Trash", "Lists/B&APw-ro"):
        for part in ("cur", "new", "tmp"):
            (tmp_path / name / part).mkdir(parents=True)
        (tmp_path / name / "cur" / "1.host,U=1:2,S").write_bytes(MAIL)
    assert [(file.folder, file.label) for file in open_source(tmp_path).files] == [
        ("Inbox", "ham"),
        ("Lists/Büro", "ham"),
        ("[Gmail]/Spam", "spam"),
        ("[Gmail]/Trash", None),
    ]


def test_nested_thunderbird_folders_with_one_file_per_mail_are_read(tmp_path):
    for name in ("Inbox", "Inbox.sbd/Junk"):
        (tmp_path / name / "cur").mkdir(parents=True)
        (tmp_path / name / "cur" / "1.eml").write_bytes(MAIL)
        (tmp_path / f"{name}.msf").write_text("// <!-- <mdb:mork:z v=1.4/> -->")
    assert [(file.folder, file.label) for file in open_source(tmp_path).files] == [
        ("Inbox", "ham"),
        ("Inbox/Junk", "spam"),
    ]


def test_a_folder_of_a_thunderbird_profile_without_an_index_is_named_by_its_path(tmp_path):
    """Thunderbird writes the index when the folder is opened first."""
    places = ("Inbox", "Junk", "Junk.sbd/2019", "Inbox.sbd/Lists.sbd/R&D")
    for place in (tmp_path / "Local Folders" / name for name in places):
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(b"From - \n" + MAIL + b"\n\nFrom - \n" + MAIL)
        if place.parent.name == "Local Folders":
            place.with_name(f"{place.name}.msf").touch()

    assert {(file.folder, file.label) for file in open_source(tmp_path).files} == {
        ("Local Folders/Inbox", "ham"),
        ("Local Folders/Junk", "spam"),
        ("Local Folders/Junk/2019", "spam"),
        ("Local Folders/Inbox/Lists/R&D", "ham"),
    }


def test_other_files_of_a_thunderbird_profile_are_no_mail(tmp_path):
    for place in ("ImapMail/mail.example.org/INBOX", "ImapMail/mail.example.org/Junk"):
        path = tmp_path / place
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(b"From - \n" + MAIL)
        path.with_name(f"{path.name}.msf").touch()
    for place in ("prefs.js", "storage/permanent/1.txt", "calendar-data/local.sqlite"):
        (tmp_path / place).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / place).write_text("no mail")
    for place in ("Mail/Feeds/cur/1", "exported/1.eml"):
        (tmp_path / place).parent.mkdir(parents=True)
        (tmp_path / place).write_bytes(MAIL)
    notes = []

    source = open_source(tmp_path, notify=notes.append)

    assert sorted((file.folder, file.label) for file in source.files) == [
        ("ImapMail/mail.example.org/INBOX", "ham"),
        ("ImapMail/mail.example.org/Junk", "spam"),
        ("Mail/Feeds", "ham"),
        ("exported", "ham"),
    ]
    assert notes[0] == (
        "3 files hold no mail and are left out: calendar-data/local.sqlite, prefs.js, storage/permanent/1.txt"
    )


def test_one_folder_of_thunderbird_with_one_file_per_mail_tells_no_class(tmp_path):
    """It has cur/ and tmp/, but no new/."""
    for part in ("cur", "tmp"):
        (tmp_path / part).mkdir()
    (tmp_path / "cur" / "1.eml").write_bytes(MAIL)

    assert [item.label for item in open_source(tmp_path)] == [None]
    assert [item.label for item in open_source(tmp_path, label="ham")] == ["ham"]


def test_the_classes_of_a_gmail_mbox_are_its_labels(tmp_path):
    path = tmp_path / "All mail Including Spam and Trash.mbox"
    path.write_bytes(
        gmail(
            ("X-Gmail-Labels: Inbox\n", "a"),
            ("X-Gmail-Labels: Spam\n", "b"),
            ("X-Gmail-Labels: Trash\n", "c"),
            (None, "d"),
        )
    )
    assert [item.label for item in open_source(path)] == ["ham", "spam", None, None]
    assert [item.label for item in open_source(path, shuffle=2)].count("spam") == 1
    assert summarize(open_source(path), count=True) == "4 mails (mbox): 1 ham, 1 spam, 2 without a class"


def test_a_gmail_mbox_in_a_folder_has_classes_by_its_labels(tmp_path):
    """The file is named spam, but contains all mail."""
    (tmp_path / "All mail Including Spam and Trash.mbox").write_bytes(
        gmail(("X-Gmail-Labels: Inbox\n", "a"), ("X-Gmail-Labels: Spam\n", "b"), ("X-Gmail-Labels: Trash\n", "c"))
    )
    assert [item.label for item in open_source(tmp_path)] == ["ham", "spam", None]
    assert [item.label for item in open_source(tmp_path, classes="*=work")] == ["work"] * 3


def test_settings_files_next_to_a_gmail_mbox_are_not_read(tmp_path):
    """Google Takeout exports them."""
    (tmp_path / "Mail" / "User Settings").mkdir(parents=True)
    (tmp_path / "archive_browser.html").write_text("<html>")
    (tmp_path / "Mail" / "User Settings" / "Filters.json").write_text("{}")
    (tmp_path / "Mail" / "User Settings" / "Signature.html").write_text("<html>")
    (tmp_path / "Mail" / "All mail.mbox").write_bytes(
        gmail(("X-Gmail-Labels: Inbox\n", "a"), ("X-Gmail-Labels: Spam\n", "b"))
    )
    for root in (tmp_path, tmp_path / "Mail"):
        notes = []
        assert summarize(open_source(root, notify=notes.append)) == "2 mails from 1 file: 1 ham, 1 spam"
        assert "1 file next to Gmail's mbox is left out: Signature.html" in notes


def test_mails_deleted_in_thunderbird_are_left_out(tmp_path):
    mails = [b"From - Thu\nX-Mozilla-Status: %s\nX-Mozilla-Status2: 00000000\nSubject: %s\n\nx\n\n" % pair
             for pair in ((b"0001", b"read"), (b"0009", b"moved"), (b"0000", b"new"), (b"0008", b"gone"))]  # fmt: skip
    (tmp_path / "Inbox").write_bytes(b"".join(mails))

    for place in (tmp_path, tmp_path / "Inbox"):
        assert [item.value.split(b"\n")[2] for item in open_source(place)] == [b"Subject: read", b"Subject: new"]


def test_mails_deleted_in_a_thunderbird_pop3_account_are_left_out(tmp_path):
    """There the status field is below two other fields of Thunderbird; below a field of the sender it is ignored."""
    account = b"From - Thu\nX-Account-Key: account2\nX-UIDL: 7\n"
    (tmp_path / "Inbox").write_bytes(
        account + b"X-Mozilla-Status: 0001\nSubject: read\n\nx\n\n"
        + account + b"X-Mozilla-Status: 0009\nSubject: moved\n\nx\n\n"
        + account + b"Received: from x\nX-Mozilla-Status: 0008\nSubject: forged\n\nx\n\n"
    )  # fmt: skip

    for place in (tmp_path, tmp_path / "Inbox"):
        assert [item.value.split(b"\n")[3] for item in open_source(place)] == [
            b"Subject: read",
            b"X-Mozilla-Status: 0008",
        ]
