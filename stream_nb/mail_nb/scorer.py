"""Scores one message for `MailNB`: owns the arrays of the kernels, and caches the last result."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import MAIL_UPDATE, SMOOTHING_STEPS, MailResult, MailSetting, Slot
from stream_nb.mail_nb.feature_part import FeaturePart
from stream_nb.mail_nb.starter_part import StarterPart
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import ClassName, Label, Score

ROOM = 2000
"""Maximum number of distinct features of a message; the rest is ignored, which bounds time and memory."""

_NO_TERMS = np.zeros((0, 0))
_BEST, _SCORES = int(MailResult.BEST), int(MailResult.SCORES)  # because access to enum members is slow
_LOGS = 1 << 15  # number of cached logarithms: for counts below 128 mails


ScoredMessage = tuple[Any, Label, int]
"""The result of `MailScorer.score`, an argument for learning: the message, the positive class, and the epoch of the
statistics. It is a plain tuple because constructing a NamedTuple takes five times as long."""


class MailScorer:
    """Scores messages with statistics that it does not own or change.

    After `score`, `result` (float64) has the scores of the message, laid out by `layout.MailResult`. Scoring the same
    object again costs nothing until something changes.
    """

    def __init__(self, extractor: Extractor, statistics: MailStatistics) -> None:
        self.extractor = extractor
        self.statistics = statistics
        self._last: ScoredMessage | None = None
        self._workspace: Any = kernels.Workspace()
        self._addresses = self._workspace.addresses
        self._workspace.nest(Slot.MESSAGE, extractor.workspace)
        self._workspace.nest(Slot.STATISTICS, statistics.workspace)
        self._workspace.bind(Slot.UPDATE, np.zeros(MAIL_UPDATE, np.int64))
        self._workspace.bind(Slot.TERMS, _NO_TERMS)
        self.features = FeaturePart(statistics)
        self.starter: StarterPart | None = None
        self._bind_classes()

    def set_options(self, settings: dict[MailSetting, float]) -> None:
        """Replace all settings."""
        self._settings = np.array([settings[setting] for setting in MailSetting], np.float64)
        logs = np.empty((SMOOTHING_STEPS, _LOGS))
        logs[:, 0] = np.nan  # marks a row that the kernel has not filled yet
        self._workspace.bind(Slot.SETTINGS, self._settings)
        self._workspace.bind(Slot.LOGS, logs)
        self.features.damping = settings[MailSetting.DAMPING]
        self._last = None

    def score(self, x: Any, positive: Label) -> ScoredMessage:
        """Fill `result` for a message; changes no statistics. Raises TypeError if `x` is not a message."""
        extractor, statistics, last = self.extractor, self.statistics, self._last
        extractor.load(x)
        epoch = statistics.epoch
        if last is not None and extractor.rows_owner is last and last[2] == epoch and last[1] == positive:
            return last
        if statistics.classes is not self.classes:
            self._bind_classes()
            last = None
        column = statistics.columns.get(positive, -1)
        extractor.n = kernels.mail_score(
            extractor.text, extractor.parts, 0, extractor.n, extractor.pairs, extractor.grams,
            statistics.table.rows, self._addresses, self.lead, column, last is None or last[2] != epoch,
        )  # fmt: skip
        if self.starter is not None:
            self.starter.score(self._addresses, column, self.lead)
        if extractor.features:
            self.features.add_to_scores(extractor.features, self.result, column, self.lead)
        extractor.rows_owner = self._last = scored = (x, positive, epoch)
        return scored

    def explain(self, x: Any, positive: Label) -> np.ndarray:
        """`score` a message, and return the contribution of each feature, and in the last row that of the bias, to each
        class's score: float64[features + 1, classes]."""
        self.extractor.extract(x)
        terms = np.zeros((self.extractor.n + 1, max(len(self.statistics.classes), 2)))
        self._workspace.bind(Slot.TERMS, terms)
        self._last = None
        try:
            self.score(x, positive)
        finally:  # an invalid feature raises, and the terms of a larger message would be written beyond this array
            self._workspace.bind(Slot.TERMS, _NO_TERMS)
        return terms

    def to_score(self, result: list[float], labels: list[int]) -> Score:
        """The `Score` of a result; `labels` is the number of labels of each class then, which decides a tie.

        Numbers and categories of the message scored last count as known or unseen.
        """
        best, log_odds, probability, _, _, words, new_words, pairs, new_pairs, _ = result[:_SCORES]
        label = self.classes[int(best)] if best >= 0.0 else self.best(result, labels)
        scores = {each: result[index] for each, index in self.score_indices}
        known, unseen = int(words + pairs - new_words - new_pairs), int(new_words + new_pairs)
        if self.extractor.features:
            known, unseen = known + self.features.known, unseen + self.features.unseen
        return Score(label, log_odds, probability, scores, known, unseen)

    def best(self, result: list[float], labels: list[int]) -> ClassName | None:
        """The class with the best score, on a tie the one with most labels; None without classes."""
        best = int(result[_BEST])
        if best >= 0:
            return self.classes[best]
        scores = result[_SCORES:]
        winners = [c for c, score in enumerate(scores) if score == max(scores)]
        order = sorted(winners, key=lambda c: (-labels[c], str(self.classes[c])))
        return self.classes[order[0]] if order else None

    def _check(self, scored: ScoredMessage) -> None:
        """Raise RuntimeError if another message has been read, or the statistics changed, since `scored` was scored."""
        if scored is not self._last or self.extractor.rows_owner is not scored:
            raise RuntimeError("another message has been read since this one was scored: score it again")
        if scored[2] != self.statistics.epoch:
            raise RuntimeError("the statistics have changed since this message was scored: score it again")

    def _bind_classes(self) -> None:
        """Update everything that depends on the classes or the starter.

        Of two classes only the last by name is scored, so that the result does not depend on the order of the classes.
        """
        statistics = self.statistics
        self.classes = statistics.classes
        self.score_indices = tuple((label, MailResult.SCORES + c) for c, label in enumerate(self.classes))
        self.lead = statistics.columns[statistics.sorted_classes()[-1]] if len(self.classes) == 2 else 0
        self.result = np.zeros(MailResult.SCORES + len(self.classes))
        self._workspace.bind(Slot.RESULT, self.result)
        self._last = None
        self.starter = None
        if statistics.starter is not None and statistics.starter.table.live:
            self.starter = StarterPart(self.extractor, statistics, statistics.starter)
