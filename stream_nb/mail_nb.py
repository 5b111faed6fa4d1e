"""MailNB: naive Bayes for mail, one message at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from stream_nb import kernels, keys, snapshot
from stream_nb.base import NaiveBayes, margin, posterior
from stream_nb.errors import SnapshotError
from stream_nb.mail_counts import MailCounts
from stream_nb.mail_machine import ROOM, MailMachine
from stream_nb.option import Option
from stream_nb.reader import Reader
from stream_nb.types import Evidence, Label, Lesson, Score, Term

_LEAST_SMOOTHING = 1e-9
_TRUST_SLOPE = 4.5


class MailNB(NaiveBayes):
    """Naive Bayes over the words and adjacent word pairs of a mail, each counted once a mail.

    The score of a mail is S / (T + 1)^damping. S sums one term a feature, T the weights of the features:
    a word weighs 1, a pair `pair_weight`. A feature trained on contributes its log-likelihood ratio w,
    shaped to sign(w) |w|^shape:

        w = log((n1 + lambda) / (n0 + lambda)) - log((N1 + lambda V) / (N0 + lambda V))

    with n the counters of the feature, N their sums over all features, V the number of features. A feature
    never trained on contributes `novelty` times the log ratio of how often features of its kind were new in
    either class. A mail is positive above 0; there is no class prior.

    A label teaches by how wrong the score was: with m the margin of the labelled class, every feature of
    the mail gains r = min(1, max(0, 1 - m / band)), 1 for the first 20 labels; `band=math.inf` trains on
    everything. With `trust`, the flip rate of each source of labels is learned online and a label the model
    finds unbelievable from an unreliable source counts less. Nor is what a label or two have taught believed
    further than labels are right: with e the flip rate of all sources together, the features with two mails'
    worth of counts or less add h' to the log-odds instead of their damped sum h,

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

    smoothing = Option(0.0, math.inf)
    shape = Option(1.0, 10.0)
    damping = Option(0.0, 1.0)
    novelty = Option(0.0, 10.0)
    pair_weight = Option(0.0, 10.0)
    band = Option(1e-3, math.inf)
    trust = Option(False, True)

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
        self.key = keys.checked(key)
        self.positive = positive
        self.smoothing = smoothing
        self.shape = shape
        self.damping = damping
        self.novelty = novelty
        self.pair_weight = pair_weight
        self.pairs = pairs
        self.band = band
        self.trust = trust
        if max_features is not None and max_features < ROOM:
            raise ValueError(f"max_features is {max_features!r}: give {ROOM} or more, or None for no bound")
        self.max_features = max_features
        self._begin(MailCounts())

    @classmethod
    def lock0(cls, **options: Any) -> Self:
        """The recipe with plain likelihood ratios (shape 1, damping 0.7, band 3): as accurate, ranks less
        well."""
        return cls(**{"shape": 1.0, "damping": 0.7, "band": 3.0, **options})

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that have learned labels, in the order in which they came."""
        return tuple(self._counts.columns)

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
        return self._machine.evicted

    # Scoring

    def score(self, x: Any) -> Score:
        """Score a mail; changes no state. Raises TypeError for what is not a message."""
        return self._told(self._look(x).found.tolist())

    def score_many(self, xs: Iterable[Any]) -> list[Score]:
        """`score` of each mail, in order, faster."""
        return list(map(self._told, self._ready().look_at_many(xs, self.positive)))

    def joint_log_scores(self, x: Any) -> dict[Label, float]:
        """The recipe's scores (not log probabilities) of every class; ``{}`` before the first."""
        found = self._look(x).found.tolist()
        return dict(zip(self.classes, found[kernels.SCORES :], strict=True))

    def predict_one(self, x: Any) -> Label | None:
        """The class with the best score, among equals the one with most labels; None before the first."""
        return self._best(self._look(x).found.tolist())

    def predict_many(self, xs: Iterable[Any]) -> list[Label | None]:
        """`predict_one` of each mail, faster."""
        return list(map(self._best, self._ready().look_at_many(xs, self.positive)))

    def predict_proba_one(self, x: Any) -> dict[Label, float]:
        """Calibrated probability of every class; they sum to 1; ``{}`` before the first."""
        machine = self._look(x)
        slope, shift = machine.found[kernels.SLOPE : kernels.WORDS].tolist()
        joint = {label: slope * value for label, value in self.joint_log_scores(x).items()}
        if len(joint) == 2:
            joint[self.classes[machine.lead]] += shift
        return posterior(joint)

    def evidence(self, x: Any, most: int | None = None) -> Evidence:
        """Why a mail scores as it does for the positive class (or, if it has not come, the best) against
        the rest.

        The terms add up to the log-odds; each names its word or pair and how many mails' worth of it either
        class has learned. The strongest come first; with `most`, the rest is left out, which saves most of the
        time. Rows L4, E5.
        """
        columns = self._counts.columns
        machine = self._ready()
        terms = machine.explain(x, self.positive)
        found = machine.found.tolist()
        scores = dict(zip(columns, found[kernels.SCORES :], strict=True))
        label = self.positive if self.positive in scores else self._best(found)
        rivals = {other: value for other, value in scores.items() if other != label}
        weights = np.zeros(len(terms))
        if rivals:
            rival = max(rivals, key=rivals.__getitem__)
            weights = terms[:, columns[label]] - terms[:, columns[rival]]
        order = np.argsort(-np.abs(weights), kind="stable")[:most]
        return Evidence(margin(scores, label), 0.0, tuple(self._term(int(i), float(weights[i])) for i in order))

    # Learning

    def grade(self, x: Any, label: Label, source: str = "") -> Lesson:
        """What learning this label now would add, by the score now and the trust in `source`; changes no
        state.

        The tallies are: labels, sum of increments, words met, new words, pairs met, new pairs (the last
        four in 1/256), the bin of the margin in the calibration histogram and what it gains, labels of the
        source, and the doubt in them (1/65536).
        """
        return self._look(x).grade(_plain(label), source)

    def apply(self, x: Any, lesson: Lesson) -> None:
        """Add a lesson about a mail; on any model with the same key, the sum is the same."""
        self._machine.learn(x, lesson, 1)

    def retract(self, x: Any, lesson: Lesson) -> None:
        """Take a lesson about a mail back: the exact opposite of `apply`."""
        self._machine.learn(x, lesson, -1)
        self._counts.forget_empty((lesson.source,))

    def learn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Learn a label: grade it now and apply the lesson."""
        self._look(x).teach(x, _plain(y), source)

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
        return self._ready().look_and_teach(xs, labels, self.positive, source)

    def unlearn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Take back a label as if it had been graded now.

        Exactly the opposite of `learn_one` when every label counts 1 (`band=math.inf`, no trust). Graded
        lessons are remembered by their caller and taken back with `retract`.
        """
        self.retract(x, self.grade(x, y, source))

    def merge(self, other: Self) -> None:
        """Add everything another model learned. Raises ValueError when its hash key is another."""
        self._counts.combine(self._checked(other), 1)

    def unmerge(self, other: Self) -> None:
        """Take back what `merge` added."""
        self._counts.combine(self._checked(other), -1)

    def decay(self, factor: float) -> None:
        """Multiply everything learned by `factor`, 0 to 1, in whole units; lessons given before no longer fit.

        Forgetting never helped on streams of some thousand mails; it is for drift over years. Raises ValueError
        outside the range.
        """
        if not 0.0 <= factor <= 1.0:
            raise ValueError(f"decay factor is {factor!r}: give a number from 0 (forget all) to 1 (nothing)")
        self._counts.decay(factor)

    def evict(self, most: int) -> int:
        """Forget the rarest words and pairs until at most `most` are left; returns how many went.

        Rare is the sum of the counters over all classes; of equals pairs go before words. `evicted` counts
        all that ever went from this object. With `max_features` this happens by itself, an eighth at a
        time. A lesson given before can still be taken back: a feature gone meanwhile then counts below
        zero, which reads as 0.
        """
        return self._machine.evict(most)

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        twin = type(self)(**self._options())
        twin._begin(self._counts.copy())
        return twin

    def delta(self) -> Self:
        """An empty model with the same options, for lessons to be merged into models like this one.

        What this model has just read, the delta need not read again; both are for one and the same thread.
        """
        empty = type(self)(**self._options())
        empty._machine = MailMachine(self._machine.reader, MailCounts(), self.max_features)
        return empty

    # State

    def to_bytes(self) -> bytes:
        """The whole model, its key included; equal models give equal bytes, whatever the order of
        learning."""
        values, arrays = self._counts.pack()
        options = {**self._options(), "key": self.key.hex(), "band": repr(self.band)}
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
        model._begin(MailCounts.unpack(values, arrays, model._machine.reader.factors))
        return model

    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal options: equal bytes."""
        return type(other) is type(self) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self):
        return _restored, (type(self), self.to_bytes())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self._options().items() if name != "key")
        return f"{type(self).__name__}({shown})"

    # Inside

    def _begin(self, counts: MailCounts) -> None:
        reader = Reader(self.key, self.pairs, ROOM, counted=False)
        self._machine = MailMachine(reader, counts, self.max_features)
        self._settings = None

    @property
    def _counts(self) -> MailCounts:
        return self._machine.counts

    def _look(self, x: Any) -> MailMachine:
        """The machine, having looked at a mail."""
        machine = self._machine if self._settings is not None else self._ready()
        machine.look(x, self.positive)
        return machine

    def _ready(self) -> MailMachine:
        """The machine, with the options as they are now."""
        if self._settings is None:
            slope = _TRUST_SLOPE if self.trust else 0.0
            smoothing = max(self.smoothing, _LEAST_SMOOTHING)
            options = (smoothing, self.damping, self.shape, self.novelty, self.pair_weight, self.band, slope)
            self._settings = np.array(options, np.float64)
            self._machine.set_options(self._settings)
        return self._machine

    def _told(self, found: list[float]) -> Score:
        best, log_odds, probability, _, _, words, new_words, pairs, new_pairs = found[: kernels.SCORES]
        machine = self._machine
        label = machine.labels[int(best)] if best >= 0.0 else self._best(found)
        scores = {each: found[place] for each, place in machine.places}
        unseen = int(new_words + new_pairs)
        return Score(label, log_odds, probability, scores, int(words + pairs) - unseen, unseen)

    def _best(self, found: list[float]) -> Label | None:
        best = int(found[kernels.BEST])
        if best >= 0:
            return self._machine.labels[best]
        scores, learned = found[kernels.SCORES :], self._counts.tallies[:, kernels.LABELS]
        winners = [c for c, score in enumerate(scores) if score == max(scores)]
        order = sorted(winners, key=lambda c: (-learned[c], str(self.classes[c])))
        return self.classes[order[0]] if order else None

    def _checked(self, other: Self) -> MailCounts:
        if other.key != self.key:
            raise ValueError("the other model hashes words with another key; merge models of one key")
        return other._counts

    def _term(self, i: int, weight: float) -> Term:
        reader = self._machine.reader
        row = int(reader.rows[i])
        counts = self._counts.table.counts[row].tolist() if row >= 0 else [0] * len(self.classes)
        kind = "pair" if reader.spans[i, 2] < 0 else "word"
        in_mails = {label: counts[column] / kernels.UNIT for label, column in self._counts.columns.items()}
        return Term(reader.text_of(i), kind, weight, in_mails)

    def _options(self) -> dict[str, Any]:
        names = ("key", "positive", "smoothing", "shape", "damping", "novelty", "pair_weight")
        names += ("pairs", "band", "trust", "max_features")
        return {name: getattr(self, name) for name in names}


def _plain(label: Any) -> Label:
    """numpy's scalars as Python's, so that equal labels are one class and can be written down."""
    return label.item() if isinstance(label, np.generic) else label


def _restored(cls: type[MailNB], data: bytes) -> MailNB:
    return cls.from_bytes(data)
