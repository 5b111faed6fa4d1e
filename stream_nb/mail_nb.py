"""MailNB: naive Bayes for mail, one message at a time."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from typing import Any, Self

import numpy as np

from stream_nb import kernels, keys, snapshot
from stream_nb.base import NaiveBayes, margin, posterior
from stream_nb.errors import SnapshotError
from stream_nb.option import Option
from stream_nb.reader import Reader
from stream_nb.table import Canonical, CountTable
from stream_nb.types import Evidence, Label, Lesson, Mail, Score, Term

ROOM = 2000
"""Distinct features of a message that count; a message cannot buy more time or memory than that."""

_LEAST_SMOOTHING = 1e-9
_TRUST_SLOPE = 4.5
_WEIGHT, _SOURCE_LABELS, _DOUBT = 0, 9, 10  # of a lesson


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
    finds unbelievable from an unreliable source counts less.

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
        self.evicted = 0
        self._columns: dict[Label, int] = {}
        self._tallies = np.zeros((0, kernels.TALLIES), np.int64)
        self._sources: dict[str, tuple[int, int]] = {}
        self._table = CountTable()
        self._begin()

    @classmethod
    def lock0(cls, **options: Any) -> Self:
        """The recipe with plain likelihood ratios (shape 1, damping 0.7, band 3): as accurate, ranks less
        well."""
        return cls(**{"shape": 1.0, "damping": 0.7, "band": 3.0, **options})

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that have learned labels, in the order in which they came."""
        return tuple(self._columns)

    @property
    def labels_learned(self) -> int:
        """How many labels count in the statistics now."""
        return int(self._tallies[:, kernels.LABELS].sum())

    @property
    def features(self) -> int:
        """Distinct words and pairs with a count."""
        return self._table.live

    @property
    def nbytes(self) -> int:
        """Resident bytes of the counts, without the words' texts."""
        return self._table.nbytes

    # Scoring

    def score(self, x: Any) -> Score:
        """Score a mail; changes no state. Raises TypeError for what is not a message."""
        self._look(x)
        values = self._scores.tolist()
        log_odds, probability = 0.0, 0.5
        column = self._columns.get(self.positive)
        if column is not None and len(values) > 1:
            log_odds = values[column] - max(values[:column] + values[column + 1 :])
            probability = self._probability(log_odds, column)
        words, new_words, pairs, new_pairs = self._met.tolist()
        unseen = new_words + new_pairs
        return Score(
            self._best(values), log_odds, probability, dict(zip(self._columns, values, strict=True)),
            words + pairs - unseen, unseen,
        )  # fmt: skip

    def score_many(self, xs: Iterable[Any]) -> list[Score]:
        """`score` of each mail, in order."""
        return [self.score(x) for x in xs]

    def joint_log_scores(self, x: Any) -> dict[Label, float]:
        """The recipe's scores (not log probabilities) of every class; ``{}`` before the first."""
        self._look(x)
        return dict(zip(self._columns, self._scores.tolist(), strict=True))

    def predict_one(self, x: Any) -> Label | None:
        """The class with the best score, among equals the one with most labels; None before the first."""
        self._look(x)
        return self._best(self._scores.tolist())

    def predict_proba_one(self, x: Any) -> dict[Label, float]:
        """Calibrated probability of every class; they sum to 1; ``{}`` before the first."""
        scores = self.joint_log_scores(x)
        slope, shift = self._calibration()
        joint = {label: slope * value for label, value in scores.items()}
        if len(joint) == 2:
            joint[tuple(joint)[self._lead]] += shift
        return posterior(joint)

    def predict_many(self, xs: Iterable[Any]) -> list[Label | None]:
        """`predict_one` of each mail, faster."""
        labels: list[Label | None] = []
        for chunk in _chunks([(x, None) for x in xs]):
            texts = [x for x, _ in chunk]
            if all(map(Reader.packable, texts)):
                scores = self._run(self._reader.pack(texts), np.full(len(texts), -1), "")
                labels += [self._best(row) for row in scores.tolist()]
            else:
                labels += [self.predict_one(x) for x in texts]
        return labels

    def evidence(self, x: Any) -> Evidence:
        """Why a mail scores as it does for the positive class (or, if it has not come, the best) against
        the rest.

        The terms add up to the log-odds; each names its word or pair and how many mails' worth of it either
        class has learned. The strongest come first. Rows L4, E5.
        """
        terms = np.zeros((self._reader_for(x).n, max(len(self._columns), 2)))
        self._find(x)
        self._fill(terms)
        scores = dict(zip(self._columns, self._scores.tolist(), strict=True))
        label = self.positive if self.positive in scores else self._best(list(scores.values()))
        rivals = {other: value for other, value in scores.items() if other != label}
        weights = np.zeros(len(terms))
        if rivals:
            rival = max(rivals, key=rivals.__getitem__)
            weights = terms[:, self._columns[label]] - terms[:, self._columns[rival]]
        order = np.argsort(-np.abs(weights), kind="stable")
        return Evidence(margin(scores, label), 0.0, tuple(self._term(int(i), float(weights[i])) for i in order))

    # Learning

    def grade(self, x: Any, label: Label, source: str = "") -> Lesson:
        """What learning this label now would add, by the score now and the trust in `source`; changes no
        state.

        The tallies are: labels, sum of increments, words met, new words, pairs met, new pairs (the last
        four in 1/256), the bin of the margin in the calibration histogram and what it gains, labels of the
        source, and the doubt in them (1/65536).
        """
        label = _plain(label)
        self._grade(x, label, source)
        weight, *tallies = self._lesson.tolist()
        return Lesson(label, weight, tuple(tallies), source)

    def apply(self, x: Any, lesson: Lesson) -> None:
        """Add a lesson about a mail; on any model with the same key, the sum is the same."""
        self._lesson[:] = (lesson.weight, *lesson.tallies)
        self._learn(x, _plain(lesson.label), lesson.source, 1)

    def retract(self, x: Any, lesson: Lesson) -> None:
        """Take a lesson about a mail back: the exact opposite of `apply`."""
        self._lesson[:] = (lesson.weight, *lesson.tallies)
        self._learn(x, _plain(lesson.label), lesson.source, -1)
        self._forget_empty()

    def learn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Learn a label: grade it now and apply the lesson."""
        label = _plain(y)
        self._grade(x, label, source)
        self._learn(x, label, source, 1)

    def learn_many(self, xs: Iterable[Any], ys: Iterable[Label], source: str = "") -> None:
        """Learn each pair in order: the same bits as one by one, faster. ValueError when lengths differ."""
        self.score_then_learn(xs, ys, source)

    def score_then_learn(self, xs: Iterable[Any], ys: Iterable[Label], source: str = "") -> list[float]:
        """Test, then train: the log-odds of the positive class before each label was learned.

        The same bits as `score` and `learn_one` in turns. Raises ValueError when lengths differ.
        """
        pairs = [(x, _plain(y)) for x, y in zip(xs, ys, strict=True)]
        log_odds: list[float] = []
        for chunk in _chunks(pairs):
            log_odds += self._batch([x for x, _ in chunk], [y for _, y in chunk], source)
        return log_odds

    def unlearn_one(self, x: Any, y: Label, source: str = "") -> None:
        """Take back a label as if it had been graded now.

        Exactly the opposite of `learn_one` when every label counts 1 (`band=math.inf`, no trust). Graded
        lessons are remembered by their caller and taken back with `retract`.
        """
        self.retract(x, self.grade(x, y, source))

    def merge(self, other: Self) -> None:
        """Add everything another model learned. Raises ValueError when its hash key is another."""
        self._combine(other, 1)

    def unmerge(self, other: Self) -> None:
        """Take back what `merge` added."""
        self._combine(other, -1)
        self._forget_empty()

    def decay(self, factor: float) -> None:
        """Multiply everything learned by `factor`, 0 to 1, in whole units; lessons given before no longer fit.

        Forgetting never helped on streams of some thousand mails; it is for drift over years. Raises ValueError
        outside the range.
        """
        if not 0.0 <= factor <= 1.0:
            raise ValueError(f"decay factor is {factor!r}: give a number from 0 (forget all) to 1 (nothing)")
        self._table.scale(factor)
        self._tallies = np.rint(self._tallies * factor).astype(np.int64)
        self._tallies[:, kernels.MASS] = self._table.sums()
        self._sources = {name: (round(n * factor), round(d * factor)) for name, (n, d) in self._sources.items()}
        self._sources = {name: sums for name, sums in self._sources.items() if sums != (0, 0)}
        self._version += 1
        self._forget_empty()

    def evict(self, most: int) -> int:
        """Forget the rarest words and pairs until at most `most` are left; returns how many went.

        Rare is the sum of the counters over all classes; of equals pairs go before words. `evicted` counts
        all that ever went from this object. With `max_features` this happens by itself, an eighth at a
        time. A lesson given before can still be taken back: a feature gone meanwhile then counts below
        zero, which reads as 0.
        """
        gone, lost = self._table.evict(most, self._reader.alphabet)
        self._tallies[:, kernels.MASS] -= lost
        self.evicted += gone
        self._version += 1
        return gone

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        twin = type(self)(**self._options())
        twin._columns = dict(self._columns)
        twin._tallies = self._tallies.copy()
        twin._sources = dict(self._sources)
        twin._table = self._table.copy()
        twin._begin()
        return twin

    # State

    def to_bytes(self) -> bytes:
        """The whole model, its key included; equal models give equal bytes, whatever the order of
        learning."""
        labels = self._sorted_labels()
        columns = [self._columns[label] for label in labels]
        parts = self._table.canonical(columns)
        values = {
            "options": {**self._options(), "key": self.key.hex(), "band": repr(self.band)},
            "classes": labels,
            "sources": [[name, *sums] for name, sums in sorted(self._sources.items())],
        }
        arrays = {"tallies": snapshot.smallest(self._tallies[columns])}
        for name, array in parts._asdict().items():
            arrays[name] = array if name == "words" else snapshot.smallest(array)
        return snapshot.pack("MailNB", values, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The model that `to_bytes` gave. Raises SnapshotError when the bytes are damaged or something
        else."""
        values, arrays = snapshot.unpack(data, "MailNB")
        try:
            options = dict(values["options"])
            options |= {"key": bytes.fromhex(options["key"]), "band": float(options["band"])}
            model = cls(**options)
            model._columns = {label: column for column, label in enumerate(values["classes"])}
            model._sources = {name: (labels, doubt) for name, labels, doubt in values["sources"]}
            model._tallies = arrays.pop("tallies").astype(np.int64).reshape(-1, kernels.TALLIES)
            model._table = CountTable.from_canonical(Canonical(**arrays), model._reader.alphabet)
        except (KeyError, TypeError, ValueError, IndexError) as error:
            raise SnapshotError(f"snapshot of a MailNB with parts missing or misshapen: {error}") from error
        model._begin()
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

    def _begin(self) -> None:
        self._reader = Reader(self.key, self.pairs, ROOM)
        self._version = 0
        self._looked = self._found = self._calibrated = -1
        self._arrange()
        self._met = np.zeros(4, np.int64)
        self._lesson = np.zeros(11, np.int64)

    def _reader_for(self, x: Any) -> Reader:
        if self._reader.read(x):
            self._looked = self._found = -1
        return self._reader

    def _find(self, x: Any) -> None:
        """Read the mail and look its features up, unless that has just been done."""
        reader = self._reader_for(x)
        if self._found != self._version:
            self._table.find(reader)
            self._found = self._version

    def _look(self, x: Any) -> None:
        """Score the mail, unless that has just been done."""
        self._find(x)
        if self._looked != self._version or self._settings is None:
            self._fill(_NO_TERMS)
            self._looked = self._version

    def _fill(self, terms: np.ndarray) -> None:
        table, reader = self._table, self._reader
        kernels.recipe_score(
            reader.rows, reader.spans, reader.n, table.counts, self._tallies, table.live, self._lead,
            self._gathered(), self._logs, self._scores, self._met, terms,
        )  # fmt: skip

    def _gathered(self) -> np.ndarray:
        """The options as the kernels read them."""
        if self._settings is None:
            slope = _TRUST_SLOPE if self.trust else 0.0
            smoothing = max(self.smoothing, _LEAST_SMOOTHING)
            options = (smoothing, self.damping, self.shape, self.novelty, self.pair_weight, self.band, slope)
            self._settings = np.array(options, np.float64)
            self._logs = np.zeros(_SMALL)
            kernels.small_logs(smoothing, self._logs)
        return self._settings

    def _arrange(self) -> None:
        """After a change of classes. Of two classes the last by name is worked out: no bit depends on which
        came first."""
        self._scores = np.zeros(len(self._columns))
        self._lead = self._columns[self._sorted_labels()[-1]] if len(self._columns) == 2 else 0
        self._version += 1

    def _best(self, values: list[float]) -> Label | None:
        if not values:
            return None
        labels, top = tuple(self._columns), max(values)
        if values.count(top) == 1:
            return labels[values.index(top)]
        winners = [c for c, value in enumerate(values) if value == top]
        return labels[min(winners, key=lambda c: (-self._tallies[c, kernels.LABELS], str(labels[c])))]

    def _calibration(self) -> tuple[float, float]:
        """Slope and shift from scores to log-odds, from the labels learned so far."""
        if self._calibrated != self._version:
            self._slope, self._shift = kernels.calibrate(self._tallies, kernels.BINS_FROM, self._lead)
            self._calibrated = self._version
        return self._slope, self._shift

    def _probability(self, log_odds: float, column: int | None) -> float:
        """Calibrated probability of the positive class, the class number `column`."""
        slope, shift = self._calibration()
        if len(self._columns) == 2:
            shift = shift if column == self._lead else -shift
        z = slope * log_odds + shift
        return 1.0 / (1.0 + math.exp(-min(max(z, -700.0), 700.0)))

    def _batch(self, xs: list[Any], labels: list[Label], source: str) -> list[float]:
        """Test, then train, on few enough messages to lie side by side."""
        log_odds: list[float] = []
        while len(log_odds) < len(xs):
            done = len(log_odds)
            # A class that is not there yet changes how the messages before it are scored: it comes one by one.
            alone = (k for k in range(done, len(xs)) if labels[k] not in self._columns or not Reader.packable(xs[k]))
            known = next(alone, len(xs))
            if known == done:
                log_odds.append(self.score(xs[done]).log_odds)
                self.learn_one(xs[done], labels[done], source)
                continue
            firsts = self._reader.pack(xs[done:known])
            columns = np.array([self._columns[label] for label in labels[done:known]], np.int64)
            log_odds += self._odds(self._run(firsts, columns, source))
        return log_odds

    def _run(self, firsts: np.ndarray, columns: np.ndarray, source: str) -> np.ndarray:
        """Scores, before they were learned, of the messages packed in the reader."""
        reader, table = self._reader, self._table
        sums = np.array(self._sources.get(source, (0, 0)), np.int64)
        before = np.zeros((len(columns), len(self._columns)))
        most = np.iinfo(np.int64).max if self.max_features is None else self.max_features
        done = 0
        while done < len(columns):
            table.reserve(reader, len(columns) - done)
            done = kernels.learn_batch(
                done, reader.text, reader.parts, firsts, columns, sums, most, before, _NO_TERMS,
                reader.alphabet, self.pairs, reader.room, reader.hashes, reader.spans, reader.times, reader.seen,
                reader.prefixes, reader.longest_prefix, reader.rows,
                table.index, table.keys, table.counts, table.names, table.arena, table.sizes,
                self._tallies, self._lead, self._gathered(), self._logs, self._scores, self._met, self._lesson,
            )  # fmt: skip
            if table.live > most:
                self.evict(most - most // 8)
        if sums.any():
            self._sources[source] = (int(sums[0]), int(sums[1]))
        self._version += 1
        return before

    def _odds(self, scores: np.ndarray) -> list[float]:
        """Log-odds of the positive class from rows of scores."""
        column = self._columns.get(self.positive)
        if column is None or scores.shape[1] < 2:
            return [0.0] * len(scores)
        return (scores[:, column] - np.delete(scores, column, axis=1).max(axis=1)).tolist()

    def _term(self, i: int, weight: float) -> Term:
        row = int(self._reader.rows[i])
        counts = self._table.counts[row].tolist() if row >= 0 else [0] * len(self._columns)
        kind = "pair" if self._reader.spans[i, 2] < 0 else "word"
        in_mails = {label: counts[column] / kernels.UNIT for label, column in self._columns.items()}
        return Term(self._reader.text_of(i), kind, weight, in_mails)

    def _grade(self, x: Any, label: Label, source: str) -> None:
        """Fill `self._lesson`: the weight, then the tallies."""
        self._look(x)
        labels, doubt = self._sources.get(source, (0, 0))
        kernels.recipe_grade(
            self._scores, self._met, self._columns.get(label, -1), self._tallies, labels, doubt,
            self._gathered(), self._lesson,
        )  # fmt: skip

    def _learn(self, x: Any, label: Label, source: str, sign: int) -> None:
        """Add `sign` times `self._lesson`."""
        column = self._column(label)
        table, reader, lesson = self._table, self._reader, self._lesson
        weight, labels, doubt = lesson[_WEIGHT].item(), lesson[_SOURCE_LABELS].item(), lesson[_DOUBT].item()
        if weight:
            self._find(x)
            table.insert(reader, weight)
        kernels.recipe_learn(
            reader.rows, reader.n, column, sign, lesson, table.counts, table.sizes, self._tallies
        )
        self._add_source(source, sign * labels, sign * doubt)
        self._version += 1
        # Learning moves no rows, and every feature of this mail has one now.
        self._found = self._version if weight else -1
        if self.max_features is not None and table.live > self.max_features:
            self.evict(self.max_features - self.max_features // 8)

    def _add_source(self, name: str, labels: int, doubt: int) -> None:
        had_labels, had_doubt = self._sources.get(name, (0, 0))
        sums = (had_labels + labels, had_doubt + doubt)
        if sums == (0, 0):
            self._sources.pop(name, None)
        else:
            self._sources[name] = sums

    def _column(self, label: Label) -> int:
        label = _plain(label)
        column = self._columns.get(label)
        if column is None:
            column = self._columns[label] = len(self._columns)
            self._table.add_column()
            self._tallies = np.vstack((self._tallies, np.zeros(kernels.TALLIES, np.int64)))
            self._arrange()
        return column

    def _combine(self, other: Self, sign: int) -> None:
        if other.key != self.key:
            raise ValueError("the other model hashes words with another key; merge models of one key")
        columns = [self._column(label) for label in other._columns]
        self._table.merge(other._table, columns, sign)
        np.add.at(self._tallies, columns, sign * other._tallies)
        for name, (labels, doubt) in list(other._sources.items()):
            self._add_source(name, sign * labels, sign * doubt)
        self._version += 1

    def _forget_empty(self) -> None:
        """Drop classes of which nothing is left: the model is as if they had never come."""
        empty = [label for label, column in self._columns.items() if not self._tallies[column].any()]
        if empty:
            kept = [label for label in self._columns if label not in empty]
            columns = [self._columns[label] for label in kept]
            self._table.keep_columns(columns)
            self._tallies = self._tallies[columns]
            self._columns = {label: column for column, label in enumerate(kept)}
            self._arrange()

    def _sorted_labels(self) -> list[Label]:
        return sorted(self._columns, key=lambda label: (type(label).__name__, label))

    def _options(self) -> dict[str, Any]:
        names = ("key", "positive", "smoothing", "shape", "damping", "novelty", "pair_weight")
        names += ("pairs", "band", "trust", "max_features")
        return {name: getattr(self, name) for name in names}


_NO_TERMS = np.zeros((0, 0))
_CHUNK_BYTES = 1 << 16
_SMALL = 2048  # counts below 8 mails have their logarithms ready


def _chunks(pairs: list[tuple[Any, Any]]) -> Iterator[list[tuple[Any, Any]]]:
    """The pairs in order, in lists of about 64 kB of text."""
    chunk: list[tuple[Any, Any]] = []
    size = 0
    for pair in pairs:
        chunk.append(pair)
        x = pair[0]
        size += sum(len(text) for _, text in x.parts) if isinstance(x, Mail) else len(x)
        if size >= _CHUNK_BYTES:
            yield chunk
            chunk, size = [], 0
    if chunk:
        yield chunk


def _plain(label: Any) -> Label:
    """numpy's scalars as Python's, so that equal labels are one class and can be written down."""
    return label.item() if isinstance(label, np.generic) else label


def _restored(cls: type[MailNB], data: bytes) -> MailNB:
    return cls.from_bytes(data)
