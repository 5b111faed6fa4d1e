"""How `MailNB` scores one message: the arrays that its kernels work in, and what they found there last."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import MAIL_UPDATE, SMOOTHING_STEPS, MailResult, MailSetting, Place
from stream_nb.mail_nb.feature_part import FeaturePart
from stream_nb.mail_nb.starter_part import StarterPart
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Label

ROOM = 2000
"""Distinct features of a message that count; a message cannot buy more time or memory than that."""

_NO_TERMS = np.zeros((0, 0))
_LOGS = 1 << 15  # counts of less than 128 mails have their logarithms ready


ScoredMessage = tuple[Any, Label, int]
"""What `MailScorer.score` returns and learning takes: a message, the positive class, and the epoch of the statistics
then. A tuple without names is made five times as fast as one with names."""


class MailScorer:
    """Scores messages by statistics that it does not own, and changes none.

    After `score`, `result` (float64) is what was found of the message, laid out by `layout.MailResult`. Scoring the
    same object again costs nothing until something changes. Scorers may share an extractor: what one has read, the
    others need not.
    """

    def __init__(self, extractor: Extractor, statistics: MailStatistics) -> None:
        self.extractor = extractor
        self.statistics = statistics
        self._last: ScoredMessage | None = None
        self._workspace: Any = kernels.Workspace()
        self._addresses = self._workspace.addresses
        self._workspace.nest(Place.MESSAGE, extractor.workspace)
        self._workspace.nest(Place.STATISTICS, statistics.workspace)
        self._workspace.bind(Place.UPDATE, np.zeros(MAIL_UPDATE, np.int64))
        self._workspace.bind(Place.TERMS, _NO_TERMS)
        self.features = FeaturePart(statistics)
        self.starter: StarterPart | None = None
        self._bind_classes()

    def set_options(self, settings: dict[MailSetting, float]) -> None:
        """Score and grade by other settings from now on; all of them must be given."""
        self._settings = np.array([settings[setting] for setting in MailSetting], np.float64)
        logs = np.empty((SMOOTHING_STEPS, _LOGS))
        logs[:, 0] = np.nan  # until the kernel needs and fills them
        self._workspace.bind(Place.SETTINGS, self._settings)
        self._workspace.bind(Place.LOGS, logs)
        self.features.damping = settings[MailSetting.DAMPING]
        self._last = None

    def score(self, x: Any, positive: Label) -> ScoredMessage:
        """Fill `result` for a message; changes no statistics. Raises TypeError for what is not a message."""
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
        """`score`, and the share of each feature, last that of the bias, in each class's score: float64[features + 1,
        classes]."""
        self.extractor.extract(x)
        terms = np.zeros((self.extractor.n + 1, max(len(self.statistics.classes), 2)))
        self._workspace.bind(Place.TERMS, terms)
        self._last = None
        self.score(x, positive)
        self._workspace.bind(Place.TERMS, _NO_TERMS)
        return terms

    def _check(self, scored: ScoredMessage) -> None:
        """A message can be learned while the arrays still hold it and nothing has changed since it was scored."""
        if scored is not self._last or self.extractor.rows_owner is not scored:
            raise RuntimeError("another message has been read since this one was scored: score it again")
        if scored[2] != self.statistics.epoch:
            raise RuntimeError("the statistics have changed since this message was scored: score it again")

    def _bind_classes(self) -> None:
        """Follow a change of the classes, or of the starter.

        Of two classes only the last by name is worked out, so that the order in which they came changes no bit.
        """
        statistics = self.statistics
        self.classes = statistics.classes
        self.places = tuple((label, MailResult.SCORES + c) for c, label in enumerate(self.classes))
        self.lead = statistics.columns[statistics.sorted_classes()[-1]] if len(self.classes) == 2 else 0
        self.result = np.zeros(MailResult.SCORES + len(self.classes))
        self._workspace.bind(Place.RESULT, self.result)
        self._last = None
        self.starter = None
        if statistics.starter is not None and statistics.starter.table.live:
            self.starter = StarterPart(self.extractor, statistics, statistics.starter)
