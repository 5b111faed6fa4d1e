"""The mail model and scikit-learn's batch learners after few labels.

    python -m tests.benchmarks.few_labels_peers [--seeds N] [PATH...] [--shuffled PATH...]

PATH is as for `benchmarks.few_labels`, as are the mails that are drawn. Each learner has the first labels only, and
scores 400 other mails. Printed are balanced accuracy in percent at the learner's own threshold and at the best one in
hindsight, which nobody knows, and (1-AUC) in percent; means over paths and seeds.

The batch learners see the same text, weighted by tf-idf with logarithmic counts, as words or as character n-grams
within words; classes have equal weight ("balanced"). They are trained anew after all labels, several passes over each.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable
from random import Random
from typing import Any

import numpy as np
from sklearn.feature_extraction.text import TfidfVectorizer
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score, roc_curve
from sklearn.svm import LinearSVC

from stream_nb import MailNB
from tests.benchmarks.conditions import SPAM, Labelled
from tests.benchmarks.few_labels import TESTED, streams_and_seeds

LABELS = (20, 50, 100)
WORDS = {"token_pattern": r"(?u)\b\w\w+\b", "sublinear_tf": True}
GRAMS = {"analyzer": "char_wb", "ngram_range": (3, 5), "sublinear_tf": True}

Scorer = Callable[[list[Labelled], list[Labelled]], Any]


def mail_nb(learned: list[Labelled], tested: list[Labelled]) -> list[float]:
    """The log-odds of the mails by a new `MailNB`."""
    model = MailNB(key=b"the same key for every run")
    model.learn_many([mail.mail for mail in learned], [mail.truth for mail in learned])
    return [score.log_odds for score in model.score_many([mail.mail for mail in tested])]


def batch(classifier: Any, features: dict[str, Any]) -> Scorer:
    """A batch learner on the text of the mails."""

    def scores(learned: list[Labelled], tested: list[Labelled]) -> Any:
        vectorizer = TfidfVectorizer(**features)
        rows = vectorizer.fit_transform(map(text, learned))
        classifier.fit(rows, [mail.truth == SPAM for mail in learned])
        return classifier.decision_function(vectorizer.transform(map(text, tested)))

    return scores


def text(mail: Labelled) -> str:
    return "\n".join(part.text.decode(errors="replace") for part in mail.mail.parts)


LEARNERS: dict[str, Scorer] = {
    "MailNB": mail_nb,
    "linear SVM, words": batch(LinearSVC(class_weight="balanced"), WORDS),
    "linear SVM, n-grams": batch(LinearSVC(class_weight="balanced"), GRAMS),
    "logistic, words": batch(LogisticRegression(C=100, class_weight="balanced"), WORDS),
}


def measured(spam: np.ndarray, scores: np.ndarray) -> tuple[float, float, float]:
    """Balanced accuracy at the own threshold and at the best one, and (1-AUC), in percent."""
    false_spam, found_spam, _ = roc_curve(spam, scores)
    own, best = (scores[spam] > 0.0).mean() + (scores[~spam] <= 0.0).mean(), max(found_spam + 1.0 - false_spam)
    return 50.0 * float(own), 50.0 * float(best), 100.0 * float(1.0 - roc_auc_score(spam, scores))


def drawn(mails: list[Labelled], labels: int, seeds: Iterable[int]) -> Iterable[tuple[list[Labelled], list[Labelled]]]:
    """Mails to learn, of both classes, and mails to test, for each seed."""
    for seed in seeds:
        order = Random(seed).sample(mails, len(mails))
        if len({mail.truth for mail in order[:labels]}) == 2:
            yield order[:labels], order[-TESTED:]


def main() -> None:
    streams, seeds = streams_and_seeds(__doc__ or "")
    print(f"{'%':24}{'own threshold':>15}{'best one':>10}{'(1-AUC)':>10}")
    for labels in LABELS:
        found: defaultdict[str, list[tuple[float, float, float]]] = defaultdict(list)
        for mails in streams:
            for learned, tested in drawn(mails, labels, seeds):
                spam = np.array([mail.truth == SPAM for mail in tested])
                for name, scores in LEARNERS.items():
                    found[name].append(measured(spam, np.array(scores(learned, tested))))
        print(f"after {labels} labels")
        for name, rows in found.items():
            own, best, lost = np.mean(rows, axis=0)
            print(f"  {name:22}{own:>15.1f}{best:>10.1f}{lost:>10.2f}", flush=True)


if __name__ == "__main__":
    main()
