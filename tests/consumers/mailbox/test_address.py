"""The address of a mailbox: valid and invalid ones, TLS, and no password in it."""

from __future__ import annotations

import pytest

from consumers.errors import UserError
from consumers.mailbox.address import parse_imap_address


@pytest.mark.parametrize(
    "password", ["hunter2", "hunter2/x", "hunter2?x", "hunter2#x", "1?hunter2", "1/hunter2", "hunter2@x"]
)
def test_a_password_in_the_address_is_refused_and_not_shown(password):
    with pytest.raises(UserError) as refused:
        parse_imap_address(f"imap://ann:{password}@mail.example.org/INBOX")

    assert "STREAM_NB_IMAP_PASSWORD" in str(refused.value) and "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    [
        "imap://mail.example.org",
        "imap://ann@",
        "http://ann@host",
        "imap://ann@host:x",
        "imap:ann",
        "imap://a@[::",
        "imap://ann@mail..example.org",
        "imap://ann@host/INBOX?x",
        "imap://ann@host/INBOX#x",
    ],
)
def test_an_invalid_address_is_refused(url):
    with pytest.raises(UserError, match="give imap://user@host/INBOX"):
        parse_imap_address(url)


def test_the_folder_is_decoded_and_the_account_named_without_it():
    found = parse_imap_address("imap://ann%40example.org@Mail.example.org/Archive%2F2026")

    assert found.mailbox == "Archive/2026"
    assert str(found) == "imap://ann@example.org@mail.example.org:993"
    assert parse_imap_address("imap://ann@mail.example.org/").mailbox == "INBOX"
    assert parse_imap_address("imap://ann@mail.example.org:993/me@work").mailbox == "me@work"


def test_imaps_without_encryption_is_refused():
    with pytest.raises(UserError, match="requires encryption, and --plain turns it off"):
        parse_imap_address("imaps://ann@mail.example.org/INBOX", plain=True)


@pytest.mark.parametrize(
    "url, plain, port, tls",
    [
        ("imap://a@mail.example.org", False, 993, True),
        ("imap://a@mail.example.org", True, 143, False),
        ("imap://a@mail.example.org:1993", False, 1993, True),
        ("imaps://a@127.0.0.1", False, 993, True),
        ("imap://a@127.0.0.1", False, 143, False),
        ("imap://a@[::1]", False, 143, False),
        ("imap://a@127.0.0.1.example.org", False, 993, True),
    ],
)
def test_only_local_servers_are_contacted_without_encryption_by_default(url, plain, port, tls):
    found = parse_imap_address(url, plain)

    assert (found.port, found.tls) == (port, tls)


@pytest.mark.parametrize(
    "url, plain, expected",
    [
        ("imap://a@mail.example.org:143", False, True),
        ("imap://a@mail.example.org:143", True, False),
        ("imap://a@mail.example.org:993", False, False),
        ("imaps://a@mail.example.org:143", False, False),
        ("imap://a@localhost:143", False, False),
    ],
)
def test_the_port_for_unencrypted_connections_means_starttls(url, plain, expected):
    assert parse_imap_address(url, plain).starttls == expected


@pytest.mark.parametrize("folder", ["", "/", "/inbox", "/InBox"])
def test_the_inbox_has_one_name(folder):
    assert parse_imap_address(f"imap://ann@host{folder}").mailbox == "INBOX"
