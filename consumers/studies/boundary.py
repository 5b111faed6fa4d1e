"""The boundary between two classes over two numbers: a curve with one variance per class, a line with shared variances.

Source: Hastie, Tibshirani and Friedman, The Elements of Statistical Learning (2009), section 4.3.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

import numpy as np

from stream_nb.tabular.gaussian import Discriminant, GaussianNB

from ..errors import UserError
from ..records.values import Label
from .charts import Line, Point, line_chart
from .corpus import Labelled, name_of_others, positive_class
from .numbers import axis_label, numbers_of
from .report import Section

_STEPS = 400
_DOTS = 250
Pair = tuple[str, str]
Range = tuple[float, float]


def study(mails: Sequence[Labelled], positive: Label = "spam", feature: str | None = None) -> Section:
    """Fit two numbers with own and with shared variances, and draw both boundaries over the messages.

    Args:
        positive: One class; all other classes count as one.
        feature: The names of the two numbers, separated by a comma; None for the pair that classifies the most messages
            correctly.

    Raises:
        UserError: No message has the class or both numbers, `feature` does not name two numbers, or the squares of a
            number are outside the range of floats.
    """
    positive_class(mails, positive)
    numbers = numbers_of(mails, feature)
    other = name_of_others(positive)
    labels = [positive if mail.label == positive else other for mail in mails]
    names = sorted({name for x in numbers for name in x})
    if (feature is not None and len(names) != 2) or len(names) < 2:
        asked = "" if feature is None else f"--feature {feature}: "
        raise UserError(f"{asked}a boundary needs two numbers; give messages that have two, and name them")
    first, second = names if len(names) == 2 else _best_pair(numbers, labels, positive)
    points = [(x[first], x[second], y) for x, y in zip(numbers, labels, strict=True) if first in x and second in x]
    if not points:
        raise UserError(
            f"study boundary: no message has both {first} and {second}; give messages that have two numbers"
        )
    models, rows = _fit((first, second), numbers, labels)
    low, high = _middle([x for x, _, _ in points])
    bottom, top = _middle([y for _, y, _ in points])
    shown = [point for point in points if low <= point[0] <= high and bottom <= point[1] <= top]
    series = {
        name: Line([(x, y) for x, y, label in shown if label == name][:_DOTS], dots=True) for name in (other, positive)
    }
    try:
        polynomials = {name: model.discriminant(positive, other) for name, model in models.items()}
    except ValueError as error:
        raise UserError(f"study boundary: {error}") from error
    for name, polynomial in polynomials.items():
        series[name] = Line(_curve(polynomial, (first, second), (low, high), (bottom, top)), dashed="shared" in name)
    quadratic = polynomials["own variances: a curve"].quadratic
    return Section(
        "Quadratic and linear Gaussian boundary",
        (
            f"{first} and {second} of {len(points):,} messages ({len(shown):,} are within the picture, at most {_DOTS} "
            "of each class are drawn). With its own variance for each class the log-odds are quadratic and the "
            "boundary is a conic; with one variance for both classes the squares cancel and the boundary is a "
            "straight line. So Gaussian naive Bayes is a linear classifier only with shared variances.",
            "Coefficients of the squares with own variances: "
            + ", ".join(f"{name} {value:+.4g}" for name, value in quadratic.items())
            + "; with shared variances 0.",
        ),
        ((("variances", "accuracy (on the training messages)"), rows),),
        (line_chart(series, axis_label(first), axis_label(second)),),
        {"rows": rows, "pair": (first, second), "quadratic": dict(quadratic)},
    )


def _best_pair(numbers: Sequence[Mapping[str, float]], labels: list[Label], positive: Label) -> Pair:
    """Of the pairs of numbers that a message has, the one that classifies the most messages correctly.

    Each number's log-odds are computed once.
    """
    model = GaussianNB()
    model.learn_many(numbers, labels)
    other = name_of_others(positive)
    priors = model.log_priors()
    shares: dict[str, np.ndarray] = {}
    has: dict[str, np.ndarray] = {}
    for name in sorted({name for x in numbers for name in x}):
        normals = model.normals(name)
        if normals:
            ours, others = normals[positive], normals[other]
            shares[name] = np.array(
                [ours.log_density(x[name]) - others.log_density(x[name]) if name in x else 0.0 for x in numbers]
            )
            has[name] = np.array([name in x for x in numbers])
    bias = priors[positive] - priors[other]
    truth = np.array([label == positive for label in labels])

    def correct(pair: Pair) -> int:
        with np.errstate(invalid="ignore"):  # two infinite log-odds
            return int(np.count_nonzero((bias + shares[pair[0]] + shares[pair[1]] > 0) == truth))

    pairs = [pair for pair in itertools.combinations(shares, 2) if np.any(has[pair[0]] & has[pair[1]])]
    if not pairs:
        raise UserError(
            f"study boundary needs two varying numbers of one message; the mails have {', '.join(shares) or 'none'}"
        )
    return max(pairs, key=correct)


def _fit(
    pair: Pair, numbers: Sequence[Mapping[str, float]], labels: list[Label]
) -> tuple[dict[str, GaussianNB], list[tuple[str, float]]]:
    """Both models by name, and the accuracy of each on the messages it was trained on."""
    models = {"own variances: a curve": GaussianNB(), "shared variances: a line": GaussianNB(variance="shared")}
    rows = [({name: x[name] for name in pair if name in x}, y) for x, y in zip(numbers, labels, strict=True)]
    for model in models.values():
        model.learn_many([x for x, _ in rows], [y for _, y in rows])
    return models, [
        (name, sum(model.predict_one(x) == y for x, y in rows) / len(rows)) for name, model in models.items()
    ]


def _middle(values: list[float]) -> Range:
    """The range of the middle 98 %, extended by 5 % on either side."""
    values = sorted(values)
    low, high = values[len(values) // 100], values[-1 - len(values) // 100]
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _curve(d: Discriminant, pair: Pair, across: Range, up: Range) -> list[Point]:
    """The points of the rectangle where the log-odds are 0, as two branches."""
    first, second = pair
    a, b = d.quadratic.get(second, 0.0), d.linear.get(second, 0.0)
    branches: list[list[Point]] = [[], []]
    for i in range(_STEPS + 1):
        x = across[0] + (across[1] - across[0]) * i / _STEPS
        c = d.bias + d.linear.get(first, 0.0) * x + d.quadratic.get(first, 0.0) * x * x
        for branch, y in zip(branches, _roots(a, b, c), strict=True):
            branch.append((x, y if up[0] <= y <= up[1] else math.nan))
    return [*branches[0], (math.nan, math.nan), *branches[1]]


def _roots(a: float, b: float, c: float) -> tuple[float, float]:
    """The real roots of a y^2 + b y + c, the lower first; nan for none."""
    inside = b * b - 4 * a * c
    if inside < 0:
        return math.nan, math.nan
    q = -0.5 * (b + math.copysign(math.sqrt(inside), b))  # this sum never cancels, whatever the unit of y makes of a
    first, second = q / a if a else math.nan, c / q if q else math.nan
    return (first, second) if first < second or math.isnan(second) else (second, first)
