"""A feed of a Maildir that is stopped: during its first reading, after it has read nothing, or by a signal."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import threading
from unittest.mock import DEFAULT, Mock

import msgspec
import pytest

from consumers.mailbox.maildir import MaildirFollower
from consumers.mailbox.maildir_folders import MaildirFolders
from consumers.records.replay import read_all
from consumers.records.schemas import EMAILS
from consumers.records.setup import open_ready_log
from consumers.settings import WorkerSettings
from tests.consumers.filter.conftest import PATIENCE_S
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


def test_the_mails_that_were_not_read_get_their_labels_after_a_restart(maildir, settings, follow_maildir):
    stop, expected = threading.Event(), []
    for number in range(3):
        name, raw = new_mail()
        deliver(maildir, f"{number}.host", raw)
        expected.append((name, "ham", SOURCE))
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, MaildirFolders(maildir), settings, labels=True)
        arrive = follower.known_mails.arrive
        follower.known_mails.arrive = lambda *args, **kwargs: stop.set() or arrive(*args, **kwargs)
        follower.run(stop)
        assert [record.key.decode() for record in read_all(log, EMAILS)] == [expected[0][0]]

    assert follow_maildir(labels=True).labels() == expected


def test_a_large_folder_is_written_in_parts_while_it_is_read(maildir, settings, monkeypatch):
    """Else all its mails would be in memory, and none on the log after a crash."""
    monkeypatch.setattr("consumers.mailbox.maildir.FILES_A_WRITE", 2)
    for number in range(5):
        deliver(maildir, f"{number}.host", new_mail()[1])
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, MaildirFolders(maildir), settings)
        arrive = Mock(wraps=follower.known_mails.arrive, side_effect=[DEFAULT] * 4 + [MemoryError])
        follower.known_mails.arrive = arrive
        with pytest.raises(MemoryError):
            follower._scan(threading.Event())

        assert sum(1 for _ in read_all(log, EMAILS)) == 4


def test_a_maildir_that_was_empty_at_the_start_is_known_after_a_restart(maildir, follow_maildir):
    """Otherwise mails that the server puts there while the feed is off get labels, as if they had always been there."""
    follow_maildir(labels=True).close()
    name, raw = new_mail("spam")
    deliver(maildir / ".Junk", "1.host", raw)

    following = follow_maildir(labels=True)

    assert (following.mails(), following.labels()) == ([name], [])


def test_a_maildir_of_more_mails_than_are_remembered_is_not_written_again_after_a_restart(maildir, settings):
    settings = msgspec.structs.replace(settings, worker=WorkerSettings(remember_mails=2, remember_labels=2))
    for number in range(5):
        deliver(maildir, f"{number}.host", new_mail()[1])
    written = []
    for deleted in ("0.host", "1.host", "2.host"):
        with open_ready_log(settings, print) as log:
            stop = threading.Event()
            MaildirFollower(log, MaildirFolders(maildir), settings).run(stop, ready=stop.set)
            written.append(len(list(read_all(log, EMAILS))))
        (maildir / "new" / deleted).unlink()
        deliver(maildir, f"new-{deleted}", new_mail()[1])

    assert written == [5, 6, 7]


def test_mails_in_folders_that_are_still_to_be_listed_are_not_forgotten_at_a_restart(maildir, settings):
    """They would be written again, and their moves would be no labels."""
    settings = msgspec.structs.replace(settings, worker=WorkerSettings(remember_mails=2, remember_labels=2))
    for number in range(3):
        deliver(maildir / ".Junk", f"{number}.host", new_mail()[1])
    written = []
    for _ in range(3):
        with open_ready_log(settings, print) as log:
            stop = threading.Event()
            MaildirFollower(log, MaildirFolders(maildir), settings).run(stop, ready=stop.set)
            written.append(len(list(read_all(log, EMAILS))))
        deliver(maildir, f"{len(written)}.host", new_mail()[1])

    assert written == [3, 4, 5]


def test_the_command_follows_until_sigterm(maildir, settings):
    environment = {**os.environ, "STREAM_NB_LOG": settings.log}
    command = [sys.executable, "-m", "consumers", "feed", str(maildir), "--follow"]
    deliver(maildir, "1.host", new_mail()[1])
    (maildir / ".Junk").rename(maildir / ".Courrier ind&AOk-sirable")
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = [process.stderr.readline() for _ in range(2)]
        maildir.rename(maildir.with_name("moved"))
        lines.append(process.stderr.readline())
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0

    assert lines[1].startswith("1 new mail and 0 labels; following")
    assert lines[1].endswith("junk folders: Courrier indésirable; Ctrl-C stops\n")
    assert re.fullmatch(rf"[\d-]+ [\d:,]+ feed: cannot read {maildir}: No such file .*; trying again\n", lines[2])


def test_the_command_says_that_it_does_not_label_what_an_earlier_run_has_read(maildir, settings, follow_maildir):
    deliver(maildir, "1.host", new_mail()[1])
    follow_maildir().close()
    environment = {**os.environ, "STREAM_NB_LOG": settings.log}
    command = [sys.executable, "-m", "consumers", "feed", str(maildir), "--follow", "--labels"]
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        lines = [process.stderr.readline() for _ in range(2)]
        process.send_signal(signal.SIGTERM)
        assert process.wait(PATIENCE_S) == 0

    assert lines[0].startswith("0 new mails and 0 labels; following")
    assert lines[1].startswith("note: an earlier run has read 1 mail, which --labels does not label any more;")
