"""Change detectors over what the monitor sees, and the list of changes they found."""

from __future__ import annotations

from collections import deque

import msgspec
from river import drift

MAX_CHANGES = 50
DELTA = 0.002
SETTLE = 30

SIGNALS = {
    "errors": "share of labelled mails that were judged wrong",
    "scores": "mean calibrated probability",
    "never seen": "share of a mail's words that the model had not met",
    "called positive": "share of mails called the positive class",
}


class Change(msgspec.Struct, frozen=True):
    """A signal's mean went from `before` to `after` at a time in seconds since 1970, after `mails` mails."""

    at: float
    signal: str
    before: float
    after: float
    mails: int


class Detectors:
    """One ADWIN a signal: a window that grows while its mean stands still and is cut where the mean has moved.

    Each signal lies between 0 and 1. `DELTA` is the chance of a false alarm that ADWIN's bound allows (Bifet and
    Gavalda 2007). The detectors are not stored: after a restart they start from the mails that are read again.
    """

    def __init__(self) -> None:
        self._adwin = {signal: drift.ADWIN(delta=DELTA) for signal in SIGNALS}
        self._since: dict[str, int] = dict.fromkeys(SIGNALS, 0)
        self._last: dict[str, Change] = {}
        self.changes: deque[Change] = deque(maxlen=MAX_CHANGES)

    def update(self, signal: str, value: float, at: float) -> bool:
        """Add one value; True when it shows a new change, which is then the last of `changes`.

        ADWIN lets the old mean go piece by piece; cuts that follow each other within `SETTLE` values are one change.
        """
        adwin = self._adwin[signal]
        width, total = adwin.width, adwin.total
        adwin.update(value)
        self._since[signal] += 1
        if not adwin.drift_detected:
            return False
        since, self._since[signal] = self._since[signal], 0
        last = self._last.get(signal)
        if last is not None and since <= SETTLE:
            self.changes.remove(last)
            change = Change(last.at, signal, last.before, adwin.estimation, last.mails)
        else:
            dropped = width + 1 - adwin.width
            before = (total + value - adwin.total) / dropped
            change = Change(at, signal, before, adwin.estimation, since)
        self.changes.append(change)
        self._last[signal] = change
        return change.at == at and since > SETTLE

    def means(self) -> dict[str, float]:
        """The mean of each signal since its last change."""
        return {signal: adwin.estimation for signal, adwin in self._adwin.items()}
