"""What the dialects of the filter's port share: what a connection is given, and its limits."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from ..settings import Settings
from .path import MailPath

READ_S = 30.0
"""Longest a request may take to arrive."""
SEND_S = 30.0
"""Longest a client may take to accept its answer."""
READ_BYTES = 1 << 16
MAX_BODY_BYTES = 200_000_000
"""More is not even read to its end; of anything above `MAX_MAIL_BYTES` the rest is read and thrown away."""


class Dialect(ABC):
    """Answers the requests of one connection from `peer`, an IP address or an empty text."""

    def __init__(self, mails: MailPath, settings: Settings, peer: str) -> None:
        self._mails = mails
        self._settings = settings
        self._peer = peer

    @abstractmethod
    async def serve(self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer until the client has no more; `first` are the bytes read already, to the end of the first line."""
