"""Is a number of a mail normal within its class, and what does it cost when not? Rows Q9 and M7; note 002, 1.3."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stream_nb.tabular.binned import BinnedNB
from stream_nb.tabular.gaussian import GaussianNB

from .charts import histogram, line_chart
from .corpus import Labelled
from .numbers import mail_numbers
from .report import Section


def study(mails: Sequence[Labelled], bins: int = 12) -> Section:
    """Fit each number in each class; compare Gaussian and binned models, test-then-train, on the same stream."""
    models = {
        "Gaussian, own variances": GaussianNB(),
        "Gaussian, shared variance": GaussianNB(variance="shared"),
        f"{bins} bins": BinnedNB(bins=bins),
    }
    right = dict.fromkeys(models, 0)
    rows = [(mail_numbers(mail), label) for mail, label in mails]
    for x, label in rows:
        for name, model in models.items():
            right[name] += model.predict_one(x) == label
            model.learn_one(x, label)
    gaussian, charts, misfits = models["Gaussian, own variances"], [], []
    for feature in gaussian.features:
        for label, normal in gaussian.normals(feature).items():
            values = sorted(x[feature] for x, y in rows if y == label)
            misfit = max(abs((i + 0.5) / len(values) - _below(v, normal)) for i, v in enumerate(values))
            misfits.append((feature, str(label), normal.mean, normal.std, misfit))
            curve = [normal.mean + normal.std * z / 10 for z in range(-30, 31)]
            title = f"{feature} in {label}"
            charts.append(
                line_chart(
                    {f"{title}: Gaussian": [(v, math.exp(normal.log_density(v))) for v in curve]},
                    title,
                    "density",
                    bars=histogram(values),
                )
            )
    table = [(name, hits / len(rows)) for name, hits in right.items()]
    misfits.sort(key=lambda row: -row[-1])
    return Section(
        "A Gaussian over the histogram",
        (
            f"Ten numbers of {len(rows)} mails. Misfit is the greatest distance between the observed share below a "
            "value and the Gaussian's (Kolmogorov and Smirnov): 0 is perfect, 0.1 visibly wrong. Shares cannot be "
            "negative and often are exactly 0, which no Gaussian allows.",
            "The first table compares the numbers alone, test-then-train; where they are not normal, cutting them "
            "into bins classifies better than a Gaussian (note 000).",
        ),
        (
            (("model of the numbers", "accuracy"), table),
            (("number", "class", "mean", "standard deviation", "misfit"), misfits),
        ),
        tuple(charts),
        {"accuracy": dict(table), "misfits": misfits},
    )


def _below(value: float, normal) -> float:
    return 0.5 * math.erfc((normal.mean - value) / normal.std / math.sqrt(2))
