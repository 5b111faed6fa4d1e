"""Haraka's plugin for rspamd asks the filter, with the file of config/haraka."""

from __future__ import annotations

import os
import re
import smtplib
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import PATIENCE_S, fresh, program, run
from tests.support.ports import free_ports, wait_for_port

OFFERED = Path(__file__).parents[3] / "config" / "haraka" / "rspamd.ini"


class Haraka:
    """A Haraka that queues accepted mail in a folder."""

    def __init__(self, folder: Path, filter_port: int) -> None:
        modules = "/opt/haraka/node_modules/.bin"
        haraka = program("haraka", "Haraka and haraka-plugin-rspamd with npm", modules, ci=False)
        self._kept = folder / "kept"
        self._kept.mkdir()
        (self.port,) = free_ports(1)
        run(haraka, "-i", str(folder / "haraka"))
        config = folder / "haraka" / "config"
        asks = OFFERED.read_text().replace("11333", str(filter_port))
        files = {
            "smtp.ini": f"listen=127.0.0.1:{self.port}\nnodes=0\n",
            "plugins": "rcpt_to.in_host_list\nrspamd\nqueue/test\n",
            "host_list": "test.example\n",
            "rspamd.ini": asks + "\n[check]\nprivate_ip = true\nlocal_ip = true\n",
        }
        for name, text in files.items():
            (config / name).write_text(text)
        self._log = folder / "log"
        with self._log.open("wb") as log:
            environment = {**os.environ, "TMPDIR": str(self._kept)}
            command = [haraka, "-c", str(folder / "haraka")]
            self._process = subprocess.Popen(command, stdout=log, stderr=log, env=environment)
        wait_for_port(self.port, self._process, self._log)

    def send(self, mail: bytes) -> str:
        """Send a mail by SMTP; returns it as queued, or raises smtplib.SMTPDataError if it is refused."""
        with smtplib.SMTP("127.0.0.1", self.port, timeout=PATIENCE_S) as client:
            client.sendmail("ann@a.example", ["bob@test.example"], mail.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n"))
        (path,) = self._kept.glob("mail_*")
        text = path.read_text("utf-8", "replace")
        path.unlink()
        return text

    def close(self) -> None:
        self._process.terminate()
        self._process.wait(30)


@pytest.fixture
def haraka(tmp_path) -> Iterator:
    """A function: port of a filter -> a Haraka that asks it."""
    started: list[Haraka] = []

    def start(filter_port: int) -> Haraka:
        started.append(Haraka(tmp_path, filter_port))
        return started[0]

    yield start
    for one in started:
        one.close()


def test_mails_are_queued_with_header_fields(haraka, mail_filter):
    mta = haraka(mail_filter.port)

    spam = mta.send(b"X-Stream-NB-Id: forged\n" + fresh("spam").value)
    ham = mta.send(fresh("ham").value)

    assert "X-Stream-NB: spam; probability=" in spam and "X-Stream-NB: ham; probability=" in ham
    assert "forged" not in spam
    ids = [re.search(r"X-Stream-NB-Id: (\S+)", kept)[1] for kept in (spam, ham)]
    assert set(ids) <= set(mail_filter.emails())


def test_mail_with_a_high_score_is_refused_if_so_configured(haraka, filter_on):
    mta = haraka(filter_on(reject=5.0).port)

    with pytest.raises(smtplib.SMTPDataError):
        mta.send(fresh("spam").value)


def test_mail_is_queued_unchanged_while_the_filter_is_down(haraka, free_port):
    kept = haraka(free_port).send(fresh("spam").value)

    assert "Subject:" in kept and "X-Stream-NB" not in kept
