"""The base class of the filter's dialects, and their limits."""

from __future__ import annotations

import asyncio
from abc import ABC, abstractmethod

from ..settings import Settings
from .path import MailPath

READ_S = 30.0
"""Timeout for a request to arrive."""
SEND_S = 30.0
"""Timeout for a client to accept its answer."""
READ_BYTES = 1 << 16
MAX_REQUEST_HEADER_BYTES = 500_000
"""MTAs name each recipient in the header: 1,000, Postfix's limit, of any length, or 10,000 of usual length."""
MAX_BODY_BYTES = 200_000_000
"""Larger bodies are not read to their end; of smaller ones, the bytes after `MAX_MAIL_BYTES` are read and discarded."""


class Dialect(ABC):
    """Answers the requests of one connection from `peer`, an IP address or an empty string."""

    def __init__(self, mails: MailPath, settings: Settings, peer: str) -> None:
        self._mails = mails
        self._settings = settings
        self._peer = peer

    @abstractmethod
    async def serve(self, first: bytes, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Answer all requests of the client; `first` is the first line, which has been read already."""
