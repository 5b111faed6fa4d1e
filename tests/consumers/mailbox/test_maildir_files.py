"""Which files of a Maildir are mails, how much of them is read, and which are copies."""

from __future__ import annotations

import os
import shutil
from pathlib import Path
from threading import Event
from unittest.mock import Mock

from consumers.mailbox import maildir as module
from consumers.mailbox.maildir import MaildirFollower
from consumers.mailbox.maildir_folders import MaildirFolders
from consumers.records.replay import read_all, read_labels
from consumers.records.schemas import EMAILS
from consumers.records.setup import open_ready_log
from stream_nb.mail.limits import MAX_MAIL_BYTES
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import deliver, maildir

__all__ = ["maildir"]


def test_a_hidden_file_is_no_mail_and_of_a_large_one_only_the_start_is_read(maildir, settings):
    """NFS keeps a deleted file that is still open as .nfs0...; a mail above the limit is quarantined anyway."""
    (maildir / "cur" / ".nfs01").write_bytes(new_mail()[1])
    large = b"Subject: large\n\n" + b"x" * (MAX_MAIL_BYTES + 9)
    (maildir / "cur" / "1.host:2,S").write_bytes(large)
    with open_ready_log(settings, print) as log:
        MaildirFollower(log, MaildirFolders(maildir), settings)._scan(Event())
        assert [record.value for record in read_all(log, EMAILS)] == [large[: MAX_MAIL_BYTES + 1]]


def test_copies_that_exist_at_the_start_get_the_label_of_each_folder(maildir, settings):
    name, raw = new_mail()
    deliver(maildir, "1.host", raw)
    deliver(maildir / ".Junk", "2.host", raw)
    with open_ready_log(settings, print) as log:
        MaildirFollower(log, MaildirFolders(maildir), settings, labels=True)._scan(Event())
        assert [(label.id, label.label) for _, label in read_labels(log)] == [(name, "ham"), (name, "spam")]


def test_a_mail_that_was_copied_while_no_feed_ran_was_not_moved(maildir, settings, monkeypatch):
    name, raw = new_mail()
    deliver(maildir, "1.host", raw)
    with open_ready_log(settings, print) as log:
        MaildirFollower(log, MaildirFolders(maildir), settings)._scan(Event())
        shutil.copy(maildir / "new" / "1.host", maildir / ".Junk" / "new" / "2.host")
        follower = MaildirFollower(log, MaildirFolders(maildir), settings)
        for _ in range(2):  # the server may still be moving it
            follower._scan(Event())
            assert follower.known_mails.find(name).folder == "INBOX"
        monkeypatch.setattr(module, "MOVED_S", 0.0)
        follower._scan(Event())

        assert follower.known_mails.find(name).folder == "Junk"
        assert list(read_labels(log)) == []


def test_a_folder_that_is_removed_while_its_mails_are_looked_for_stops_nothing(maildir, settings):
    name, raw = new_mail()
    deliver(maildir / ".Junk", "1.host", raw)
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, MaildirFolders(maildir), settings)
        follower._scan(Event())
        for part in ("cur", "new", "tmp"):
            (maildir / ".Travel" / part).mkdir(parents=True)
        deliver(maildir / ".Travel", "2.host", raw)
        listed = follower._folders.find()
        follower._folders.find = lambda: listed  # it was still there then
        shutil.rmtree(maildir / ".Junk")
        follower._scan(Event())

        assert [(label.id, label.label) for _, label in read_labels(log)] == [(name, "ham")]


def test_a_keyword_is_a_label_once_whatever_other_flags_follow(maildir, settings):
    name, raw = new_mail()
    deliver(maildir, "1.host", raw)
    (maildir / "dovecot-keywords").write_text("0 Junk\n")
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, MaildirFolders(maildir), settings)
        file = maildir / "new" / "1.host"
        for flags in ("", "a", "Sa", "S", "Sa"):
            file = file.rename(maildir / "cur" / f"1.host:2,{flags}")
            follower._scan(Event())

        assert [(label.id, label.label) for _, label in read_labels(log)] == [(name, "spam")] * 2


def test_copies_with_different_keywords_get_labels_once(maildir, settings):
    name, raw = new_mail()
    (maildir / "dovecot-keywords").write_text("0 Junk\n")
    (maildir / "cur" / "1.host:2,a").write_bytes(raw)
    deliver(maildir, "2.host", raw)
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, MaildirFolders(maildir), settings, labels=True)
        for _ in range(3):
            follower._scan(Event())

        assert sorted((label.id, label.label) for _, label in read_labels(log)) == [(name, "ham"), (name, "spam")]


def test_while_nothing_changes_no_folder_of_mails_is_listed_and_no_move_remembered(maildir, settings, monkeypatch):
    deliver(maildir, "1.host", new_mail()[1])
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, MaildirFolders(maildir), settings)
        follower._scan(Event())
        (maildir / "new" / "1.host").rename(maildir / ".Junk" / "cur" / "1.host:2,S")
        for part in (*maildir.rglob("new"), *maildir.rglob("cur")):
            os.utime(part, (1e9, 1e9))
        for _ in range(2):
            follower._scan(Event())
        assert [label.label for _, label in read_labels(log)] == ["spam"]
        listdir = Mock(wraps=os.listdir)
        monkeypatch.setattr(os, "listdir", listdir)
        follower._scan(Event())

        assert {Path(each.args[0]).name for each in listdir.call_args_list}.isdisjoint({"new", "cur"})
        assert follower._left == follower._leaving == {}
