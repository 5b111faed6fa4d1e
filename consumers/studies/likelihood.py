"""The data log-likelihood and its parts as mails arrive, for any textbook model.

Source: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 6.6.3.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from stream_nb import BinnedNB
from stream_nb.types import LogLikelihood, Mail

from ..model.textbook import TextbookModel
from ..model.textbook_input import READS, numbers
from .charts import Point, line_chart
from .corpus import Labelled, classes_of
from .models import unknown_model
from .numbers import with_features
from .report import Section

_POINTS = 40

INPUTS: dict[str, Callable[[Mail], Any]] = READS | {"binned": numbers}
"""For each model of this study, the function that makes its input from a message."""


def new_model(name: str, smoothing: float) -> Any:
    """An empty model; `name` is in `INPUTS`, and `smoothing` is lambda, 0 or more, which the Gaussian model ignores."""
    return BinnedNB(smoothing=smoothing) if name == "binned" else TextbookModel.new(name, smoothing, "spam").model


def study(mails: Sequence[Labelled], model: str = "multinomial", smoothing: float = 0.1) -> Section:
    """Show, while the mails are learned one at a time, the log-likelihood of all mails learned so far.

    Args:
        model: A name in `INPUTS`.
        smoothing: Lambda, 0 or more; the Gaussian model ignores it.

    Raises:
        UserError: There is no model of this name.
    """
    if model not in INPUTS:
        raise unknown_model(model, INPUTS)
    read, learner = INPUTS[model], new_model(model, smoothing)
    in_class = {label: f"mails in {label}" for label in classes_of(mails)}  # unlike any other part, whatever its name
    names = ("total", "labels", *in_class.values())
    curves: dict[str, list[Point]] = {name: [] for name in names}
    step = max(1, len(mails) // _POINTS)
    for number, (mail, full) in enumerate(zip(mails, with_features(mails), strict=True), 1):
        learner.learn_one(read(full), mail.label)
        if number % step == 0 or number == len(mails):
            parts: LogLikelihood = learner.log_likelihood()
            named = {in_class[label]: value for label, value in parts.classes.items()}
            for name, value in {"total": parts.total, "labels": parts.prior, **named}.items():
                curves[name].append((number, value / number))
    rows = [(name, curves[name][-1][1] * len(mails), curves[name][-1][1]) for name in names]
    added = math.fsum(row[1] for row in rows[1:])
    smoothed = "" if model == "gaussian" else f", lambda {smoothing:g}"
    densities = " Densities may be above 1, so the part of numbers may be above 0."
    return Section(
        "The data log-likelihood",
        (
            f"{model.capitalize()} model{smoothed}, {len(mails):,} mails. log P(all mails and labels) is the sum of "
            "one part for the labels and one for each class's mails given the label. The parts have separate "
            "parameters, so each can be estimated alone. Here the parts add up to "
            f"{added:,.1f} nats, and the whole is {rows[0][1]:,.1f}.",
            "The picture shows each part divided by the number of mails so far, under the parameters after these "
            f"mails.{densities if model in ('gaussian', 'mixed') else ''}",
        ),
        ((("part", "log-likelihood (nats)", "per mail (nats)"), rows),),
        (line_chart(curves, "mails so far (number)", "log-likelihood per mail (nats)"),),
        {"rows": rows, "series": curves},
    )
