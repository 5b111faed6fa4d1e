"""OAuth 2 access tokens, for IMAP servers that accept no password."""

from __future__ import annotations

import shlex
import subprocess

from ..errors import MailServerUnavailable, UserError

COMMAND_S = 60.0
_SETTING = "[imap] token_command"
_LONGEST_REASON = 200


def access_token(command: str) -> str:
    """The access token that a command prints. Tokens are valid for about an hour, so each login asks for a new one.

    Args:
        command: A program and its arguments, quoted as in a shell; no shell runs it, and it cannot ask for input.

    Raises:
        UserError: There is no such program, or what it prints is no token. The message does not contain the output.
        MailServerUnavailable: It fails, or does not end in a minute; it may succeed later, as without a network.

    >>> access_token("echo ya29.example")
    'ya29.example'
    """
    try:
        # Raises ValueError for an open quote or a null byte.
        ended = subprocess.run(shlex.split(command), stdin=subprocess.DEVNULL, capture_output=True, timeout=COMMAND_S)
    except (OSError, ValueError, IndexError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UserError(f"{_SETTING} {command!r}: {reason}; give a program that prints an access token") from error
    except subprocess.TimeoutExpired as error:
        raise MailServerUnavailable(
            f"{_SETTING} {command!r} did not end in {COMMAND_S:.0f} s; it must not ask for anything"
        ) from error
    if ended.returncode != 0:
        lines = ended.stderr.decode(errors="replace").split("\n")
        reason = next((line.strip()[:_LONGEST_REASON] for line in reversed(lines) if line.strip()), "no reason given")
        raise MailServerUnavailable(f"{_SETTING} {command!r} failed with status {ended.returncode}: {reason!r}")
    token = ended.stdout.decode("latin-1").strip()
    if not token or not token.isascii() or not token.isprintable() or " " in token:
        raise UserError(f"{_SETTING} {command!r} must print an access token and nothing else, on one line")
    return token
