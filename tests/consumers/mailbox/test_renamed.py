"""Folders of a Maildir that are renamed: their mails have not been moved."""

from __future__ import annotations

import os
import time
from unittest.mock import Mock

import pytest

from consumers.mailbox.known_mail import KnownMail
from consumers.mailbox.known_mails import KnownMails
from consumers.mailbox.renamed import RenamedFolders
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir
from tests.support.memory_log import new_log

__all__ = ["follow_maildir", "maildir"]


def test_only_the_mails_of_a_renamed_folder_are_remembered_in_another_one(tmp_path):
    log = new_log()
    known_mails = KnownMails(log, "maildir:mail", "ann", {"INBOX": "ham", "Junk": "spam"}.get, remember=9)
    names = [known_mails.arrive(new_mail()[1], folder) for folder in ("Old", "Junk", "Old", "Gone")]
    folders = {folder: tmp_path / folder for folder in ("Old", "Junk", "Gone")}
    for path in folders.values():
        path.mkdir()
    renamed = RenamedFolders(known_mails)
    renamed.follow(folders)

    (tmp_path / "Old").rename(tmp_path / "New")
    (tmp_path / "Gone").rmdir()
    renamed.follow({folder: tmp_path / folder for folder in ("New", "Junk", "Gone")})

    assert [known_mails.find(name).folder for name in names] == ["New", "Junk", "New", "Gone"]


def test_mails_are_left_alone_while_no_folder_is_renamed_and_in_a_folder_that_takes_a_deleted_one_s_number(tmp_path):
    known_mails = Mock(**{"all.return_value": [("a", KnownMail("Old"))]})
    renamed = RenamedFolders(known_mails)
    for folders in ("Old", "Old", "", "New"):
        renamed.follow({folder: tmp_path for folder in folders.split()})

    assert not known_mails.put.called


@pytest.mark.parametrize("name", [".Junk-2025", ".Archive.Spam old", "..DOVECOT-TRASHED"])
def test_the_mails_of_a_renamed_junk_folder_get_no_labels(maildir, follow_maildir, name):
    """Dovecot renames a folder before it deletes its files."""
    (spam, spam_raw), (other, other_raw) = new_mail("spam"), new_mail("spam")
    deliver(maildir / ".Junk", "1.host", spam_raw)
    deliver(maildir, "2.host", other_raw)
    following = follow_maildir()

    (maildir / ".Junk").rename(maildir / name)
    for part in ("cur", "new", "tmp"):
        (maildir / ".Junk" / part).mkdir(parents=True)
    time.sleep(3.0)  # longer than it takes until a mail in two folders counts as a copy
    os.rename(maildir / "new/2.host", maildir / ".Junk/cur/2.host:2,S")
    following.wait_for(lambda: following.labels() != [])

    assert following.labels() == [(other, "spam", SOURCE)]
    assert sorted(following.mails()) == sorted([spam, other])


def test_a_move_out_of_a_folder_renamed_to_junk_is_a_label(maildir, follow_maildir):
    name, raw = new_mail()
    (maildir / ".Junk").rename(maildir / ".Filtered")
    deliver(maildir / ".Filtered", "1.host", raw)
    following = follow_maildir()

    (maildir / ".Filtered").rename(maildir / ".Spam")
    time.sleep(1.0)
    assert following.labels() == []
    os.rename(maildir / ".Spam/new/1.host", maildir / "cur/1.host:2,S")

    following.wait_for(lambda: following.labels() == [(name, "ham", SOURCE)])
