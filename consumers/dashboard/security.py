"""Who may use the page, and what the page may do.

| danger | guard |
|---|---|
| another site reads the page through a name that resolves to this machine | a token, or Host must name this machine |
| another site sends requests through the user's browser | Sec-Fetch-Site, for everything but the page |
| another site posts labels from the user's browser | a header that other sites cannot set, Origin, Sec-Fetch-Site |
| a mail's subject runs as a script | the page writes text only; CSP allows only its own files |
| another page frames this one and steals clicks | frame-ancestors 'none' |
| someone on the network reads mail | a token is required if bound to other than loopback |
| someone on the network floods the server | limits per address, in `limits.py` |
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from urllib.parse import parse_qs, parse_qsl, urlencode, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse, RedirectResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from ..errors import UserError
from ..runtime.addresses import is_loopback
from .page import PATHS

CSRF_HEADER = "x-stream-nb"
LOCAL_NAMES = ("localhost", "127.0.0.1", "::1")
NOT_OURS = "this request did not come from the page; reload it and try again, and let a proxy in between pass Host on"
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; connect-src 'self'; "
        "base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), geolocation=(), microphone=()",
    "Cache-Control": "no-store",
}


def check_token(host: str, token: str) -> None:
    """Raise UserError if `token` is empty and `host` is not loopback."""
    if not is_loopback(host) and not token:
        raise UserError(
            f"dashboard host {host} is reachable from other machines, so it needs a token: "
            "set STREAM_NB_DASHBOARD_TOKEN, or bind 127.0.0.1"
        )


class Guard:
    """ASGI middleware that refuses the requests in the table above and sets the response headers.

    It passes the others on to `app`. `host` is the address that the server listens on, `token` what requests must
    present (empty for nothing), and `csrf` the value that POST requests must carry; each start draws a new one.
    """

    def __init__(self, app: ASGIApp, host: str, token: str) -> None:
        self._app = app
        self._names = {*LOCAL_NAMES, host} if is_loopback(host) and not token else None
        self._token = token
        # The cookie is derived from the token, so that the browser's cookie store does not contain the token. So is its
        # name: a browser keeps cookies by host, and each port or sub-path may have a dashboard with its own token.
        self._session = hmac.new(token.encode(), b"session", hashlib.sha256).hexdigest()
        self._cookie = f"stream_nb_{hmac.new(token.encode(), b'name', hashlib.sha256).hexdigest()[:8]}"
        self.csrf = secrets.token_urlsafe(24)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = self._refuse(scope, Headers(scope=scope))
        scope.setdefault("state", {})["csrf"] = self.csrf
        await (answer or self._app)(scope, receive, _with_headers(send))

    def _refuse(self, scope: Scope, headers: Headers) -> ASGIApp | None:
        host = _host_name(headers.get("host", ""))
        if self._names is not None and host not in self._names:
            return PlainTextResponse(f"Host {host[:100]!r} is not this dashboard's name\n", 421)
        if self._token:
            query = scope["query_string"].decode("latin-1")
            given = parse_qs(query).get("token", [""])[0]
            if given and hmac.compare_digest(given.encode(), self._token.encode()):
                kept = urlencode([pair for pair in parse_qsl(query) if pair[0] != "token"])
                page = (scope["path"] in PATHS and scope["path"][1:]) or "./"
                answer = RedirectResponse(f"{page}?{kept}" if kept else page, 303)
                answer.set_cookie(self._cookie, self._session, httponly=True, samesite="strict", max_age=30 * 86_400)
                return answer
            if not self._has_session(headers):
                why = "This token is not the dashboard's" if given else "This page needs a token"
                return PlainTextResponse(f"{why}: add ?token=... to the address of the page\n", 401)
        if scope["path"] not in PATHS and headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return PlainTextResponse("only this dashboard's own page may request this\n", 403)
        if scope["method"] not in ("GET", "HEAD") and not self._is_ours(headers):
            return PlainTextResponse(f"{NOT_OURS}\n", 403)
        return None

    def _has_session(self, headers: Headers) -> bool:
        for part in headers.get("cookie", "").split(";"):
            name, _, value = part.strip().partition("=")
            if name == self._cookie and hmac.compare_digest(value.encode(), self._session.encode()):
                return True
        return False

    def _is_ours(self, headers: Headers) -> bool:
        origin = headers.get("origin")
        return (
            hmac.compare_digest(headers.get(CSRF_HEADER, "").encode(), self.csrf.encode())
            and headers.get("sec-fetch-site", "same-origin") == "same-origin"
            and (origin is None or origin.partition("://")[2] == headers.get("host"))
            and headers.get("content-type", "").split(";")[0].strip() == "application/json"
        )


def _host_name(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return host


def _with_headers(send: Send) -> Send:
    async def wrapped(message: Message) -> None:
        if message["type"] == "http.response.start":
            headers = MutableHeaders(scope=message)
            for name, value in HEADERS.items():
                headers[name] = value
        await send(message)

    return wrapped
