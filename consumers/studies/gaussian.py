"""Whether a number is normal within its class, and the cost if it is not.

Source: Dougherty, Kohavi and Sahami, Supervised and unsupervised discretization of continuous features (1995).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.tabular.normal import Normal

from ..explain.histogram_bins import bin_edges
from ..explain.normal_fit import distance_to_normal
from ..records.number_text import many, percent
from ..records.values import Label
from .charts import Line, histogram, line_chart
from .corpus import Labelled
from .numbers import axis_label, numbers_of
from .report import Section

_BINS = 12
_BARS = 30
_EQUAL = "A class whose values are all equal has the standard deviation within classes, else of all values."
_NARROWEST, _WIDEST = 1e-290, 1e290  # range of a chart: steps and densities stay within the range of floats

Misfit = tuple[str, Label, float, float, float, str, float]
"""A number, a class, its mean and standard deviation there, the misfit, the possible range, and the mass outside it."""


def study(mails: Sequence[Labelled], feature: str | None = None) -> Section:
    """Fit each number in each class; compare Gaussian and binned models on the same stream, test then train.

    Args:
        mails: The messages, with their own numbers, or else ten numbers measured on the text.
        feature: The names of the numbers to use, separated by commas; None for all.

    Raises:
        UserError: No message has a number of one of these names.
    """
    numbers: list[Mapping[Any, float]] = [*numbers_of(mails, feature)]
    labels = [mail.label for mail in mails]
    gaussian = GaussianNB()
    table = _accuracies(gaussian, numbers, labels)
    best = max(table, key=lambda row: row[1])
    names = list(dict.fromkeys(name for x in numbers for name in x))
    charts: list[str] = []
    not_drawn: list[str] = []
    misfits: list[Misfit] = []
    for name in names:
        values = _values(name, numbers, labels)
        normals = gaussian.normals(name)
        misfits += _misfits(name, values, normals)
        left, right = _middle(values)
        if left == right or _NARROWEST < right - left < _WIDEST:
            charts.append(_picture(name, values, normals, left, right))
        else:
            not_drawn.append(name)
    misfits.sort(key=lambda row: -row[4])
    constant = [name for name in names if not gaussian.normals(name)]
    statistics = gaussian.statistics.features
    equal = any(statistics[name][label].std == 0.0 for name, label, *_ in misfits)
    return Section(
        "A Gaussian over the histogram",
        (
            f"{many(len(names), 'number')} of {len(mails):,} messages. Misfit is the largest difference "
            "between the observed share below a value and the Gaussian's (Kolmogorov-Smirnov): 0 is perfect, 0.1 "
            "visibly wrong. The last column is the Gaussian's mass where no value is possible: a size or a share is "
            "never below 0, a share never above 1; for other numbers it is the mass outside the observed values.",
            "The first table compares models of these numbers alone; each message is classified before it is learned. "
            f"Best here: {best[0]}, {percent(best[1])}.",
            *([_EQUAL] if equal else []),
            *([f"Constant, and therefore without information: {', '.join(constant)}."] if constant else []),
            *(
                [f"Not drawn, because the range is too narrow or too wide: {', '.join(not_drawn)}."]
                if not_drawn
                else []
            ),
        ),
        (
            (("model of the numbers", "accuracy"), table),
            (("number", "class", "mean", "standard deviation", "misfit", "possible", "mass outside"), misfits),
        ),
        tuple(charts),
        {"accuracy": dict(table), "misfits": misfits, "constant": constant},
    )


def _accuracies(
    gaussian: GaussianNB, numbers: Sequence[Mapping[Any, float]], labels: Sequence[Label]
) -> list[tuple[str, float]]:
    """The accuracy of each model, tested on each message before it learns it; `gaussian` is one of the models."""
    models: dict[str, GaussianNB | BinnedNB] = {
        "Gaussian, own variances": gaussian,
        "Gaussian, shared variance": GaussianNB(variance="shared"),
        f"{_BINS} bins": BinnedNB(bins=_BINS),
    }
    correct = dict.fromkeys(models, 0)
    for x, label in zip(numbers, labels, strict=True):
        for name, model in models.items():
            correct[name] += model.predict_one(x) == label
            model.learn_one(x, label)
    return [(name, hits / len(labels)) for name, hits in correct.items()]


def _values(name: str, numbers: Sequence[Mapping[Any, float]], labels: Sequence[Label]) -> dict[Label, list[float]]:
    """The values of a number in each class that has any, sorted; the classes by name."""
    values: dict[Label, list[float]] = {}
    for x, label in zip(numbers, labels, strict=True):
        if name in x:
            values.setdefault(label, []).append(x[name])
    return {label: sorted(values[label]) for label in sorted(values)}


def _misfits(name: str, values: dict[Label, list[float]], normals: dict[Label, Normal]) -> list[Misfit]:
    low, high = _possible(values)
    rows: list[Misfit] = []
    for label, normal in normals.items():
        if label in values:
            outside = normal.share_below(low) + 1.0 - normal.share_below(high)
            misfit = distance_to_normal(values[label], normal)
            rows.append((name, label, normal.mean, normal.std, misfit, f"{low:.4g} to {high:.4g}", outside))
    return rows


def _possible(values: dict[Label, list[float]]) -> tuple[float, float]:
    """The possible range: 0 to 1 for shares, 0 to infinity if no value is negative, else the range of the values."""
    low, high = min(of_class[0] for of_class in values.values()), max(of_class[-1] for of_class in values.values())
    if low < 0.0:
        return low, high
    whole = all(value == round(value) for of_class in values.values() for value in of_class)
    return 0.0, 1.0 if high <= 1.0 and not whole else math.inf


def _middle(values: dict[Label, list[float]]) -> tuple[float, float]:
    """The range of the middle 99 % of each class's values; of all values if these are equal."""
    low = min(of_class[len(of_class) // 200] for of_class in values.values())
    high = max(of_class[-1 - len(of_class) // 200] for of_class in values.values())
    if low < high:
        return low, high
    return min(of_class[0] for of_class in values.values()), max(of_class[-1] for of_class in values.values())


def _picture(name: str, values: dict[Label, list[float]], normals: dict[Label, Normal], low: float, high: float) -> str:
    """Histogram and Gaussian of each class, from `low` to `high`."""
    margin = 0.15 * (high - low)
    curves: dict[str, Line] = {}
    for label, normal in normals.items():
        grid = [low - margin + (high - low + 2 * margin) * i / 200 for i in range(201)]
        curves[label] = Line([(x, math.exp(normal.log_density(x))) for x in grid])
    half = abs(low) / 20 or 0.5  # of the one bar if all values are equal
    edges = bin_edges([*chain(*values.values())], low, high, _BARS) if low < high else [low - half, low + half]
    bars = {label: histogram(of_class, edges) for label, of_class in values.items()}
    return line_chart(curves, axis_label(name), "density (share of mails per unit)", bars=bars)
