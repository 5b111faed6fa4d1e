"""Names of a Maildir's folders and files in other languages and encodings."""

from __future__ import annotations

import os
from pathlib import Path

from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


def test_trash_and_drafts_are_recognised_in_other_languages(maildir, follow_maildir):
    junk, trash = maildir / ".Courrier ind&AOk-sirable", maildir / ".&AMk-l&AOk-ments supprim&AOk-s"
    written = maildir / ".Brouillons"
    for folder in (junk, trash, written):
        for part in ("cur", "new", "tmp"):
            (folder / part).mkdir(parents=True)
    (moved, raw), (thrown, other) = new_mail(), new_mail()
    deliver(maildir, "1.host", raw)
    deliver(junk, "2.host", other)
    deliver(written, "3.host", new_mail()[1])
    following = follow_maildir()
    assert sorted(following.mails()) == sorted([moved, thrown])

    os.rename(junk / "new/2.host", trash / "cur/2.host:2,S")
    os.rename(maildir / "new/1.host", junk / "cur/1.host:2,S")
    following.wait_for(lambda: (moved, "spam", SOURCE) in following.labels())
    last, raw = new_mail()
    deliver(maildir, "last.host", raw)
    following.wait_for(lambda: last in following.mails())

    assert following.labels() == [(moved, "spam", SOURCE)]


def test_folders_and_files_with_latin_1_names_are_followed(maildir, follow_maildir):
    """Old servers left such names."""
    root = Path(os.fsdecode(os.fsencode(maildir.parent) + b"/bo\xeete"))
    maildir.rename(root)
    folder, file = (os.fsdecode(name) for name in (b".caf\xe9", b"1.h\xf4te"))
    (root / ".Work").rename(root / folder)
    name, raw = new_mail()
    deliver(root / folder, file, raw)
    following = follow_maildir(root)
    assert following.mails() == [name]

    os.rename(root / folder / "new" / file, root / ".Junk/cur" / f"{file}:2,S")
    following.wait_for(lambda: following.labels() == [(name, "spam", SOURCE)])
    following.close()

    following = follow_maildir(root)
    os.rename(root / ".Junk/cur" / f"{file}:2,S", root / folder / "cur" / f"{file}:2,S")
    following.wait_for(lambda: following.labels()[1:] == [(name, "ham", SOURCE)])


def test_folders_below_one_for_spam_are_for_spam_too(maildir, follow_maildir):
    below = maildir / ".Junk.2024"
    for part in ("cur", "new", "tmp"):
        (below / part).mkdir(parents=True)
    (filed, raw), (moved, other) = new_mail(), new_mail()
    deliver(maildir / ".Junk", "1.host", raw)
    deliver(maildir, "2.host", other)
    following = follow_maildir()
    assert sorted(following.mails()) == sorted([filed, moved])

    os.rename(maildir / ".Junk/new/1.host", below / "cur/1.host:2,S")
    os.rename(maildir / "new/2.host", below / "cur/2.host:2,S")
    following.wait_for(lambda: following.labels() == [(moved, "spam", SOURCE)])
    os.rename(below / "cur/1.host:2,S", maildir / "cur/1.host:2,S")
    following.wait_for(lambda: following.labels()[1:] == [(filed, "ham", SOURCE)])


def test_a_folder_of_maildirs_is_followed(maildir, follow_maildir):
    """The default layout of mbsync."""
    root = maildir.parent / "Mail"
    for name in ("INBOX", "Junk", "Trash"):
        for part in ("cur", "new", "tmp"):
            (root / name / part).mkdir(parents=True)
    (moved, raw), (thrown, other) = new_mail(), new_mail()
    deliver(root / "INBOX", "1.host", raw)
    deliver(root / "Junk", "2.host", other)
    following = follow_maildir(root)
    assert sorted(following.mails()) == sorted([moved, thrown])

    os.rename(root / "INBOX/new/1.host", root / "Junk/cur/1.host:2,S")
    os.rename(root / "Junk/new/2.host", root / "Trash/cur/2.host:2,S")
    following.wait_for(lambda: following.labels() == [(moved, "spam", SOURCE)])
    os.rename(root / "Junk/cur/1.host:2,S", root / "INBOX/cur/1.host:2,S")
    following.wait_for(lambda: following.labels()[1:] == [(moved, "ham", SOURCE)])


def test_folders_within_folders_are_followed(maildir, follow_maildir):
    """Dovecot's LAYOUT=fs, and mbsync with sub-folders."""
    for name in ("Lists/river", "Junk/2026", "Trash/old"):
        for part in ("cur", "new", "tmp"):
            (maildir / name / part).mkdir(parents=True)
    (moved, raw), (thrown, other), (_, third) = new_mail(), new_mail(), new_mail()
    deliver(maildir / "Lists/river", "1.host", raw)
    deliver(maildir / "Junk/2026", "2.host", other)
    deliver(maildir / "Trash/old", "3.host", third)
    following = follow_maildir()
    assert sorted(following.mails()) == sorted([moved, thrown])

    os.rename(maildir / "Lists/river/new/1.host", maildir / "Junk/2026/cur/1.host:2,S")
    following.wait_for(lambda: following.labels() == [(moved, "spam", SOURCE)])
    os.rename(maildir / "Junk/2026/cur/1.host:2,S", maildir / "Lists/river/cur/1.host:2,S")
    following.wait_for(lambda: following.labels()[1:] == [(moved, "ham", SOURCE)])


def test_two_folders_of_one_name_are_followed(maildir, follow_maildir):
    """After a migration from one layout to the other."""
    for name in ("Junk", "INBOX"):
        for part in ("cur", "new", "tmp"):
            (maildir / name / part).mkdir(parents=True)
    places, mails = (".", "INBOX", ".Junk", "Junk"), [new_mail() for _ in range(4)]
    for place, (name, raw) in zip(places, mails, strict=True):
        deliver(maildir / place, f"{name}.host", raw)
    following = follow_maildir()
    assert sorted(following.mails()) == sorted(name for name, _ in mails)

    moved = mails[1][0]
    os.rename(maildir / f"INBOX/new/{moved}.host", maildir / f"Junk/cur/{moved}.host:2,S")
    following.wait_for(lambda: following.labels() == [(moved, "spam", SOURCE)])
