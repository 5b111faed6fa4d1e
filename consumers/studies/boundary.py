"""Where two numbers separate two classes: a curve with own variances, a line with shared ones. Row L3; note 001."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence

from stream_nb.tabular.gaussian import Discriminant, GaussianNB
from stream_nb.types import Label

from ..errors import UserError
from .charts import Line, line_chart
from .corpus import Labelled, positive_class
from .numbers import axis_label, numbers_of
from .report import Section

_STEPS = 400
_DOTS = 250


def study(mails: Sequence[Labelled], positive: Label = "spam", feature: str | None = None) -> Section:
    """Fit two numbers with own and with shared variances, and draw both boundaries over the messages.

    `feature` names the two, with a comma; else they are the pair that calls most of the messages right. All other
    classes are one. Raises UserError for a class or a number that is not there.
    """
    positive_class(mails, positive)
    numbers = numbers_of(mails, feature)
    labels = [positive if mail.label == positive else "other" for mail in mails]
    names = sorted(set().union(*numbers), key=str)
    if (feature is not None and len(names) != 2) or len(names) < 2:
        raise UserError(f"--feature {feature}: name two numbers, with a comma")
    first, second = names if len(names) == 2 else _telling(numbers, labels, positive)
    models, rows = _fit((first, second), numbers, labels)
    points = [(x[first], x[second], y) for x, y in zip(numbers, labels, strict=True) if first in x and second in x]
    low, high = _middle([x for x, _, _ in points])
    bottom, top = _middle([y for _, y, _ in points])
    shown = [point for point in points if low <= point[0] <= high and bottom <= point[1] <= top]
    series = {
        label: Line([point[:2] for point in shown if point[2] == label][:_DOTS], dots=True)
        for label in ("other", positive)
    }
    for name, model in models.items():
        discriminant = model.discriminant(positive, "other")
        series[name] = Line(_curve(discriminant, (first, second), (low, high), (bottom, top)), dashed="shared" in name)
    quadratic = models["own variances: a curve"].discriminant(positive, "other").quadratic
    return Section(
        "Quadratic and linear Gaussian boundary",
        (
            f"{first} and {second} of {len(points):,} messages ({len(shown):,} lie in the picture, at most {_DOTS} of "
            "a class are drawn). With a variance of its own for each class the log-odds have squares in them and the "
            "boundary is a conic; with one variance for both the squares cancel and it is a straight line. The notes "
            "call the Gaussian model linear: it is so only with shared variances.",
            "Coefficients of the squares: "
            + ", ".join(f"{name} {value:+.4g}" for name, value in quadratic.items())
            + "; with shared variances 0.",
        ),
        ((("variances", "share called right (trained on the same messages)"), rows),),
        (line_chart(series, axis_label(first), axis_label(second)),),
        {"rows": rows, "pair": (first, second), "quadratic": dict(quadratic)},
    )


def _telling(numbers: Sequence[Mapping[str, float]], labels: list[Label], positive: Label) -> tuple[str, str]:
    """The pair of numbers that calls most messages right; each number's share of the log-odds is worked out once."""
    model = GaussianNB()
    model.learn_many(numbers, labels)
    priors = model.log_priors()
    shares: dict[str, list[float]] = {}
    for name in sorted(model.features):
        normals = model.normals(name)
        if normals:
            ours, others = normals[positive], normals["other"]
            shares[name] = [
                ours.log_density(x[name]) - others.log_density(x[name]) if name in x else 0.0 for x in numbers
            ]
    bias = priors[positive] - priors["other"]
    truth = [label == positive for label in labels]

    def right(pair: tuple[str, str]) -> int:
        scored = zip(shares[pair[0]], shares[pair[1]], truth, strict=True)
        return sum((bias + a + b > 0) == is_positive for a, b, is_positive in scored)

    if len(shares) < 2:
        raise UserError(f"boundary needs two numbers that vary; there are {', '.join(shares) or 'none'}")
    return max(itertools.combinations(shares, 2), key=right)


def _fit(pair, numbers, labels) -> tuple[dict[str, GaussianNB], list[tuple[str, float]]]:
    models = {"own variances: a curve": GaussianNB(), "shared variances: a line": GaussianNB(variance="shared")}
    rows = [({name: x[name] for name in pair if name in x}, y) for x, y in zip(numbers, labels, strict=True)]
    for model in models.values():
        model.learn_many([x for x, _ in rows], [y for _, y in rows])
    return models, [
        (name, sum(model.predict_one(x) == y for x, y in rows) / len(rows)) for name, model in models.items()
    ]


def _middle(values: list[float]) -> tuple[float, float]:
    """The range of the middle 98 %, and a little more."""
    values = sorted(values)
    low, high = values[len(values) // 100], values[-1 - len(values) // 100]
    return low - 0.05 * (high - low), high + 0.05 * (high - low)


def _curve(d: Discriminant, pair, across: tuple[float, float], up: tuple[float, float]) -> list[tuple[float, float]]:
    """Where the log-odds are 0 in the rectangle, as two branches."""
    first, second = pair
    a, b = d.quadratic.get(second, 0.0), d.linear.get(second, 0.0)
    branches: list[list[tuple[float, float]]] = [[], []]
    for i in range(_STEPS + 1):
        x = across[0] + (across[1] - across[0]) * i / _STEPS
        c = d.bias + d.linear.get(first, 0.0) * x + d.quadratic.get(first, 0.0) * x * x
        for branch, y in zip(branches, _roots(a, b, c), strict=True):
            branch.append((x, y if up[0] <= y <= up[1] else math.nan))
    return [*branches[0], (math.nan, math.nan), *branches[1]]


def _roots(a: float, b: float, c: float) -> tuple[float, float]:
    """The real roots of a y^2 + b y + c, the lower first; nan for none."""
    if abs(a) < 1e-12 * max(1.0, abs(b)):
        return (-c / b if b else math.nan), math.nan
    inside = b * b - 4 * a * c
    if inside < 0:
        return math.nan, math.nan
    roots = sorted(((-b - math.sqrt(inside)) / (2 * a), (-b + math.sqrt(inside)) / (2 * a)))
    return roots[0], roots[1]
