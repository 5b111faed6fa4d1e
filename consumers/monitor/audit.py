"""A random sample to label, and what it says about all mail.

People report mostly what is wrong, so accuracy over reported labels is not accuracy. Mails drawn at random and labelled
one and all give an unbiased figure: each counts with the inverse of its chance to be drawn (the Hajek estimator).
"""

from __future__ import annotations

import hashlib
import math
from collections import deque

import msgspec

from stream_nb.metrics import wilson

from .joiner import ScoredMail

HOUR_S = 3_600.0
FIRST_S = 60.0
MAX_DRAWN = 1_000


class AuditView(msgspec.Struct, frozen=True):
    """`per_hour` mails are drawn; of `drawn`, `labelled` have a label; accuracy over those, with its 95 % interval."""

    per_hour: int
    drawn: int
    labelled: int
    accuracy: float | None
    low: float
    high: float


class Audit:
    """Draws about `per_hour` mails an hour; nobody without `salt` can tell which ids will be drawn."""

    def __init__(self, per_hour: int, salt: bytes) -> None:
        self._per_hour = per_hour
        self._salt = salt
        self._arrivals: deque[float] = deque(maxlen=100_000)
        self._drawn: deque[ScoredMail] = deque(maxlen=MAX_DRAWN)

    def weight(self, message_id: str, at: float) -> float:
        """Inverse of the chance with which this mail is drawn, or 0 when it is not.

        The chance follows the rate of the past hour, known before the mail came.
        """
        chance = self._chance(at)
        self._arrivals.append(at)
        digest = hashlib.blake2b(message_id.encode(), key=self._salt, digest_size=8).digest()
        return 1.0 / chance if int.from_bytes(digest, "big") < chance * 2.0**64 else 0.0

    def add(self, seen: ScoredMail) -> None:
        """Keep a drawn mail, so that its label counts when it comes."""
        self._drawn.append(seen)

    def view(self) -> AuditView:
        """The sample so far; a mail drawn long ago makes room for new ones."""
        labelled = [seen for seen in self._drawn if seen.judgement is not None]
        total = sum(seen.weight for seen in labelled)
        hits = sum(seen.weight for seen in labelled if seen.judgement.right)
        accuracy = hits / total if total else None
        # Kish's effective sample size: unequal weights say less than their number.
        effective = round(total**2 / sum(seen.weight**2 for seen in labelled)) if labelled else 0
        low, high = wilson(round((accuracy or 0.0) * effective), effective)
        return AuditView(self._per_hour, len(self._drawn), len(labelled), accuracy, low, high)

    def _chance(self, at: float) -> float:
        while self._arrivals and self._arrivals[0] < at - HOUR_S:
            self._arrivals.popleft()
        if not self._per_hour or not self._arrivals:
            return float(bool(self._per_hour))
        watched_s = max(FIRST_S, min(HOUR_S, at - self._arrivals[0]))
        expected = len(self._arrivals) * HOUR_S / watched_s
        return min(1.0, self._per_hour / math.ceil(expected))
