"""A random sample of mails to label, and the accuracy on it.

People report mostly errors, so the accuracy over reported labels is biased. When all mails of a random sample are
labelled, the accuracy is unbiased: each mail counts with the inverse of its chance to be drawn (the Hajek estimator).
"""

from __future__ import annotations

import hashlib
import math
from collections import deque

import msgspec

from stream_nb.metrics import wilson

from .joiner import ScoredMail

HOUR_S = 3_600.0
SHORTEST_S = 60.0
"""At the start the rate is taken over this time at least."""
MAX_DRAWN = 1_000
MAX_ARRIVALS = 100_000


class AuditView(msgspec.Struct, frozen=True):
    """`per_hour` mails are drawn; of `drawn`, `labelled` have a label; accuracy over those, with its 95 % interval."""

    per_hour: int
    drawn: int
    labelled: int
    accuracy: float | None
    accuracy_low: float
    accuracy_high: float


class Audit:
    """Draws about `per_hour` mails an hour; nobody without `salt` can tell which ids will be drawn."""

    def __init__(self, per_hour: int, salt: bytes) -> None:
        self._per_hour = per_hour
        self._salt = salt
        self._arrivals: deque[float] = deque(maxlen=MAX_ARRIVALS)
        self._drawn: deque[ScoredMail] = deque(maxlen=MAX_DRAWN)

    def weight(self, message_id: str, timestamp: float) -> float:
        """Inverse of the chance with which a mail that arrived at `timestamp` is drawn, or 0 when it is not.

        The chance follows the rate of the past hour, known before the mail came.

        Args:
            message_id: The mail's id.
            timestamp: When it arrived, in seconds since 1970.
        """
        chance = self._chance(timestamp)
        self._arrivals.append(timestamp)
        digest = hashlib.blake2b(message_id.encode(), key=self._salt, digest_size=8).digest()
        return 1.0 / chance if int.from_bytes(digest, "big") < chance * 2.0**64 else 0.0

    def add(self, mail: ScoredMail) -> None:
        """Keep a drawn mail, so that its label counts when it comes."""
        self._drawn.append(mail)

    def view(self) -> AuditView:
        """The sample so far; of more than `MAX_DRAWN` mails the latest."""
        outcomes = [(mail.audit_weight, mail.outcome) for mail in self._drawn if mail.outcome is not None]
        total = sum(weight for weight, _ in outcomes)
        hits = sum(weight for weight, outcome in outcomes if outcome.correct)
        accuracy = hits / total if total else None
        # Kish's effective sample size: unequal weights say less than their number.
        effective = round(total**2 / sum(weight**2 for weight, _ in outcomes)) if outcomes else 0
        low, high = wilson(round((accuracy or 0.0) * effective), effective)
        return AuditView(self._per_hour, len(self._drawn), len(outcomes), accuracy, low, high)

    def _chance(self, timestamp: float) -> float:
        while self._arrivals and self._arrivals[0] < timestamp - HOUR_S:
            self._arrivals.popleft()
        if not self._per_hour or not self._arrivals:
            return float(bool(self._per_hour))
        watched_s = max(SHORTEST_S, min(HOUR_S, timestamp - self._arrivals[0]))
        expected = len(self._arrivals) * HOUR_S / watched_s
        return min(1.0, self._per_hour / math.ceil(expected))
