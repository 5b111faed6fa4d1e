"""Limits per client address, so that no address can starve the others.

| limit | above it |
|---|---|
| `MOST_CONNECTIONS` open at a time | a new connection is closed at once |
| `FIRST_REQUEST_S` from the connection to the end of the first request's headers | the connection is closed |
| `REQUESTS_PER_S`, and `BURST` at once after a pause | status 429 with Retry-After |

Clients on this machine are not limited, because a proxy in front of the server runs here and has its own limits.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable
from ipaddress import ip_network

from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol

from ..runtime.addresses import ip_address

MOST_CONNECTIONS = 50
FIRST_REQUEST_S = 10.0
REQUESTS_PER_S = 20.0
BURST = 800
"""Loading the page takes about sixty requests, and many people may share an address."""
SWEEP_ADDRESSES = 10_000


def remote_address(host: str | None) -> str | None:
    """The address under which a client at `host` is counted: its /64 network for IPv6, None for this machine.

    >>> remote_address("192.0.2.7"), remote_address("2001:db8::1:2:3:4"), remote_address("::1")
    ('192.0.2.7', '2001:db8::/64', None)
    """
    address = ip_address((host or "").partition("%")[0])
    if address is None or address.is_loopback:
        return None
    return str(address) if address.version == 4 else str(ip_network((address, 64), strict=False))


class Limits:
    """Counts connections and requests per address; `clock` returns seconds and is monotonic."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._open: Counter[str] = Counter()
        self._full_at: dict[str, float] = {}

    def connect(self, address: str) -> bool:
        """Count a connection from a client's `address`; returns False, and counts nothing, if it has too many."""
        if self._open[address] >= MOST_CONNECTIONS:
            return False
        self._open[address] += 1
        return True

    def disconnect(self, address: str) -> None:
        """Remove a counted connection from `address` that has ended."""
        self._open[address] -= 1
        if not self._open[address]:
            del self._open[address]

    def ask(self, address: str) -> float:
        """Count a request from `address` and return 0; above the rate, count nothing and return the seconds to wait."""
        now = self._clock()
        # Each request consumes 1 / rate seconds, and BURST requests may be consumed in advance.
        full_at = max(now, self._full_at.get(address, now))
        wait = full_at - now - (BURST - 1) / REQUESTS_PER_S
        if wait > 1e-6:  # sums of fractions are not exact
            return wait
        self._full_at[address] = full_at + 1 / REQUESTS_PER_S
        if len(self._full_at) > SWEEP_ADDRESSES:
            self._full_at = {other: until for other, until in self._full_at.items() if until > now}
        return 0.0


class RateLimit:
    """ASGI middleware that refuses requests above the rate of their address, and passes the others on to `app`."""

    def __init__(self, app: ASGIApp, limits: Limits) -> None:
        self._app = app
        self._limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        client = scope.get("client")
        address = remote_address(client[0]) if client and scope["type"] == "http" else None
        wait = self._limits.ask(address) if address is not None else 0.0
        if wait:
            headers = {"retry-after": str(int(wait) + 1)}
            refusal = PlainTextResponse(f"more than {REQUESTS_PER_S:.0f} requests per second\n", 429, headers)
            await refusal(scope, receive, send)
        else:
            await self._app(scope, receive, send)


def limited(limits: Limits) -> type[H11Protocol]:
    """The server's protocol class, with limits on the connections of each address."""

    class Limited(H11Protocol):
        address: str | None = None

        def connection_made(self, transport: asyncio.Transport) -> None:
            super().connection_made(transport)
            address = remote_address(self.client[0]) if self.client is not None else None
            if address is None:
                return
            if not limits.connect(address):
                transport.abort()
                return
            self.address = address
            self.loop.call_later(FIRST_REQUEST_S, self._close_if_silent)

        def connection_lost(self, exc: Exception | None) -> None:
            super().connection_lost(exc)
            if self.address is not None:
                limits.disconnect(self.address)
                self.address = None

        def _close_if_silent(self) -> None:
            if self.cycle is None:  # pyright: ignore[reportUnnecessaryComparison] - None until the first request
                self.transport.abort()

    return Limited
