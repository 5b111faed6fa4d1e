"""Exim delivers by LMTP with the router and the transport of docs/filter.md."""

import os
import re
import shutil
import textwrap
import threading
from pathlib import Path

import pytest

from consumers.filter.lmtp import LmtpServer
from tests.consumers.filter.conftest import EXIM_MAIN, PATIENCE_S, fresh, program, run
from tests.support.postfix import open_folder

GUIDE = (Path(__file__).parents[3] / "docs" / "filter.md").read_text("utf-8")

CONFIGURATION = (
    EXIM_MAIN
    + """acl_smtp_rcpt = take
begin acl
take:
  accept
begin routers
{router}
begin transports
{transport}
"""
)


def offered(name: str) -> str:
    """The driver of this name in the guide."""
    found = re.search(rf"^    {name}:\n(?:      .*\n)+", GUIDE, re.MULTILINE)
    assert found
    return textwrap.dedent(found[0])


@pytest.fixture
def exim() -> str:
    """The path of Exim."""
    path = program("exim4", "exim4-daemon-heavy", "/opt/exim4/usr/sbin")
    if os.getuid() != 0:
        pytest.skip("Exim takes a configuration of its own only from root")
    return path


def test_a_mail_with_a_long_line_is_on_the_log_once(exim, mail_filter):
    stop, ready = threading.Event(), threading.Event()
    server = LmtpServer(mail_filter.open, mail_filter.settings, "127.0.0.1", 0, None)
    thread = threading.Thread(target=server.run, args=(stop, ready.set))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        before = set(mail_filter.emails())
        with open_folder("exim-") as folder:
            (folder / "spool").mkdir()
            shutil.chown(folder / "spool", "Debian-exim")
            transport = offered("stream_nb").replace("2424", str(server.port))
            configuration = folder / "exim.conf"
            configuration.write_text(
                CONFIGURATION.format(exim=exim, folder=folder, router=offered("to_stream_nb"), transport=transport)
            )
            mail = fresh("ham").value + b"x" * 2_000
            run(
                exim, "-C", str(configuration), "-odf", "-bs",
                stdin=b"HELO a.example\r\nMAIL FROM:<ann@a.example>\r\nRCPT TO:<bob@test.example>\r\n"
                b"RCPT TO:<eve@test.example>\r\nDATA\r\n"
                + mail.replace(b"\r\n", b"\n").replace(b"\n.", b"\n..").replace(b"\n", b"\r\n")
                + b"\r\n.\r\nQUIT\r\n",
            )  # fmt: skip
            log = (folder / "spool" / "log_main").read_text()
        new = set(mail_filter.emails()) - before
        assert len(new) == 1 and mail_filter.emails()[new.pop()].endswith(mail.replace(b"\n", b"\r\n") + b"\r\n"), log
    finally:
        stop.set()
        thread.join(PATIENCE_S)
    assert not thread.is_alive()
