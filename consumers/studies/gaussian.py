"""Is a number normal within its class, and what does it cost when not? Rows Q9 and M7; note 002, 1.3; note 000."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.gaussian import GaussianNB, Normal

from .charts import Line, histogram, line_chart
from .corpus import Labelled, classes_of
from .numbers import axis_label, numbers_of
from .report import Section

_BARS = 30


def study(mails: Sequence[Labelled], bins: int = 12, feature: str | None = None) -> Section:
    """Fit each number in each class; compare Gaussian and binned models, test-then-train, on the same stream.

    The numbers are those that came with the messages, else ten measured on the text; `feature` names some of them.
    """
    numbers, labels = numbers_of(mails, feature), [str(mail.label) for mail in mails]
    models = {
        "Gaussian, own variances": GaussianNB(),
        "Gaussian, shared variance": GaussianNB(variance="shared"),
        f"{bins} bins": BinnedNB(bins=bins),
    }
    right = dict.fromkeys(models, 0)
    for x, label in zip(numbers, labels, strict=True):
        for name, model in models.items():
            right[name] += model.predict_one(x) == label
            model.learn_one(x, label)
    gaussian, charts, misfits = models["Gaussian, own variances"], [], []
    for name in gaussian.features:
        values = {
            label: sorted(x[name] for x, y in zip(numbers, labels, strict=True) if y == label and name in x)
            for label in classes_of(mails)
        }
        values = {label: found for label, found in values.items() if found}
        normals, (low, high) = gaussian.normals(name), _possible(values)
        charts.append(_picture(name, values, normals))
        for label, normal in normals.items():
            if label in values:
                outside = _below(low, normal) + 1.0 - _below(high, normal)
                misfit = _misfit(values[label], normal)
                misfits.append((name, label, normal.mean, normal.std, misfit, f"{low:.4g} to {high:.4g}", outside))
    constant = [str(name) for name in gaussian.features if not gaussian.normals(name)]
    misfits.sort(key=lambda row: -row[4])
    table = [(name, hits / len(mails)) for name, hits in right.items()]
    best = max(table, key=lambda row: row[1])
    return Section(
        "A Gaussian over the histogram",
        (
            f"{len(gaussian.features)} number{'s'[: len(gaussian.features) != 1]} of {len(mails):,} messages. Misfit "
            "is the greatest distance between the observed share below a value and the Gaussian's (Kolmogorov and "
            "Smirnov): 0 is perfect, 0.1 visibly wrong. The last column is the Gaussian's mass where no value can "
            "be: a size or a share is never below 0, a share never above 1; of other numbers it is the mass outside "
            "the values seen.",
            "The first table compares the numbers alone, each message called before it is learned. Best here: "
            f"{best[0]}, {best[1]:.2%}.",
            *([f"Always the same, so that they say nothing: {', '.join(constant)}."] if constant else []),
        ),
        (
            (("model of the numbers", "accuracy"), table),
            (("number", "class", "mean", "standard deviation", "misfit", "possible", "mass outside"), misfits),
        ),
        tuple(charts),
        {"accuracy": dict(table), "misfits": misfits, "constant": constant},
    )


def _possible(values: dict[str, list[float]]) -> tuple[float, float]:
    """0 to 1 for shares, 0 to infinity for what is never negative, else from the least to the greatest seen."""
    low, high = min(found[0] for found in values.values()), max(found[-1] for found in values.values())
    if low < 0.0:
        return low, high
    whole = all(value == round(value) for found in values.values() for value in found)
    return 0.0, 1.0 if high <= 1.0 and not whole else math.inf


def _picture(name: str, values: dict[str, list[float]], normals: dict[str, Normal]) -> str:
    """Both classes' histograms and curves, over the middle 99 % of the values."""
    low = min(found[len(found) // 200] for found in values.values())
    high = max(found[-1 - len(found) // 200] for found in values.values())
    margin = 0.15 * (high - low)
    curves = {}
    for label, normal in normals.items():
        grid = [low - margin + (high - low + 2 * margin) * i / 200 for i in range(201)]
        curves[label] = Line([(x, math.exp(normal.log_density(x))) for x in grid])
    bars = {label: histogram(found, _BARS, low, high) for label, found in values.items()}
    return line_chart(curves, axis_label(name), "density (share of mails a unit)", bars=bars)


def _misfit(values: list[float], normal: Normal) -> float:
    """The greatest distance between the share of the sorted values below a point and the Gaussian's."""
    n, found = len(values), 0.0
    for i, value in enumerate(values):
        below = _below(value, normal)
        found = max(found, abs(below - i / n), abs(below - (i + 1) / n))
    return found


def _below(value: float, normal: Normal) -> float:
    return 0.5 * math.erfc((normal.mean - value) / normal.std / math.sqrt(2))
