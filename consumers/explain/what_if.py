"""How other labels or other smoothing would change a model's scores, tried on a copy of the model."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stream_nb.mail_nb.decision import Policy
from stream_nb.posterior import margin
from stream_nb.types import Mail, Update

from ..model.stream_model import StreamModel
from ..records.values import Label


class WhatIf:
    """Experiments on a copy of `model`; `model` itself is not changed, even if an experiment fails."""

    def __init__(self, model: StreamModel) -> None:
        self._model = model.copy()

    def log_odds_with_label(
        self, mail: Mail, learned: Update | None, label: Label, source: str, about: Label | None = None
    ) -> float:
        """The log-odds of a mail after learning this label for it.

        Args:
            learned: What the model has learned from the mail; None for nothing.
            label: The label to try.
            source: The source of the label.
            about: The class whose log-odds against the best other class are returned; None for the positive class.
        """
        model = self._model
        if learned is not None and (learned.label, learned.source) == (label, source):
            return _log_odds(model, mail, about)
        if learned is not None:
            model.revert_update(mail, learned)
        update = model.grade(mail, label, source=source)
        model.apply_update(mail, update)
        log_odds = _log_odds(model, mail, about)
        model.revert_update(mail, update)
        if learned is not None:
            model.apply_update(mail, learned)
        return log_odds

    def hits_by_smoothing(
        self, mails: Iterable[tuple[Mail, Label, Update]], grid: Sequence[float], policy: Policy
    ) -> dict[float, int]:
        """How many mails are classified as labelled with each smoothing, each scored by a model without its update.

        Args:
            mails: Mails with their labels and the updates that the model has learned from them.
            grid: Values of lambda, in mails, 0 or more.
            policy: How scores become labels.
        """
        model, in_use = self._model, self._model.smoothing
        hits = dict.fromkeys(grid, 0)
        for mail, label, update in mails:
            model.revert_update(mail, update)
            for value in grid:
                model.smoothing = value
                hits[value] += policy.decide(model.score(mail), policy.threshold_for(model)) == label
            model.smoothing = in_use
            model.apply_update(mail, update)
        return hits


def _log_odds(model: StreamModel, mail: Mail, about: Label | None) -> float:
    score = model.score(mail)
    return score.log_odds if about is None or about == model.positive else margin(score.scores, about)
