"""The routes of the dashboard."""

from __future__ import annotations

import asyncio
import re
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, JSONResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import BadRecord
from ..log.base import Log
from ..model.explainer import Explainer
from ..settings import Settings
from .label_writer import LabelWriter
from .log_thread import LogThread
from .security import Guard, check_token
from .view_cache import Feed, follow

STATIC = Path(__file__).parent / "static"
TICK_S = 0.2
HERE_S = 5.0
"""How often an event stream says that the server is here, and what time it is."""
MAX_BODY_BYTES = 4_096
MAX_WORD_CHARS = 100
WHOLE_NUMBER = re.compile("[0-9]{1,18}")
"""What a request may call a number; `int` also takes other scripts' digits, and refuses very many."""


class LabelRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a label post: the mail's place and id, both as the row has them, and what it is (None: withdraw)."""

    place: tuple[int, int]
    id: str
    label: str | None


class Undo(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an undo: take back all that this source says."""

    source: str


def create_app(open_log: Callable[[], Log], settings: Settings, stop: threading.Event | None = None) -> Starlette:
    """The application; each of its threads opens a log of its own, and event streams end when `stop` is set.

    Raises UserError when a token is needed.
    """
    check_token(settings.dashboard.host, settings.dashboard.token)
    feed, stop = Feed(), stop or threading.Event()
    source = settings.dashboard.source
    clerk = LogThread("clerk", open_log, lambda log: LabelWriter(log, source))
    explainer = LogThread("explainer", open_log, lambda log: Explainer(log, settings))

    async def page(request: Request) -> Response:
        return FileResponse(STATIC / "index.html")

    def about(request: Request, version: int) -> dict[str, str]:
        return {"csrf": request.state.csrf, "source": source, "id": f"{feed.boot}-{version}"}

    async def about_page(request: Request) -> Response:
        return JSONResponse(about(request, feed.version))

    async def state(request: Request) -> Response:
        version, changes = feed.changes(0)
        head = msgspec.json.encode(about(request, version))
        return Response(b'{"page":%s,"changes":%s}' % (head, changes), media_type="application/json")

    async def events(request: Request) -> Response:
        since = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return StreamingResponse(stream(since), media_type="text/event-stream")

    async def stream(since: str) -> AsyncIterator[bytes]:
        boot, _, number = since.partition("-")
        seen = int(number) if boot == feed.boot and WHOLE_NUMBER.fullmatch(number) else 0
        if seen > feed.version:
            seen = 0
        quiet = HERE_S
        while not stop.is_set():
            if quiet >= HERE_S:
                quiet = 0.0
                yield b"event: here\ndata: %.3f\n\n" % time.time()
            if feed.version != seen:
                seen, changes = feed.changes(seen)
                yield b"id: %s-%d\ndata: %s\n\n" % (feed.boot.encode(), seen, changes)
            quiet += TICK_S
            await asyncio.sleep(TICK_S)

    async def label(request: Request) -> Response:
        body = await _body(request)
        if body is None:
            return JSONResponse({"error": f"more than {MAX_BODY_BYTES} bytes"}, 413)
        try:
            said = msgspec.json.decode(body, type=LabelRequest)
        except msgspec.MsgspecError as error:
            return JSONResponse({"error": str(error)}, 400)
        row = feed.row(said.place)
        if row is None or row.id != said.id:
            return JSONResponse({"error": "this mail is no longer in the list"}, 404)
        try:
            record = await clerk.ask(lambda clerk: clerk.say(row.id, said.label))
        except BadRecord as error:
            return JSONResponse({"error": error.detail}, 400)
        return JSONResponse({"label": record.label, "source": record.source, "timestamp": record.timestamp})

    async def undo(request: Request) -> Response:
        body = await _body(request)
        try:
            wanted = msgspec.json.decode(body or b"", type=Undo)
        except msgspec.MsgspecError as error:
            return JSONResponse({"error": str(error)}, 400)
        return JSONResponse({"taken_back": await clerk.ask(lambda clerk: clerk.undo(wanted.source))})

    def asked(question: Callable[[Explainer, Request], dict]) -> Callable[[Request], Awaitable[Response]]:
        """A route that asks the explainer."""

        async def answer(request: Request) -> Response:
            try:
                return JSONResponse(await explainer.ask(lambda explainer: question(explainer, request)))
            except BadRecord as error:
                return JSONResponse({"error": error.detail}, 404)

        return answer

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        reader = threading.Thread(target=follow, args=(feed, open_log, stop), name="feed", daemon=True)
        reader.start()
        try:
            yield
        finally:
            stop.set()
            clerk.close()
            explainer.close()

    return Starlette(
        routes=[
            Route("/", page),
            Route("/api/page", about_page),
            Route("/api/state", state),
            Route("/api/label", label, methods=["POST"]),
            Route("/api/undo", undo, methods=["POST"]),
            Route("/api/why", asked(lambda explainer, request: explainer.why(_place(request)))),
            Route("/api/score", asked(lambda explainer, request: explainer.score(_place(request)))),
            Route("/api/words", asked(lambda explainer, request: explainer.words())),
            Route("/api/word", asked(lambda explainer, request: explainer.word(_word(request)))),
            Route("/api/smoothing", asked(lambda explainer, request: explainer.smoothing())),
            Route("/events", events),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(Guard, host=settings.dashboard.host, token=settings.dashboard.token),
            Middleware(GZipMiddleware, minimum_size=2_000),
        ],
        lifespan=lifespan,
    )


def _place(request: Request) -> tuple[int, int]:
    text = request.query_params.get("place", "")
    partition, _, offset = text.partition("/")
    if not (WHOLE_NUMBER.fullmatch(partition) and WHOLE_NUMBER.fullmatch(offset)):
        raise BadRecord("bad-place", f"place {text[:40]!r} is not partition/offset")
    return int(partition), int(offset)


def _word(request: Request) -> str:
    text = request.query_params.get("text", "").strip().lower()
    if not 0 < len(text) <= MAX_WORD_CHARS:
        raise BadRecord("bad-word", f"word of {len(text)} characters, allowed are 1 to {MAX_WORD_CHARS}")
    return text


async def _body(request: Request) -> bytes | None:
    body = b""
    async for chunk in request.stream():
        body += chunk
        if len(body) > MAX_BODY_BYTES:
            return None
    return body
