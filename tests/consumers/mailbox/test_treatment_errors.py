"""`--on-spam`: options, rights and folders that are errors at once."""

from __future__ import annotations

import os
import subprocess
import sys
from contextlib import nullcontext
from unittest.mock import Mock

import msgspec
import pytest

from consumers.errors import UserError
from consumers.log.base import TopicPartition
from consumers.mailbox.address import parse_imap_address
from consumers.mailbox.imap import ImapFollower
from consumers.mailbox.treatment import check_can
from consumers.records.schemas import EMAILS
from consumers.records.setup import open_ready_log
from consumers.settings import ImapSettings
from tests.consumers.filter.conftest import PATIENCE_S
from tests.consumers.mailbox.conftest import Following, new_mail
from tests.support.dovecot import Dovecot, is_2_4
from tests.support.postfix import open_folder


@pytest.mark.parametrize(
    "arguments, error",
    [
        (["--apply"], "add --on-spam move"),
        (["--undo", "--on-spam", "move"], "leave out --on-spam"),
        (["--dry-run"], "--dry-run cannot be used with imap://"),
        ([], "is not set; put it into STREAM_NB_IMAP_PASSWORD"),
    ],
)
def test_invalid_options_are_refused(tmp_path, arguments, error):
    environment = {**os.environ, "STREAM_NB_LOG": f"sqlite:{tmp_path}/log"}
    environment.pop("STREAM_NB_IMAP_PASSWORD", None)
    command = [sys.executable, "-m", "consumers", "feed", "imap://ann@127.0.0.1/INBOX", *arguments]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 2 and error in done.stderr


def test_undo_needs_the_log_of_the_feed(dovecot, tmp_path):
    environment = {**os.environ, "STREAM_NB_LOG": f"sqlite:{tmp_path}/log", "STREAM_NB_IMAP_PASSWORD": "secret"}
    command = [sys.executable, "-m", "consumers", "feed", f"imap://ann@127.0.0.1:{dovecot.port}/INBOX", "--undo"]

    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)

    assert done.returncode == 75 and "no log is here" in done.stderr
    assert not (tmp_path / "log").exists()


def test_undo_reads_no_mail_into_a_log_that_did_not_move_any(dovecot, trained):
    dovecot.put("INBOX", new_mail()[1])
    url = f"imap://ann@127.0.0.1:{dovecot.port}/INBOX"

    with open_ready_log(trained, lambda text: None) as log:
        before = log.end_offset(TopicPartition(EMAILS, 0))
        assert ImapFollower(log, parse_imap_address(url), trained).undo() == 0
        assert log.end_offset(TopicPartition(EMAILS, 0)) == before


@pytest.mark.parametrize(
    "rights, act, error",
    [
        ("lr", "move", "INBOX cannot be changed"),
        ("lrsite", "flag", "INBOX: the server does not store the keyword $Junk; use --on-spam move"),
    ],
)
def test_a_mailbox_without_the_rights_to_change_it_is_an_error(trained, rights, act, error):
    with open_folder("acl-") as folder:
        (folder / "acl").write_text(f"INBOX owner {rights}\n")
        acl = f"mail_plugins = acl\nplugin {{\n  acl = vfile:{folder}/acl\n}}"
        if is_2_4():
            mailbox = f"mailbox INBOX {{\n  acl owner {{\n    rights = {rights}\n  }}\n}}"
            acl = f"mail_plugins {{\n  acl = yes\n}}\nacl_driver = vfile\nnamespace inbox {{\n{mailbox}\n}}"
        server = Dovecot(folder, acl)
        url = f"imap://ann@127.0.0.1:{server.port}/INBOX"
        following = Following(url, trained, ready=False, act=act, apply=True)
        following._thread.join(PATIENCE_S)
        server.stop()

    (refused,) = following.errors
    assert isinstance(refused, UserError) and error in str(refused)


@pytest.mark.parametrize(
    "act, keeps, extensions, error",
    [
        ("move", False, {"MOVE"}, None),
        ("move", False, {"UIDPLUS"}, None),
        ("move", True, set(), "has neither MOVE nor UIDPLUS; use --on-spam flag"),
        ("flag", True, set(), None),
        ("flag", False, {"MOVE"}, "does not store the keyword"),
    ],
)
def test_a_server_need_have_only_what_the_change_takes(act, keeps, extensions, error):
    connection = Mock(keeps=lambda keyword: keeps, can=extensions.__contains__)
    with pytest.raises(UserError, match=error) if error else nullcontext():
        check_can(connection, act, "INBOX")


def test_an_unknown_junk_folder_is_an_error(dovecot, trained):
    settings = msgspec.structs.replace(trained, imap=ImapSettings(password="secret", junk="Werbung"))

    following = Following(f"imap://ann@127.0.0.1:{dovecot.port}/INBOX", settings, ready=False)
    following._thread.join(PATIENCE_S)

    (error,) = following.errors
    assert isinstance(error, UserError) and "'Werbung'" in str(error)
