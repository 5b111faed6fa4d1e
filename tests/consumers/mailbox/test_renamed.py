"""Folders of a Maildir that are renamed: their mails have not been moved."""

from __future__ import annotations

import os
import time

import pytest

from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


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
    time.sleep(3.0)  # longer than it takes until a mail in two places counts as a copy
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
