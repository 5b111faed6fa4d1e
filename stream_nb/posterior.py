"""From the joint log-likelihoods of one message to its label, probabilities, log-odds and evidence.

A generative model computes the joint log-likelihood ``log P(y) + log P(x | y)`` of each class for a message. The label,
probabilities, log-odds and log P(x) are derived in log space, so that a message of 100,000 words neither underflows nor
saturates.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping

from stream_nb.types import ClassName, Evidence, Label, LogLikelihood, Score, Term


def log_sum_exp(values: Iterable[float]) -> float:
    """The logarithm of a sum of exponentials, without overflow; -inf if there are no values or all are -inf.

    Args:
        values: Numbers, including -inf and inf.

    >>> log_sum_exp([math.log(0.25), math.log(0.75)])
    0.0
    """
    values = list(values)
    top = max(values, default=-math.inf)
    if math.isinf(top):
        return top
    return top + math.log(math.fsum([math.exp(value - top) for value in values]))


def posterior(joint: dict[ClassName, float]) -> dict[ClassName, float]:
    """Class probabilities from joint log scores: the shares of exp(score - highest score). They sum to 1.

    If the message has probability zero in every class (smoothing 0), all classes are equally probable. If some classes
    are certain (+inf), these are equally probable. ``{}`` without classes.

    Args:
        joint: Joint log score of each class, -inf to inf.

    >>> posterior({"ham": math.log(0.03), "spam": math.log(0.01)})
    {'ham': 0.75, 'spam': 0.25}
    >>> posterior({"ham": -math.inf, "spam": -math.inf})
    {'ham': 0.5, 'spam': 0.5}
    """
    top = max(joint.values(), default=-math.inf)
    if math.isinf(top):
        winners = [label for label, value in joint.items() if value == top]
        return {label: (label in winners) / len(winners) for label in joint}
    shares = {label: math.exp(value - top) for label, value in joint.items()}
    total = math.fsum(shares.values())
    return {label: share / total for label, share in shares.items()}


def margin(scores: dict[ClassName, float], label: Label) -> float:
    """The margin of a class: its score minus the highest other score; 0.0 if `label` or any other class is missing.

    Args:
        scores: Score of each class.
        label: The class to compare with the best other one.

    >>> margin({"ham": -3.0, "spam": -1.0, "work": -2.0}, "spam")
    1.0
    """
    others = [value for other, value in scores.items() if other != label]
    if label not in scores or not others:
        return 0.0
    rival = max(others)
    return 0.0 if scores[label] == rival else scores[label] - rival


def best(scores: dict[ClassName, float]) -> ClassName | None:
    """The class with the greatest score, on a tie the first by name; None without classes.

    Args:
        scores: Score of each class.

    >>> best({"work": 1.0, "spam": 2.0, "ham": 2.0})
    'ham'
    """
    return min(scores, key=lambda label: (-scores[label], str(label)), default=None)


def score_of(joint: dict[ClassName, float], positive: Label, known: int, unseen: int) -> Score:
    """The `Score` of a message from its joint log-likelihoods; log-odds 0.0 and probability 0.5 if `positive` or any
    other class is missing.

    Args:
        joint: Joint log-likelihood of each class.
        positive: The class of log-odds and probability.
        known: Number of the message's features that the model has seen.
        unseen: Number of features that it has not seen.
    """
    probability = posterior(joint)[positive] if positive in joint and len(joint) > 1 else 0.5
    return Score(best(joint), margin(joint, positive), probability, joint, known, unseen)


def evidence_of(
    joint: dict[ClassName, float], positive: Label, terms_of: Callable[[Label, Label], Iterable[Term]]
) -> Evidence:
    """The log-odds of `positive` (of the best class, if `positive` is unknown) against the best other class, as bias
    and terms. With an infinite weight no bias makes the sum right, so the bias is 0.0. Empty with fewer than two
    classes.

    Args:
        joint: Joint log-likelihood of each class.
        positive: The class to explain.
        terms_of: Called with the class and its rival; returns the terms.
    """
    label = positive if positive in joint else best(joint)
    rival = best({other: value for other, value in joint.items() if other != label})
    if label is None or rival is None:
        return Evidence(0.0, 0.0, ())
    log_odds, terms = margin(joint, label), tuple(terms_of(label, rival))
    weights = [term.weight for term in terms]
    bias = log_odds - math.fsum(weights) if all(map(math.isfinite, weights)) else 0.0
    return Evidence(log_odds, bias, terms, label=label, rival=rival)


def log_likelihood_of(
    counts: Mapping[ClassName, float], log_priors: Mapping[ClassName, float], own: Callable[[Label], float]
) -> LogLikelihood:
    """The log-likelihood of all learned data.

    Args:
        counts: Messages of each class.
        log_priors: log P(y) of each class.
        own: Called with a class y; returns log P(messages of y | y).
    """
    prior = math.fsum(count * log_priors[label] for label, count in counts.items() if count)
    parts = {label: own(label) for label in counts}
    return LogLikelihood(prior + math.fsum(parts.values()), prior, parts)
