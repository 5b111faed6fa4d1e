"""A Dovecot server for tests, version 2.3 or 2.4, on a free port, with one user; needs root."""

from __future__ import annotations

import imaplib
import os
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import PATIENCE_S, program, run
from tests.support.ports import free_ports

SETTINGS_2_3 = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 100
mail_location = maildir:{folder}/mail/%u
mail_uid = 65534
mail_gid = 65534
passdb {{
  driver = static
  args = password=secret
}}
userdb {{
  driver = static
  args = uid=65534 gid=65534 home={folder}/mail/%u
}}
"""
TLS_2_3 = "ssl = yes\nssl_cert = <{certificate}\nssl_key = <{certificate}\n"
SETTINGS_2_4 = """
dovecot_config_version = 2.4.0
dovecot_storage_version = 2.4.0
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols {{
  imap = yes
}}
listen = 127.0.0.1
ssl = no
auth_allow_cleartext = yes
first_valid_uid = 100
mail_driver = maildir
mail_path = {folder}/mail/%{{user}}
mail_uid = 65534
mail_gid = 65534
passdb static {{
  password = secret
}}
userdb static {{
  fields {{
    uid = 65534
    gid = 65534
    home = {folder}/mail/%{{user}}
  }}
}}
"""
TLS_2_4 = "ssl = yes\nssl_server {{\n  cert_file = {certificate}\n  key_file = {certificate}\n}}\n"
SERVICES = """
default_internal_user = dovecot
default_login_user = dovenull
namespace inbox {{
  inbox = yes
  mailbox Junk {{
    auto = create
    special_use = \\Junk
  }}
  mailbox Trash {{
    auto = create
    special_use = \\Trash
  }}
}}
service imap-login {{
  inet_listener imap {{
    port = {port}
  }}
  inet_listener imaps {{
    port = {tls_port}
    ssl = yes
  }}
}}
"""


def is_2_4() -> bool:
    """Whether Dovecot here is version 2.4 or later, which has other settings than earlier versions."""
    version = run(program("dovecot", "dovecot-imapd"), "--version")
    return tuple(map(int, version.split(maxsplit=1)[0].split(".")[:2])) >= (2, 4)


class Dovecot:
    """IMAP on `port` of 127.0.0.1 for user ann with password secret; with a `certificate` (and key, in one file) also
    on `tls_port`. `imap` is a connection that is logged in."""

    def __init__(self, folder: Path, more: str = "", certificate: Path | None = None) -> None:
        self._program = program("dovecot", "dovecot-imapd")
        if os.getuid() != 0:
            pytest.skip("Dovecot can switch to its own user only if root starts it")
        self._folder = folder
        self.mails = folder / "mail"
        self.configuration = str(folder / "dovecot.conf")
        self.port, tls_port = free_ports(2)
        self.tls_port = tls_port if certificate is not None else 0
        for name in ("run", "mail"):
            (folder / name).mkdir()
        shutil.chown(folder / "mail", 65534, 65534)
        settings, tls = (SETTINGS_2_4, TLS_2_4) if is_2_4() else (SETTINGS_2_3, TLS_2_3)
        settings += SERVICES if certificate is None else SERVICES + tls
        text = settings.format(folder=folder, port=self.port, tls_port=self.tls_port, certificate=certificate)
        (folder / "dovecot.conf").write_text(f"{text}\n{more}\n")
        self.start()

    def start(self, password: str = "secret") -> None:
        """Start the server, and log in."""
        self._process = subprocess.Popen([self._program, "-F", "-c", self.configuration], start_new_session=True)
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.imap = imaplib.IMAP4("127.0.0.1", self.port, timeout=PATIENCE_S)
                break
            except OSError:
                assert time.monotonic() < deadline and self._process.poll() is None, self.log()
                time.sleep(0.1)
        self.imap.authenticate("PLAIN", lambda _: f"\0ann\0{password}".encode())

    def log(self) -> str:
        path = self._folder / "log"
        return path.read_text() if path.exists() else ""

    def put(self, mailbox: str, mail: bytes) -> None:
        """Put a mail into a mailbox."""
        assert self.imap.append(mailbox, None, None, mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))[0] == "OK"

    def move(self, source: str, target: str, which: str = "1:*") -> None:
        """Move the mails with these sequence numbers, by default all, to another mailbox."""
        assert self.imap.select(source)[0] == "OK"
        answer = self.imap._simple_command("MOVE", which, target)
        assert answer[0] == "OK", (answer, self.log())
        self.imap.unselect()

    def count(self, mailbox: str) -> int:
        return int(self.imap.select(mailbox)[1][0])

    def flags(self) -> list[str]:
        """The flags of each mail in INBOX."""
        self.imap.select("INBOX")
        found = self.imap.fetch("1:*", "(FLAGS)")[1]
        self.imap.unselect()
        return [line.decode() for line in found if line]

    def deliver(self, mail: bytes) -> None:
        """Deliver a mail by Dovecot's delivery agent."""
        agent = program("dovecot-lda", "dovecot-core", "/usr/lib/dovecot")
        run(agent, "-c", self.configuration, "-d", "ann", stdin=mail)

    def stop(self) -> None:
        """Stop the server's processes, and so all connections; told alone, the first of them takes a second to end."""
        self.imap.shutdown()
        os.killpg(self._process.pid, signal.SIGTERM)
        self._process.wait(60)
