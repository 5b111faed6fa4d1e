"""The contribution of each feature to a mail's score, for people to read."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb.kernels.features.gram_layout import GRAM
from stream_nb.kernels.layout import UNIT
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.posterior import margin
from stream_nb.types import ClassName, Evidence, Label, Term


def mail_evidence(
    engine: MailEngine,
    x: Any,
    terms: np.ndarray,
    scores: dict[ClassName, float],
    label: Label | None,
    most: int | None,
) -> Evidence:
    """The evidence for a class against the best other class, for the mail that `engine` explained last.

    Args:
        engine: The engine that scored the mail.
        x: The mail.
        terms: The result of `MailScorer.explain`.
        scores: The score of each class.
        label: The class; None for a model without classes.
        most: Maximum number of terms; None for all.
    """
    columns = engine.statistics.columns
    rivals = {other: value for other, value in scores.items() if other != label}
    rival = max(sorted(rivals, key=repr), key=rivals.__getitem__, default=None)  # a tie does not depend on class order
    weights, bias, starter = np.zeros(len(terms) - 1), 0.0, 0.0
    if label is not None and rival is not None:
        shares = terms[:, columns[label]] - terms[:, columns[rival]]
        weights, bias = shares[:-1], float(shares[-1])
        if engine.starter is not None:
            starter = engine.starter.evidence(label, rival)
    order = np.argsort(-np.abs(weights), kind="stable")[:most]
    strongest = engine.features.evidence(x, label, rival)
    strongest += [_term(engine, int(i), float(weights[i])) for i in order]
    strongest.sort(key=lambda term: -abs(term.weight))
    log_odds = margin(scores, label) if label is not None else 0.0
    return Evidence(log_odds, bias, tuple(strongest[:most]), starter, label, rival)


def _term(engine: MailEngine, i: int, weight: float) -> Term:
    extractor, statistics = engine.extractor, engine.statistics
    row = int(extractor.row_ids[i])
    counts = statistics.table.counts[row].tolist() if row >= 0 else [0] * len(statistics.classes)
    if engine.starter is not None:
        counts = engine.starter.counts(i)
    part = int(extractor.token_spans[i, 2])
    kind = "pair" if part < 0 else "gram" if part >= GRAM else "word"
    mails = {label: max(counts[column], 0) / UNIT for label, column in statistics.columns.items()}
    return Term(extractor.text_of(i), kind, weight, mails)
