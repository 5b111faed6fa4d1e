"""The score of a mail, as its prediction record has it."""

from __future__ import annotations

from stream_nb import Score
from stream_nb.posterior import margin, posterior

from .schemas import PredictionRecord
from .values import Label


def score_of(prediction: PredictionRecord) -> Score:
    """The score as the learner returned it."""
    return Score(
        prediction.label,
        prediction.log_odds,
        prediction.probability,
        prediction.scores,
        prediction.known,
        prediction.unseen,
    )


def odds_of(prediction: PredictionRecord, positive: Label) -> tuple[float, float]:
    """Log-odds and probability of the class `positive`. If another class was the positive one when the mail was scored
    (the setting has changed since), they are computed from the scores, and the probability is not calibrated."""
    if prediction.positive == positive:
        return prediction.log_odds, prediction.probability
    return margin(prediction.scores, positive), posterior(prediction.scores).get(positive, 0.0)
