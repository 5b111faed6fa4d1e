"""The command for the login, by the characters of the user's name: imaplib does not quote it."""

from __future__ import annotations

import pytest

from consumers.mailbox import login
from consumers.mailbox.address import parse_imap_address
from consumers.settings import ImapSettings


@pytest.mark.parametrize(
    ("user", "command"),
    [("ann%40example.org", "login"), ("ann%20lee", "plain"), ("EXAMPLE%5Cann", "plain"), ("zo%C3%AB", "plain")],
)
def test_a_name_with_special_characters_is_sent_by_the_command_that_takes_any(user, command, monkeypatch):
    used: list[str] = []

    class Client:
        welcome = b"* OK hello"

        def has_capability(self, name: str) -> bool:
            return False

        def login(self, user: str, password: str) -> None:
            used.append("login")

        def plain_login(self, user: str, password: str) -> None:
            used.append("plain")

    monkeypatch.setattr(login.imapclient, "IMAPClient", lambda *_, **__: Client())

    login.log_in(parse_imap_address(f"imaps://{user}@mail.example.org"), ImapSettings(password="secret"))

    assert used == [command]
