"""Logins with an access token, as Outlook requires."""

from __future__ import annotations

import base64
import hashlib
import hmac
import json
import time
from collections.abc import Iterator
from contextlib import closing

import msgspec
import pytest

from consumers.errors import MailServerUnavailable
from consumers.mailbox import login
from consumers.mailbox.address import parse_imap_address
from consumers.settings import ImapSettings, Settings
from tests.consumers.mailbox.conftest import Following, new_mail
from tests.consumers.mailbox.test_login import refusal
from tests.support.cutting_proxy import CuttingProxy
from tests.support.dovecot import Dovecot, is_2_4
from tests.support.imap_server import ANSWERS, serving
from tests.support.postfix import open_folder

KEY = b"k" * 32
OAUTH2 = """
auth_mechanisms = plain {mechanisms}
auth_failure_delay = 0
service anvil {{
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
passdb {{
  driver = oauth2
  mechanisms = xoauth2 oauthbearer
  args = {folder}/oauth2.conf
}}
"""
VALIDATION = """
introspection_mode = local
local_validation_key_dict = fs:posix:prefix={folder}/keys/
username_attribute = sub
"""


@pytest.fixture(params=["xoauth2", "oauthbearer"])
def server(request) -> Iterator[Dovecot]:
    """A Dovecot that accepts tokens signed with KEY, by one mechanism."""
    if is_2_4():
        pytest.skip("these are Dovecot 2.3's settings for OAuth 2")
    with open_folder("imap-") as folder:
        keys = folder / "keys" / "default" / "HS256"
        keys.mkdir(parents=True)
        (keys / "default").write_bytes(base64.b64encode(KEY))
        (folder / "oauth2.conf").write_text(VALIDATION.format(folder=folder))
        for path in folder.glob("keys/**"):
            path.chmod(0o755)
        dovecot = Dovecot(folder, OAUTH2.format(folder=folder, mechanisms=request.param))
        yield dovecot
        dovecot.stop()


def test_a_server_that_disables_passwords_even_with_tls_gets_a_token(monkeypatch):
    """It need not offer STARTTLS then."""

    class Client:
        welcome = b"* OK hello"
        given: tuple[str, str] | None = None

        def has_capability(self, name: str) -> bool:
            return name in ("LOGINDISABLED", "AUTH=XOAUTH2")

        def oauth2_login(self, user: str, token: str) -> None:
            self.given = (user, token)

    monkeypatch.setattr(login.imapclient, "IMAPClient", lambda *_, **__: Client())

    client = login.log_in(parse_imap_address("imaps://ann@mail.example.org"), ImapSettings(token_command="echo ya29"))

    assert client.given == ("ann", "ya29")


def test_a_mailbox_is_followed_with_tokens_that_the_command_prints(server, settings, tmp_path):
    url, (name, raw) = f"imap://ann@127.0.0.1:{server.port}/INBOX", new_mail()
    server.put("INBOX", raw)
    (tmp_path / "token").write_text(token(valid_s=-60))
    settings = with_command(settings, f"cat {tmp_path}/token")
    assert "ann is refused: [AUTHENTICATIONFAILED]" in str(error := refusal(url, settings))
    assert "check the user and [imap] token_command" in str(error)

    (tmp_path / "token").write_text(token(valid_s=3600))
    with closing(Following(url, settings)) as following:
        assert following.mails() == [name]


def test_a_token_that_cannot_be_had_now_lets_systemd_restart_the_feed(settings):
    with serving(ANSWERS | {b"CAPABILITY": b"* CAPABILITY IMAP4rev1 AUTH=XOAUTH2\r\n"}) as url:
        error = refusal(url, with_command(settings, "false"), MailServerUnavailable)

    assert "token_command 'false' failed with status 1" in str(error)


def test_a_feed_asks_again_until_there_is_a_token(server, settings, tmp_path, monkeypatch):
    """The network may be away when a connection breaks."""
    monkeypatch.setattr("consumers.mailbox.imap.LONGEST_PAUSE_S", 0.2)
    there, failed = tmp_path / "token", tmp_path / "failed"
    there.write_text(token(valid_s=3600))
    command = f"sh -c 'cat {there} || {{ touch {failed}; exit 1; }}'"
    with closing(CuttingProxy(server.port)) as proxy:
        url, (name, raw) = f"imap://ann@127.0.0.1:{proxy.port}/INBOX", new_mail()
        with closing(Following(url, with_command(settings, command))) as following:
            there.unlink()
            proxy.cut_after(0)
            proxy.heal_after(0)
            following.wait_for(failed.exists)
            server.put("INBOX", raw)
            there.write_text(token(valid_s=3600))
            following.wait_for(lambda: following.mails() == [name])


def test_a_server_without_tokens_gets_none(settings, tmp_path):
    with serving(ANSWERS) as url:
        error = refusal(url, with_command(settings, f"touch {tmp_path}/asked"))

    assert "the server has no OAuth 2; set STREAM_NB_IMAP_PASSWORD" in str(error)
    assert not (tmp_path / "asked").exists()


def with_command(settings: Settings, command: str) -> Settings:
    return msgspec.structs.replace(settings, imap=ImapSettings(token_command=command))


def token(valid_s: float) -> str:
    """A token for ann that is valid for this time (RFC 7519)."""
    claims = {"sub": "ann", "exp": int(time.time() + valid_s)}
    signed = ".".join(encoded(json.dumps(part).encode()) for part in ({"alg": "HS256", "typ": "JWT"}, claims))
    return f"{signed}.{encoded(hmac.new(KEY, signed.encode(), hashlib.sha256).digest())}"


def encoded(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode()
