"""What the page needs to know before the first figures: who it is, and the constants that it shares with the server."""

from __future__ import annotations

import msgspec

from ..monitor.curves import UNSURE_BAND
from ..monitor.health import LATE_S
from ..monitor.history import RINGS
from ..monitor.topic import MAX_MAILS
from ..monitor.windows import DEFAULT_WINDOW, WINDOWS, WindowSpec

PAGES = ("overview", "mail", "ask", "quality", "words", "features", "sources", "operations")
"""Names of the pages, each with an address of its own; the first one is also at the root."""
PATHS = frozenset(("/", *(f"/{name}" for name in PAGES)))

SERVER_TIME_S = 5.0
"""How often an event stream says that the server is there, and what time it is."""
SERVER_SILENT_S = 15.0
RECONNECT_S = 30.0
MAX_WORD_CHARS = 100


class HistoryRing(msgspec.Struct, frozen=True):
    """One resolution of the history: `points` points, `step_s` seconds apart."""

    step_s: int
    points: int


class PageConstants(msgspec.Struct, frozen=True):
    """Constants of the server that the page uses.

    The page says that the server is silent after `server_silent_s`, and opens another connection after `reconnect_s`
    without a word. Of a stage that was last seen longer ago than `stage_late_s` it says when that was. The page keeps
    `max_mails` mails. Log-odds within `unsure_band` of the threshold are shown as unsure.
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
    """`csrf` is what posts must carry, `source` the name under which the page labels; `event_id` is the place in the
    event stream that goes on from here."""

    csrf: str
    source: str
    event_id: str
    constants: PageConstants
