"""Malformed answers of an IMAP server, and connections that it ends."""

from __future__ import annotations

import socket

import pytest
from click.testing import CliRunner
from imapclient.exceptions import IMAPClientAbortError

from consumers.cli.main import cli
from consumers.mailbox.imap_errors import IMAP_ERRORS, reason, refusable
from tests.consumers.mailbox.conftest import connected
from tests.support.imap_server import ANSWERS, serving


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        (b"CAPABILITY", b"* CAPABILITY IMAP4rev1 \xff\r\n"),
        (b"NAMESPACE", b"* NAMESPACE NIL\r\n"),
        (b"LIST", b'* LIST NIL "/" INBOX\r\n'),
        (b"LIST", b'* LIST () "/" NIL\r\n'),
        (b"EXAMINE", b"* 2 EXISTS\r\n"),
        (b"EXAMINE", b"* 2 EXISTS\r\n* OK [UIDVALIDITY x] ok\r\n"),
        (b"SEARCH", b"* SEARCH (1 2)\r\n"),
        (b"FETCH", b"* 1 FETCH (UID 1 FLAGS NIL BODY[]<0> {12}\r\nSubject: a\r\n)\r\n"),
    ],
)
def test_a_malformed_answer_is_a_connection_error(command, answer):
    with serving(ANSWERS) as url:
        assert mails(url) == [b"Subject: a\r\n"]
    with serving(ANSWERS | {command: answer}) as url, pytest.raises(IMAP_ERRORS, match="malformed"):
        mails(url)


def test_a_server_that_ends_the_connection_has_not_refused_the_command():
    """A mail that was being moved may be in either folder then."""
    with pytest.raises(IMAPClientAbortError), refusable():
        raise IMAPClientAbortError("socket error: EOF")


def mails(url: str) -> list[bytes | None]:
    connection = connected(url)
    try:
        assert connection.has_folder("INBOX")
        assert connection.find_junk() == "Junk"
        connection.select("INBOX")
        return [mail.raw for mail in connection.read(connection.uids_from(1))]
    finally:
        connection.close()


def test_the_number_of_an_error_is_not_printed(monkeypatch, tmp_path):
    monkeypatch.setenv("STREAM_NB_IMAP_PASSWORD", "secret")
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        url = f"imap://ann@127.0.0.1:{closed.getsockname()[1]}"
        error = CliRunner().invoke(cli, ["feed", url, "--log", f"sqlite:{tmp_path / 'log'}"]).exception

    assert str(error) == f"{url}: Connection refused; check host and port"


def test_an_error_without_a_number_has_a_reason():
    assert (reason(TimeoutError()), reason(TimeoutError("timed out"))) == ("TimeoutError", "timed out")
