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


def dies(step: str, at: int) -> None:
    """Let this process be killed when it reaches the step the `at`-th time."""
    left = at

    def die() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    append, pass_on, send = MailPath._append, lmtp.pass_on, smtplib.SMTP.send

    async def appends(self: MailPath, *arguments: Any) -> None:
        if step == "before-append":
            die()
        await append(self, *arguments)
        if step == "after-append":
            die()

    def passes(*arguments: Any) -> list[str]:
        if step == "before-next-hop":
            die()
        replies = pass_on(*arguments)
        if step == "after-next-hop":
            die()
        return replies

    def sends(self: smtplib.SMTP, text: Any) -> None:
        send(self, text)
        if step == "in-next-hop" and text[-5:] == b"\r\n.\r\n":
            die()

    changed: dict[str, tuple[Any, Callable[..., Any]]] = {
        "_append": (MailPath, appends), "pass_on": (lmtp, passes), "send": (smtplib.SMTP, sends)
    }  # fmt: skip
    for name, (place, function) in changed.items():
        setattr(place, name, function)


if __name__ == "__main__":
    dies(sys.argv[1], int(sys.argv[2]))
    sys.argv[1:] = sys.argv[3:]
    main()
