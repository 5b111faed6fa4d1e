"""A mail server that keeps the mails it receives, and replies as a test says."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP


class Kept(NamedTuple):
    """A received mail."""

    sender: str | None
    recipients: list[str]
    options: list[str]
    raw: bytes


class MailSink:
    """SMTP, or LMTP, on a free port of 127.0.0.1.

    `reply` returns the reply to a mail, with one line per recipient for LMTP; a mail is kept only if the reply begins
    with 250. `rcpt` returns the reply to each recipient. `asked` counts all mails.
    """

    def __init__(
        self,
        scheme: str = "smtp",
        reply: Callable[[Kept], str] | None = None,
        rcpt: Callable[[str], str] = lambda address: "250 ok",
    ) -> None:
        self.scheme = scheme
        self.kept: list[Kept] = []
        self.asked = 0
        self.reply = reply or (
            lambda mail: "\r\n".join(["250 kept"] * (len(mail.recipients) if scheme == "lmtp" else 1))
        )
        self._rcpt = rcpt
        self._loop = asyncio.new_event_loop()
        kind = LMTP if scheme == "lmtp" else SMTP
        made = self._loop.create_server(
            lambda: kind(self, hostname="sink", enable_SMTPUTF8=True, loop=self._loop), "127.0.0.1", 0
        )
        # In another thread, because a browser's loop may run in this one.
        with ThreadPoolExecutor(1) as thread:
            self._server = thread.submit(self._loop.run_until_complete, made).result()
        self.port = self._server.sockets[0].getsockname()[1]
        self.url = f"{scheme}://127.0.0.1:{self.port}"
        self._thread = threading.Thread(target=self._loop.run_forever)
        self._thread.start()

    async def handle_RCPT(self, server, session, envelope, address, options) -> str:
        reply = self._rcpt(address)
        if reply.startswith("250"):
            envelope.rcpt_tos.append(address)
        return reply

    async def handle_DATA(self, server, session, envelope) -> str:
        mail = Kept(envelope.mail_from, list(envelope.rcpt_tos), list(envelope.mail_options), envelope.original_content)
        self.asked += 1
        reply = await asyncio.to_thread(self.reply, mail)
        if reply.startswith("250"):
            self.kept.append(mail)
        return reply

    def close(self) -> None:
        async def end() -> None:
            self._server.close()
            tasks = asyncio.all_tasks() - {asyncio.current_task()}
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)
            await asyncio.sleep(0)

        asyncio.run_coroutine_threadsafe(end(), self._loop).result(60)
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join(60)
        with ThreadPoolExecutor(1) as thread:
            thread.submit(self._loop.run_until_complete, self._loop.shutdown_default_executor()).result()
        self._loop.close()
