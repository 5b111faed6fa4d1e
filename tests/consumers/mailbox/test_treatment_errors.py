"""`--on-spam`: options, rights and folders that are errors at once."""

from __future__ import annotations

import os
import subprocess
import sys

import msgspec
import pytest

from consumers.errors import UserError
from consumers.settings import ImapSettings
from tests.consumers.filter.conftest import PATIENCE_S
from tests.consumers.mailbox.conftest import Following
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


def test_an_unknown_junk_folder_is_an_error(dovecot, trained):
    settings = msgspec.structs.replace(trained, imap=ImapSettings(password="secret", junk="Werbung"))

    following = Following(f"imap://ann@127.0.0.1:{dovecot.port}/INBOX", settings, ready=False)
    following._thread.join(PATIENCE_S)

    (error,) = following.errors
    assert isinstance(error, UserError) and "'Werbung'" in str(error)
