"""Moves between Dovecot's mailboxes label mails, with the files that config/dovecot offers."""

from __future__ import annotations

import imaplib
import json
import os
import shutil
import socket
import subprocess
import tempfile
import time
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh, program, run

OFFERED = Path(__file__).parents[3] / "config" / "dovecot"

CONFIGURATION = """
base_dir = {folder}/run
state_dir = {folder}/run
log_path = {folder}/log
protocols = imap
listen = 127.0.0.1
ssl = no
disable_plaintext_auth = no
first_valid_uid = 100
default_internal_user = dovecot
default_login_user = dovenull
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
    port = 0
  }}
}}
!include {folder}/90-stream-nb.conf
"""


class Dovecot:
    """A Dovecot of our own with one user, ann."""

    def __init__(self, folder: Path, filter_port: int) -> None:
        dovecot, sievec = program("dovecot", "dovecot-imapd"), program("sievec", "dovecot-sieve")
        program("curl", "curl")
        if os.getuid() != 0:
            pytest.skip("Dovecot starts as itself only from root")
        self._folder = folder
        self._configuration = str(folder / "dovecot.conf")
        with socket.create_server(("127.0.0.1", 0)) as held:
            self.port = held.getsockname()[1]
        for name in ("run", "mail", "stream-nb"):
            (folder / name).mkdir()
        shutil.chown(folder / "mail", 65534, 65534)
        for file in OFFERED.iterdir():
            text = file.read_text().replace("/etc/dovecot/stream-nb", str(folder / "stream-nb"))
            place = folder / ("stream-nb" if file.suffix != ".conf" else "") / file.name
            place.write_text(text.replace("127.0.0.1:11333", f"127.0.0.1:{filter_port}"))
            place.chmod(file.stat().st_mode & 0o777 | 0o444)
        (folder / "dovecot.conf").write_text(CONFIGURATION.format(folder=folder, port=self.port))
        for script in (folder / "stream-nb").glob("*.sieve"):
            run(sievec, "-c", self._configuration, str(script))
        self._process = subprocess.Popen([dovecot, "-F", "-c", self._configuration])
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                self.imap = imaplib.IMAP4("127.0.0.1", self.port, timeout=PATIENCE_S)
                break
            except OSError:
                assert time.monotonic() < deadline and self._process.poll() is None, self.log()
                time.sleep(0.1)
        self.imap.login("ann", "secret")

    def log(self) -> str:
        path = self._folder / "log"
        return path.read_text() if path.exists() else ""

    def put(self, mailbox: str, mail: bytes) -> None:
        """Put a mail into a mailbox, as its only one."""
        assert self.imap.append(mailbox, None, None, mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))[0] == "OK"

    def move(self, source: str, target: str) -> None:
        """Move all mails of a mailbox to another."""
        assert self.imap.select(source)[0] == "OK"
        reply = self.imap._simple_command("MOVE", "1:*", target)
        assert reply[0] == "OK", (reply, self.log())
        self.imap.unselect()

    def count(self, mailbox: str) -> int:
        return int(self.imap.select(mailbox)[1][0])

    def deliver(self, mail: bytes) -> None:
        """Deliver a mail as Dovecot's own delivery agent does."""
        agent = program("dovecot-lda", "dovecot-core", "/usr/lib/dovecot")
        run(agent, "-c", self._configuration, "-d", "ann", stdin=mail)

    def close(self) -> None:
        self.imap.shutdown()
        self._process.terminate()
        self._process.wait(30)


@pytest.fixture
def dovecot() -> Iterator:
    """A function: port of a filter -> Dovecot that teaches it."""
    # Dovecot gives up root, and pytest's folders are open to their owner alone.
    folder = Path(tempfile.mkdtemp(prefix="dovecot-"))
    folder.chmod(0o755)
    started: list[Dovecot] = []

    def start(filter_port: int) -> Dovecot:
        started.append(Dovecot(folder, filter_port))
        return started[0]

    yield start
    for one in started:
        one.close()
    shutil.rmtree(folder)


def passed(server: RunningFilter, mail: bytes) -> tuple[str, bytes]:
    """The id of a mail that passed the filter, and the mail as it is delivered."""
    request = urllib.request.Request(f"http://{server.address}/checkv2", mail, method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE_S) as answer:
        fields = json.load(answer)["milter"]["add_headers"]
    head = "".join(f"{name}: {field['value']}\n" for name, field in fields.items())
    return fields["X-Stream-NB-Id"]["value"], head.encode() + mail


def test_moves_are_labels_and_the_trash_means_nothing(dovecot, mail_filter):
    before = len(mail_filter.labels())

    def labels() -> list[tuple]:
        return [(label.id, label.label, label.source) for label in mail_filter.labels()[before:]]

    message_id, mail = passed(mail_filter, fresh("ham").value)
    imap = dovecot(mail_filter.port)
    imap.put("INBOX", mail)

    imap.move("INBOX", "Junk")
    assert labels() == [(message_id, "spam", "ann")], imap.log()

    imap.move("Junk", "INBOX")
    assert labels()[1:] == [(message_id, "ham", "ann")], imap.log()

    imap.move("INBOX", "Trash")
    imap.move("Trash", "INBOX")
    assert len(labels()) == 2

    imap.move("INBOX", "Junk")
    imap.move("Junk", "Trash")
    assert labels()[2:] == [(message_id, "spam", "ann")], imap.log()


def test_a_filter_that_is_down_stops_no_move(dovecot, free_port):
    imap = dovecot(free_port)
    imap.put("INBOX", fresh("spam").value)

    imap.move("INBOX", "Junk")

    assert imap.count("Junk") == 1


def test_what_was_called_spam_is_delivered_into_junk(dovecot, mail_filter):
    imap = dovecot(mail_filter.port)

    imap.deliver(passed(mail_filter, fresh("spam").value)[1])
    imap.deliver(passed(mail_filter, fresh("ham").value)[1])

    assert (imap.count("Junk"), imap.count("INBOX")) == (1, 1), imap.log()
