"""Connections to a server: certificates, the choice of the junk folder, and IDLE."""

from __future__ import annotations

import shutil
import socketserver
import subprocess
import threading
from types import SimpleNamespace

import pytest

from consumers.errors import UserError
from consumers.mailbox.address import parse_imap_address
from consumers.mailbox.connection import IMAP_ERRORS, ImapConnection
from consumers.mailbox.imap import ImapFollower
from consumers.records.setup import open_ready_log
from tests.consumers.filter.conftest import program
from tests.consumers.mailbox.conftest import Following, new_mail
from tests.support.dovecot import Dovecot
from tests.support.postfix import open_folder


def test_the_certificate_is_checked(settings, monkeypatch):
    openssl = program("openssl", "openssl")
    with open_folder("tls-") as folder:
        made = [
            openssl, "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
            "-addext", "subjectAltName=DNS:localhost", "-keyout", folder / "key.pem", "-out", folder / "cert.pem",
        ]  # fmt: skip
        subprocess.run(made, check=True, capture_output=True)
        both = folder / "both.pem"
        both.write_text((folder / "cert.pem").read_text() + (folder / "key.pem").read_text())
        (folder / "server").mkdir()
        server = Dovecot(folder / "server", certificate=both)
        try:
            name, raw = new_mail()
            server.put("INBOX", raw)
            address = parse_imap_address(f"imaps://ann@localhost:{server.tls_port}/INBOX")
            with open_ready_log(settings, lambda text: None) as log, pytest.raises(UserError, match="SSL_CERT_FILE"):
                ImapFollower(log, address, settings).undo()

            monkeypatch.setenv("SSL_CERT_FILE", str(folder / "cert.pem"))
            following = Following(f"imaps://ann@localhost:{server.tls_port}/INBOX", settings)
            assert following.mails() == [name]
            following.close()
        finally:
            server.stop()
            shutil.rmtree(folder / "server")


@pytest.mark.parametrize(
    ("folders", "junk"),
    [
        ([((), b"/", "INBOX"), ((), b"/", "Mail/SPAM")], "Mail/SPAM"),
        ([((), b"\\", "INBOX"), ((), b"\\", "INBOX\\Junk")], "INBOX\\Junk"),
        ([((), b".", "INBOX.Spam"), ((b"\\Junk",), b".", "INBOX.Müll")], "INBOX.Müll"),
        ([((), b"/", "no.spam"), ((), None, "reports/spam")], None),
    ],
)
def test_the_junk_folder_is_found_by_its_mark_or_its_name(folders, junk):
    connection = object.__new__(ImapConnection)
    connection._client = SimpleNamespace(list_folders=lambda: folders, has_capability=lambda name: False)
    assert connection.find_junk() == junk


@pytest.mark.parametrize(
    ("spaces", "junk"),
    [
        (((("", "."),), (("Others.", "."),), (("All.", "."),)), "INBOX.Spam"),
        (((("INBOX.", "."),), None, (("", "."),)), "INBOX.Spam"),
        (((("Own.", "."),), None, (("", "."),)), None),
    ],
)
def test_junk_folders_of_other_users_are_ignored(spaces, junk):
    """Mail moved there would end up in the mailbox of another user."""
    folders = [((b"\\Junk",), b".", "All.Junk"), ((b"\\Junk",), b".", "Others.bob.Junk"), ((), b".", "INBOX.Spam")]
    connection = object.__new__(ImapConnection)
    connection._client = SimpleNamespace(
        list_folders=lambda: folders, has_capability=lambda name: name == "NAMESPACE", namespace=lambda: spaces
    )

    assert connection.find_junk() == junk


@pytest.mark.parametrize("end", [b"+ still idling\r\n", b"* BYE\r\n"])
def test_an_invalid_response_in_idle_is_a_connection_error(end):
    """IMAPClient raises AttributeError for a continuation request, which would end the feed."""

    class InvalidServer(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"* OK hello\r\n")
            tag = b""
            for line in self.rfile:
                tag, command = (tag, line.strip()) if line == b"DONE\r\n" else line.split(maxsplit=2)[:2]
                said = {b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE\r\n", b"IDLE": b"+ idling\r\n", b"DONE": end}
                self.wfile.write(said.get(command.strip().upper(), b""))
                if command.strip().upper() != b"IDLE" and (command != b"DONE" or end.startswith(b"+")):
                    self.wfile.write(tag + b" OK done\r\n")
                elif command == b"DONE":
                    return

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), InvalidServer) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = parse_imap_address(f"imap://ann@127.0.0.1:{server.server_address[1]}/INBOX")
        try:
            connection = ImapConnection(address, "secret")
            connection.start_idle()
            with pytest.raises(IMAP_ERRORS):
                connection.stop_idle()
        finally:
            server.shutdown()
