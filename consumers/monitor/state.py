"""All that the monitor knows, fed one record at a time. The same records in the same order give the same state."""

from __future__ import annotations

import secrets
from collections import Counter, deque

import msgspec

from ..errors import BadRecord
from ..log.base import Record
from ..model.replica import LearnedLabel
from ..records.schemas import LABELS, LabelRecord, PredictionRecord, decode_label, read_prediction
from .audit import Audit
from .baselines import Baselines
from .drift import Change, Detectors
from .history import RINGS, Point, slot
from .joiner import Joined, Outcome, ScoredMail
from .label_sources import SourceCounts, Sources
from .traffic import DELAY_BUCKETS_S, LATENCY_BUCKETS_S, Histogram, Quantiles, Rate
from .windows import START, StoredTally, Tally, Windows

REMEMBER = 50_000
COVERED = 10_000


class Totals(msgspec.Struct):
    """What is counted since the start and cannot be read again: the part of the state that is stored.

    `start` is the tally since the start, `classes` the judged mails by class. `salt` decides the audit's draw and never
    leaves the log.
    """

    salt: bytes
    mails: int = 0
    labels: int = 0
    start: StoredTally = msgspec.field(default_factory=StoredTally)
    classes: dict[str, int] = {}
    sources: dict[str, SourceCounts] = {}
    changes: list[Change] = []
    change_counts: dict[str, int] = {}
    latency: Histogram = msgspec.field(default_factory=lambda: Histogram.of(LATENCY_BUCKETS_S))
    delay: Histogram = msgspec.field(default_factory=lambda: Histogram.of(DELAY_BUCKETS_S))


def new_totals() -> Totals:
    """Totals of a monitor that has seen nothing."""
    return Totals(secrets.token_bytes(16))


