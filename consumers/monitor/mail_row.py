"""One mail as dashboards list it: its prediction, its label, and the label that the model learned."""

from __future__ import annotations

import msgspec

from stream_nb.mail_nb.decision import UNSURE

from ..records.messages import MailPlace
from ..records.sanitize import ROW_SENDER_CHARS, ROW_SUBJECT_CHARS, show_safely
from ..records.schemas import PredictionRecord
from ..records.sources import SHOWN_SOURCE_CHARS
from .figures.joiner import ScoredMail


class MailRow(msgspec.Struct, frozen=True):
    """One scored mail. `subject`, `sender` and `source` are safe to show; `id` is the unmodified message id and is not.

    `label` to `labels_learned` are the prediction's; its log-odds, probability and threshold are about `positive`.
    `true_label` is the mail's current label, given by `source`; `labelled_at` is when its newest label record was
    appended. `learned_label` is the label that counts in the model since `learned_at`; if `capped`, nothing was learned
    from it, because its source gave more labels than it may in an hour. Times are in seconds since 1970; 0 means never.
    `audit`: the mail was drawn for the audit.
    `margin` is how much the scores would have to change, in log-odds, to make the label `runner_up`; both are None if
    the model knew one class only. Of an unsure mail, `runner_up` is the likeliest class, and `margin` the distance from
    the threshold.
    `silent`: the mail has a label of `SILENCE`, which does not count as its `true_label`.
    """

    place: MailPlace
    id: str
    subject: str
    sender: str
    label: str | None
    log_odds: float
    probability: float
    threshold: float
    labels_learned: int
    arrived_at: float
    true_label: str | None
    source: str
    labelled_at: float
    learned_label: str | None
    learned_at: float
    audit: bool
    margin: float | None = None
    runner_up: str | None = None
    silent: bool = False
    capped: bool = False
    positive: str = ""


def mail_row(mail: ScoredMail) -> MailRow:
    """The row of a mail."""
    prediction = mail.prediction
    margin, runner_up = closest(prediction)
    return MailRow(
        place=mail.place,
        id=prediction.id,
        subject=show_safely(prediction.subject, ROW_SUBJECT_CHARS),
        sender=show_safely(prediction.sender, ROW_SENDER_CHARS),
        label=prediction.label,
        log_odds=prediction.log_odds,
        probability=prediction.probability,
        threshold=prediction.threshold,
        labels_learned=prediction.labels_learned,
        arrived_at=prediction.arrived_at,
        true_label=mail.true_label,
        source=show_safely(mail.source, SHOWN_SOURCE_CHARS),
        labelled_at=mail.labelled_at,
        learned_label=mail.learned_label,
        learned_at=mail.learned_at,
        audit=mail.audit_weight > 0,
        margin=margin,
        runner_up=runner_up,
        silent=mail.silent,
        capped=mail.capped,
        positive=prediction.positive,
    )


def closest(prediction: PredictionRecord) -> tuple[float, str] | tuple[None, None]:
    """How much the scores would have to change for another label, and that label; (None, None) if there is no other.

    The threshold decides between the positive class and the best other class; the scores decide among the others. Of an
    unsure mail, the distance from the threshold, and the class on its side of it.
    """
    scores, positive, label = prediction.scores, prediction.positive, prediction.label
    others = {name: score for name, score in scores.items() if name not in (positive, label)}
    best = max(others, key=others.__getitem__, default=None)
    to_positive = abs(prediction.log_odds - prediction.threshold)
    if label is None or set(scores) == {positive}:
        return None, None
    if label == positive:
        return (to_positive, best) if best is not None else (None, None)
    if positive not in scores:
        return (scores[label] - others[best], best) if best is not None and label in scores else (None, None)
    if label == UNSURE and best is not None and prediction.log_odds <= prediction.threshold:
        return to_positive, best
    if best is None or label not in scores or to_positive <= scores[label] - others[best]:
        return to_positive, positive
    return scores[label] - others[best], best
