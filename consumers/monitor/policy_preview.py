"""How another policy would have labelled the latest labelled mails."""

from __future__ import annotations

from collections.abc import Sequence

import msgspec

from stream_nb import Score
from stream_nb.mail_nb.decision import UNSURE
from stream_nb.metrics import share_at_most

from ..model.policy import policy_of
from ..model.stream_model import StreamModel
from ..records.policy import PolicyValues
from ..records.schemas import PredictionRecord
from ..records.scores import odds_of, score_of
from ..records.values import MAX_LOG_ODDS, UNSCORED
from ..settings import LearnerSettings
from .search import LabelledMail


class PreviewCounts(msgspec.Struct, frozen=True):
    """How many mails a policy labels correctly (`correct`), wrongly (`wrong`) and as `unsure`.

    Among the wrong ones, `lost` are mails of other classes labelled positive. Their true share among the mails of other
    classes is at most `lost_at_most` with 95 % confidence (1 if there are no such mails). `confusion` is true label ->
    predicted label -> mails.
    """

    correct: int
    wrong: int
    unsure: int
    lost: int
    lost_at_most: float
    confusion: dict[str, dict[str, int]]


class PolicyPreview(msgspec.Struct, frozen=True):
    """A policy's effect on `mails` labelled mails, the oldest of which arrived at `since` (seconds since 1970).

    `before` counts the labels that were predicted, `after` those by `policy`, whose threshold for the current model is
    `threshold`, in log-odds; `changed` mails would have had another label.
    """

    policy: PolicyValues
    threshold: float
    mails: int
    since: float | None
    changed: int
    before: PreviewCounts
    after: PreviewCounts


def preview_policy(
    values: PolicyValues, learner: LearnerSettings, model: StreamModel, mails: Sequence[LabelledMail]
) -> PolicyPreview:
    """The preview over these `mails`; raises UserError for a bad policy.

    The mails keep the scores that they had on arrival; only the decision is made again.
    """
    policy = policy_of(values, learner)
    threshold = min(policy.threshold_for(model), MAX_LOG_ODDS)
    truths = [mail.true_label for mail in mails]
    before = [mail.prediction.label or UNSCORED for mail in mails]
    after = [policy.decide(_score(mail.prediction, learner.positive), threshold) or UNSCORED for mail in mails]
    return PolicyPreview(
        policy=values,
        threshold=threshold,
        mails=len(mails),
        since=min((mail.prediction.arrived_at for mail in mails), default=None),
        changed=sum(old != new for old, new in zip(before, after, strict=True)),
        before=_counts(truths, before, learner.positive),
        after=_counts(truths, after, learner.positive),
    )


def _score(prediction: PredictionRecord, positive: str) -> Score:
    log_odds, probability = odds_of(prediction, positive)
    return score_of(prediction)._replace(log_odds=log_odds, probability=probability)


def _counts(truths: list[str], labels: list[str], positive: str) -> PreviewCounts:
    pairs = list(zip(truths, labels, strict=True))
    confusion: dict[str, dict[str, int]] = {}
    for truth, label in pairs:
        row = confusion.setdefault(truth, {})
        row[label] = row.get(label, 0) + 1
    correct = sum(truth == label for truth, label in pairs)
    lost = sum(truth != positive and label == positive for truth, label in pairs)
    unsure = sum(label == UNSURE for _, label in pairs)
    return PreviewCounts(
        correct=correct,
        wrong=len(pairs) - correct - unsure,
        unsure=unsure,
        lost=lost,
        lost_at_most=share_at_most(lost, sum(truth != positive for truth in truths)),
        confusion=confusion,
    )
