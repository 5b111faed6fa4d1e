"""`MailNB`: naive Bayes for mail, one message at a time. How it scores and learns, beyond what the class says:

Untrained features. The term of an untrained feature is `novelty` times the log-ratio of the rates of new features of
its kind in the two classes. It counts in full while the mail has up to three times as many new features as expected
beside its known ones, and less beyond that, so that mail in another language, or without text, favours neither class.

N-grams, stretches and balance. With `grams`, the first 150 character n-grams of a short mail are scored like words and
make up to a quarter of its score (`stream_nb.kernels.features.grams`). The positive class gets at least the score of
the mail's best stretch less a penalty (`stream_nb.kernels.mail_nb.stretch`). `balance` corrects for few labels
(`stream_nb.kernels.mail_nb.class_balance`): a rare class is smoothed less; after n labels the score is divided by
sqrt(1 + 40 / (n + 2)); each class has a bias, which makes the classes equal in the mean margin of their labels, each
margin clipped to [-1, 1], and fades with errors.

Learning. The more wrong the score was, the more a label counts. With m the margin of the labelled class, each feature
of the mail gains r = min(1, max(0, 1 - m / band)); `band=math.inf` trains on everything. With `trust`, the flip rate of
each source is learned online, and an implausible label from an unreliable source counts less; of two classes, a source
that is mostly wrong teaches the opposite one (`kernels.mail_nb.label_trust`). Earlier labels of the same list or sender
count too (`kernels.mail_nb.originator_trust`). The first 20 labels count in full; the first labels of a late or rare
class look like wrong ones, so they are doubted less.

A believed label that contradicts the score also subtracts up to min(-m, 4) from each feature's count in the class with
the best score, so that the model follows a user's change of mind (`stream_nb.kernels.mail_nb.update`); a count below 0
reads as 0, and N is not reduced. Features with counts of at most two mails are trusted no more than labels are: they
are many, and one wrong label makes all of them wrong. With e the flip rate of reliable sources, they add h' to the
log-odds instead of their damped sum h,

    h' = log(((1-e) exp(a h) + e) / ((1-e) + e exp(a h))) / a,    with a the slope of trust.

Statistics. The state is sums of integers (counts in 1/256 of a mail), so learning can be undone, split and merged
exactly. Shape 1, damping 0, novelty 0, an infinite band and smoothing 1, without pairs, trust and balance, give the
textbook Boolean multinomial with a uniform prior.

More classes, and a starter. With more than two classes, each scores half its log-odds against all the others together,
and m is its score less the best other score (`tests/benchmarks/routing.py`). A model that begins with a starter adds a
share of the starter's counts to its own; labels determine the share (`stream_nb.mail_nb.starter`).

Numbers and categories of a mail (`Mail.features`, the first 1,000) add to its score:

    score = words + w1 numbers + w2 categories,    a part = (sum of its features' terms) / (features + 1)^damping

A term is a log-likelihood ratio (`stream_nb.kernels.tabular.feature_terms`), for a category from counts, for a number
from counts in its neighbourhood and a normal distribution within it; each number has a weight, so that redundant ones
count less (`stream_nb.kernels.tabular.number_weights`). Every believed label trains both. w1 and w2 are the weights
under which the margins of each part alone, recorded when a label is learned, predict the labels best. Ten numbers that
describe a mail's shape make (1-AUC) 20 to 60 times worse at full weight; with learned weights one of four streams
improves and none gets worse beyond bootstrap noise (`tests/benchmarks/numbers.py`).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stream_nb.features.class_counts import checked_label, unknown_class
from stream_nb.kernels.layout import MailResult
from stream_nb.mail_nb.evidence import mail_evidence
from stream_nb.mail_nb.forgetting import ForgettingModel
from stream_nb.parameter import checked_whole
from stream_nb.posterior import margin, posterior
from stream_nb.types import ClassName, Evidence, Label, Score, Update

_SCORES = int(MailResult.SCORES)  # because access to enum members is slow


class MailNB(ForgettingModel):
    """Naive Bayes over the distinct words of a mail and its distinct pairs of adjacent words.

    A mail scores S / (T + 1)^damping and is positive above 0; there is no class prior. S is the sum of one term per
    feature, T the sum of the features' weights: 1 for a word, `pair_weight` for a pair. The term of a trained feature
    is its log-likelihood ratio w, reshaped to sign(w) |w|^shape:

        w = log((n1 + lambda) / (n0 + lambda)) - log((N1 + lambda V) / (N0 + lambda V))

    with n1 and n0 the feature's counts in the positive and the other class, N1 and N0 their sums over all features, and
    V the number of features. The docstring of the module `stream_nb.mail_nb.model` has the rest of the formulas.

    A mail is a `Mail`, text, a list of tokens (used as they are), or a dict of counts (which has no pairs). An empty
    model scores 0.0 with label None. A model is not thread-safe, not even for reading.

    Args:
        key: Secret key of the word hash, 16 bytes or more; None is a public key, for experiments.
        positive: The class of log-odds and probability, and the one that a stretch of a mail can decide for.
        smoothing: lambda, in mails, 0 to 1e300; below 1e-9 counts as 1e-9. It and the options down to `pair_weight`,
            and `balance`, apply when the state is read: they can be set on a trained model.
        shape: Exponent of the terms, 1 to 10.
        damping: Exponent of the length, 0 (scores add up) to 1 (scores are means).
        novelty: Weight of untrained features, 0 to 10.
        pair_weight: Weight of a pair, where a word has 1; 0 to 10.
        pairs: Whether pairs of adjacent words are features; fixed at construction.
        grams: Whether character n-grams of short mails are features; fixed at construction.
        band: Margin above which a label adds no word counts, 0.001 or more; `math.inf` learns every label in full.
        trust: Whether to learn and use the reliability of sources.
        balance: Whether to correct for few labels.
        max_features: Maximum number of features (see `evict`), 2000 or more; None for no limit. Fixed at construction.

    Raises:
        ValueError: An argument is outside its range.

    >>> model = MailNB()
    >>> for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")]:
    ...     model.learn_one(text, label)
    >>> model.predict_one("money for free")
    'spam'
    >>> model.unlearn_one("free money", "spam")
    >>> model.labels_learned
    2

    Sources: McCallum and Nigam, A comparison of event models for naive Bayes text classification (1998), for the
    textbook model; Goodman and Yih, Online discriminative spam filter training (2006), for learning near errors; Platt,
    Probabilistic outputs for support vector machines (1999), for the probabilities.
    """

    def score(self, x: Any) -> Score:
        """Score a mail without changing any state. Raises TypeError if `x` is not a message."""
        engine = self._engine if self._ready_for == self.parameters_set else self._ready()
        engine.score(x, self.positive)
        return engine.to_score(engine.result.tolist(), self._counts.labels)

    def score_many(self, X: Any) -> list[Score]:
        """`score` of each mail, in order; faster than single calls.

        Args:
            X: Mails, in the forms that `learn_many` accepts.
        """
        engine, labels = self._ready(), self._counts.labels
        return [engine.to_score(result, labels) for result in engine.score_many(self._batch(X).messages, self.positive)]

    def class_scores(self, x: Any) -> dict[ClassName, float]:
        """The score of every class (not a log-probability: see `MailNB`); ``{}`` for an empty model.

        Args:
            x: A mail.
        """
        result = self._result(x)
        return dict(zip(self.classes, result[_SCORES:], strict=True))

    def predict_one(self, x: Any) -> ClassName | None:
        """The class with the best score, on a tie the one with most labels; None for an empty model."""
        return self._best(self._result(x))

    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The score of `positive` minus the highest other score; 0.0 if there is no other class."""
        return margin(self.class_scores(x), checked_label(positive))

    def _predict_each(self, messages: list[Any]) -> list[ClassName | None]:
        return list(map(self._best, self._ready().score_many(messages, self.positive)))

    def predict_proba_one(self, x: Any) -> dict[ClassName, float]:
        """Calibrated probability of every class; ``{}`` for an empty model."""
        result = self._result(x)
        slope, shift = result[MailResult.SLOPE : MailResult.WORDS]
        joint = {label: slope * value for label, value in zip(self.classes, result[_SCORES:], strict=True)}
        if len(joint) == 2:
            joint[self.classes[self._engine.lead]] += shift
        return posterior(joint)

    def evidence(self, x: Any, most: int | None = None, label: Label | None = None) -> Evidence:
        """Explain a mail's log-odds for a class against the best other class.

        Terms and bias add up to the log-odds. Each term has its word or pair and its count in each class, in mails;
        the strongest come first. If a stretch of the mail decides, the terms outside it are 0.

        Args:
            x: A mail.
            most: Maximum number of terms, 0 or more (ValueError otherwise); None for all. A small number saves most of
                the time.
            label: The class; None for the positive one or, if that is unknown, the best one.

        Raises:
            KeyError: `label` is not a class of the model.
        """
        if most is not None:
            most = checked_whole("most", most, 0)
        engine = self._ready()
        terms = engine.explain(x, self.positive)
        result = engine.result.tolist()
        scores = dict(zip(self.classes, result[_SCORES:], strict=True))
        if label is None:
            label = self.positive if self.positive in scores else self._best(result)
        elif label not in scores:
            raise unknown_class(label, scores)
        return mail_evidence(engine, x, terms, scores, label, most)

    # Learning

    def grade(self, x: Any, label: Label, source: str = "") -> Update:
        """The update that learning this label would apply, given the current score and trust in `source`.

        Changes no state. `Update.tallies` are indexed by `stream_nb.kernels.layout.MailUpdate`, up to SOURCE_DOUBT; for
        a mail with features or a model with a starter, pool cells and gradients follow (`feature_part.POOL_CELL`).

        Args:
            x: A mail.
            label: Its class, which may be new.
            source: Who gives the label.

        Raises:
            TypeError: `x` is not a message.
        """
        return self._engine.grade(self._scored(x), checked_label(label), source)

    def learn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Learn a label: `grade` it and apply the update.

        Args:
            source: Who gives the label.
        """
        self._engine.learn(self._scored(x), checked_label(y), source)

    def learn_many(self, X: Any, y: Iterable[Label], source: str = "") -> None:
        """Learn each pair in order; bit for bit like `learn_one`, but faster. Raises ValueError if lengths differ.

        Args:
            source: Who gives the labels.
        """
        self.score_then_learn(X, y, source)

    def score_then_learn(self, X: Any, y: Iterable[Label], source: str = "") -> list[float]:
        """Test, then train: return the positive class's log-odds of each mail before its label was learned.

        Bit for bit like alternating `score` and `learn_one`, but faster. Raises ValueError if lengths differ.

        Args:
            X: Mails, in the forms that `learn_many` accepts.
            y: The class of each mail.
            source: Who gives the labels.
        """
        mails, labels = self._labelled(X, y)
        return self._ready().score_then_learn(mails, labels, self.positive, source)

    def unlearn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Revert a label as it would be graded now; a class without labels is removed. To revert exactly what was
        added, keep the update of `grade` for `revert_update`. Raises ValueError for a class without labels.

        Args:
            source: Who gave the label.
        """
        if self.statistics.labels.get(checked_label(y), 0) < 1:
            raise ValueError(f"class {y!r} has no message to unlearn; the classes are {list(self.classes)}")
        self.revert_update(x, self.grade(x, y, source))
        self._counts.forget_unlabelled(y)

    def _best(self, result: list[float]) -> ClassName | None:
        return self._engine.best(result, self._counts.labels)
