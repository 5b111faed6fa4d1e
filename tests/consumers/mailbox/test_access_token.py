"""Commands that print access tokens, and those that fail to."""

from __future__ import annotations

import pytest

from consumers.errors import MailServerUnavailable, UserError
from consumers.mailbox import access_token as module
from consumers.mailbox.access_token import access_token


def test_the_token_is_what_the_command_prints():
    assert access_token("printf 'a.b-c_d~e/f+g==\\r\\n'") == "a.b-c_d~e/f+g=="


@pytest.mark.parametrize(
    ("command", "reason"),
    [
        ("no-such-program ann", "No such file or directory"),
        ("'", "No closing quotation"),
        ("/", "Permission denied"),
        ("echo 'a\0b'", "null byte"),
    ],
)
def test_a_command_that_cannot_run_is_a_mistake(command, reason):
    with pytest.raises(UserError, match=f"{reason}; give a program that prints an access token"):
        access_token(command)


@pytest.mark.parametrize("printed", ["", "\\n", "secret one", "secret\\nsecond", "secret\\351", "secret\\0"])
def test_what_is_no_token_is_refused_and_not_repeated(printed):
    with pytest.raises(UserError, match="must print an access token and nothing else") as caught:
        access_token(f"python3 -c \"import sys; sys.stdout.buffer.write(b'{printed}')\"")
    assert str(caught.value).count("secret") == printed.count("secret")  # only in the command itself


def test_a_command_that_fails_may_succeed_later():
    with pytest.raises(MailServerUnavailable, match="failed with status 3: 'no network'"):
        access_token("sh -c 'echo first >&2; echo no network >&2; echo >&2; echo secret; exit 3'")
    with pytest.raises(MailServerUnavailable, match="failed with status 1: 'no reason given'"):
        access_token("false")


def test_a_command_that_asks_for_input_gets_none():
    with pytest.raises(MailServerUnavailable, match="failed with status 1"):
        access_token("sh -c 'read answer'")


def test_a_command_that_does_not_end_is_killed(monkeypatch):
    monkeypatch.setattr(module, "COMMAND_S", 0.1)
    with pytest.raises(MailServerUnavailable, match="did not end"):
        access_token("sleep 600")
