"""The routes of the dashboard."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response, StreamingResponse
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import BadRecord, ConsumerError, UserError
from ..log.base import Log
from ..model.explainer import Explainer
from ..model.policy import PolicyEditor, PolicyState
from ..monitor.policy_preview import PolicyPreview, preview_policy
from ..monitor.search import MailSearch, with_learned
from ..settings import Settings
from .label_writer import LabelWriter
from .log_thread import LogThread
from .page import PATHS, SERVER_TIME_S, PageConstants, PageState
from .requests import (
    MAX_BODY_BYTES,
    LabelRequest,
    PolicyRequest,
    UndoRequest,
    read_body,
    read_place,
    read_policy_values,
    read_search,
    read_version,
    read_word,
)
from .security import Guard, check_token
from .view_cache import ViewCache, follow, watch_health

STATIC = Path(__file__).parent / "static"
POLL_S = 0.2
COMPRESS_BYTES = 2_000


def create_app(open_log: Callable[[], Log], settings: Settings, stop: threading.Event | None = None) -> Starlette:
    """The application; each of its threads opens a log of its own, and event streams end when `stop` is set.

    Raises UserError when a token is needed.
    """
    check_token(settings.dashboard.host, settings.dashboard.token)
    routes = Routes(open_log, settings, stop or threading.Event())
    return Starlette(
        routes=[
            *(Route(path, routes.page) for path in sorted(PATHS)),
            Route("/api/page", routes.page_state),
            Route("/api/state", routes.state),
            Route("/api/label", routes.label, methods=["POST"]),
            Route("/api/undo", routes.undo, methods=["POST"]),
            Route("/api/policy", routes.policy),
            Route("/api/policy", routes.change_policy, methods=["POST"]),
            Route("/api/policy/undo", routes.undo_policy, methods=["POST"]),
            Route("/api/policy/preview", routes.explained(routes.preview)),
            Route("/api/why", routes.explained(lambda explainer, request: explainer.why(_place(request)))),
            Route("/api/score", routes.explained(lambda explainer, request: explainer.score(_place(request)))),
            Route("/api/words", routes.explained(lambda explainer, request: explainer.words())),
            Route("/api/word", routes.explained(lambda explainer, request: explainer.word(read_word(request)))),
            Route("/api/lessons", routes.explained(lambda explainer, request: explainer.lessons(read_word(request)))),
            Route("/api/features", routes.explained(lambda explainer, request: explainer.features())),
            Route("/api/search", routes.search),
            Route("/api/smoothing", routes.explained(lambda explainer, request: explainer.smoothing())),
            Route("/events", routes.events),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(Guard, host=settings.dashboard.host, token=settings.dashboard.token),
            Middleware(GZipMiddleware, minimum_size=COMPRESS_BYTES),
        ],
        lifespan=routes.lifespan,
    )


class Routes:
    """What the routes do, and the threads behind them."""

    def __init__(self, open_log: Callable[[], Log], settings: Settings, stop: threading.Event) -> None:
        self._cache = ViewCache()
        self._settings = settings
        self._source = source = settings.dashboard.source
        self._stop = stop
        self._writer = LogThread("label-writer", open_log, lambda log: LabelWriter(log, source))
        self._policy = LogThread("policy-editor", open_log, lambda log: PolicyEditor(log, settings.learner))
        self._search = LogThread("search", open_log, MailSearch)
        self._explainer = LogThread("explainer", open_log, lambda log: Explainer(log, settings))
        self._threads = [
            threading.Thread(target=target, args=(self._cache, open_log, stop), name=name, daemon=True)
            for target, name in ((follow, "view-cache"), (watch_health, "health"))
        ]

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncGenerator[None]:
        """Follow the monitor's topic, and how the stages are, while the server runs."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            self._writer.close()
            self._policy.close()
            self._search.close()
            self._explainer.close()

    async def page(self, request: Request) -> Response:
        """The page itself: one file for all pages; the address says which one it shows."""
        return FileResponse(STATIC / "index.html")

    async def page_state(self, request: Request) -> Response:
        """`PageState`."""
        return _json(self._page_state(request, self._cache.version))

    async def state(self, request: Request) -> Response:
        """`PageState` and all there is, as the changes since nothing."""
        version, changes = self._cache.changes(0)
        return _json({"page": self._page_state(request, version), "changes": msgspec.Raw(changes)})

    async def events(self, request: Request) -> Response:
        """Server-sent events: changes as they come, and the server's time."""
        since = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return StreamingResponse(self._events(since), media_type="text/event-stream")

    async def label(self, request: Request) -> Response:
        """Append a label; answers with the label as it was appended."""
        body = await read_body(request)
        if body is None:
            return _error(f"more than {MAX_BODY_BYTES} bytes", 413)
        try:
            wanted = msgspec.json.decode(body, type=LabelRequest)
        except msgspec.MsgspecError as error:
            return _error(str(error), 400)
        row = self._cache.find_mail(wanted.place) or await self._search.run(lambda search: search.find(wanted.id))
        if row is None or (row.place, row.id) != (wanted.place, wanted.id):
            return _error("this mail is not remembered any more", 404)
        try:
            record = await self._writer.run(lambda writer: writer.append(row.id, wanted.label, row.source))
        except BadRecord as error:
            return _error(error.detail, 400)
        return _json(record)

    async def undo(self, request: Request) -> Response:
        """Take back all labels of a source."""
        body = await read_body(request)
        try:
            wanted = msgspec.json.decode(body or b"", type=UndoRequest)
        except msgspec.MsgspecError as error:
            return _error(str(error), 400)
        return _json({"labels": await self._writer.run(lambda writer: writer.forget_source(wanted.source))})

    async def policy(self, request: Request) -> Response:
        """`PolicyState`."""
        return _json(await self._policy.run(lambda editor: editor.state()))

    async def change_policy(self, request: Request) -> Response:
        """Let another policy count for the mails to come; answers with `PolicyState`."""
        body = await read_body(request)
        try:
            wanted = msgspec.json.decode(body or b"", type=PolicyRequest)
        except msgspec.MsgspecError as error:
            return _error(str(error), 400)
        return await self._edit(lambda editor: editor.change(wanted.policy, self._source))

    async def undo_policy(self, request: Request) -> Response:
        """Take the newest change of the policy back; answers with `PolicyState`."""
        return await self._edit(lambda editor: editor.undo(self._source))

    def preview(self, explainer: Explainer, request: Request) -> PolicyPreview:
        """What the latest labelled mails would have been called under the policy of the query."""
        values, model = read_policy_values(request), explainer.replica().require_model()
        try:
            return preview_policy(values, self._settings.learner, model, self._cache.rows())
        except UserError as error:
            raise BadRecord("bad-policy", str(error)) from error

    async def _edit(self, change: Callable[[PolicyEditor], PolicyState]) -> Response:
        try:
            return _json(await self._policy.run(change))
        except BadRecord as error:
            return _error(error.detail, 400)

    async def search(self, request: Request) -> Response:
        """`SearchResult` over all remembered mails."""
        try:
            query = read_search(request)
            result = await self._search.run(lambda search: search.search(query))
            learned = await self._explainer.run(
                lambda explainer: explainer.learned((row.place.partition, row.id) for row in result.rows)
            )
        except BadRecord as error:
            return _error(error.detail, 400)
        except ConsumerError as error:
            return _error(str(error), 503)
        return _json(with_learned(result, learned))

    def explained(self, ask: Callable[[Explainer, Request], object]) -> Callable[[Request], Awaitable[Response]]:
        """A route that answers with what the explainer returns."""

        async def answer(request: Request) -> Response:
            try:
                return _json(await self._explainer.run(lambda explainer: ask(explainer, request)))
            except BadRecord as error:
                return _error(error.detail, 404)
            except ConsumerError as error:
                return _error(str(error), 503)

        return answer

    def _page_state(self, request: Request, version: int) -> PageState:
        return PageState(request.state.csrf, self._source, f"{self._cache.start_id}-{version}", PageConstants())

    async def _events(self, since: str) -> AsyncIterator[bytes]:
        cache = self._cache
        version = read_version(since, cache.start_id, cache.version)
        silent_s = SERVER_TIME_S
        while not self._stop.is_set():
            if silent_s >= SERVER_TIME_S:
                silent_s = 0.0
                yield b"event: server_time\ndata: %.3f\n\n" % time.time()
            if cache.version != version:
                version, changes = cache.changes(version)
                yield b"id: %s-%d\ndata: %s\n\n" % (cache.start_id.encode(), version, changes)
            silent_s += POLL_S
            await asyncio.sleep(POLL_S)


def _place(request: Request) -> tuple[int, int]:
    place = read_place(request)
    return place.partition, place.offset


def _json(value: object, status: int = 200) -> Response:
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def _error(text: str, status: int) -> Response:
    return _json({"error": text}, status)
