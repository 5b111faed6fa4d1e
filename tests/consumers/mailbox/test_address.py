"""The address of a mailbox: valid and invalid ones, TLS, and no password in it."""

from __future__ import annotations

import pytest

from consumers.errors import UserError
from consumers.mailbox.address import parse_imap_address


def test_a_password_in_the_address_is_refused_and_not_shown():
    with pytest.raises(UserError) as refused:
        parse_imap_address("imap://ann:hunter2@mail.example.org/INBOX")

    assert "STREAM_NB_IMAP_PASSWORD" in str(refused.value) and "hunter2" not in str(refused.value)


@pytest.mark.parametrize(
    "url",
    ["imap://mail.example.org", "imap://ann@", "http://ann@host", "imap://ann@host:x", "imap:ann", "imap://a@[::"],
)
def test_an_invalid_address_is_refused(url):
    with pytest.raises(UserError, match="give imap://user@host/INBOX"):
        parse_imap_address(url)


@pytest.mark.parametrize(
    "url, plain, port, tls",
    [
        ("imap://a@mail.example.org", False, 993, True),
        ("imap://a@mail.example.org", True, 143, False),
        ("imaps://a@127.0.0.1", False, 993, True),
        ("imap://a@127.0.0.1", False, 143, False),
        ("imap://a@[::1]", False, 143, False),
        ("imap://a@127.0.0.1.example.org", False, 993, True),
    ],
)
def test_only_local_servers_are_contacted_without_encryption_by_default(url, plain, port, tls):
    found = parse_imap_address(url, plain)

    assert (found.port, found.tls) == (port, tls)
