"""From the joint log-likelihoods of one message to its label, probabilities, log-odds and evidence.

A generative model gives, for one message, the joint log-likelihood of each class: ``log P(y) + log P(x | y)``. The
label, the probabilities, the log-odds and log P(x) follow from these numbers in log space, so that a message of
100,000 words neither underflows nor saturates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from stream_nb.types import Evidence, Label, LogLikelihood, Score, Term


def log_sum_exp(values: Iterable[float]) -> float:
    """The logarithm of a sum of exponentials, without overflow; -inf for no values or only -inf.

    Args:
        values: Numbers; -inf and inf may be among them.

    >>> log_sum_exp([math.log(0.25), math.log(0.75)])
    0.0
    """
    values = list(values)
    top = max(values, default=-math.inf)
    if math.isinf(top):
        return top
    return top + math.log(math.fsum([math.exp(value - top) for value in values]))


def posterior(joint: dict[Label, float]) -> dict[Label, float]:
    """Class probabilities from joint log scores: exp(score - log_sum_exp(scores)); they sum to 1.

    When every class gives the message probability zero (smoothing 0), the quotient 0/0 says nothing and the
    classes share alike. When some class is certain (+inf), the certain classes share alike. No class: ``{}``.

    Args:
        joint: Joint log score of each class, -inf to inf.

    >>> posterior({"ham": math.log(0.03), "spam": math.log(0.01)})
    {'ham': 0.75, 'spam': 0.25}
    >>> posterior({"ham": -math.inf, "spam": -math.inf})
    {'ham': 0.5, 'spam': 0.5}
    """
    total = log_sum_exp(joint.values())
    if math.isinf(total):
        winners = [label for label, value in joint.items() if value == total]
        return {label: (label in winners) / len(winners) for label in joint}
    return {label: math.exp(value - total) for label, value in joint.items()}


def margin(scores: dict[Label, float], label: Label) -> float:
    """The score of `label` against the best other class; 0.0 where there is nothing to compare.

    Args:
        scores: Score of each class.
        label: The class to compare with the best other.

    >>> margin({"ham": -3.0, "spam": -1.0, "work": -2.0}, "spam")
    1.0
    """
    others = [value for other, value in scores.items() if other != label]
    if label not in scores or not others:
        return 0.0
    rival = max(others)
    return 0.0 if scores[label] == rival else scores[label] - rival


def best(scores: dict[Label, float]) -> Label | None:
    """The class with the greatest score, among equals the first by name; None without classes.

    Args:
        scores: Score of each class.

    >>> best({"work": 1.0, "spam": 2.0, "ham": 2.0})
    'ham'
    """
    return min(scores, key=lambda label: (-scores[label], str(label)), default=None)


def score_of(joint: dict[Label, float], positive: Label, known: int, unseen: int) -> Score:
    """What the joint log-likelihoods of a message say of the positive class; 0.0 and 0.5 with nothing to compare.

    Args:
        joint: Joint log-likelihood of each class.
        positive: The class that log-odds and probability speak of.
        known: Features of the message that the model has met.
        unseen: Features that it has not met.
    """
    chance = posterior(joint)[positive] if positive in joint and len(joint) > 1 else 0.5
    return Score(best(joint), margin(joint, positive), chance, joint, known, unseen)


def evidence_of(
    joint: dict[Label, float], positive: Label, terms_of: Callable[[Label, Label], Iterable[Term]]
) -> Evidence:
    """The log-odds of `positive` (or, if it has not come, the best class) against the best other, as bias and terms.

    `terms_of` gives the terms of these two classes. Where one weighs infinitely much, nothing adds up, and the bias is
    0.0. Fewer than two classes have no evidence.

    Args:
        joint: Joint log-likelihood of each class.
        positive: The class to explain.
        terms_of: Gives the terms of a class against another.
    """
    label = positive if positive in joint else best(joint)
    rival = best({other: value for other, value in joint.items() if other != label})
    if label is None or rival is None:
        return Evidence(0.0, 0.0, ())
    log_odds, terms = margin(joint, label), tuple(terms_of(label, rival))
    weights = [term.weight for term in terms]
    bias = log_odds - math.fsum(weights) if all(map(math.isfinite, weights)) else 0.0
    return Evidence(log_odds, bias, terms)


def log_likelihood_of(
    counts: Mapping[Label, float], log_priors: Mapping[Label, float], own: Callable[[Label], float]
) -> LogLikelihood:
    """The data log-likelihood from messages a class, log P(y), and log P(messages of y | y).

    Args:
        counts: Messages of each class.
        log_priors: log P(y) of each class.
        own: Gives log P(messages of y | y).
    """
    of_labels = math.fsum(count * log_priors[label] for label, count in counts.items() if count)
    parts = {label: own(label) for label in counts}
    return LogLikelihood(of_labels + math.fsum(parts.values()), of_labels, parts)
