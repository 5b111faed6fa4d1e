"""One mail as it is listed: its prediction, its label, and what was learned from it."""

from __future__ import annotations

import msgspec

from ..records.sanitize import show_safely
from .joiner import MailPlace, ScoredMail


class MailRow(msgspec.Struct, frozen=True):
    """One scored mail. `subject`, `sender` and `source` are safe to show; `id` is not, it is the message id as it is.

    `label` to `labels_learned` are the prediction's. `true_label` is the mail's label now, from `source`, appended at
    `labelled_at`; `learned_label` is the label that counts in the model, since `learned_at`. Times are in seconds since
    1970, 0 says never. `audit` says that the mail was drawn at random to be labelled.
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


def mail_row(mail: ScoredMail) -> MailRow:
    """The row of a mail."""
    prediction = mail.prediction
    return MailRow(
        place=mail.place,
        id=prediction.id,
        subject=show_safely(prediction.subject, 200),
        sender=show_safely(prediction.sender, 100),
        label=prediction.label,
        log_odds=prediction.log_odds,
        probability=prediction.probability,
        threshold=prediction.threshold,
        labels_learned=prediction.labels_learned,
        arrived_at=prediction.arrived_at,
        true_label=mail.true_label,
        source=show_safely(mail.source, 60),
        labelled_at=mail.labelled_at,
        learned_label=mail.learned_label,
        learned_at=mail.learned_at,
        audit=mail.audit_weight > 0,
    )
