"""What the class prior does: it shifts all log-odds by one constant. Row E4; notes 000, 001 and 004."""

from __future__ import annotations

import math
from collections.abc import Sequence

from stream_nb.types import Label

from .charts import line_chart
from .corpus import Labelled, positive_class
from .models import COUNT_MODELS, word_model
from .report import Section

SHARES = (0.0001, 0.001, 0.01, 0.05, 0.1, 0.25, 0.5, 0.75, 0.9, 0.95, 0.99, 0.999, 0.9999)


def study(
    mails: Sequence[Labelled], positive: Label = "spam", model: str = "multinomial", smoothing: float = 0.1
) -> Section:
    """Test-then-train once with a uniform prior (maximum likelihood), and add each prior's log-odds to every score.

    Raises UserError for a class that is not there.
    """
    positive_class(mails, positive)
    learner = word_model(model, smoothing, among=COUNT_MODELS)
    learner.prior = "uniform"
    scored = []
    for mail, label, _ in mails:
        joint = learner.joint_log_likelihood(mail)
        learner.prior = "learned"
        learned = learner.log_priors()
        learner.prior = "uniform"
        scored.append((joint, learned, label))
        learner.learn_one(mail, label)
    rows = [
        ("uniform (maximum likelihood)", *_shares(scored, positive, lambda joint, _: joint)),
        ("learned (MAP)", *_shares(scored, positive, lambda joint, learned: _sum(joint, learned))),
    ]
    given = [
        (share, *_shares(scored, positive, lambda joint, _, s=share: _given(joint, positive, s))) for share in SHARES
    ]
    changed = sum(_best(joint) != _best(_sum(joint, learned)) for joint, learned, _ in scored)
    share = sum(label == positive for _, _, label in scored) / len(scored)
    return Section(
        "The effect of the prior",
        (
            f"{model.capitalize()} model, lambda {smoothing:g}, {len(mails):,} mails, each scored before it is "
            f"learned; {share:.1%} of them are {positive}. The learned prior changes the decision on {changed:,} of "
            "them. A prior is worth as much as a handful of words: it moves only mails whose words leave the matter "
            "open.",
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


def _shares(scored, positive, with_prior) -> tuple[float, float, float]:
    """Accuracy, positive caught, other mail lost; a mail before the first class counts as wrong."""
    called = [(_best(with_prior(joint, learned)), label) for joint, learned, label in scored]
    of_positive = [guess == positive for guess, label in called if label == positive]
    of_others = [guess == positive for guess, label in called if label != positive]
    right = sum(guess == label for guess, label in called) / len(called)
    return right, sum(of_positive) / len(of_positive), sum(of_others) / len(of_others)


def _sum(joint: dict, added: dict) -> dict:
    return {label: value + added[label] for label, value in joint.items()}


def _given(joint: dict, positive: Label, share: float) -> dict:
    """The scores with `share` for the positive class, the other classes alike."""
    others = math.log((1 - share) / max(1, len(joint) - 1))
    return {label: value + (math.log(share) if label == positive else others) for label, value in joint.items()}


def _best(joint: dict) -> Label | None:
    return min(joint, key=lambda label: (-joint[label], str(label)), default=None)


def _log_odds(share: float) -> float:
    return math.log(share / (1 - share))
