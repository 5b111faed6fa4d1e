"""Postfix asks the filter through rspamd's milter proxy, with the file of config/postfix."""

from __future__ import annotations

import re
import shutil
import smtplib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import RunningFilter, fresh, program
from tests.support.ports import free_ports, wait_for_port
from tests.support.postfix import Postfix, open_folder, stop

PROXY = Path(__file__).parents[3] / "config" / "postfix" / "worker-proxy.inc"

# `filters` is empty because the modules take half a minute to load and the proxy uses none of them.
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


class ProxiedPostfix(Postfix):
    """A Postfix that asks the filter through an rspamd proxy."""

    def __init__(self, folder: Path, filter_port: int) -> None:
        home = folder / "rspamd"
        home.mkdir()
        (milter,) = free_ports(1)
        text = PROXY.read_text().replace("127.0.0.1:11333", f"127.0.0.1:{filter_port}")
        (home / "worker-proxy.inc").write_text(text)
        (home / "rspamd.conf").write_text(RSPAMD.format(home=home, milter=milter))
        rspamd = program("rspamd", "rspamd")
        shutil.chown(home, "_rspamd", "_rspamd")
        command = [rspamd, "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", str(home / "rspamd.conf")]
        command += [f"--var={name}={home}" for name in ("LOCAL_CONFDIR", "RUNDIR", "DBDIR", "LOGDIR")]
        with open(folder / "rspamd.log", "wb") as log:
            self._proxy = subprocess.Popen(command, stdout=log, stderr=log)
        try:
            wait_for_port(milter, self._proxy, folder / "rspamd.log")
            offered = "\n".join(re.findall(r"^#   (\w+ =.*)", PROXY.read_text(), re.MULTILINE))
            super().__init__(folder, offered.replace("127.0.0.1:11332", f"127.0.0.1:{milter}") + "\n")
        except BaseException:
            stop(self._proxy)
            raise

    def sent(self, mail: bytes) -> str:
        """Send a mail; returns it as delivered."""
        before = len(self.delivered())
        self.send(mail)
        return self.wait_for(before + 1)[-1].decode("utf-8", "replace")

    def close(self) -> None:
        super().close()
        stop(self._proxy)


@pytest.fixture
def postfix() -> Iterator:
    """A function: port of a filter -> a Postfix that asks it."""
    started: list[ProxiedPostfix] = []
    with open_folder("postfix-") as folder:

        def start(filter_port: int) -> ProxiedPostfix:
            started.append(ProxiedPostfix(folder, filter_port))
            return started[0]

        yield start
        for one in started:
            one.close()


def test_mails_are_delivered_with_header_fields(postfix, mail_filter: RunningFilter):
    mta = postfix(mail_filter.port)

    spam = mta.sent(b"X-Stream-NB-Id: forged\n" + fresh("spam").value)
    ham = mta.sent(fresh("ham").value)

    assert "X-Spam: Yes" in spam and "X-Stream-NB: spam; probability=" in spam
    assert "X-Spam" not in ham and "X-Stream-NB: ham; probability=" in ham
    assert "forged" not in spam
    ids = [re.search(r"X-Stream-NB-Id: (\S+)", kept)[1] for kept in (spam, ham)]
    assert set(ids) <= set(mail_filter.emails())


def test_mail_with_a_high_score_is_refused_if_so_configured(postfix, filter_on):
    mta = postfix(filter_on(reject=5.0).port)

    with pytest.raises(smtplib.SMTPDataError) as refused:
        mta.send(fresh("spam").value)

    assert refused.value.smtp_code == 554
    assert "X-Stream-NB: ham" in mta.sent(fresh("ham").value)


def test_the_subject_is_rewritten_if_so_configured(postfix, filter_on):
    mta = postfix(filter_on(rewrite_subject=5.0, add_header=None).port)

    assert "Subject: [spam] " in mta.sent(fresh("spam").value)


def test_mail_is_delivered_while_the_filter_is_down(postfix, free_port):
    assert "Subject:" in postfix(free_port).sent(fresh("spam").value)


def test_forged_fields_are_removed_even_while_the_filter_is_down(postfix, free_port):
    forged = b"X-Stream-NB: spam; forged\nx-stream-nb-id: forged\nContent-Type: message/rfc822\nSubject: hello\n\n"
    attached = "X-Stream-NB: ham; of another server"

    kept = postfix(free_port).sent(forged + attached.encode() + b"\n\nlunch?\n")

    assert "Subject: hello" in kept and "forged" not in kept and attached in kept
