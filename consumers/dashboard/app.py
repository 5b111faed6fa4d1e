"""The routes of the dashboard."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import Request
from starlette.responses import FileResponse, Response
from starlette.routing import Mount, Route
from starlette.staticfiles import StaticFiles

from ..errors import BadRecord
from ..explain.explainer import Explainer
from ..log.base import Log
from ..monitor.ask_list import ask_list, ask_pool
from ..monitor.search import MailSearch, with_learned
from ..monitor.stages import needed_stages
from ..records.sanitize import show_safely
from ..records.sources import SHOWN_SOURCE_CHARS
from ..settings import Settings
from .answers import ERROR_ANSWERS, json_answer, stream_answer
from .label_writer import LabelWriter
from .limits import Limits, RateLimit
from .log_thread import LogThread
from .page import PATHS, SERVER_TIME_S, PageConstants, PageState
from .policy_routes import PolicyRoutes
from .requests import LabelRequest, UndoRequest, read_json, read_place, read_search, read_version, read_word
from .security import Guard, check_token
from .view_cache import ViewCache, follow, watch_health

STATIC = Path(__file__).parent / "static"
POLL_S = 0.2
COMPRESS_BYTES = 2_000
COMPRESS_LEVEL = 5
"""The default, 9, takes several times as long for a complete state, which becomes hardly smaller."""
ASKED_MAILS = 20
"""Number of mails the page asks about at a time."""
PREVIEW_MAILS = 1_000
"""Number of labelled mails on which the page tries a policy."""


def create_app(open_log: Callable[[], Log], settings: Settings, stop: threading.Event, limits: Limits) -> Starlette:
    """The application. Each of its threads opens a log of its own with `open_log`, and again after a fault; event
    streams end when `stop` is set. The server has the same limits per client address.

    Raises UserError if a token is needed and not set.
    """
    check_token(settings.dashboard.host, settings.dashboard.token)
    routes = Routes(open_log, settings, stop)
    return Starlette(
        routes=[
            *(Route(path, routes.page) for path in sorted(PATHS)),
            Route("/api/page", routes.page_state),
            Route("/api/state", routes.state),
            Route("/api/label", routes.label, methods=["POST"]),
            Route("/api/undo", routes.undo, methods=["POST"]),
            Route("/api/policy", routes.policy.state),
            Route("/api/policy", routes.policy.change, methods=["POST"]),
            Route("/api/policy/undo", routes.policy.undo, methods=["POST"]),
            Route("/api/policy/preview", routes.preview),
            Route("/api/why", routes.explained(lambda explainer, request: explainer.why(read_place(request)))),
            Route("/api/score", routes.explained(lambda explainer, request: explainer.score(read_place(request)))),
            Route("/api/words", routes.explained(lambda explainer, request: explainer.words())),
            Route("/api/word", routes.explained(lambda explainer, request: explainer.word(read_word(request)))),
            Route("/api/lessons", routes.explained(lambda explainer, request: explainer.lessons(read_word(request)))),
            Route("/api/features", routes.explained(lambda explainer, request: explainer.features())),
            Route("/api/search", routes.search),
            Route("/api/ask", routes.ask),
            Route("/api/smoothing", routes.explained(lambda explainer, request: explainer.smoothing())),
            Route("/events", routes.events),
            Mount("/static", StaticFiles(directory=STATIC)),
        ],
        middleware=[
            Middleware(RateLimit, limits=limits),
            Middleware(Guard, host=settings.dashboard.host, token=settings.dashboard.token),
            Middleware(GZipMiddleware, minimum_size=COMPRESS_BYTES, compresslevel=COMPRESS_LEVEL),
        ],
        exception_handlers=ERROR_ANSWERS,
        lifespan=routes.lifespan,
    )


class Routes:
    """The route handlers and the threads behind them, which end with the event streams when `stop` is set; `open_log`
    is as for `create_app`."""

    def __init__(self, open_log: Callable[[], Log], settings: Settings, stop: threading.Event) -> None:
        self._cache = ViewCache()
        source = settings.dashboard.source
        self._shown_source = show_safely(source, SHOWN_SOURCE_CHARS)
        self._stop = stop
        self._writer = LogThread("label-writer", open_log, lambda log: LabelWriter(log, source))
        self.policy = PolicyRoutes(open_log, settings)
        self._search = LogThread("search", open_log, MailSearch)
        self._explainer = LogThread("explainer", open_log, lambda log: Explainer(log, settings))
        self._threads = [
            threading.Thread(target=target, args=(self._cache, open_log, stop), name=name, daemon=True)
            for target, name in (
                (follow, "view-cache"),
                (partial(watch_health, needed=needed_stages(settings.learner)), "health"),
            )
        ]

    @asynccontextmanager
    async def lifespan(self, app: Starlette) -> AsyncGenerator[None]:
        """Follow the monitor's topic and the health of the stages while the server runs."""
        for thread in self._threads:
            thread.start()
        try:
            yield
        finally:
            self._stop.set()
            self._writer.close()
            self.policy.close()
            self._search.close()
            self._explainer.close()

    async def page(self, request: Request) -> Response:
        """The HTML file, which is the same for all pages; the address determines which page it shows."""
        return FileResponse(STATIC / "index.html")

    async def page_state(self, request: Request) -> Response:
        """`PageState`."""
        return json_answer(self._page_state(request, self._cache.start_id, self._cache.version))

    async def state(self, request: Request) -> Response:
        """`PageState` and the complete state, as the changes since version 0."""
        start_id, version, changes = self._cache.changes(0)
        return json_answer({"page": self._page_state(request, start_id, version), "changes": msgspec.Raw(changes)})

    async def events(self, request: Request) -> Response:
        """Server-sent events: changes as they happen, and the server's time."""
        since = request.headers.get("last-event-id") or request.query_params.get("since", "")
        return stream_answer(request, self._events(since))

    async def label(self, request: Request) -> Response:
        """Append a label; responds with the label as appended."""
        wanted = await read_json(request, LabelRequest)
        row = self._cache.find_mail(wanted.place) or await self._search.run(lambda search: search.find(wanted.id))
        if row is None or (row.place, row.id) != (wanted.place, wanted.id):
            raise HTTPException(404, "this mail is no longer remembered")
        given = (wanted.id, wanted.label, wanted.forget, wanted.place.partition)
        return json_answer(await self._writer.run(lambda writer: writer.append(*given)))

    async def undo(self, request: Request) -> Response:
        """Withdraw all labels of a source."""
        wanted = await read_json(request, UndoRequest)
        return json_answer({"labels": await self._writer.run(lambda writer: writer.forget_source(wanted.source))})

    async def search(self, request: Request) -> Response:
        """`SearchResult` over all remembered mails."""
        query = read_search(request)
        result = await self._search.run(lambda search: search.search(query))
        learned = await self._explainer.run(
            lambda explainer: explainer.learned((row.place.partition, row.id) for row in result.rows)
        )
        return json_answer(with_learned(result, learned))

    async def preview(self, request: Request) -> Response:
        """`PolicyPreview` over the latest labelled mails among all remembered ones."""
        mails = await self._search.run(lambda search: search.labelled(PREVIEW_MAILS))
        return await self._explain(lambda explainer: self.policy.preview(explainer, request, mails))

    async def ask(self, request: Request) -> Response:
        """`AskList`: the mails whose labels would teach most."""
        pool = await self._search.run(lambda search: ask_pool(search.mails()))
        return await self._explain(lambda explainer: ask_list(pool, explainer, ASKED_MAILS))

    def explained(self, call: Callable[[Explainer, Request], object]) -> Callable[[Request], Awaitable[Response]]:
        """A route that responds with what `call` returns for the explainer and the request."""

        async def answer(request: Request) -> Response:
            return await self._explain(lambda explainer: call(explainer, request))

        return answer

    async def _explain(self, call: Callable[[Explainer], object]) -> Response:
        """The result of `call`, in the explainer's thread, as JSON; BadRecord becomes status 404."""
        try:
            return json_answer(await self._explainer.run(call))
        except BadRecord as error:
            raise HTTPException(404, error.detail) from error

    def _page_state(self, request: Request, start_id: str, version: int) -> PageState:
        return PageState(request.state.csrf, self._shown_source, f"{start_id}-{version}", time.time(), PageConstants())

    async def _events(self, since: str) -> AsyncIterator[bytes]:
        cache = self._cache
        version = read_version(since, cache.start_id, cache.version)
        silent_s = SERVER_TIME_S
        while not self._stop.is_set():
            if silent_s >= SERVER_TIME_S:
                silent_s = 0.0
                yield b"event: server_time\ndata: %.3f\n\n" % time.time()
            if cache.version != version:
                start_id, version, changes = cache.changes(version)
                yield b"id: %s-%d\ndata: %s\n\n" % (start_id.encode(), version, changes)
            silent_s += POLL_S
            await asyncio.sleep(POLL_S)
