"""What a `MailNB` has learned about each word, for people to read."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any, NamedTuple

import numpy as np

from stream_nb.features.class_counts import unknown_class
from stream_nb.kernels.layout import SMOOTHING_STEPS, UNIT
from stream_nb.mail_nb.base import LEAST_SMOOTHING
from stream_nb.mail_nb.model import MailNB
from stream_nb.parameter import checked_whole
from stream_nb.types import ClassName, Label, Mail, Term, Update


def strongest(
    model: MailNB, label: Label, n: int = 20, keep: Callable[[str], bool] = lambda text: True
) -> tuple[Term, ...]:
    """The n words that favour a class most against all others together, strongest first; none without another class.

    The weight is the smoothed log-likelihood ratio w of `MailNB`, before shaping and damping. Words with a total count
    below one mail, or with none in the class, are left out. Raises KeyError for an unknown class.

    Args:
        model: The model to read.
        label: The class.
        n: Maximum number of words, 0 or more; ValueError otherwise.
        keep: Called with the text of a word; False skips the word.

    >>> model = MailNB()
    >>> for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")]:
    ...     model.learn_one(text, label)
    >>> [(term.text, term.counts["spam"]) for term in strongest(model, "spam", n=1)]
    [('money', 2.0)]

    Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section 13.5, for ranking words
    by class.
    """
    return _strongest(model, label, _words(model, 1.0), n, keep)


def strongest_by_class(model: MailNB, n: int, keep: Callable[[str], bool]) -> dict[ClassName, tuple[Term, ...]]:
    """`strongest` of each class; with many classes, this is faster than a call for each.

    Args:
        model: The model to read.
        n: Maximum number of words per class, 0 or more.
        keep: Called with the text of a word; False skips the word.
    """
    words = _words(model, 1.0)
    return {label: _strongest(model, label, words, n, keep) for label in model.classes}


def word_weights(model: MailNB, label: Label) -> tuple[Term, ...]:
    """All words with a count, sorted, with their weight for a class against all others together (as in `strongest`, but
    of either sign).

    Raises KeyError for an unknown class.

    Args:
        model: The model to read.
        label: The class.
    """
    words = _words(model, 1.0 / UNIT)
    weights = _word_weights(model, label, words).tolist()
    each = zip(words.rows.tolist(), weights, words.counts, strict=True)
    terms = [_term(model, model.statistics.text(row), weight, counts) for row, weight, counts in each]
    return tuple(sorted(terms, key=lambda term: term.text))


def word_probabilities(model: MailNB, term: Term, with_starter: bool = False) -> dict[ClassName, float]:
    """Smoothed P(feature | class) of each class, for a term from `MailNB.evidence` or `strongest`.

    P = (n + lambda) / (N + lambda V), with the lambda that `MailNB` uses for the class against all others together.

    Args:
        model: The model to read.
        term: A word or pair with its counts.
        with_starter: Whether the term is from `MailNB.evidence`, whose counts include the starter's share.
    """
    sums, features = _totals(model, with_starter)
    probabilities: dict[ClassName, float] = {}
    for column, label in enumerate(model.classes):
        smoothing = _smoothing(model, column)
        count, total = term.counts.get(label, 0.0), float(sums[column])
        probabilities[label] = (count + smoothing) / (total + smoothing * features)
    return probabilities


def class_weights(model: MailNB, term: Term, with_starter: bool = False) -> dict[ClassName, float]:
    """The weight of a term from `MailNB.evidence` or `strongest`, for each class against all others together, as in
    `strongest`.

    Args:
        model: The model to read.
        term: A word or pair with its counts.
        with_starter: Whether the term is from `MailNB.evidence`, whose counts include the starter's share.

    >>> model = MailNB()
    >>> for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")]:
    ...     model.learn_one(text, label)
    >>> term, = strongest(model, "spam", n=1)
    >>> class_weights(model, term)["spam"] == term.weight
    True
    """
    counts = np.array([term.counts.get(label, 0.0) for label in model.classes])
    weights: dict[ClassName, float] = {}
    for column, label in enumerate(model.classes):
        own = counts[[column]]
        weights[label] = float(_weights(model, column, own, counts.sum() - own, with_starter)[0])
    return weights


def weight_course(
    model: MailNB, word: Any, label: Label, updates: Sequence[tuple[float, Mail, Update]]
) -> list[tuple[float, float]]:
    """The history of a word's weight for a class: (time, weight after that update), oldest first.

    There is one point for each update whose mail contains the word; [] for an unknown word. Counts are reconstructed
    backwards from the current ones; the totals over all words are the current ones throughout. Raises KeyError for an
    unknown class.

    Args:
        model: The model to read.
        word: A message of one word.
        label: The class.
        updates: The latest updates that the model has learned, oldest first: time, mail, update.

    >>> model, updates = MailNB(), []
    >>> for time, (mail, label) in enumerate([("free lunch", "ham"), ("free money", "spam"), ("free offer", "spam")]):
    ...     updates.append((float(time), mail, model.grade(mail, label)))
    ...     model.apply_update(mail, updates[-1][2])
    >>> [weight > 0 for _, weight in weight_course(model, ["free"], "spam", updates)]
    [False, False, True]
    """
    column = _column(model, label)
    statistics = model.statistics
    known = statistics.find(word, pairs=False)
    if not len(known):
        return []
    balances = statistics.balances(known[:1])[0]
    points: list[tuple[float, float]] = []
    for time, mail, update in reversed(updates):
        if known[0] in statistics.find(mail):
            counts = np.maximum(balances, 0.0)
            own = counts[[column]]
            points.append((time, float(_weights(model, column, own, counts.sum() - own)[0])))
            balances[_column(model, update.label)] -= update.weight / UNIT
            if update.rival is not None:
                balances[_column(model, update.rival)] += update.taken / UNIT
    return points[::-1]


def _column(model: MailNB, label: Label) -> int:
    if label not in model.classes:
        raise unknown_class(label, model.classes)
    return model.classes.index(label)


class _Words(NamedTuple):
    """Words of a model: their rows, their counts by class and over all classes, in mails."""

    rows: np.ndarray
    counts: np.ndarray
    totals: np.ndarray


def _words(model: MailNB, least: float) -> _Words:
    """The words that at least this number of mails have."""
    rows = np.flatnonzero(model.statistics.is_word())
    counts = model.statistics.counts(rows)
    totals = counts.sum(axis=1)
    kept = totals >= least
    return _Words(rows[kept], counts[kept], totals[kept])


def _word_weights(model: MailNB, label: Label, words: _Words) -> np.ndarray:
    column = _column(model, label)
    own = words.counts[:, column]
    return _weights(model, column, own, words.totals - own)


def _strongest(model: MailNB, label: Label, words: _Words, n: int, keep: Callable[[str], bool]) -> tuple[Term, ...]:
    most, weights = checked_whole("n", n, 0), _word_weights(model, label, words)
    if len(model.classes) < 2:
        return ()  # the weights are 0 but for rounding
    # In a class of few mails, smoothing alone gives words of other classes a weight above 0.
    positive = np.flatnonzero((weights > 0) & (words.counts[:, _column(model, label)] > 0))
    ranked: list[int] = positive[np.argsort(-weights[positive], kind="stable")].tolist()
    kept = ((i, text) for i in ranked if keep(text := model.statistics.text(words.rows[i])))
    return tuple(_term(model, text, float(weights[i]), words.counts[i]) for i, text in islice(kept, most))


def _term(model: MailNB, text: str, weight: float, counts: np.ndarray) -> Term:
    return Term(text, "word", weight, dict(zip(model.classes, counts.tolist(), strict=True)))


def _smoothing(model: MailNB, column: int) -> float:
    """The smoothing used for a class against all others together: see `kernels.mail_nb.class_balance`."""
    smoothing = max(model.smoothing, LEAST_SMOOTHING)
    if not model.balance:
        return smoothing
    labels = [max(count, 0) for count in model.statistics.labels.values()]
    own = labels[column]
    others = sum(labels) - own
    steps = (((max(own, others) + 1) // (min(own, others) + 1)).bit_length() - 1) // 2
    return math.ldexp(smoothing, -min(steps, SMOOTHING_STEPS - 1))


def _totals(model: MailNB, with_starter: bool) -> tuple[np.ndarray, float]:
    """The sum of all features' counts in each class, and the number of features, for the model alone or with the
    starter's share."""
    statistics, features = model.statistics, float(max(model.features, 1))
    if not with_starter or (starter := statistics.starter) is None:
        return statistics.sums(), features
    return statistics.sums_with_starter(), max(model.features + starter.share * starter.features, 1.0)


def _weights(model: MailNB, column: int, own: np.ndarray, others: np.ndarray, with_starter: bool = False) -> np.ndarray:
    """Log-likelihood ratios of features with these counts in a class and in all others, in mails."""
    smoothing = _smoothing(model, column)
    sums, features = _totals(model, with_starter)
    pseudo = smoothing * features
    own_sum = sums[column] + pseudo
    others_sum = sums.sum() - sums[column] + pseudo
    return np.log((own + smoothing) / (others + smoothing)) - np.log(own_sum / others_sum)
