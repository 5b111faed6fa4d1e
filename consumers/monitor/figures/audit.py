"""A random sample of mails to label, and the accuracy on it.

People mostly report errors, so the accuracy over reported labels is biased. Over a random sample that is labelled
completely it is unbiased: each mail is weighted by the inverse of its probability of selection (Hajek estimator).
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
"""The arrival rate is computed over at least this time, which matters after a start."""
MAX_DRAWN = 1_000
MAX_ARRIVALS = 100_000


class AuditView(msgspec.Struct, frozen=True):
    """`per_hour` mails are drawn; `labelled` of the `drawn` mails have a label. The accuracy is over the labelled ones;
    `accuracy_low` and `accuracy_high` are its 95 % interval."""

    per_hour: int
    drawn: int
    labelled: int
    accuracy: float | None
    accuracy_low: float
    accuracy_high: float


class Audit:
    """Draws about `per_hour` mails an hour; without `salt` nobody can predict which ids are drawn."""

    def __init__(self, per_hour: int, salt: bytes) -> None:
        self._per_hour = per_hour
        self._salt = salt
        self._arrivals: deque[float] = deque(maxlen=MAX_ARRIVALS)
        self._drawn: deque[ScoredMail] = deque()
        self._added = 0

    def weight(self, message_id: str, timestamp: float) -> float:
        """The inverse of the probability that the mail `message_id`, which arrived at `timestamp` (in seconds since
        1970), is drawn, if it is drawn, else 0.

        The probability follows from the arrival rate of the past hour, without this mail.
        """
        chance = self._chance(timestamp)
        self._arrivals.append(timestamp)
        digest = hashlib.blake2b(message_id.encode(), key=self._salt, digest_size=8).digest()
        return 1.0 / chance if int.from_bytes(digest, "big") < chance * 2.0**64 else 0.0

    def add(self, mail: ScoredMail) -> None:
        """Keep a drawn mail, so that its label counts once it arrives, in the slot of the one that it replaces."""
        if len(self._drawn) == MAX_DRAWN:
            self._drawn.popleft().audit_slot = None
        self._drawn.append(mail)
        mail.audit_slot = self._added % MAX_DRAWN
        self._added += 1

    def view(self) -> AuditView:
        """The sample so far, limited to the latest `MAX_DRAWN` mails."""
        outcomes = [(mail.audit_weight, mail.outcome) for mail in self._drawn if mail.outcome is not None]
        total = sum(weight for weight, _ in outcomes)
        hits = sum(weight for weight, outcome in outcomes if outcome.correct)
        accuracy = hits / total if total else None
        # Kish's effective sample size: unequally weighted mails carry less information than their number suggests.
        effective = round(total**2 / sum(weight**2 for weight, _ in outcomes)) if outcomes else 0
        low, high = wilson(round((accuracy or 0.0) * effective), effective)
        return AuditView(self._per_hour, len(self._drawn), len(outcomes), accuracy, low, high)

    def _chance(self, timestamp: float) -> float:
        while self._arrivals and self._arrivals[0] < timestamp - HOUR_S:
            self._arrivals.popleft()
        if not self._arrivals:
            return float(self._per_hour > 0)
        watched_s = max(SHORTEST_S, timestamp - self._arrivals[0])
        expected = len(self._arrivals) * HOUR_S / watched_s
        return min(1.0, self._per_hour / math.ceil(expected))
