"""What a `MailNB` has learned about each source of labels, for people to read."""

from __future__ import annotations

from typing import NamedTuple

from stream_nb.mail_nb.model import MailNB
from stream_nb.mail_nb.view import SourceSums

# The prior of a source's flip rate, as in `kernels.mail_nb.label_trust`: 0.1 wrong labels in 10.
_PRIOR_DOUBT, _PRIOR_LABELS = 0.1, 10.0


class Reliability(NamedTuple):
    """A source's labels in the statistics, how many of them are expected to be wrong, and its flip rate, 0 to 1."""

    labels: int
    doubted: float
    flip_rate: float


def reliabilities(model: MailNB) -> dict[str, Reliability]:
    """What the model has learned about each source of labels; ``{}`` for an empty model.

    Args:
        model: The model to read.

    >>> model = MailNB()
    >>> model.learn_one("free money", "spam", source="anna")
    >>> reliabilities(model)["anna"].labels
    1
    """
    return {name: _reliability(sums) for name, sums in model.statistics.sources.items()}


def reliability(model: MailNB, source: str) -> Reliability | None:
    """What the model has learned about one source of labels; None if no label of it is in the statistics.

    Args:
        model: The model to read.
        source: The source's name.
    """
    sums = model.statistics.source(source)
    return None if sums is None else _reliability(sums)


def _reliability(sums: SourceSums) -> Reliability:
    rate = (_PRIOR_DOUBT + sums.doubt) / max(_PRIOR_LABELS + sums.labels, 1.0)
    return Reliability(*sums, min(max(rate, 0.0), 1.0))
