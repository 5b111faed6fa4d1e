"""Mails of a Maildir that are moved while its folders are listed, or arrive within one tick of the clock."""

from __future__ import annotations

import os
import time

import pytest

from consumers.mailbox import maildir as followed
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


@pytest.mark.parametrize("back", [True, False], ids=["back", "copy"])
def test_a_mail_that_left_its_folder_and_is_there_again_at_the_next_listing(maildir, follow_maildir, monkeypatch, back):
    """It leaves after its folder was listed and before the junk folder is; a mail that is in both folders is a copy."""
    (name, raw), (other, other_raw) = new_mail(), new_mail()
    deliver(maildir, "1.host", raw)
    following = follow_maildir()
    here, junk = maildir / "new" / "1.host", maildir / ".Junk" / "new" / "1.host"
    spam = [(name, "spam", SOURCE)]
    listdir = os.listdir
    left = []

    def listed(folder):
        if folder == here.parent and left and back and junk.exists():
            os.rename(junk, here)
        files = listdir(folder)
        if folder == here.parent and not left:
            left.append(folder)
            os.rename(here, junk) if back else os.link(here, junk)
        return files

    monkeypatch.setattr(followed.os, "listdir", listed)
    os.utime(here.parent)
    following.wait_for(lambda: len(following.labels()) == 1 + back)
    deliver(maildir, "2.host", other_raw)
    following.wait_for(lambda: other in following.mails())

    assert following.labels() == spam + [(name, "ham", SOURCE)] * back


def test_two_mails_may_arrive_within_one_tick_of_the_clock(maildir, follow_maildir):
    """The folder then has the same modification time as when the first one was read."""
    tick = time.time() + 3600.0
    following = follow_maildir()
    for number in range(2):
        name, raw = new_mail()
        deliver(maildir, f"{number}.host", raw)
        os.utime(maildir / "new", (tick, tick))
        following.wait_for(lambda name=name: name in following.mails())
