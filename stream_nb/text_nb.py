"""What the two textbook models of text share: the statistics, the laws of learning, and the score."""

from __future__ import annotations

import abc
import copy
import math
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from stream_nb import kernels, keys, prior, snapshot
from stream_nb.base import best
from stream_nb.linear import LinearNB
from stream_nb.reader import Reader
from stream_nb.types import Label, Score
from stream_nb.word_counts import WordCounts

_MEMO_SLOTS = 4096
_MOST_SMOOTHINGS = 64
_NO_TERMS = np.zeros((0, 0))


class TextNB(LinearNB):
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
        self._memos: dict[float, np.ndarray] = {}
        self._counts = WordCounts(self.key)
        self._found = np.zeros(kernels.JOINT)
        self._desk = kernels.Desk(kernels.BY_PLACES)
        self._desk.lay(kernels.BY_TERMS, _NO_TERMS)
        self._arrange()

    @classmethod
    def reading(cls, other: TextNB, **options: Any) -> Self:
        """A model that reads the statistics of another, now and as they change, by its own rules."""
        model = cls(key=other.key, **options)
        model._counts = other._counts
        return model

    @abc.abstractmethod
    def _kernel(self, reader: Reader, find: bool, smoothing: float, positive: int) -> int:
        """Fill what lies at BY_FOUND and, if it has rows, at BY_TERMS for the message taken, scanned if it must be, and
        with `find` looked up; returns how many words it has."""

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

    @property
    def parameters_computed(self) -> int:
        """How many logarithms of counts this object has worked out; it keeps them by count."""
        return int(self._found[kernels.COMPUTED])

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
        return self._joint(x, self.smoothing)

    def predict_one(self, x: Any) -> Label | None:
        """The class with the greatest joint score, among equals the first by name; None before the first."""
        found = self._look(x, self.smoothing)
        top = int(found[kernels.TOP])
        return self._places[top][0] if top >= 0 else best(self._joint_of(found))

    def score(self, x: Any) -> Score:
        """The joint log scores, the posterior of `positive`, and how many words were known and how many
        not."""
        found = self._look(x, self.smoothing)
        scores = self._joint_of(found)
        top, log_odds, chance, met, _ = found[: kernels.JOINT]
        known = int(met)
        label = self._places[int(top)][0] if top >= 0.0 else best(scores)
        return Score(label, log_odds, chance, scores, known, self._counts.reader.n - known)

    def score_grid(self, x: Any, smoothings: Iterable[float]) -> list[dict[Label, float]]:
        """The joint log scores for each smoothing; the message is read and its words looked up once. Row
        Q7."""
        return [self._joint(x, smoothing) for smoothing in smoothings]

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

    def _joint(self, x: Any, smoothing: float) -> dict[Label, float]:
        return self._joint_of(self._look(x, smoothing))

    def _joint_of(self, found: list[float]) -> dict[Label, float]:
        return {label: found[place] for label, place in self._places}

    def _explain(self, x: Any) -> tuple[dict[Label, float], np.ndarray]:
        terms = np.zeros((self._counts.find(x).n, len(self._counts.columns)))
        self._desk.lay(kernels.BY_TERMS, terms)
        joint = self._joint(x, self.smoothing)
        self._desk.lay(kernels.BY_TERMS, _NO_TERMS)
        return joint, terms

    def _look(self, x: Any, smoothing: float) -> list[float]:
        """What is found of a message (laid out in `stream_nb.kernels.textbook`)."""
        counts = self._counts
        reader = counts.reader
        reader.take(x)
        if self._totals is not counts.totals or self._weighed != self.prior:
            self._arrange()
        if smoothing != self._smoothed:
            self._smooth(smoothing)
        positive = counts.columns.get(self.positive, -1)
        reader.n = self._kernel(reader, reader.rows_of is not counts, smoothing, positive)
        reader.rows_of = counts
        return self._found.tolist()

    def log_priors(self) -> dict[Label, float]:
        """log P(y) of every class, by the rule `prior`."""
        return prior.log_priors(self.prior, self._counts.messages())

    def _smooth(self, smoothing: float) -> None:
        """Lay down what has been computed for this smoothing: logarithms by count, and sums over absent words."""
        if smoothing not in self._memos:
            if len(self._memos) == _MOST_SMOOTHINGS:
                self._memos, self._absent = {}, {}
            self._memos[smoothing] = np.full((_MEMO_SLOTS, 2), np.nan)
        if smoothing not in self._absent:
            self._absent[smoothing] = np.full((len(self._places), kernels.ABSENT), -1.0)
        self._desk.lay(kernels.BY_MEMO, self._memos[smoothing])
        self._desk.lay(kernels.BY_ABSENT, self._absent[smoothing])
        self._smoothed = smoothing

    def _arrange(self) -> None:
        """Follow a change of classes or of the prior."""
        self._totals, self._weighed = self._counts.totals, copy.copy(self.prior)
        self._places = tuple((label, kernels.JOINT + c) for label, c in self._counts.columns.items())
        a_message, own = prior.weights(self.prior, self.classes)
        self._desk.lay(kernels.BY_PRIOR, np.array([a_message, math.fsum(own.values()), *own.values()]))
        computed = self.parameters_computed
        self._found = np.zeros(kernels.JOINT + len(own))
        self._found[kernels.COMPUTED] = computed
        self._desk.lay(kernels.BY_FOUND, self._found)
        self._absent = {}
        self._smoothed = math.nan
