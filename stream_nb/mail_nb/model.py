"""MailNB: naive Bayes for mail, one message at a time."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from stream_nb.features.class_counts import checked_label
from stream_nb.kernels.layout import MailResult, MailTotal
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.mail_nb.evidence import mail_evidence
from stream_nb.mail_nb.forgetting import ForgettingModel
from stream_nb.posterior import margin, posterior
from stream_nb.types import Evidence, Label, Score, Update

_BEST, _SCORES = int(MailResult.BEST), int(MailResult.SCORES)  # members of enumerations are slow to reach


class MailNB(ForgettingModel):
    """Naive Bayes over the words and adjacent word pairs of a mail, each counted once a mail.

    The score of a mail is S / (T + 1)^damping. S sums one term a feature, T the weights of the features: a word weighs
    1, a pair `pair_weight`. A feature trained on contributes its log-likelihood ratio w, shaped to sign(w) |w|^shape:

        w = log((n1 + lambda) / (n0 + lambda)) - log((N1 + lambda V) / (N0 + lambda V))

    with n the counters of the feature, N their sums over all features, V the number of features. A feature never
    trained on contributes `novelty` times the log ratio of how often features of its kind were new in either class: in
    full up to three times as many as are expected beside the known ones, and the less, the more there are, so that a
    mail in another language, or of no text, is of neither class. A mail is positive above 0; there is no class prior.
    With `grams` a quarter of a short mail's score is the same of its first 150 character n-grams (`kernels.grams`).
    For the positive class it scores at least what its best stretch does, less a penalty (`stream_nb.kernels.stretch`).

    `balance` makes up for few labels (`stream_nb.kernels.class_balance`): a rare class is smoothed less; after n labels
    the score is divided by sqrt(1 + 40 / (n + 2)); and a bias, which fades as 20 / (20 + n) with the labels n of the
    lesser class, is the difference of both classes' mean margins, each within 1.5 of 0.

    A label counts by how wrong the score was: with m the margin of the labelled class, every feature of the mail gains
    r = min(1, max(0, 1 - m / band)), 1 for the first 20 labels; `band=math.inf` trains on everything. With `trust`, the
    flip rate of each source of labels is learned online and a label the model finds unbelievable from an unreliable
    source counts less; of two classes, the opposite is learned of one from a source that is wrong more often than right
    (`stream_nb.kernels.label_trust`). So does what others have said of the same list or sender (`originator_trust`).
    The first 20 labels count in full, and so do the first of a class that comes late or is rare: they look like wrong
    ones. A believed label that contradicts the score also takes back up to min(-m, 4) from each feature's count in the
    class that the score favoured, so that a changed mind is followed (`stream_nb.kernels.mail_nb_update`); a count
    below 0 reads as 0, and N does not shrink. Nor is what a label or two have added believed further than labels are
    right: with e the flip rate of labels of reliable sources, the features with two mails' worth of counts or less
    (many, and all wrong together when a label is) add h' to the log-odds instead of their damped sum h,

        h' = log(((1-e) exp(a h) + e) / ((1-e) + e exp(a h))) / a,    a the slope of trust.

    All of it is sums of integers (counts in 1/256 of a mail), so learning can be undone, split and merged without a
    trace. `smoothing` to `pair_weight`, and `balance`, are chosen when reading: they can be set on a trained model.
    Shape 1, damping 0, novelty 0, an infinite band and smoothing 1 without pairs, trust and balance is the textbook
    Boolean multinomial with a uniform prior.

    With more than two classes, each class scores half its log-odds against all the others together, and m is its
    score less the best other's (measured: `tests/benchmarks/routing.py`). A model that begins with a starter reads its
    own counts with a share of the starter's, which labels decide on (`stream_nb.mail_nb.starter`).

    Mails may be `Mail`, text, lists of tokens (taken as they are), or dicts of counts (which have no pairs). An empty
    model scores 0.0 with label None. A model is for one thread at a time, reading included.

    Numbers and categories that a mail has beside its words (`Mail.features`, the first 1,000) add to its score:

        score = words + w1 numbers + w2 categories,    a part = (sum of its features' terms) / (features + 1)^damping

    A term is a log-likelihood ratio (`stream_nb.kernels.feature_terms`: of a number by counts of its neighbourhood and
    a normal distribution within it, of a category by counts); those of numbers have weights of their own, so that what
    several say alike counts less (`stream_nb.kernels.number_weights`). They count for every label that is believed. The
    weights w are learned: each label leaves the margins of the parts alone, as they were when it was learned, in a
    histogram, and the weights are those under which these margins predict the labels best. Ten numbers of a mail's
    shape added with full weight make (1-AUC) 20 to 60 times worse; with these weights one of four streams gets better
    and none worse, beyond the noise of a bootstrap (`tests/benchmarks/numbers.py`). Without features nothing is added.

    Args:
        key: Secret of the word hash, 16 bytes or more; None is a key for study.
        positive: The class that log-odds and probability speak of, and that a stretch of a mail may decide on.
        smoothing: lambda, in mails, 0 or more and finite; below 1e-9 counts as 1e-9.
        shape: 1 to 10.
        damping: 0 to 1.
        novelty: 0 to 10.
        pair_weight: 0 to 10.
        pairs: Whether adjacent words are features; chosen when the model is made.
        grams: Whether character n-grams of short mails are features, too; chosen when the model is made.
        band: 0.001 or more, `math.inf` to learn every label in full.
        trust: Whether the reliability of the sources of labels counts.
        balance: Whether it makes up for few labels.
        max_features: The most features kept (see `evict`), 2000 or more; None: no bound. Chosen when it is made.

    Raises:
        ValueError: An argument is outside its range; the message names it and the range.

    >>> model = MailNB()
    >>> for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")]:
    ...     model.learn_one(text, label)
    >>> model.predict_one("money for free")
    'spam'
    >>> model.unlearn_one("free money", "spam")
    >>> model.labels_learned
    2

    Source: McCallum and Nigam, A comparison of event models for naive Bayes text classification (1998) for the model
    that remains without the departures; Goodman and Yih, Online discriminative spam filter training (2006) for learning
    near errors; Platt, Probabilistic outputs for support vector machines (1999) for the probabilities.
    """

    def score(self, x: Any) -> Score:
        """Score a mail; changes no state. Raises TypeError for what is not a message."""
        engine = self._engine if self._ready_for == self.parameters_set else self._ready()
        engine.score(x, self.positive)
        return self._to_score(engine, engine.result.tolist())

    def score_many(self, X: Any) -> list[Score]:
        """`score` of each mail, in order, faster.

        Args:
            X: Mails, as `learn_many` takes them.
        """
        engine = self._ready()
        return [self._to_score(engine, result) for result in engine.score_many(self._batch(X).messages, self.positive)]

    def class_scores(self, x: Any) -> dict[Label, float]:
        """The score of every class (no log probability: see `MailNB`); ``{}`` before the first.

        Args:
            x: A mail.
        """
        result = self._result(x)
        return dict(zip(self.classes, result[_SCORES:], strict=True))

    def predict_one(self, x: Any) -> Label | None:
        """The class with the best score, among equals the one with most labels; None before the first."""
        return self._best(self._result(x))

    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The score of `positive` less the best other's; 0.0 without a rival."""
        return margin(self.class_scores(x), positive)

    def _predict_each(self, messages: list[Any]) -> list[Label | None]:
        return list(map(self._best, self._ready().score_many(messages, self.positive)))

    def predict_proba_one(self, x: Any) -> dict[Label, float]:
        """Calibrated probability of every class; they sum to 1; ``{}`` before the first."""
        self._scored(x)
        engine = self._engine
        slope, shift = engine.result[MailResult.SLOPE : MailResult.WORDS].tolist()
        joint = {label: slope * value for label, value in self.class_scores(x).items()}
        if len(joint) == 2:
            joint[self.classes[engine.lead]] += shift
        return posterior(joint)

    def evidence(self, x: Any, most: int | None = None) -> Evidence:
        """Why a mail scores as it does for the positive class (or, if it has not come, the best) against the rest.

        Terms and bias add up to the log-odds; each term names its word or pair and how many mails' worth of it either
        class has learned. Where a stretch of the mail decides, the rest adds 0. The strongest come first.

        Args:
            x: A mail.
            most: How many terms to give, 0 or more; None for all. Few save most of the time.
        """
        engine = self._ready()
        terms = engine.explain(x, self.positive)
        result = engine.result.tolist()
        scores = dict(zip(self.classes, result[_SCORES:], strict=True))
        label = self.positive if self.positive in scores else self._best(result)
        return mail_evidence(engine, x, terms, scores, label, most)

    # Learning

    def grade(self, x: Any, label: Label, source: str = "") -> Update:
        """What learning this label now would add, by the score now and the trust in `source`; changes no state.

        `Update.tallies` are: labels, sum of increments, words met, new words, pairs met, new pairs (the last four in
        1/256), how reliable its source is (1/256) and how far it is then doubted (1/65536), the bin of the margin and
        what the histograms of believed and of all labels gain, labels of the source, the doubt in them (1/65536), and,
        of a mail with features or beside a starter, cells and gradients (`feature_part.POOL_CELL`).

        Args:
            x: A mail.
            label: Its class, which need not have been met.
            source: Who says so.

        Raises:
            TypeError: `x` is not a message.
        """
        return self._engine.grade(self._scored(x), checked_label(label), source)

    def learn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Learn a label: grade it now and apply the update.

        Args:
            source: Who says so.
        """
        self._engine.learn(self._scored(x), checked_label(y), source)

    def learn_many(self, X: Any, y: Iterable[Label], source: str = "") -> None:
        """Learn each pair in order: the same bits as one by one, faster. ValueError when lengths differ.

        Args:
            source: Who says so.
        """
        self.score_then_learn(X, y, source)

    def score_then_learn(self, X: Any, y: Iterable[Label], source: str = "") -> list[float]:
        """Test, then train: the log-odds of the positive class before each label was learned.

        The same bits as `score` and `learn_one` in turns. Raises ValueError when lengths differ.

        Args:
            X: Mails, as `learn_many` takes them.
            y: Their classes, as many.
            source: Who says so.
        """
        mails, labels = self._labelled(X, y)
        return self._ready().score_then_learn(mails, labels, self.positive, source)

    def unlearn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Take back a label as if it had been graded now; for what was added exactly, keep the update of `grade`,
        and `revert_update` it. With its last label a class goes. ValueError for a class never learned.

        Args:
            source: Who said so.
        """
        if y not in self.classes:
            raise ValueError(f"class {y!r} has no message to take back; the classes are {list(self.classes)}")
        self.revert_update(x, self.grade(x, y, source))
        self._counts.forget_unlabelled(y)

    def _to_score(self, engine: MailEngine, result: list[float]) -> Score:
        best, log_odds, probability, _, _, words, new_words, pairs, new_pairs, _ = result[:_SCORES]
        label = engine.classes[int(best)] if best >= 0.0 else self._best(result)
        scores = {each: result[place] for each, place in engine.places}
        known, unseen = int(words + pairs - new_words - new_pairs), int(new_words + new_pairs)
        if engine.extractor.features:
            known, unseen = known + engine.features.known, unseen + engine.features.unseen
        return Score(label, log_odds, probability, scores, known, unseen)

    def _best(self, result: list[float]) -> Label | None:
        best = int(result[_BEST])
        if best >= 0:
            return self._engine.classes[best]
        scores, learned = result[_SCORES:], self._counts.totals[:, MailTotal.LABELS]
        winners = [c for c, score in enumerate(scores) if score == max(scores)]
        order = sorted(winners, key=lambda c: (-learned[c], str(self.classes[c])))
        return self.classes[order[0]] if order else None
