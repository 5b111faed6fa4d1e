"""Logins: certificates, passwords, and servers that do not answer."""

from __future__ import annotations

import datetime
import socket
import ssl
import subprocess
import threading
from contextlib import closing
from pathlib import Path
from unittest.mock import Mock

import msgspec
import pytest
from imapclient import IMAPClient
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError

from consumers.errors import STATUS_RESTART, MailServerUnavailable, UserError
from consumers.mailbox.address import ImapAddress, parse_imap_address
from consumers.mailbox.imap import ImapFollower
from consumers.records.setup import open_ready_log
from consumers.settings import ImapSettings, Settings
from tests.consumers.filter.conftest import program
from tests.consumers.mailbox.conftest import Following, new_mail
from tests.support.dovecot import Dovecot
from tests.support.imap_server import ANSWERS, serving
from tests.support.ports import free_ports
from tests.support.postfix import open_folder

AUTHORITY = """
[ca]
default_ca = one
[one]
database = {folder}/database
serial = {folder}/serial
new_certs_dir = {folder}
default_md = sha256
policy = policy
x509_extensions = extensions
[policy]
commonName = supplied
[extensions]
subjectAltName = DNS:localhost
basicConstraints = CA:true
"""


def test_the_certificate_is_checked(settings, monkeypatch):
    with open_folder("tls-") as folder:
        server = Dovecot(folder, certificate=make_certificate(folder, -1, 2))
        url = f"imaps://ann@localhost:{server.tls_port}/INBOX"
        try:
            name, raw = new_mail()
            server.put("INBOX", raw)
            assert "SSL_CERT_FILE" in str(refusal(url, settings))

            monkeypatch.setenv("SSL_CERT_FILE", str(folder / "certificate.pem"))
            assert "give the host that the certificate names" in str(
                refusal(url.replace("localhost", "127.0.0.1"), settings)
            )
            following = Following(url, settings)
            assert following.mails() == [name]
            following.close()
        finally:
            server.stop()


def test_starttls_encrypts_the_connection_before_the_login(settings, monkeypatch):
    with open_folder("tls-") as folder:
        server = Dovecot(folder, certificate=make_certificate(folder, -1, 2))
        address = ImapAddress("ann", "localhost", server.port, "INBOX", tls=True, starttls=True)
        try:
            name, raw = new_mail()
            server.put("INBOX", raw)
            assert "SSL_CERT_FILE" in str(refusal(address, settings))

            monkeypatch.setenv("SSL_CERT_FILE", str(folder / "certificate.pem"))
            following = Following(address, settings)
            assert following.mails() == [name]
            following.close()
        finally:
            server.stop()


def test_a_server_without_starttls_gets_no_password(dovecot, settings, monkeypatch):
    login = Mock()
    monkeypatch.setattr(IMAPClient, "login", login)
    address = ImapAddress("ann", "localhost", dovecot.port, "INBOX", tls=True, starttls=True)
    assert "has no STARTTLS; give imaps://" in str(refusal(address, settings))
    assert not login.called


def test_a_local_server_that_refuses_passwords_without_encryption_gets_none(settings, monkeypatch):
    """As Proton Mail Bridge does."""
    with open_folder("tls-") as folder, socket.create_server(("127.0.0.1", 0)) as server:
        both = make_certificate(folder, -1, 2)
        monkeypatch.setenv("SSL_CERT_FILE", str(folder / "certificate.pem"))
        heard: list[tuple[bool, bytes]] = []
        thread = threading.Thread(target=refuse_logins_in_the_clear, args=(server, both, heard), daemon=True)
        thread.start()
        url = f"imap://ann@localhost:{server.getsockname()[1]}/INBOX"
        assert "ann is refused: [AUTHENTICATIONFAILED]" in str(refusal(url, settings))
        thread.join(30)

    assert [line.split()[1] for encrypted, line in heard if not encrypted] == [b"CAPABILITY", b"STARTTLS"]
    assert [line.split()[1] for encrypted, line in heard if encrypted][-1] == b"LOGIN"


@pytest.mark.parametrize(("first_day", "last_day", "why"), [(-3, -1, "has expired"), (1, 3, "is not yet valid")])
def test_a_certificate_with_a_wrong_time_is_not_to_be_trusted(settings, monkeypatch, first_day, last_day, why):
    with open_folder("tls-") as folder:
        server = Dovecot(folder, certificate=make_certificate(folder, first_day, last_day))
        monkeypatch.setenv("SSL_CERT_FILE", str(folder / "certificate.pem"))
        try:
            error = str(refusal(f"imaps://ann@localhost:{server.tls_port}/INBOX", settings))
        finally:
            server.stop()

    assert f"certificate {why}; renew it on the server, or set this machine's clock" in error


def test_a_password_may_have_any_characters(settings):
    password = "Grüße§€🙂"
    settings = msgspec.structs.replace(settings, imap=ImapSettings(password=password))
    with open_folder("imap-") as folder:
        server = Dovecot(folder)
        server.stop()
        file = Path(server.configuration)
        file.write_text(file.read_text().replace("secret", password))
        server.start(password)
        try:
            Following(f"imap://ann@127.0.0.1:{server.port}/INBOX", settings).close()
            settings = msgspec.structs.replace(settings, imap=ImapSettings(password="falsch: ü"))
            assert "ann is refused: [" in str(refusal(f"imap://ann@127.0.0.1:{server.port}/INBOX", settings))
        finally:
            server.stop()


