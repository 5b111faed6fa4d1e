"""The share of each word and pair in a mail's score, for people."""

from __future__ import annotations

from typing import Any

import numpy as np

from stream_nb.kernels.gram_layout import GRAM
from stream_nb.kernels.layout import UNIT
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.posterior import margin
from stream_nb.types import Evidence, Label, Term


def mail_evidence(
    engine: MailEngine,
    x: Any,
    terms: np.ndarray,
    scores: dict[Label, float],
    label: Label | None,
    most: int | None = None,
) -> Evidence:
    """The evidence for a class against the best other, of the mail that `engine` explained last.

    Args:
        engine: What scored the mail.
        x: The mail.
        terms: What `MailScorer.explain` returned.
        scores: The score of each class.
        label: The class; None for a model without classes.
        most: How many of the strongest terms to give; None for all.
    """
    columns = engine.statistics.columns
    rivals = {other: value for other, value in scores.items() if other != label}
    rival = max(sorted(rivals, key=repr), key=rivals.__getitem__, default=None)  # of equals, whichever class came first
    weights, bias, starter = np.zeros(len(terms) - 1), 0.0, 0.0
    if label is not None and rival is not None:
        shares = terms[:, columns[label]] - terms[:, columns[rival]]
        weights, bias = shares[:-1], float(shares[-1])
        if engine.starter is not None:
            starter = engine.starter.evidence(label, rival)
    order = np.argsort(-np.abs(weights), kind="stable")[:most]
    found = engine.features.evidence(x, label, rival)
    found += [_term(engine, int(i), float(weights[i])) for i in order]
    found.sort(key=lambda term: -abs(term.weight))
    return Evidence(margin(scores, label) if label is not None else 0.0, bias, tuple(found[:most]), starter)


def _term(engine: MailEngine, i: int, weight: float) -> Term:
    extractor, statistics = engine.extractor, engine.statistics
    row = int(extractor.row_ids[i])
    counts = statistics.table.counts[row].tolist() if row >= 0 else [0] * len(statistics.classes)
    if engine.starter is not None:
        counts = engine.starter.counts(i)
    part = int(extractor.token_spans[i, 2])
    kind = "pair" if part < 0 else "gram" if part >= GRAM else "word"
    in_mails = {label: max(counts[column], 0) / UNIT for label, column in statistics.columns.items()}
    return Term(extractor.text_of(i), kind, weight, in_mails)
