"""Postfix asks us through rspamd's milter proxy, set up with the file that config/postfix offers."""

from __future__ import annotations

import os
import re
import shutil
import smtplib
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh, program, run

PROXY = Path(__file__).parents[3] / "config" / "postfix" / "worker-proxy.inc"

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
smtpd_milters = inet:127.0.0.1:{milter}
milter_default_action = accept
"""
MASTER = """
127.0.0.1:{port} inet n - n - - smtpd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
proxymap unix - - n - - proxymap
anvil unix - - n - 1 anvil
error unix - - n - - error
retry unix - - n - - error
virtual unix - n n - - virtual
postlog unix-dgram n - n - 1 postlogd
"""
# The modules that filter are left out: they take half a minute to load, and the proxy uses none of them.
RSPAMD = """
options {{
  pidfile = "{home}/pid";
  control_socket = "{home}/control mode=0600";
  filters = [];
  dns {{ nameserver = ["127.0.0.1"]; }}
}}
logging {{ type = "console"; }}
worker "rspamd_proxy" {{
  bind_socket = "127.0.0.1:{milter}";
  count = 1;
  .include "{home}/worker-proxy.inc"
}}
"""


class Postfix:
    """A Postfix and an rspamd proxy of our own, on free ports."""

    def __init__(self, folder: Path, filter_port: int) -> None:
        self._postfix = program("postfix", "postfix")
        rspamd = program("rspamd", "rspamd")
        if os.getuid() != 0:
            pytest.skip("Postfix starts only as root")
        self._folder = folder
        self._processes: list[subprocess.Popen] = []
        self.port, milter = _free_ports(2)
        try:
            self._start_proxy(rspamd, milter, filter_port)
            self._start_postfix(milter)
        except BaseException:
            self.close()
            raise

    def send(self, mail: bytes) -> str:
        """Send a mail by SMTP and give it back as it was delivered; smtplib.SMTPDataError when it is refused."""
        box = self._folder / "boxes" / "box"
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE_S) as client:
            client.sendmail("ann@a.example", ["bob@test.example"], mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        deadline = time.monotonic() + PATIENCE_S
        while not (box.exists() and box.read_bytes().endswith(b"\n\n")):
            assert time.monotonic() < deadline, (self._folder / "data" / "log").read_text()
            time.sleep(0.1)
        kept = box.read_text("utf-8", "replace")
        box.unlink()
        return kept

    def close(self) -> None:
        run(self._postfix, "-c", str(self._folder / "etc"), "stop", status=None)
        for process in self._processes:
            process.terminate()
        for process in self._processes:
            try:
                process.wait(20)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()

    def _start_proxy(self, rspamd: str, milter: int, filter_port: int) -> None:
        home = self._folder / "rspamd"
        home.mkdir()
        text = PROXY.read_text().replace("127.0.0.1:11333", f"127.0.0.1:{filter_port}")
        (home / "worker-proxy.inc").write_text(text)
        (home / "rspamd.conf").write_text(RSPAMD.format(home=home, milter=milter))
        shutil.chown(home, "_rspamd", "_rspamd")
        command = [rspamd, "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", str(home / "rspamd.conf")]
        folders = ("LOCAL_CONFDIR", "RUNDIR", "DBDIR", "LOGDIR")
        command += [f"--var={name}={home}" for name in folders]
        log = open(self._folder / "rspamd.log", "wb")
        self._processes.append(subprocess.Popen(command, stdout=log, stderr=log))
        log.close()
        self._wait_for(milter, self._folder / "rspamd.log")

    def _start_postfix(self, milter: int) -> None:
        etc = self._folder / "etc"
        for name in ("etc", "queue", "data", "boxes"):
            (self._folder / name).mkdir()
        shutil.chown(self._folder / "data", "postfix")
        shutil.chown(self._folder / "boxes", 65534)
        (etc / "main.cf").write_text(MAIN.format(folder=self._folder, milter=milter))
        (etc / "master.cf").write_text(MASTER.format(port=self.port))
        run(self._postfix, "-c", str(etc), "check")
        log = open(self._folder / "postfix.log", "wb")
        self._processes.append(
            subprocess.Popen(
                [self._postfix, "-c", str(etc), "start-fg"], stdout=log, stderr=log, start_new_session=True
            )
        )
        log.close()
        self._wait_for(self.port, self._folder / "postfix.log")

    def _wait_for(self, port: int, log: Path) -> None:
        deadline = time.monotonic() + PATIENCE_S
        while True:
            try:
                socket.create_connection(("127.0.0.1", port)).close()
                return
            except OSError:
                assert time.monotonic() < deadline and self._processes[-1].poll() is None, log.read_text()
                time.sleep(0.1)


def _free_ports(count: int) -> list[int]:
    held = [socket.create_server(("127.0.0.1", 0)) for _ in range(count)]
    ports = [one.getsockname()[1] for one in held]
    for one in held:
        one.close()
    return ports


@pytest.fixture
def postfix() -> Iterator:
    """A function: port of a filter -> Postfix in front of it."""
    # Postfix gives up root, and pytest's folders are open to their owner alone.
    folder = Path(tempfile.mkdtemp(prefix="postfix-"))
    folder.chmod(0o755)
    started: list[Postfix] = []

    def start(filter_port: int) -> Postfix:
        started.append(Postfix(folder, filter_port))
        return started[0]

    yield start
    for one in started:
        one.close()
    shutil.rmtree(folder)


def test_mails_are_delivered_with_our_header_fields(postfix, mail_filter: RunningFilter):
    mta = postfix(mail_filter.port)

    spam = mta.send(b"X-Stream-NB-Id: forged\n" + fresh("spam").value)
    ham = mta.send(fresh("ham").value)

    assert "X-Spam: Yes" in spam and "X-Stream-NB: spam; probability=" in spam
    assert "X-Spam" not in ham and "X-Stream-NB: ham; probability=" in ham
    assert "forged" not in spam
    ids = [re.search(r"X-Stream-NB-Id: (\S+)", kept)[1] for kept in (spam, ham)]
    assert set(ids) <= set(mail_filter.emails())


def test_what_scores_high_is_refused_where_that_is_set(postfix, filter_on):
    mta = postfix(filter_on(reject=5.0).port)

    with pytest.raises(smtplib.SMTPDataError) as refused:
        mta.send(fresh("spam").value)

    assert refused.value.smtp_code == 554
    assert "X-Stream-NB: ham" in mta.send(fresh("ham").value)


def test_a_subject_is_rewritten_where_that_is_set(postfix, filter_on):
    mta = postfix(filter_on(rewrite_subject=5.0, add_header=None).port)

    assert "Subject: [spam] " in mta.send(fresh("spam").value)


def test_a_filter_that_is_down_holds_no_mail(postfix, free_port):
    assert "Subject:" in postfix(free_port).send(fresh("spam").value)
