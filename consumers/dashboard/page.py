"""What the page needs before the first figures: its identity, and the constants that it shares with the server."""

from __future__ import annotations

import msgspec

from ..monitor.figures.curves import UNSURE_BAND
from ..monitor.figures.history import RINGS
from ..monitor.figures.windows import DEFAULT_WINDOW, WINDOWS, WindowSpec
from ..monitor.health import LATE_S
from ..monitor.topic import MAX_MAILS

PAGES = ("overview", "mail", "ask", "quality", "words", "features", "sources", "operations")
"""Names of the pages, each with its own address; the first one is also at the root."""
PATHS = frozenset(("/", *(f"/{name}" for name in PAGES)))

SERVER_TIME_S = 5.0
"""Seconds between events with the server's time, which show that the server is alive."""
SERVER_SILENT_S = 15.0
RECONNECT_S = 30.0
MAX_WORD_CHARS = 100


class HistoryRing(msgspec.Struct, frozen=True):
    """One resolution of the history: `points` points, `step_s` seconds apart."""

    step_s: int
    points: int


class PageConstants(msgspec.Struct, frozen=True):
    """Constants of the server that the page uses.

    After `server_silent_s` without an event the page reports that the server is silent; after `reconnect_s` it opens
    another connection. It shows when a stage was last seen if that is longer ago than `stage_late_s`. It keeps
    `max_mails` mails, and as many drawn for the audit. Log-odds within `unsure_band` of the threshold are shown as
    unsure.
    """

    windows: tuple[WindowSpec, ...] = WINDOWS
    default_window: str = DEFAULT_WINDOW
    history: tuple[HistoryRing, ...] = tuple(HistoryRing(step_s, points) for step_s, points in RINGS.items())
    max_mails: int = MAX_MAILS
    max_word_chars: int = MAX_WORD_CHARS
    unsure_band: float = UNSURE_BAND
    server_silent_s: float = SERVER_SILENT_S
    stage_late_s: float = LATE_S
    reconnect_s: float = RECONNECT_S


class PageState(msgspec.Struct, frozen=True):
    """`csrf` is the value that POST requests must carry, `source` the source of labels made on the page as rows show
    it, `event_id` the event id to resume the event stream from, `server_time` when this was sent, in seconds since
    1970."""

    csrf: str
    source: str
    event_id: str
    server_time: float
    constants: PageConstants
