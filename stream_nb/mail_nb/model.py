"""MailNB: naive Bayes for mail, one message at a time."""

from __future__ import annotations

import math
import sys
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from stream_nb import parameter, snapshot
from stream_nb.base import margin, posterior
from stream_nb.errors import SnapshotError
from stream_nb.features import hash_key
from stream_nb.features.extractor import Extractor
from stream_nb.features.model import CountingNB
from stream_nb.kernels.layout import UNIT, MailResult, MailSetting, MailTotal
from stream_nb.mail_nb.engine import ROOM, MailEngine, ScoredMessage
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.mail_nb.view import MailView
from stream_nb.types import Evidence, Label, Score, Term, Update

LEAST_SMOOTHING = 1e-9
_TRUST_SLOPE = 4.5


class MailNB(CountingNB[MailStatistics]):
    """Naive Bayes over the words and adjacent word pairs of a mail, each counted once a mail.

    The score of a mail is S / (T + 1)^damping. S sums one term a feature, T the weights of the features:
    a word weighs 1, a pair `pair_weight`. A feature trained on contributes its log-likelihood ratio w,
    shaped to sign(w) |w|^shape:

        w = log((n1 + lambda) / (n0 + lambda)) - log((N1 + lambda V) / (N0 + lambda V))

    with n the counters of the feature, N their sums over all features, V the number of features. A feature
    never trained on contributes `novelty` times the log ratio of how often features of its kind were new in
    either class. A mail is positive above 0; there is no class prior.

    A label counts by how wrong the score was: with m the margin of the labelled class, every feature of
    the mail gains r = min(1, max(0, 1 - m / band)), 1 for the first 20 labels; `band=math.inf` trains on
    everything. With `trust`, the flip rate of each source of labels is learned online and a label the model
    finds unbelievable from an unreliable source counts less. That begins with 20 labels of the source and 50
    of the class: the first labels of a class that comes late, or is rare, look just like wrong ones. Nor is
    what a label or two have added believed further than labels are right: with e the flip rate of all
    sources together, the features with two mails' worth of counts or less add h' to the log-odds instead of
    their damped sum h,

        h' = log(((1-e) exp(a h) + e) / ((1-e) + e exp(a h))) / a,    a the slope of trust.

    Words that only one mail has are many, and all wrong together when its label is.

    All of it is sums of integers (counts in 1/256 of a mail), so learning can be undone, split and merged
    without a trace. `smoothing` to `pair_weight` are chosen when reading: they can be set on a trained
    model. Shape 1, damping 0, novelty 0, an infinite band and smoothing 1 without pairs and trust is the
    textbook Boolean multinomial with a uniform prior.

    With more than two classes, each class scores half its log-odds against all the others together, and m is its
    score less the best other's. On ham of three people as three folders plus their spam (`tests/benchmarks/
    routing.py`) that beat the least or the mean of the log-odds against each other class, and a comparison with
    the mean class, at C instead of C^2 terms a feature.

    Arguments: `key` is the secret of the word hash, 16 bytes or more (the default is for study); `positive`
    the class that log-odds speak of; `smoothing` lambda in mails, from 1e-9; `shape` 1 or more; `damping` 0
    to 1; `novelty` and `pair_weight` 0 to 10; `pairs` whether pairs are features; `band` 0.001 or more;
    `max_features` the most words and pairs kept (see `evict`). Raises ValueError, naming the argument,
    outside these ranges.

    Numbers and categories that a mail has beside its words (`Mail.features`, the first 100) add to its score:

        score = words + w1 numbers + w2 categories,    a part = (sum of its features' terms) / (features + 1)^damping

    A term is a log-likelihood ratio (`stream_nb.kernels.features`: of a number by counts of its neighbourhood and a
    normal distribution within it, of a category by counts). They count in full for every label that is believed. The
    weights w are learned: each label leaves the margins of the parts alone, as they were when it was learned, in a
    histogram, and the weights are those under which these margins predict the labels best. On mail, ten numbers of its
    shape added with full weight make (1-AUC) 20 to 60 times worse, with these weights none of four streams gets worse
    and two get better (`tests/benchmarks/numbers.py`). A mail without features scores as if there were none.

    Mails may be `Mail`, text, lists of tokens (taken as they are), or dicts of counts (which have no pairs).
    An empty model scores 0.0 with label None. A model is for one thread at a time, reading included.

    >>> model = MailNB()
    >>> for text, label in [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam")]:
    ...     model.learn_one(text, label)
    >>> model.predict_one("money for free")
    'spam'
    >>> model.unlearn_one("free money", "spam")
    >>> model.labels_learned
    2

    Source: notes 001 (3.12 to 3.19) and 003 for the model, rows M3, E1, E3, E5, E6, L4; the departures, each
    measured on mail, are damping, shape, novelty and graded learning.
    """

    smoothing = parameter.number(0.0, sys.float_info.max)
    shape = parameter.number(1.0, 10.0)
    damping = parameter.number(0.0, 1.0)
    novelty = parameter.number(0.0, 10.0)
    pair_weight = parameter.number(0.0, 10.0)
    band = parameter.number(1e-3, math.inf)
    trust = parameter.flag()
    parameters_set: int

    def __init__(
        self,
        key: bytes | None = None,
        positive: Label = "spam",
        smoothing: float = 0.1,
        shape: float = 1.5,
        damping: float = 0.8,
        novelty: float = 0.75,
        pair_weight: float = 0.5,
        pairs: bool = True,
        band: float = 4.0,
        trust: bool = True,
        max_features: int | None = None,
    ) -> None:
        self.key = hash_key.checked(key)
        self.positive = positive
        self.smoothing = smoothing
        self.shape = shape
        self.damping = damping
        self.novelty = novelty
        self.pair_weight = pair_weight
        self._pairs = bool(pairs)
        self.band = band
        self.trust = trust
        if max_features is not None and max_features < ROOM:
            raise ValueError(f"max_features is {max_features!r}: give {ROOM} or more, or None for no bound")
        self._max_features = max_features
        self.attach(MailStatistics())

    @property
    def pairs(self) -> bool:
        """Whether pairs of adjacent words are features; chosen when the model is made."""
        return self._pairs

    @property
    def max_features(self) -> int | None:
        """The most words and pairs kept, None for no bound; chosen when the model is made."""
        return self._max_features

    @property
    def statistics(self) -> MailView:
        """What has been counted, to read: features, labels, sources and margins."""
        return MailView(self._counts, self._engine.extractor)

    @property
    def labels_learned(self) -> int:
        """How many labels count in the statistics now."""
        return self._counts.labels_learned

    @property
    def features(self) -> int:
        """Distinct words and pairs with a count."""
        return self._counts.table.live

    @property
    def nbytes(self) -> int:
        """Resident bytes of the counts, without the words' texts."""
        return self._counts.table.nbytes

    @property
    def evicted(self) -> int:
        """Words and pairs that this object has forgotten for want of room."""
        return self._engine.evicted

    # Scoring

    def score(self, x: Any) -> Score:
        """Score a mail; changes no state. Raises TypeError for what is not a message."""
        return self._to_score(self._result(x))

    def score_many(self, xs: Iterable[Any]) -> list[Score]:
        """`score` of each mail, in order, faster."""
        return list(map(self._to_score, self._ready().score_many(xs, self.positive)))

    def class_scores(self, x: Any) -> dict[Label, float]:
        """The score of every class (no log probability: see `MailNB`); ``{}`` before the first."""
        result = self._result(x)
        return dict(zip(self.classes, result[MailResult.SCORES :], strict=True))

    def predict_one(self, x: Any) -> Label | None:
        """The class with the best score, among equals the one with most labels; None before the first."""
        return self._best(self._result(x))

    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The score of `positive` less the best other's; 0.0 without a rival."""
        return margin(self.class_scores(x), positive)

    def predict_many(self, xs: Iterable[Any]) -> list[Label | None]:
        """`predict_one` of each mail, faster."""
        return list(map(self._best, self._ready().score_many(xs, self.positive)))

    def predict_proba_one(self, x: Any) -> dict[Label, float]:
        """Calibrated probability of every class; they sum to 1; ``{}`` before the first."""
        self._scored(x)
        engine = self._engine
        slope, shift = engine.result[MailResult.SLOPE : MailResult.WORDS].tolist()
        joint = {label: slope * value for label, value in self.class_scores(x).items()}
        if len(joint) == 2:
            joint[self.classes[engine.lead]] += shift
        return posterior(joint)

    def evidence(self, x: Any) -> Evidence:
        """Why a mail scores as it does for the positive class (or, if it has not come, the best) against
        the rest.

        The terms add up to the log-odds; each names its word or pair and how many mails' worth of it either
        class has learned. The strongest come first. Rows L4, E5.
        """
        columns = self._counts.columns
        engine = self._ready()
        terms = engine.explain(x, self.positive)
        result = engine.result.tolist()
        scores = dict(zip(columns, result[MailResult.SCORES :], strict=True))
        label = self.positive if self.positive in scores else self._best(result)
        rivals = {other: value for other, value in scores.items() if other != label}
        rival = max(rivals, key=rivals.__getitem__, default=None)
        weights = np.zeros(len(terms))
        if rival is not None:
            weights = terms[:, columns[label]] - terms[:, columns[rival]]
        found = engine.features.evidence(x, label, rival)
        found += [self._term(i, weight) for i, weight in enumerate(weights.tolist())]
        found.sort(key=lambda term: -abs(term.weight))
        return Evidence(margin(scores, label), 0.0, tuple(found))

    # Learning

    def grade(self, x: Any, label: Label, source: str = "") -> Update:
        """What learning this label now would add, by the score now and the trust in `source`; changes no
        state.

        The tallies are: labels, sum of increments, words met, new words, pairs met, new pairs (the last
        four in 1/256), the bin of the margin in the calibration histogram and what it gains, labels of the
        source, the doubt in them (1/65536), and, of a mail with features, their cell in the pool.
        """
        return self._engine.grade(self._scored(x), _plain(label), source)

    def apply_update(self, x: Any, update: Update) -> None:
        """Add a update about a mail; on any model with the same key, the sum is the same."""
        self._engine.add(x, update, 1)

    def revert_update(self, x: Any, update: Update) -> None:
        """Take a update about a mail back: the exact opposite of `apply`."""
        self._engine.add(x, update, -1)
        self._counts.forget_sources((update.source,))
        self._counts.forget_empty()

    def learn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Learn a label: grade it now and apply the update."""
        self._engine.learn(self._scored(x), _plain(y), source)

    def learn_many(self, xs: Iterable[Any], ys: Iterable[Label], source: str = "") -> None:
        """Learn each pair in order: the same bits as one by one, faster. ValueError when lengths differ."""
        self.score_then_learn(xs, ys, source)

    def score_then_learn(self, xs: Iterable[Any], ys: Iterable[Label], source: str = "") -> list[float]:
        """Test, then train: the log-odds of the positive class before each label was learned.

        The same bits as `score` and `learn_one` in turns. Raises ValueError when lengths differ.
        """
        xs, labels = list(xs), [_plain(y) for y in ys]
        if len(xs) != len(labels):
            raise ValueError(f"{len(xs)} messages and {len(labels)} labels: give one label a message")
        return self._ready().score_then_learn(xs, labels, self.positive, source)

    def unlearn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Take back a label as if it had been graded now.

        Exactly the opposite of `learn_one` when every label counts 1 (`band=math.inf`, no trust). Graded
        updates are remembered by their caller and taken back with `retract`.
        """
        self.revert_update(x, self.grade(x, y, source))

    def unmerge(self, other: Self) -> None:
        """Take back what `merge` added."""
        self._checked(other).add_to(self._counts, -1)

    def evict(self, most: int) -> int:
        """Forget the rarest words and pairs until at most `most` are left; returns how many went.

        Rare is the sum of the counters over all classes; of equals pairs go before words. `evicted` counts
        all that ever went from this object. With `max_features` this happens by itself, an eighth at a
        time. A update given before can still be taken back: a feature gone meanwhile then counts below
        zero, which reads as 0.
        """
        return self._engine.evict(most)

    def delta(self) -> Self:
        """An empty model with the same options, for updates to be merged into models like this one.

        What this model has just read, the delta need not read again; both are for one and the same thread.
        """
        empty = type(self)(**self.options())
        empty.attach(MailStatistics(), self._engine.extractor)
        return empty

    def attach(self, counts: MailStatistics, extractor: Extractor | None = None) -> None:
        """Read and change these statistics from now on; `extractor` is one of the same key and pairs to share."""
        extractor = extractor or Extractor(self.key, self._pairs, ROOM, counted=False)
        self._counts = counts
        self._engine = MailEngine(extractor, counts, self._max_features)
        self._ready_for = -1

    # State

    def to_bytes(self) -> bytes:
        """The whole model, its key included; equal models give equal bytes, whatever the order of
        learning."""
        values, arrays = self._counts.pack()
        options = {**self.options(), "key": self.key.hex(), "band": repr(self.band)}
        return snapshot.pack("MailNB", {"options": options, **values}, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The model that `to_bytes` gave. Raises SnapshotError when the bytes are damaged or something
        else."""
        values, arrays = snapshot.unpack(data, "MailNB")
        try:
            options = dict(values["options"])
            options |= {"key": bytes.fromhex(options["key"]), "band": float(options["band"])}
            model = cls(**options)
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a MailNB with options missing or misshapen: {error}") from error
        model.attach(MailStatistics.unpack(values, arrays, hash_key.hash_multipliers(model.key)))
        return model

    # Inside

    def _result(self, x: Any) -> list[float]:
        """What is found of a mail, laid out by `MailResult`."""
        self._scored(x)
        return self._engine.result.tolist()

    def _scored(self, x: Any) -> ScoredMessage:
        engine = self._engine if self._ready_for == self.parameters_set else self._ready()
        return engine.score(x, self.positive)

    def _ready(self) -> MailEngine:
        """The engine, with the options as they are now."""
        if self._ready_for != self.parameters_set:
            slope = _TRUST_SLOPE if self.trust else 0.0
            self._engine.set_options(
                {
                    MailSetting.SMOOTHING: max(self.smoothing, LEAST_SMOOTHING),
                    MailSetting.DAMPING: self.damping,
                    MailSetting.SHAPE: self.shape,
                    MailSetting.NOVELTY: self.novelty,
                    MailSetting.PAIR_WEIGHT: self.pair_weight,
                    MailSetting.BAND: self.band,
                    MailSetting.TRUST: slope,
                }
            )
            self._ready_for = self.parameters_set
        return self._engine

    def _to_score(self, result: list[float]) -> Score:
        best, log_odds, probability, _, _, words, new_words, pairs, new_pairs = result[: MailResult.SCORES]
        engine = self._engine
        label = engine.classes[int(best)] if best >= 0.0 else self._best(result)
        scores = {each: result[place] for each, place in engine.places}
        unseen = int(new_words + new_pairs)
        return Score(label, log_odds, probability, scores, int(words + pairs) - unseen, unseen)

    def _best(self, result: list[float]) -> Label | None:
        best = int(result[MailResult.BEST])
        if best >= 0:
            return self._engine.classes[best]
        scores, learned = result[MailResult.SCORES :], self._counts.totals[:, MailTotal.LABELS]
        winners = [c for c, score in enumerate(scores) if score == max(scores)]
        order = sorted(winners, key=lambda c: (-learned[c], str(self.classes[c])))
        return self.classes[order[0]] if order else None

    def _term(self, i: int, weight: float) -> Term:
        extractor = self._engine.extractor
        row = int(extractor.row_ids[i])
        counts = self._counts.table.counts[row].tolist() if row >= 0 else [0] * len(self.classes)
        kind = "pair" if extractor.token_spans[i, 2] < 0 else "word"
        in_mails = {label: counts[column] / UNIT for label, column in self._counts.columns.items()}
        return Term(extractor.text_of(i), kind, weight, in_mails)


def _plain(label: Any) -> Label:
    """numpy's scalars as Python's, so that equal labels are one class and can be written down."""
    return label.item() if isinstance(label, np.generic) else label