class State:
    """The joined mails, the windows and everything beside them.

    `now` is the time (seconds since 1970) it has been brought to, `last_at` that of the newest record, `scored` the
    next offset of `emails` to be scored, by partition, `scored_at` the time of the newest prediction. `changed` and
    `points` are not published yet.
    """

    def __init__(self, positive: str, audit_per_hour: int, totals: Totals, remember: int = REMEMBER) -> None:
        self.positive = positive
        self.now = 0.0
        self.last_at = 0.0
        self.scored: dict[int, int] = {}
        self.scored_at = 0.0
        self.mails = self.labels = 0
        self.joined = Joined(remember)
        self.windows = Windows(positive)
        self.baselines = Baselines()
        self.detectors = Detectors()
        self.audit = Audit(audit_per_hour, totals.salt)
        self.sources = Sources()
        self.change_counts: Counter[str] = Counter()
        self.arrivals, self.labelled = Rate(), Rate()
        self.latency, self.latencies = Histogram.of(LATENCY_BUCKETS_S), Quantiles()
        self.delay, self.delays = Histogram.of(DELAY_BUCKETS_S), Quantiles()
        self.lately: deque[ScoredMail] = deque(maxlen=COVERED)
        self.features = 0
        self.changed: dict[tuple[int, int], ScoredMail] = {}
        self.points: dict[tuple[int, int], Point] = {}
        self._salt = totals.salt

    def take(self, record: Record) -> None:
        """Count one record of `predictions` or `labels`; raises BadRecord and counts nothing."""
        if record.topic == LABELS:
            label = decode_label(record.value)
            if record.key != label.id.encode():
                raise BadRecord("bad-key", f"key {record.key!r:.80} of a label is not its id {label.id[:80]!r}")
            self.move_to(record.timestamp)
            self._take_label(label, record.timestamp)
        else:
            prediction = read_prediction(record)
            self.move_to(record.timestamp)
            self._take_prediction(prediction, record.timestamp)
        self.last_at = max(self.last_at, record.timestamp)

    def learned(self, facts: list[LearnedLabel]) -> None:
        """Note what the model has learned."""
        for fact in facts:
            seen = self.joined.mails.get(fact.id)
            if seen is not None:
                seen.learned, seen.learned_at = fact.label, fact.timestamp
                self.changed[seen.place] = seen

    def move_to(self, at: float) -> None:
        """Let time pass: old mails leave the windows, and each second that ends is written down."""
        if at > self.now:
            if int(at) > int(self.now) > 0 and self.changed:
                self.mark()
            self.now = at
            self.windows.expire(at)

    def mark(self) -> None:
        """Write down how things stand, for the history."""
        tallies = self.windows.tallies()
        thousand = tallies["1000"]
        n = thousand.report().n
        figures = [tallies[name].report().accuracy for name in ("100", "1000", START)]
        for step in RINGS:
            begin, place = slot(step, self.now)
            self.points[step, place] = Point(
                begin,
                self.mails,
                tallies[START].report().n,
                *figures,
                thousand.base_hits / n if n else None,
                thousand.last_hits / n if n else None,
                self.arrivals.per_s(self.now),
                self.features,
            )

    def _take_prediction(self, prediction: PredictionRecord, at: float) -> None:
        self.scored[prediction.partition] = max(prediction.next_offset, self.scored.get(prediction.partition, 0))
        self.scored_at = max(self.scored_at, at)
        seen = ScoredMail(prediction, self.audit.weight(prediction.id, prediction.arrived_at))
        if not self.joined.add_mail(seen):
            return
        if seen.weight:
            self.audit.add(seen)
        self.mails += 1
        self.arrivals.add(at)
        latency = prediction.scored_at - prediction.arrived_at
        self.latency.add(latency)
        self.latencies.add(latency)
        self.lately.append(seen)
        self._detect("scores", prediction.probability, at)
        features = prediction.known + prediction.unseen
        self._detect("never seen", prediction.unseen / features if features else 0.0, at)
        self._detect("called positive", float(prediction.label == prediction.positive), at)
        self.changed[seen.place] = seen
        if seen.truth is not None:
            self._judge(seen, at)

    def _take_label(self, label: LabelRecord, at: float) -> None:
        self.labels += 1
        self.labelled.add(at)
        seen = self.joined.add_label(label, at)
        self.sources.add(label, at)
        if seen is not None:
            self.changed[seen.place] = seen
            self._judge(seen, at)

    def _judge(self, seen: ScoredMail, at: float) -> None:
        """Bring the figures in line with what the mail is called now."""
        old, prediction = seen.judgement, seen.prediction
        if seen.truth is None:
            if old is not None:
                self.windows.remove(old)
                self.baselines.replace(old.truth, None)
            seen.judgement = None
        elif old is None:
            base, last = self.baselines.say()
            seen.judgement = Outcome(
                prediction.id,
                seen.truth,
                prediction.label,
                prediction.log_odds,
                prediction.probability,
                at,
                base,
                last,
            )
            self.baselines.learn(seen.truth)
            self.windows.put(seen.judgement)
            delay = seen.labelled_at - prediction.arrived_at
            self.delay.add(delay)
            self.delays.add(delay)
            self.sources.judge(seen.judgement, seen.source)
            self._detect("errors", float(not seen.judgement.right), at)
        elif old.truth != seen.truth:
            seen.judgement = old._replace(truth=seen.truth)
            self.windows.replace(old, seen.judgement)
            self.sources.judge(seen.judgement, seen.source)
            self.baselines.replace(old.truth, seen.truth)

    def _detect(self, signal: str, value: float, at: float) -> None:
        if self.detectors.update(signal, value, at):
            self.change_counts[signal] += 1

    def totals(self) -> Totals:
        """The stored part."""
        return Totals(
            salt=self._salt,
            mails=self.mails,
            labels=self.labels,
            start=self.windows.start.stored(),
            classes=dict(self.baselines.counts),
            sources=self.sources.counts,
            changes=list(self.detectors.changes),
            change_counts=dict(self.change_counts),
            latency=self.latency,
            delay=self.delay,
        )

    def restore(self, totals: Totals) -> None:
        """Put the stored part in place of what was counted from the records read again.

        The mails read again stay `changed`: what was learned of them in the meantime has not been shown yet.
        """
        self.mails, self.labels = totals.mails, totals.labels
        self.windows.restore(Tally.of(self.positive, totals.start))
        self.baselines.counts = Counter(totals.classes)
        self.sources = Sources(totals.sources)
        self.detectors.changes = deque(totals.changes, maxlen=self.detectors.changes.maxlen)
        self.change_counts = Counter(totals.change_counts)
        self.latency, self.delay = totals.latency, totals.delay
        self.points.clear()