def test_the_status_for_an_unreachable_server_lets_systemd_restart_the_feed(settings):
    (port,) = free_ports(1)
    error = refusal(f"imap://ann@127.0.0.1:{port}/INBOX", settings, MailServerUnavailable)

    assert error.exit_status == STATUS_RESTART
    assert "check host and port" in str(error)


def test_a_port_without_tls_is_a_mistake_that_waiting_does_not_mend(dovecot, settings):
    error = refusal(f"imaps://ann@127.0.0.1:{dovecot.port}/INBOX", settings)

    assert "SSL" in str(error) and "check host and port" in str(error)


def test_a_server_that_accepts_a_connection_and_says_nothing_is_given_up(settings, monkeypatch):
    monkeypatch.setattr("consumers.mailbox.login.CONNECT_S", 0.1)  # also for the greeting
    with socket.create_server(("127.0.0.1", 0)) as silent:
        error = refusal(f"imap://ann@127.0.0.1:{silent.getsockname()[1]}/INBOX", settings, MailServerUnavailable)

    assert "timed out" in str(error)


@pytest.mark.parametrize(
    "cause",
    [
        IMAPClientAbortError("socket error: EOF"),
        IMAPClientError("[UNAVAILABLE] Temporary authentication failure."),
        IMAPClientError("[LIMIT] Maximum number of connections from user+IP exceeded"),
        IMAPClientError("[INUSE] The mailbox is locked by a POP session"),
        IMAPClientError("[SERVERBUG] Internal error occurred."),
    ],
)
def test_a_login_that_may_succeed_later_is_no_wrong_password(dovecot, settings, monkeypatch, cause):
    monkeypatch.setattr(IMAPClient, "_command_and_check", Mock(side_effect=cause))

    error = refusal(f"imap://ann@127.0.0.1:{dovecot.port}/INBOX", settings, MailServerUnavailable)

    assert str(cause) in str(error)


def test_a_connection_that_breaks_after_the_first_login_lets_systemd_restart_the_feed(dovecot, settings, monkeypatch):
    monkeypatch.setattr(IMAPClient, "list_folders", Mock(side_effect=IMAPClientAbortError("socket error: EOF")))

    refusal(f"imap://ann@127.0.0.1:{dovecot.port}/INBOX", settings, MailServerUnavailable)


def test_a_connection_that_is_logged_in_from_the_start_needs_no_login(settings):
    """As through a tunnel of ssh that runs the server."""
    with serving({**ANSWERS, b"LOGIN": b"* BYE\r\n"}, b"* PREAUTH hello\r\n") as url:
        with closing(Following(url, settings)) as following:
            assert len(following.mails()) == 1


def test_a_greeting_cannot_make_a_connection_do_without_starttls(settings):
    able = b"* CAPABILITY IMAP4rev1 STARTTLS\r\n"
    with serving({**ANSWERS, b"CAPABILITY": able}, b"* PREAUTH hello\r\n") as url:
        address = parse_imap_address(url)._replace(tls=True, starttls=True)
        assert "STARTTLS illegal" in str(refusal(address, settings, MailServerUnavailable))


def refuse_logins_in_the_clear(server: socket.socket, certificate: Path, heard: list[tuple[bool, bytes]]) -> None:
    """Serve one connection that accepts a login only when it is encrypted, and then refuses it; collect its commands,
    and whether they were encrypted."""
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.load_cert_chain(certificate)
    client, _ = server.accept()
    client.sendall(b"* OK hello\r\n")
    encrypted, lines = False, client.makefile("rb")
    while line := lines.readline():
        heard.append((encrypted, line))
        tag, command = line.split()[:2]
        if command == b"CAPABILITY":
            more = b"" if encrypted else b" STARTTLS LOGINDISABLED"
            client.sendall(b"* CAPABILITY IMAP4rev1%s\r\n%s OK done\r\n" % (more, tag))
        elif command == b"STARTTLS":
            client.sendall(tag + b" OK begin\r\n")
            client = context.wrap_socket(client, server_side=True)
            encrypted, lines = True, client.makefile("rb")
        else:
            client.sendall(tag + b" NO [AUTHENTICATIONFAILED] no\r\n")
            break
    client.close()


def refusal(url: str | ImapAddress, settings: Settings, kind: type = UserError):
    """The error of a feed at its first login."""
    address = parse_imap_address(url) if isinstance(url, str) else url
    with open_ready_log(settings, lambda text: None) as log, pytest.raises(kind) as caught:
        ImapFollower(log, address, settings).undo()
    assert type(caught.value) is kind
    return caught.value


def make_certificate(folder: Path, first_day: int, last_day: int) -> Path:
    """A file with a certificate for localhost, certificate.pem, and its key; days count from now."""
    openssl = program("openssl", "openssl")
    (folder / "authority.cnf").write_text(AUTHORITY.format(folder=folder))
    (folder / "database").touch()
    (folder / "serial").write_text("01")
    now = datetime.datetime.now(datetime.UTC)
    first, last = (f"{now + datetime.timedelta(days):%Y%m%d%H%M%SZ}" for days in (first_day, last_day))
    certificate, key, request = folder / "certificate.pem", folder / "key.pem", folder / "request.pem"
    for arguments in (
        ["req", "-new", "-newkey", "rsa:2048", "-nodes", "-keyout", key, "-out", request, "-subj", "/CN=localhost"],
        ["ca", "-batch", "-selfsign", "-config", folder / "authority.cnf", "-in", request, "-keyfile", key,
         "-startdate", first, "-enddate", last, "-out", certificate, "-notext"],
    ):  # fmt: skip
        subprocess.run([openssl, *arguments], check=True, capture_output=True)
    both = folder / "both.pem"
    both.write_text(certificate.read_text() + key.read_text())
    return both
