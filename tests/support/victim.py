"""`python -m tests.support.victim STEP NUMBER ARGUMENT...`: stream-nb, killed when STEP is reached the NUMBERth time.

The steps of a mail that an MTA delivers by LMTP: before-append, after-append, before-next-hop, in-next-hop (the mail is
sent, but the reply is not yet read) and after-next-hop.
"""

from __future__ import annotations

import os
import signal
import smtplib
import sys
from collections.abc import Callable
from typing import Any

from consumers.__main__ import main
from consumers.filter import lmtp
from consumers.filter.path import MailPath


def kill_at_step(step: str, at: int) -> None:
    """Let this process be killed when it reaches the step the `at`-th time."""
    remaining = at

    def count_down() -> None:
        nonlocal remaining
        remaining -= 1
        if remaining == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    append, pass_on, send = MailPath._append, lmtp.pass_on, smtplib.SMTP.send

    async def append_and_count(self: MailPath, *arguments: Any) -> None:
        if step == "before-append":
            count_down()
        await append(self, *arguments)
        if step == "after-append":
            count_down()

    def pass_on_and_count(*arguments: Any) -> list[str]:
        if step == "before-next-hop":
            count_down()
        replies = pass_on(*arguments)
        if step == "after-next-hop":
            count_down()
        return replies

    def send_and_count(self: smtplib.SMTP, text: Any) -> None:
        send(self, text)
        if step == "in-next-hop" and text[-5:] == b"\r\n.\r\n":
            count_down()

    changed: dict[str, tuple[Any, Callable[..., Any]]] = {
        "_append": (MailPath, append_and_count),
        "pass_on": (lmtp, pass_on_and_count),
        "send": (smtplib.SMTP, send_and_count),
    }
    for name, (owner, function) in changed.items():
        setattr(owner, name, function)


if __name__ == "__main__":
    kill_at_step(sys.argv[1], int(sys.argv[2]))
    sys.argv[1:] = sys.argv[3:]
    main()
