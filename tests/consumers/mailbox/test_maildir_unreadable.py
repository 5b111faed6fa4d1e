"""Folders and files of a Maildir that cannot be read."""

from __future__ import annotations

import errno
import os
import time
from contextlib import suppress
from pathlib import Path
from threading import Event
from typing import NoReturn

from consumers.ingest.formats.maildir import is_maildir
from consumers.mailbox.maildir import POLL_S, MaildirFollower
from consumers.mailbox.maildir_folders import MaildirFolders
from consumers.records.setup import open_ready_log
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


def denied(folder: Path) -> NoReturn:
    raise PermissionError(errno.EACCES, "Permission denied", str(folder / "cur"))


def test_what_cannot_be_read_is_named_once_and_stops_nothing(maildir, follow_maildir, monkeypatch, caplog):
    (maildir / "cur" / "1.host:2,S").symlink_to("1.host:2,S")
    work = maildir / ".Work"
    monkeypatch.setattr(
        "consumers.ingest.formats.maildir.is_maildir", lambda path: denied(path) if path == work else is_maildir(path)
    )
    following = follow_maildir()
    (message_id, raw) = new_mail()
    deliver(maildir, "2.host", raw)
    following.wait_for(lambda: message_id in following.mails())
    maildir.rename(maildir.with_name("away"))
    time.sleep(3 * POLL_S)
    maildir.with_name("away").rename(maildir)
    (message_id, raw) = new_mail()
    deliver(maildir, "3.host", raw)
    following.wait_for(lambda: message_id in following.mails())

    assert [record.getMessage() for record in caplog.records if "cannot read" in record.getMessage()] == [
        f"cannot read {work}/cur: Permission denied; trying again",
        f"cannot read {maildir}/cur/1.host:2,S: Too many levels of symbolic links; trying again",
        f"cannot read {maildir}: No such file or directory; trying again",
    ]


def test_a_pipe_or_folder_beside_the_mails_is_no_mail_and_stops_nothing(maildir, follow_maildir, caplog):
    os.mkfifo(maildir / "cur" / "1.host:2,S")
    (maildir / "cur" / "folder").mkdir()
    message_id, raw = new_mail()
    deliver(maildir / ".Work", "2.host", raw)

    following = follow_maildir(ready=False)
    try:
        following.wait_for(lambda: message_id in following.mails())
        assert following.mails() == [message_id]
    finally:
        with suppress(OSError):  # nobody reads it
            os.close(os.open(maildir / "cur" / "1.host:2,S", os.O_WRONLY | os.O_NONBLOCK))
    assert not [record for record in caplog.records if "cannot read" in record.getMessage()]


def test_a_mail_that_can_be_read_later_is_read_then(maildir, settings, tmp_path):
    """As when a network file system is away for a moment, which changes no folder."""
    name, raw = new_mail()
    (maildir / "cur" / "1.host:2,S").symlink_to(tmp_path / "away")
    os.utime(maildir / "cur", (1e9, 1e9))
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, MaildirFolders(maildir), settings)
        follower._scan(Event())
        assert follower.known_mails.find(name) is None
        (tmp_path / "away").write_bytes(raw)
        follower._scan(Event())

        assert follower.known_mails.find(name).folder == "INBOX"
