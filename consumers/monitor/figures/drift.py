"""Change detectors on the signals that the monitor computes, and the list of detected changes."""

from __future__ import annotations

from collections import deque

import msgspec

MAX_CHANGES = 50
DELTA = 0.002

ERRORS = "errors"
SCORES = "scores"
UNSEEN = "unseen words"
POSITIVE = "predicted positive"
SIGNALS = {
    ERRORS: "share of labelled mails whose predicted label was wrong",
    SCORES: "mean calibrated probability of the positive class",
    UNSEEN: "share of a mail's words that the model had not met",
    POSITIVE: "share of mails predicted to be of the positive class",
}


class Change(msgspec.Struct, frozen=True):
    """The mean of `signal` changed from `before` to `after` at `timestamp` (seconds since 1970), `mails` mails after
    its previous change."""

    timestamp: float
    signal: str
    before: float
    after: float
    mails: int


class Detectors:
    """One ADWIN per signal: a window that grows while its mean is stable and is cut where the mean changed.

    Each signal lies between 0 and 1. `DELTA` bounds the probability of a false alarm (Bifet and Gavalda 2007). The
    detectors are not stored: after a restart they begin with the mails that are reread.
    """

    def __init__(self) -> None:
        # Imported here because river imports scikit-learn, which takes longer than everything else a dashboard imports.
        from river import drift

        self._adwin = {signal: drift.ADWIN(delta=DELTA) for signal in SIGNALS}
        self._since: dict[str, int] = dict.fromkeys(SIGNALS, 0)
        self.changes: deque[Change] = deque(maxlen=MAX_CHANGES)

    def update(self, signal: str, value: float, timestamp: float) -> bool:
        """Add a `value` (0 to 1) of a `signal` in `SIGNALS` at `timestamp` (in seconds since 1970); return whether it
        reveals a change, which is then the last item of `changes`."""
        adwin = self._adwin[signal]
        width, total = adwin.width, adwin.total
        adwin.update(value)
        self._since[signal] += 1
        if not adwin.drift_detected:
            return False
        before = (total + value - adwin.total) / (width + 1 - adwin.width)
        self.changes.append(Change(timestamp, signal, before, adwin.estimation, self._since[signal]))
        self._since[signal] = 0
        return True

    def means(self) -> dict[str, float]:
        """The mean of each signal since its last change."""
        return {signal: adwin.estimation for signal, adwin in self._adwin.items()}
