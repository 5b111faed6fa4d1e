"""Exim's content scanner asks the filter in both protocols, with the ACL of config/exim."""

import functools
import os
import re
import shutil
import tempfile
from pathlib import Path

import pytest

from tests.consumers.filter.conftest import EXIM_MAIN, fresh, program, run

ACL = Path(__file__).parents[3] / "config" / "exim" / "stream-nb.acl"

CONFIGURATION = (
    EXIM_MAIN
    + """spamd_address = 127.0.0.1 {port}{variant}
acl_smtp_rcpt = take
acl_smtp_data = check
begin acl
take:
  accept
check:
.include {folder}/stream-nb.acl
  accept
begin routers
all:
  driver = accept
  transport = file
begin transports
file:
  driver = appendfile
  file = {folder}/spool/box
  user = Debian-exim
"""
)


@pytest.fixture
def exim():
    """A function: port of a filter, protocol, mail -> the mail as Exim delivered it."""
    path = program("exim4", "exim4-daemon-heavy", "/opt/exim4/usr/sbin")
    if os.getuid() != 0:
        pytest.skip("Exim takes a configuration of its own only from root")
    # Exim drops root, and only the owner may enter pytest's folders.
    folder = Path(tempfile.mkdtemp(prefix="exim-"))
    folder.chmod(0o755)
    (folder / "spool").mkdir()
    shutil.chown(folder / "spool", "Debian-exim")

    def deliver(port: int, variant: str, mail: bytes, rule: str = "") -> str:
        (folder / "stream-nb.acl").write_text(ACL.read_text() + rule)
        configuration = folder / "exim.conf"
        configuration.write_text(CONFIGURATION.format(exim=path, folder=folder, port=port, variant=variant))
        dotted = mail.replace(b"\r\n", b"\n").replace(b"\n.", b"\n..").replace(b"\n", b"\r\n")
        output = run(
            path, "-C", str(configuration), "-odf", "-bs",
            stdin=b"HELO a.example\r\nMAIL FROM:<ann@a.example>\r\nRCPT TO:<bob@test.example>\r\n"
            b"DATA\r\n" + dotted + b"\r\n.\r\nQUIT\r\n",
        )  # fmt: skip
        box = folder / "spool" / "box"
        assert box.exists(), output + (folder / "spool" / "log_main").read_text()
        kept = box.read_text("utf-8", "replace")
        box.unlink()
        return kept

    yield deliver
    shutil.rmtree(folder)


@pytest.mark.parametrize("variant", ["", " variant=rspamd"], ids=["spamd", "rspamd"])
def test_mails_are_delivered_with_header_fields(exim, mail_filter, variant):
    spam = exim(mail_filter.port, variant, b"X-Stream-NB-Id: forged\r\n" + fresh("spam").value)
    ham = exim(mail_filter.port, variant, fresh("ham").value)

    assert "X-Spam-Flag: YES" in spam and "X-Stream-NB: spam; probability=" in spam
    assert "X-Spam-Flag" not in ham and "X-Stream-NB: ham; probability=" in ham
    assert "X-Stream-NB-Words: " in spam and "X-Stream-NB-Words: " in ham
    assert "forged" not in spam
    ids = [kept.split("X-Stream-NB-Id: ")[1].split()[0] for kept in (spam, ham)]
    assert set(ids) <= set(mail_filter.emails())


@pytest.mark.parametrize("variant", ["", " variant=rspamd"], ids=["spamd", "rspamd"])
def test_an_unscored_mail_has_the_reason_in_its_header_not_ham(exim, filter_on, variant):
    kept = exim(filter_on(trained=False, deadline_s=0.1).port, variant, fresh("spam").value)

    assert "X-Stream-NB: STREAM_NB_DEADLINE;" in kept and "X-Stream-NB-Id: " in kept


@pytest.mark.parametrize("variant", ["", " variant=rspamd"], ids=["spamd", "rspamd"])
def test_mail_is_delivered_unchanged_while_the_filter_is_down(exim, free_port, variant):
    kept = exim(free_port, variant, fresh("spam").value)

    assert "Subject:" in kept and "X-Stream-NB" not in kept


def test_mail_with_a_high_score_is_refused_if_so_configured(exim, filter_on):
    """The last lines of the ACL are uncommented, as they say."""
    rule = re.search(r"^# deny\n(#   .*\n)+", ACL.read_text(), re.MULTILINE)[0]
    deliver = functools.partial(exim, filter_on(reject=5.0).port, " variant=rspamd", rule=rule.replace("# ", ""))

    with pytest.raises(AssertionError, match="550 This message scored"):
        deliver(fresh("spam").value)
    assert "X-Stream-NB: ham" in deliver(fresh("ham").value)
