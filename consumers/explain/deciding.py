"""The class that an explanation is about, and the terms that decide for it."""

from __future__ import annotations

from stream_nb.types import ClassName, Evidence, Score


def explained_class(score: Score, decided: ClassName | None, positive: ClassName) -> ClassName | None:
    """The class that a mail's explanation is about; None for a model without classes.

    The positive class, to which the threshold applies. Of three or more classes rather the one that is decided: why a
    mail is not spam does not tell why it is a receipt. The best class while no mail is positive. `decided` is the label
    decided for the score, `positive` the positive class.

    >>> scores = {"spam": -9.0, "work": 1.0, "family": -2.0}
    >>> explained_class(Score("work", -10.0, 0.0, scores, 3, 0), "work", "spam")
    'work'
    >>> explained_class(Score("work", -10.0, 0.0, {"spam": -9.0, "work": 1.0}, 3, 0), "work", "spam")
    'spam'
    """
    if positive not in score.scores or (len(score.scores) > 2 and decided == score.label):
        return score.label
    return positive


def flip_terms(evidence: Evidence, positive: ClassName, threshold: float) -> list[str]:
    """The smallest set of terms without which a mail would be decided otherwise, by the `threshold` of the log-odds of
    the class `positive`: their texts, strongest first, not yet safe to show; [] if no set is enough."""
    # The log-odds of the rival are those of the class, negated.
    threshold = {evidence.label: threshold, evidence.rival: -threshold}.get(positive, 0.0)
    distance = evidence.log_odds - threshold
    side = 1.0 if distance > 0 else -1.0
    flip: list[str] = []
    for term in sorted(evidence.terms, key=lambda term: -side * term.weight):
        if side * distance <= 0 or side * term.weight <= 0:
            break
        distance -= term.weight
        flip.append(term.text)
    return flip if side * distance <= 0 else []
