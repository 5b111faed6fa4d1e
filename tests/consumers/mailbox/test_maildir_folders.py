"""What is no Maildir to follow is refused, and that before a log is created."""

from __future__ import annotations

import pytest

from consumers.errors import UserError
from consumers.mailbox.maildir_folders import MaildirFolders
from tests.consumers.cli.test_main import run
from tests.consumers.mailbox.test_maildir import deliver, maildir
from tests.consumers.mailbox.test_maildir_unreadable import denied

__all__ = ["maildir"]


def test_the_folders_are_found_without_the_trash(maildir):
    assert [*MaildirFolders(maildir).find()] == ["INBOX", "Junk", "Work"]


def test_a_folder_without_a_maildir_is_refused_before_a_log_is_created(tmp_path):
    log = tmp_path / "log"
    done = run("feed", str(tmp_path), "--follow", "--log", f"sqlite:{log}")

    assert done.returncode == 2 and "nor holds a Maildir" in done.stderr
    assert not log.exists()


def test_compressed_mails_are_refused(maildir):
    deliver(maildir, "1.host", b"\x1f\x8b\x08\x00\x00")
    with pytest.raises(UserError, match=r"1\.host is compressed"):
        MaildirFolders(maildir)


def test_a_folder_that_no_rule_names_is_refused(maildir, caplog):
    with pytest.raises(UserError, match="no rule matches 'INBOX'; add one"):
        MaildirFolders(maildir, "Junk=spam,Work=job")
    assert not [line for line in caplog.messages if "no rule" in line]


def test_a_maildir_that_cannot_be_read_is_one_line(maildir, monkeypatch):
    """Root may read all, so the test only pretends."""
    line = rf"cannot read {maildir}/cur: Permission denied; check the path and its permissions"
    for function in ("is_maildir", "check_readable"):
        with monkeypatch.context() as patch:
            patch.setattr(f"consumers.mailbox.maildir_folders.{function}", lambda _: denied(maildir))
            with pytest.raises(UserError, match=line):
                MaildirFolders(maildir)
