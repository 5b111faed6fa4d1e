"""Naive Bayes and logistic regression: the same linear form, fitted in two ways.

Source: Ng and Jordan, On discriminative vs. generative classifiers (2002).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from stream_nb import MultinomialNB
from stream_nb.metrics import Ranking

from ..records.values import Label
from .charts import Point, line_chart
from .corpus import Labelled, positive_class, word_set
from .models import one_minus_auc_pct
from .report import Section

_STEP = 1.0  # the learning rate of logistic regression

TABLE = (
    ("similar", "linear classifier: sign of w.x + b", "linear classifier: sign of w.x + b"),
    ("models", "P(y | x) alone (discriminative)", "P(x, y), and so P(x): it can generate mails and detect novelty"),
    (
        "how w is found",
        "by gradient steps on the log loss, all weights together",
        "by counting, each weight alone, in closed form",
    ),
    ("dependent words", "share their weight", "each counts in full: probabilities too close to 0 and 1"),
    ("order of mails", "matters", "does not matter"),
    ("unlearning a mail", "not exactly possible", "exact: its counts are subtracted"),
    ("needs", "a step size; better with many mails", "a smoothing; good with few mails"),
)


def study(mails: Sequence[Labelled], positive: Label = "spam", smoothing: float = 0.1) -> Section:
    """Test, then train, both on the distinct words of each mail, with `positive` against all other classes.

    Args:
        positive: The class to detect.
        smoothing: Lambda of naive Bayes, 0 or more.

    Raises:
        UserError: No mail is of the positive class, or all are.
    """
    positive_class(mails, positive)
    logistic = _logistic_regression()
    bayes = MultinomialNB(smoothing=smoothing, presence=True)
    wrong = {"logistic regression": 0, "naive Bayes": 0}
    curves: dict[str, list[Point]] = {name: [] for name in wrong}
    ranks = {name: Ranking() for name in wrong}
    for n, (mail, label) in enumerate(mails, 1):
        x, is_positive = word_set(mail), label == positive
        chance = logistic.predict_proba_one(x).get(True, 0.5)
        log_odds = bayes.log_odds_one(x, "positive")
        wrong["logistic regression"] += (chance > 0.5) != is_positive
        wrong["naive Bayes"] += (log_odds > 0) != is_positive
        ranks["logistic regression"].add(logistic._raw_dot_one(x), is_positive)  # probabilities saturate and tie
        ranks["naive Bayes"].add(log_odds, is_positive)
        logistic.learn_one(x, is_positive)
        bayes.learn_one(x, "positive" if is_positive else "negative")
        if n in (10, 20, 50) or n % 100 == 0 or n == len(mails):
            for name in wrong:
                curves[name].append((n, 1 - wrong[name] / n))
    rows = [(name, 1 - wrong[name] / len(mails), one_minus_auc_pct(ranks[name])) for name in wrong]
    return Section(
        "Naive Bayes and logistic regression",
        (
            f"{len(mails):,} mails, {positive} against all others, each scored before it is learned; the features are "
            "the distinct words of a mail, without punctuation. Logistic regression by AdaGrad with step "
            f"{_STEP:g}; naive Bayes is the Boolean multinomial model with lambda {smoothing:g}.",
        ),
        (
            (("model", "accuracy", "(1 - AUC) %"), rows),
            (("", "logistic regression", "naive Bayes"), TABLE),
        ),
        (line_chart(curves, "mails so far (number)", "accuracy so far (share of mails)", log_x=True),),
        {"rows": rows},
    )


def _logistic_regression() -> Any:
    """River's model; typed Any because its methods are not annotated."""
    from river import linear_model, optim

    return linear_model.LogisticRegression(optimizer=optim.AdaGrad(_STEP), intercept_lr=0.1)
