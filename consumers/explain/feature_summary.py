"""What the model knows about numbers and categories, next to the latest labelled values: plain values for JSON.

A number is shown by its mean and deviation in each class, a histogram of its latest labelled values, and its misfit:
the distance of these values to the normal distribution (`normal_fit`), 0 for a perfect fit.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from typing import NamedTuple, TypedDict

import numpy as np

from stream_nb import MailNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.feature_text import value_text
from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.tabular.normal import Normal
from stream_nb.tabular.number_table import NumberSummary
from stream_nb.types import Mail

from ..model.stream_model import StreamModel
from ..model.textbook import TextbookModel
from ..records.sanitize import show_safely
from ..records.values import Label, is_number
from .histogram_bins import bin_edges
from .normal_fit import distance_to_normal

MOST_NUMBERS = 100
MOST_CATEGORIES = 100
MOST_VALUES = 30
BINS = 30
NAME_CHARS = 60
_WIDEST = 1e308  # widest histogram, so that the edges of its bins stay within the range of floats

Categories = dict[str, dict[str | bool, dict[Label, float]]]


class NumberOfClass(TypedDict):
    """A number in one class: how many messages have it, its mean and 1/N standard deviation, and the misfit of its
    latest labelled values, 0 to 1 (None for fewer than two, or equal ones); `values` is how many there are."""

    count: float
    mean: float
    std: float
    values: int
    misfit: float | None


class HistogramBin(TypedDict):
    """How many of the latest labelled values of each class are in [low, high) (in the last bin, [low, high])."""

    low: float
    high: float
    counts: dict[Label, int]


class NumberInfo(TypedDict):
    """A number by class, without the classes in which it was never learned, and the histogram of its latest labelled
    values; [] if there are none."""

    name: str
    classes: dict[Label, NumberOfClass]
    histogram: list[HistogramBin]


class CategoryValue(TypedDict):
    """A value of a category, and its count in each class, in messages."""

    value: str
    counts: dict[Label, float]


class CategoryInfo(TypedDict):
    """A category: its most frequent values, and how many `others` it has."""

    name: str
    values: list[CategoryValue]
    others: int


class PartWeights(TypedDict):
    """The weights of a message's parts in its score: 1 for words; learned by the mail model for numbers and categories,
    1 in a textbook model."""

    words: float
    numbers: float
    categories: float


class FeatureSummary(TypedDict):
    """What the model knows about features, sorted by name. `messages` is the number of latest labelled messages used
    for the histograms and misfits.

    At most `MOST_NUMBERS` and `MOST_CATEGORIES` are listed; `numbers_met` and `categories_met` count all of them.
    """

    classes: list[Label]
    messages: int
    weights: PartWeights
    numbers: list[NumberInfo]
    numbers_met: int
    categories: list[CategoryInfo]
    categories_met: int


class Known(NamedTuple):
    """Numbers by name and class, categories by name and value, and the weights of numbers and of categories."""

    numbers: dict[str, dict[Label, NumberSummary]]
    categories: Categories
    weights: tuple[float, float]


def summarize_features(model: StreamModel, labelled: Sequence[tuple[Mail, Label]]) -> FeatureSummary:
    """Summarize a model; `labelled` are the latest labelled messages."""
    known = _known(model)
    names = sorted(known.numbers)[:MOST_NUMBERS]
    recent: dict[str, dict[Label, list[float]]] = {name: {} for name in names}
    for mail, label in labelled:
        for name, value in mail.features:
            if name in recent and is_number(value):
                recent[name].setdefault(label, []).append(float(value))
    numbers, categories = known.weights
    return {
        "classes": list(model.classes),
        "messages": len(labelled),
        "weights": {"words": 1.0, "numbers": numbers, "categories": categories},
        "numbers": [_number(name, known.numbers[name], recent[name]) for name in names],
        "numbers_met": len(known.numbers),
        "categories": [_category(name, known.categories[name]) for name in sorted(known.categories)[:MOST_CATEGORIES]],
        "categories_met": len(known.categories),
    }


def misfit(values: Iterable[float], mean: float, std: float) -> float | None:
    """The Kolmogorov-Smirnov distance between `values` and the normal distribution with this `mean` and standard
    deviation `std`, 0 to 1; None for fewer than two values, and if `std` is 0 or infinite.

    >>> round(misfit([-1.0, 0.0, 1.0], 0.0, 1.0), 3)
    0.175
    >>> misfit([1.0], 1.0, 0.0) is None
    True
    """
    ordered = sorted(values)
    if len(ordered) < 2 or not 0.0 < std < math.inf:
        return None
    return distance_to_normal(ordered, Normal(mean, std))


def _known(model: StreamModel) -> Known:
    if isinstance(model, MailNB):
        statistics = model.statistics
        return Known(statistics.numbers, statistics.categories, statistics.part_weights)
    numbers: dict[str, dict[Label, NumberSummary]] = {}
    categories: Categories = {}
    for part in model.parts if isinstance(model, TextbookModel) else ():
        for feature, by_class in part.statistics.features.items():
            if isinstance(part, GaussianNB):
                numbers[str(feature)] = {label: NumberSummary(m.n, m.mean, m.std) for label, m in by_class.items()}
            elif isinstance(part, CategoricalNB):
                counts = categories[str(feature)] = {value: dict[Label, float]() for value in part.values(feature)}
                for label, values in by_class.items():
                    for value in values.units:
                        counts[value][label] = values.count(value)
    return Known(numbers, categories, (1.0, 1.0))


def _number(name: str, by_class: dict[Label, NumberSummary], recent: dict[Label, list[float]]) -> NumberInfo:
    classes: dict[Label, NumberOfClass] = {}
    for label, (count, mean, std) in by_class.items():
        if not count:
            continue
        values = recent.get(label, [])
        classes[label] = {
            "count": count,
            "mean": mean,
            "std": std,
            "values": len(values),
            "misfit": misfit(values, mean, std),
        }
    return {"name": show_safely(name, NAME_CHARS), "classes": classes, "histogram": _histogram(recent)}


def _histogram(recent: dict[Label, list[float]]) -> list[HistogramBin]:
    """Bins (`bin_edges`) of all values; unless all others are equal, the outermost 1 % on either side is counted in the
    outer bins."""
    values = np.array([value for of_class in recent.values() for value in of_class])
    if not len(values):
        return []
    low, high = (float(edge) for edge in np.quantile(values, (0.01, 0.99), method="nearest"))
    if low == high:
        low, high = float(values.min()), float(values.max())
    if not high - low < _WIDEST:
        return []
    edges = bin_edges(values.tolist(), low, high, BINS) if high > low else [low, high]
    counts = {label: np.histogram(np.clip(of_class, low, high), edges)[0] for label, of_class in recent.items()}
    return [
        {
            "low": edges[i],
            "high": edges[i + 1],
            "counts": {label: int(of_class[i]) for label, of_class in counts.items()},
        }
        for i in range(len(edges) - 1)
    ]


def _category(name: str, values: dict[str | bool, dict[Label, float]]) -> CategoryInfo:
    ordered = sorted(values.items(), key=lambda pair: (-sum(pair[1].values()), str(pair[0])))
    shown: list[CategoryValue] = [
        {"value": show_safely(value_text(value), NAME_CHARS), "counts": counts}
        for value, counts in ordered[:MOST_VALUES]
    ]
    return {"name": show_safely(name, NAME_CHARS), "values": shown, "others": max(0, len(values) - MOST_VALUES)}
