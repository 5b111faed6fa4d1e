"""The effect of the class prior: it shifts all log-odds by a constant.

Source: Manning, Raghavan and Schütze, Introduction to Information Retrieval (2008), section 13.2.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence

from stream_nb.posterior import best
from stream_nb.prior import log_priors

from ..records.number_text import percent
from ..records.values import Label
from .charts import line_chart
from .corpus import Labelled, positive_class
from .models import count_model
from .report import Section

SHARES = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999)


Joint = dict[Label, float]
"""A log score per class."""


def study(
    mails: Sequence[Labelled], positive: Label = "spam", model: str = "multinomial", smoothing: float = 0.1
) -> Section:
    """Score each mail once with a uniform prior (maximum likelihood), and add the log-odds of each prior to the scores.

    Args:
        mails: The mails; each is scored before it is learned.
        positive: The class to detect.
        model: A name of `COUNT_MODELS`.
        smoothing: Lambda, 0 or more.

    Raises:
        UserError: No mail is of the positive class, all are, or there is no model of this name.
    """
    positive_class(mails, positive)
    learner = count_model(model, smoothing)
    learner.prior = "uniform"
    counts: Counter[Label] = Counter()
    uniform: list[Joint] = []
    learned: list[Joint] = []
    for mail, label in mails:
        priors = log_priors("learned", counts)
        uniform.append(learner.joint_log_likelihood(mail))
        learned.append({known: value + priors[known] for known, value in uniform[-1].items()})
        learner.learn_one(mail, label)
        counts[label] += 1
    labels = [mail.label for mail in mails]
    rows = [
        ("uniform (maximum likelihood)", *_shares(uniform, labels, positive)),
        ("learned (MAP)", *_shares(learned, labels, positive)),
    ]
    given = [
        (share, *_shares([_with_share(joint, positive, share) for joint in uniform], labels, positive))
        for share in SHARES
    ]
    changed = sum(best(a) != best(b) for a, b in zip(uniform, learned, strict=True))
    of_class = labels.count(positive)
    return Section(
        "The effect of the prior",
        (
            f"{model.capitalize()} model, lambda {smoothing:g}, {len(mails):,} mails, each scored before it is "
            f"learned; {of_class:,} of them ({percent(of_class / len(labels), 1)}) are {positive}. The learned prior "
            f"changes the decision on {changed:,} of them. A prior weighs as much as a few words, so it matters "
            "only for mails whose words are undecided.",
        ),
        (
            (("prior", "accuracy", f"{positive} caught", "other mail lost"), rows),
            ((f"P({positive}) given", "accuracy", f"{positive} caught", "other mail lost"), given),
        ),
        (
            line_chart(
                {
                    "accuracy": [(_log_odds(row[0]), row[1]) for row in given],
                    f"{positive} caught": [(_log_odds(row[0]), row[2]) for row in given],
                    "other mail lost": [(_log_odds(row[0]), row[3]) for row in given],
                },
                f"prior log-odds of {positive} (nats; 0 is one half)",
                "share of mails",
            ),
        ),
        {"rows": rows, "given": given, "changed": changed},
    )


def _shares(joints: list[Joint], labels: list[Label], positive: Label) -> tuple[float, float, float]:
    """Accuracy, share of the positive class caught, share of other mail lost; a mail without a prediction is wrong."""
    predicted = [(best(joint), label) for joint, label in zip(joints, labels, strict=True)]
    of_positive = [guess == positive for guess, label in predicted if label == positive]
    of_others = [guess == positive for guess, label in predicted if label != positive]
    correct = sum(guess == label for guess, label in predicted) / len(predicted)
    return correct, sum(of_positive) / len(of_positive), sum(of_others) / len(of_others)


def _with_share(joint: Joint, positive: Label, share: float) -> Joint:
    """The scores with prior `share` for the positive class, and equal priors for the others."""
    others = math.log((1 - share) / max(1, len(joint) - 1))
    return {label: value + (math.log(share) if label == positive else others) for label, value in joint.items()}


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))
