"""A Postfix server for tests, in a folder, which delivers to one mbox; needs root."""

from __future__ import annotations

import mailbox
import os
import shutil
import smtplib
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import PATIENCE_S, program, run
from tests.support.ports import free_ports, wait_for_port
from tests.support.waiting import until

MAIN = """
compatibility_level = 3.6
command_directory = /usr/sbin
daemon_directory = /usr/lib/postfix/sbin
mail_owner = postfix
setgid_group = postdrop
queue_directory = {folder}/queue
data_directory = {folder}/data
maillog_file = {folder}/data/log
maillog_file_prefixes = {folder}
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
myhostname = mx.test.example
mydestination =
mynetworks = 127.0.0.0/8
smtpd_peername_lookup = no
alias_maps =
virtual_mailbox_domains = test.example
virtual_mailbox_base = {folder}/boxes
virtual_mailbox_maps = static:box
virtual_uid_maps = static:65534
virtual_gid_maps = static:65534
"""
MASTER = """
cleanup unix n - n - 0 cleanup
qmgr unix n - n 1 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
error unix - - n - - error
retry unix - - n - - error
flush unix n - n 1000? 0 flush
lmtp unix - - n - - lmtp
virtual unix - n n - - virtual
postlog unix-dgram n - n - 1 postlogd
"""


class Postfix:
    """SMTP on `port` of 127.0.0.1; `main` and `services` are further lines of main.cf and master.cf."""

    def __init__(self, folder: Path, main: str = "", smtpd: str = "", services: str = "") -> None:
        self._program = program("postfix", "postfix")
        if os.getuid() != 0:
            pytest.skip("Postfix starts only as root")
        self._folder = folder
        (self.port,) = free_ports(1)
        etc = folder / "etc"
        for name in ("etc", "queue", "data", "boxes"):
            (folder / name).mkdir()
        shutil.chown(folder / "data", "postfix")
        shutil.chown(folder / "boxes", 65534)
        (etc / "main.cf").write_text(MAIN.format(folder=folder) + main)
        (etc / "master.cf").write_text(f"127.0.0.1:{self.port} inet n - n - - smtpd {smtpd}\n{MASTER}{services}")
        run(self._program, "-c", str(etc), "check")
        with open(folder / "postfix.log", "wb") as log:
            self.process = subprocess.Popen(
                [self._program, "-c", str(etc), "start-fg"], stdout=log, stderr=log, start_new_session=True
            )
        wait_for_port(self.port, self.process, folder / "postfix.log")

    @property
    def log(self) -> str:
        """The text of Postfix's log."""
        file = self._folder / "data" / "log"
        return file.read_text("utf-8", "replace") if file.exists() else ""

    def send(self, mail: bytes) -> None:
        """Send a mail by SMTP; raises smtplib.SMTPDataError if it is refused."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE_S) as client:
            client.sendmail("ann@a.example", ["bob@test.example"], mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))

    def delivered(self) -> list[bytes]:
        """The mails delivered so far, without their ``From `` lines."""
        box = self._folder / "boxes" / "box"
        if not box.exists():
            return []
        with closing(mailbox.mbox(box)) as mails:
            return [mail.as_bytes() for mail in mails]

    def wait_for(self, count: int) -> list[bytes]:
        """Wait until this number of mails is delivered, and return them."""
        until(lambda: len(self.delivered()) >= count, lambda: self.log)
        return self.delivered()

    def wait_until_empty(self) -> None:
        """Wait until the queue is empty."""
        queue = [self._folder / "queue" / name for name in ("maildrop", "incoming", "active", "deferred")]
        until(lambda: not any(path.is_file() for folder in queue for path in folder.rglob("*")), lambda: self.log)

    def close(self) -> None:
        run(self._program, "-c", str(self._folder / "etc"), "stop", status=None)
        stop(self.process)


def stop(process: subprocess.Popen) -> None:
    """Stop a process, with SIGKILL if it does not end by itself."""
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def open_folder(prefix: str) -> Iterator[Path]:
    """A folder for servers that drop root's rights, because pytest's folders can be read only by their owner; files
    made meanwhile can be read by others, too."""
    folder = Path(tempfile.mkdtemp(prefix=prefix))
    folder.chmod(0o755)
    umask = os.umask(0o022)
    try:
        yield folder
    finally:
        os.umask(umask)
        shutil.rmtree(folder, ignore_errors=True)
