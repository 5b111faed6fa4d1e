"""What the two textbook models of text share: the statistics, the laws of learning, and ways of reading
them."""

from __future__ import annotations

import abc
import math
from collections.abc import Iterable
from typing import Any, NamedTuple, Self

import numpy as np

from stream_nb import kernels, keys, prior, snapshot
from stream_nb.base import NaiveBayes, best, margin, posterior
from stream_nb.types import Evidence, Label, Score, Term
from stream_nb.word_counts import WordCounts

_MEMO_SLOTS = 4096
_MOST_MEMOS = 64
_NO_TERMS = np.zeros((0, 0))


class Linear(NamedTuple):
    """Log-odds as a linear function: `bias` plus the sum of weights[word] * x[word] over the words of the
    mail."""

    bias: float
    weights: dict[str, float]


class LogLikelihood(NamedTuple):
    """log P(all messages and labels): `prior` (labels) plus one part a class (words given the label) is
    `total`."""

    total: float
    prior: float
    classes: dict[Label, float]


class TextNB(NaiveBayes):
    """Naive Bayes over words, read from `WordCounts`.

    `smoothing`, `prior` (see `stream_nb.prior`) and every other choice of a subclass only matter when
    reading, so they may be set on a trained model. Messages may be text, `Mail`, lists of tokens, or dicts
    of counts.
    """

    _READING: tuple[str, ...] = ("smoothing", "prior", "positive")

    def __init__(self, key: bytes | None, smoothing: float, prior_: prior.Prior, positive: Label) -> None:
        self.key = keys.checked(key)
        if not 0.0 <= smoothing < math.inf:
            raise ValueError(f"smoothing is {smoothing!r}: give a number of 0 or more")
        self.smoothing = smoothing
        self.prior = prior.checked(prior_)
        self.positive = positive
        self.parameters_computed = 0
        self._memos: dict[float, tuple[np.ndarray, np.ndarray]] = {}
        self._counts = WordCounts(self.key)

    @classmethod
    def reading(cls, other: TextNB, **options: Any) -> Self:
        """A model that reads the statistics of another, now and as they change, by its own rules."""
        model = cls(key=other.key, **options)
        model._counts = other._counts
        return model

    @abc.abstractmethod
    def _log_likelihoods(self, x: Any, smoothing: float, terms: np.ndarray) -> tuple[np.ndarray, int]:
        """log P(x | y) of every class, and how many distinct words the model has met; terms[i, c] of word
        i."""

    @abc.abstractmethod
    def _linear_parts(self, label: Label) -> tuple[float, np.ndarray]:
        """log P(x | y) as a constant and one weight for each row of the vocabulary."""

    @abc.abstractmethod
    def _word_log_probabilities(self, label: Label) -> np.ndarray:
        """log P(word | y) of each row of the vocabulary."""

    @abc.abstractmethod
    def _own_log_likelihood(self, label: Label) -> float:
        """log P(words of the class's messages | y)."""

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that have messages, in the order in which they came."""
        return tuple(self._counts.columns)

    @property
    def labels_learned(self) -> int:
        """Messages in the statistics, rounded down after decay."""
        return int(sum(self._counts.messages().values()))

    @property
    def words(self) -> int:
        """V: distinct words with a count."""
        return self._counts.words

    # Learning

    def learn_one(self, x: Any, y: Label) -> None:
        """Add one message of class `y`. Raises TypeError for what is not a message."""
        self._counts.add(x, y)

    def unlearn_one(self, x: Any, y: Label) -> None:
        """Take a learned message out again, exactly. Raises ValueError when the class has no messages."""
        if y not in self._counts.columns:
            raise ValueError(f"class {y!r} has no message to take back; the classes are {list(self.classes)}")
        self._counts.add(x, y, -1)

    def merge(self, other: Self) -> None:
        """Add the statistics of another model. Raises ValueError when its hash key is another."""
        self._counts.merge(other._counts)

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, 0 to 1, rounded to 1/256 of a message. Raises ValueError
        outside."""
        self._counts.decay(factor)

    def evict(self, most: int) -> int:
        """Forget the rarest words (by occurrences and messages, all classes) until at most `most` are left.

        Returns how many went. Messages keep their number; unlearning one whose words are gone counts below zero,
        which reads as 0.
        """
        return self._counts.evict(most)

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        twin = type(self)(**self._options())
        twin._counts = self._counts.copy()
        return twin

    # Reading

    def joint_log_scores(self, x: Any) -> dict[Label, float]:
        """log P(y) + log P(x | y) of every class; ``{}`` before the first."""
        return self._joint(x, self.smoothing, _NO_TERMS)[0]

    def score(self, x: Any) -> Score:
        """The joint log scores, the posterior of `positive`, and how many words were known and how many
        not."""
        joint, known = self._joint(x, self.smoothing, _NO_TERMS)
        label = best(joint)
        chances = posterior(joint) if len(joint) > 1 else {}
        return Score(
            label, margin(joint, self.positive), chances.get(self.positive, 0.5), joint, known,
            self._counts.reader.n - known,
        )  # fmt: skip

    def score_grid(self, x: Any, smoothings: Iterable[float]) -> list[dict[Label, float]]:
        """The joint log scores for each smoothing; the message is read and its words looked up once. Row
        Q7."""
        return [self._joint(x, smoothing, _NO_TERMS)[0] for smoothing in smoothings]

    def evidence(self, x: Any) -> Evidence:
        """Bias and one term a known word that add up to the log-odds of the positive class (or, if it has not
        come, the best) against the best other; the strongest words first. Rows L4, E5."""
        reader = self._counts.find(x)
        columns = self._counts.columns
        terms = np.zeros((reader.n, len(columns)))
        joint, _ = self._joint(x, self.smoothing, terms)
        if len(joint) < 2:
            return Evidence(0.0, 0.0, ())
        label = self.positive if self.positive in joint else best(joint)
        rival = best({other: value for other, value in joint.items() if other != label})
        log_odds = margin(joint, label)
        with np.errstate(invalid="ignore"):
            weights = np.nan_to_num(
                terms[:, columns[label]] - terms[:, columns[rival]], posinf=math.inf, neginf=-math.inf
            )
        shown = [self._term(i, float(weights[i])) for i in np.argsort(-np.abs(weights), kind="stable")]
        return Evidence(log_odds, log_odds - math.fsum(term.weight for term in shown), tuple(shown))

    def word_probabilities(self, word: str) -> dict[Label, float]:
        """P(word | class) of each class for one word, as tokens are (lower case from text); ``{}`` if never
        met."""
        self._counts.find([word])
        row = int(self._counts.reader.rows[0])
        if row < 0 or not self._counts.table.counts[row].any():
            return {}
        return {label: math.exp(self._word_log_probabilities(label)[row]) for label in self.classes}

    def top_words(self, label: Label, n: int = 10) -> list[tuple[str, float]]:
        """The n words most probable in a class, with P(word | class). Raises KeyError for a class not met.
        Row L5."""
        chances = np.where(self._met(), np.exp(self._word_log_probabilities(label)), -1.0)
        rows = np.lexsort((self._counts.table.keys, -chances))[: min(n, self.words)]
        return [(self._counts.table.text_of(int(row)), float(chances[row])) for row in rows]

    def linear(self, positive: Label, rival: Label) -> Linear:
        """The log-odds of two classes as bias and weights; the input is counts, or 0 and 1 for presence.
        Row L1.

        Raises KeyError for a class not met.
        """
        priors = self._log_priors()
        (ours, for_us), (theirs, for_them) = self._linear_parts(positive), self._linear_parts(rival)
        met = np.flatnonzero(self._met())
        weights = {self._counts.table.text_of(int(row)): float(for_us[row] - for_them[row]) for row in met}
        return Linear(priors[positive] - priors[rival] + ours - theirs, weights)

    def log_likelihood(self) -> LogLikelihood:
        """How probable the model finds all it has learned, in its parts, which add up. Row E7."""
        messages = self._counts.messages()
        priors = self._log_priors()
        of_labels = math.fsum(count * priors[label] for label, count in messages.items() if count)
        parts = {label: self._own_log_likelihood(label) for label in messages}
        return LogLikelihood(of_labels + math.fsum(parts.values()), of_labels, parts)

    # State

    def to_bytes(self) -> bytes:
        """The whole model, its key included; equal models give equal bytes, whatever the order of
        learning."""
        values, arrays = self._counts.pack()
        options = {name: value for name, value in self._options().items() if name != "key"}
        return snapshot.pack(type(self).__name__, {**values, "options": options}, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The model that `to_bytes` gave. Raises SnapshotError when the bytes are damaged or something
        else."""
        values, arrays = snapshot.unpack(data, cls.__name__)
        counts = WordCounts.unpack(values, arrays)
        model = cls(key=counts.key, **values["options"])
        model._counts = counts
        return model

    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal options."""
        return type(other) is type(self) and self.to_bytes() == other.to_bytes()

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self):
        return type(self).from_bytes, (self.to_bytes(),)

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self._options().items() if name != "key")
        return f"{type(self).__name__}({shown})"

    # Inside

    def _options(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in ("key", *self._READING)}

    def _joint(self, x: Any, smoothing: float, terms: np.ndarray) -> tuple[dict[Label, float], int]:
        likelihoods, known = self._log_likelihoods(x, smoothing, terms)
        priors = self._log_priors()
        values = zip(self._counts.columns, likelihoods.tolist(), strict=True)
        return {label: priors[label] + value for label, value in values}, known

    def _log_priors(self) -> dict[Label, float]:
        return prior.log_priors(self.prior, self._counts.messages())

    def _memo(self, smoothing: float) -> tuple[np.ndarray, np.ndarray]:
        """Logarithms by count that have been computed for this smoothing."""
        if smoothing not in self._memos:
            if len(self._memos) == _MOST_MEMOS:
                self._memos.clear()
            self._memos[smoothing] = (np.full(_MEMO_SLOTS, -1, np.int64), np.zeros(_MEMO_SLOTS))
        return self._memos[smoothing]

    def _met(self) -> np.ndarray:
        """Which rows of the vocabulary have a count."""
        return self._counts.table.counts.any(axis=1)

    def _column(self, label: Label, event: int) -> np.ndarray:
        """A counter of every row of the vocabulary, in messages."""
        table = self._counts.table
        return table.counts[:, 2 * self._counts.columns[label] + event] / kernels.UNIT

    def _term(self, i: int, weight: float) -> Term:
        reader, table = self._counts.reader, self._counts.table
        row = int(reader.rows[i])
        counts = table.counts[row, 1::2].tolist() if row >= 0 else [0] * len(self.classes)
        in_messages = {label: counts[c] / kernels.UNIT for label, c in self._counts.columns.items()}
        return Term(reader.text_of(i), "word", weight, in_messages)


def log(values: np.ndarray) -> np.ndarray:
    """Logarithms, -inf at 0, without a warning."""
    with np.errstate(divide="ignore"):
        return np.log(values)


def weighted_sum(counts: np.ndarray, logs: np.ndarray) -> float:
    """Sum of counts * logs, where 0 * -inf is 0."""
    used = counts != 0
    return math.fsum(counts[used] * logs[used])
