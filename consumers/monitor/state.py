"""The monitor's state, updated one record at a time. The same records in the same order give the same state."""

from __future__ import annotations

from collections import Counter, deque

from ..log.base import Record
from ..model.ledger import LearnedLabel
from ..records.messages import MailPlace
from ..records.schemas import LABELS, SILENCE, LabelRecord, PredictionRecord, read_label, read_prediction
from ..records.scores import odds_of
from .figures.audit import Audit
from .figures.baselines import Baselines
from .figures.drift import ERRORS, POSITIVE, SCORES, UNSEEN, Detectors
from .figures.history import RINGS, HistoryPoint, begin_and_slot
from .figures.joiner import LabelJoiner, Outcome, ScoredMail
from .figures.label_sources import LabelSources
from .figures.misplaced import LabelPartitions
from .figures.sender_labels import SenderLabels
from .figures.traffic import DELAY_BUCKETS_S, LATENCY_BUCKETS_S, Durations, Rate
from .figures.window_stats import WindowStats
from .figures.windows import START, Windows
from .totals import MonitorTotals

REMEMBER = 50_000
"""How many of the latest mails are joined with their labels."""
RECENT_MAILS = 10_000
"""How many of the latest mails the label coverage and the estimate on unlabelled mail are computed over."""


class State:
    """The joined mails, the windows and all other figures.

    `now` is the time of the last `advance_to` and `last_at` that of the newest record, both in seconds since 1970.
    `scored` is the next offset of `emails` to be scored, by partition. `changed` mails and `points` of the history (by
    step and slot) have not been published yet. `known_classes` came before the first record that is reread.

    Args:
        positive: The positive class.
        audit_per_hour: Mails to draw for the audit per hour; 0 for none.
        totals: The totals stored before a restart.
        max_classes: Labels that would add more classes are ignored, as a worker quarantines them.
    """

    def __init__(self, positive: str, audit_per_hour: int, totals: MonitorTotals, max_classes: int) -> None:
        self.positive = positive
        self.now = 0.0
        self.last_at = 0.0
        self.scored: dict[int, int] = {}
        self.mails = self.labels = 0
        self.joiner = LabelJoiner(REMEMBER, self._accepts)
        self.label_partitions = LabelPartitions(2 * REMEMBER)
        self.windows = Windows(positive)
        self.baselines = Baselines()
        self.detectors = Detectors()
        self.audit = Audit(audit_per_hour, totals.salt)
        self.sources = LabelSources()
        self.senders = SenderLabels()
        self.change_counts: Counter[str] = Counter()
        self.mail_rate, self.label_rate = Rate(), Rate()
        self.latency, self.delay = Durations(LATENCY_BUCKETS_S), Durations(DELAY_BUCKETS_S)
        self.recent: deque[ScoredMail] = deque(maxlen=RECENT_MAILS)
        self.features = 0
        self.changed: dict[MailPlace, ScoredMail] = {}
        self.points: dict[tuple[int, int], HistoryPoint] = {}
        self._salt = totals.salt
        self._max_classes = max_classes
        self.known_classes: dict[str, int] = {}

    @property
    def threshold(self) -> float:
        """The threshold of the newest prediction, in log-odds; 0 before the first prediction."""
        return self.recent[-1].prediction.threshold if self.recent else 0.0

    def update(self, record: Record) -> None:
        """Count one record of `predictions` or `labels`; a bad one raises BadRecord and changes nothing."""
        if record.topic == LABELS:
            label = read_label(record)
            self.advance_to(record.timestamp)
            self.label_partitions.add(label, record.timestamp, record.partition)
            self._add_label(label, record.timestamp)
        else:
            prediction = read_prediction(record)
            self.advance_to(record.timestamp)
            self._add_prediction(prediction, record.timestamp)
        self.last_at = max(self.last_at, record.timestamp)

    def add_learned(self, learned: list[LearnedLabel]) -> None:
        """Record which labels the model has learned."""
        for one in learned:
            mail = self.joiner.mails.get(one.id)
            if mail is not None:
                mail.learned_label, mail.learned_at, mail.capped = one.label, one.timestamp, one.capped
                self.changed[mail.place] = mail

    def advance_to(self, timestamp: float) -> None:
        """Advance the time to `timestamp` (seconds since 1970; an earlier one changes nothing): old mails leave the
        windows, and each second with changes gets a history point."""
        if timestamp > self.now:
            if int(timestamp) > int(self.now) and self.changed:
                self.add_history_points()
            self.now = timestamp
            self.windows.expire(timestamp)

    def add_history_points(self) -> None:
        """Record the current figures as the history points of the current steps; none before the first record."""
        if not self.now:
            return
        stats = self.windows.stats()
        start, thousand, mails_per_s = stats[START].figures, stats["1000"], self.mail_rate.per_s(self.now)
        for step_s in RINGS:
            begin, slot = begin_and_slot(step_s, self.now)
            self.points[step_s, slot] = HistoryPoint(
                step_s=step_s,
                timestamp=begin,
                mails=self.mails,
                labelled=start.n,
                accuracy_100=stats["100"].figures.accuracy,
                accuracy_1000=thousand.figures.accuracy,
                accuracy_start=start.accuracy,
                base_rate=thousand.base_rate(),
                last_class_accuracy=thousand.last_class_accuracy(),
                mails_per_s=mails_per_s,
                features=self.features,
            )

    def _accepts(self, label: str | None) -> bool:
        """Whether a label counts, by the same limit of classes as in `PartitionTask`.

        The model's classes are those scored by the newest prediction and those counted here. If the worker reads the
        partitions in another order, it may admit other new classes; the next prediction corrects this.
        """
        known = self.known_classes.keys() | self.baselines.counts.keys()
        if self.recent:
            known |= self.recent[-1].prediction.scores.keys()
        return label is None or label in known or len(known) < self._max_classes

    def _add_prediction(self, prediction: PredictionRecord, timestamp: float) -> None:
        self.scored[prediction.partition] = max(prediction.next_offset, self.scored.get(prediction.partition, 0))
        arrived_at = min(prediction.arrived_at, timestamp)  # the clock of its producer may be ahead
        mail = ScoredMail(prediction, self.audit.weight(prediction.id, arrived_at))
        if not self.joiner.add_mail(mail):
            return
        if mail.audit_weight:
            self.audit.add(mail)
        self.mails += 1
        self.mail_rate.add(timestamp)
        self.latency.add(prediction.scored_at - prediction.arrived_at)
        self.recent.append(mail)
        self._detect(SCORES, prediction.probability, timestamp)
        features = prediction.known + prediction.unseen
        self._detect(UNSEEN, prediction.unseen / features if features else 0.0, timestamp)
        self._detect(POSITIVE, float(prediction.is_positive), timestamp)
        self.changed[mail.place] = mail
        if mail.true_label is not None or mail.silent:
            self._update_outcome(mail, timestamp)

    def _add_label(self, label: LabelRecord, timestamp: float) -> None:
        if label.source != SILENCE:
            self.labels += 1
            self.label_rate.add(timestamp)
        mail = self.joiner.add_label(label, timestamp)
        self.sources.add(label, timestamp)
        if mail is not None:
            self.changed[mail.place] = mail
            self._update_outcome(mail, timestamp)

    def _update_outcome(self, mail: ScoredMail, timestamp: float) -> None:
        """Update the figures to the mail's current label."""
        old = mail.outcome
        for source in mail.outcome_sources:
            self.sources.remove_outcome(old, source)
        if old is not None:
            self.senders.remove(mail.prediction.sender, old.true_label, mail.outcome_sources[0])
        if mail.true_label is None:
            if old is not None:
                self.windows.remove(old)
                self.baselines.replace(old.true_label, None)
            mail.outcome = None
        elif old is None:
            self._add_outcome(mail, mail.true_label, timestamp)
        elif old.true_label != mail.true_label:
            mail.outcome = old._replace(true_label=mail.true_label)
            self.windows.replace(old, mail.outcome)
            self.baselines.replace(old.true_label, mail.true_label)
        # The only measure of how often silence is right is what people say about the mails it labelled.
        silence = (SILENCE,) if mail.silent else ()
        mail.outcome_sources = silence if mail.outcome is None else (mail.source, *silence)
        for source in mail.outcome_sources:
            self.sources.add_outcome(mail.outcome, source)
        if mail.outcome is not None:
            self.senders.add(mail.prediction.sender, mail.outcome.true_label, mail.source)

    def _add_outcome(self, mail: ScoredMail, true_label: str, timestamp: float) -> None:
        prediction = mail.prediction
        majority_class, last_class = self.baselines.predict()
        log_odds, probability = odds_of(prediction, self.positive)
        mail.outcome = Outcome(
            prediction.id, true_label, prediction.label, log_odds, probability, timestamp, majority_class, last_class
        )
        self.baselines.learn(true_label)
        self.windows.add(mail.outcome)
        self.delay.add(mail.labelled_at - prediction.arrived_at)
        self._detect(ERRORS, float(not mail.outcome.correct), timestamp)

    def _detect(self, signal: str, value: float, timestamp: float) -> None:
        if self.detectors.update(signal, value, timestamp):
            self.change_counts[signal] += 1

    def totals(self) -> MonitorTotals:
        """The stored part."""
        return MonitorTotals(
            salt=self._salt,
            positive=self.positive,
            mails=self.mails,
            labels=self.labels,
            start=self.windows.start.stored(),
            classes=dict(self.baselines.counts),
            sources=self.sources.counts,
            changes=list(self.detectors.changes),
            change_counts=dict(self.change_counts),
            latency=self.latency.histogram,
            delay=self.delay.histogram,
        )

    def restore(self, totals: MonitorTotals) -> None:
        """Replace the figures counted from the reread records by the stored ones.

        The reread mails stay `changed`, because the labels learned from them meanwhile have not been published yet.
        """
        self.mails, self.labels = totals.mails, totals.labels
        if totals.positive == self.positive:  # else scores for two different positive classes would be mixed
            self.windows.start = WindowStats.from_stored(self.positive, totals.start)
        if sum(totals.classes.values()) > sum(self.baselines.counts.values()):  # not all mails were reread
            self.windows.note_missing()
        self.baselines.counts = Counter(totals.classes)
        self.known_classes = {}
        self.sources = LabelSources(totals.sources)
        self.detectors.changes = deque(totals.changes, maxlen=self.detectors.changes.maxlen)
        self.change_counts = Counter(totals.change_counts)
        self.latency.histogram, self.delay.histogram = totals.latency, totals.delay
        self.points.clear()
