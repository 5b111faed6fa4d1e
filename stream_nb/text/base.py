"""What the two textbook models of text share: the statistics, the laws of learning, and the score."""

from __future__ import annotations

import abc
import copy
import math
from collections.abc import Iterable
from typing import Any, Self

import numpy as np

from stream_nb import kernels, snapshot
from stream_nb import prior as priors
from stream_nb.errors import SnapshotError
from stream_nb.features import hash_key
from stream_nb.features.extractor import Extractor
from stream_nb.features.view import CountsView
from stream_nb.kernels.layout import Absent, Place, TextResult
from stream_nb.parameter import checked_number
from stream_nb.posterior import best
from stream_nb.text.interpretation import InterpretableNB
from stream_nb.text.statistics import WordStatistics
from stream_nb.types import Label, Score

_LOG_CACHE_SLOTS = 4096
_MOST_SMOOTHINGS = 64
_NO_TERMS = np.zeros((0, 0))
_BEST, _JOINT = int(TextResult.BEST), int(TextResult.JOINT)  # members of enumerations are slow to reach


class TextNB(InterpretableNB):
    """Naive Bayes over words, read from `WordStatistics`.

    `smoothing`, `prior` (see `stream_nb.prior`) and every other choice of a subclass only matter when
    reading, so they may be set on a trained model. Messages may be text, `Mail`, lists of tokens, or dicts
    of counts.
    """

    prior = priors.parameter()

    def __init__(self, key: bytes | None, smoothing: float, prior: priors.Prior, positive: Label) -> None:
        self.key = hash_key.checked(key)
        self.smoothing = smoothing
        self.prior = prior
        self.positive = positive
        self._log_caches: dict[float, np.ndarray] = {}
        self._absent: dict[float, np.ndarray] = {}
        self._result = np.zeros(TextResult.JOINT)
        self._workspace: Any = kernels.Workspace()
        self._addresses = self._workspace.addresses
        self._workspace.bind(Place.TERMS, _NO_TERMS)
        self.attach(WordStatistics(self.key))

    def attach(self, counts: WordStatistics) -> None:
        """Read and change these counts from now on, instead of those before."""
        self._counts = counts
        self._workspace.nest(Place.STATISTICS, counts.workspace)
        self._bind_classes()

    @classmethod
    def reading(cls, other: TextNB, **options: Any) -> Self:
        """A model that shares the statistics of another, now and as they change, and reads them by its own options.

        Args:
            other: The model to share with; it may be of another class.
            options: As for the class itself, `key` left out.
        """
        model = cls(key=other.key, **options)
        other.share(model)
        return model

    def share(self, reader: TextNB) -> None:
        """Have another model of the same key read and change the statistics of this one.

        Args:
            reader: A model of the same key, of this class or another.
        """
        reader.attach(self._counts)

    @abc.abstractmethod
    def _score(self, extractor: Extractor, find: bool, smoothing: float, positive: int) -> int:
        """Fill RESULT and, if it has rows, TERMS for the message loaded, scanned if it must be, and with `find` looked
        up; returns how many words it has."""

    @property
    def statistics(self) -> CountsView[WordStatistics]:
        """What has been counted, to read."""
        return CountsView(self._counts, self._counts.extractor)

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
        return int(self._result[TextResult.COMPUTED])

    # Learning

    def learn_one(self, x: Any, y: Label) -> None:
        """Add one message of class `y`.

        Raises:
            TypeError: `x` is not a message.
        """
        self._counts.add(x, y)

    def unlearn_one(self, x: Any, y: Label) -> None:
        """Take a learned message out again, exactly.

        Raises:
            TypeError: `x` is not a message.
            ValueError: The class has no messages.
        """
        if y not in self._counts.columns:
            raise ValueError(f"class {y!r} has no message to take back; the classes are {list(self.classes)}")
        self._counts.add(x, y, -1)

    def evict(self, most: int) -> int:
        """Forget the rarest words (by occurrences and messages, all classes) until at most `most` are left.

        Returns how many went. Messages keep their number; unlearning one whose words are gone counts below zero,
        which reads as 0.

        Args:
            most: Words to keep, 0 or more.
        """
        return self._counts.evict(most, self._counts.extractor.hash_multipliers)

    # Reading

    def joint_log_likelihood(self, x: Any) -> dict[Label, float]:
        """log P(y) + log P(x | y) of every class; ``{}`` before the first."""
        return {} if self._leaves_unread(x) else self._joint(x, self.smoothing)

    def predict_one(self, x: Any) -> Label | None:
        """The class with the greatest joint log-likelihood, among equals the first by name; None before the first."""
        if self._leaves_unread(x):
            return None
        result = self._scored(x, self.smoothing)
        top = int(result[_BEST])
        return self._places[top][0] if top >= 0 else best(self._joint_of(result))

    def score(self, x: Any) -> Score:
        """The joint log-likelihoods, the posterior of `positive`, and how many words were known and how many not."""
        result = self._scored(x, self.smoothing)
        scores = self._joint_of(result)
        top, log_odds, probability, met, _ = result[:_JOINT]
        known = int(met)
        label = self._places[int(top)][0] if top >= 0.0 else best(scores)
        return Score(label, log_odds, probability, scores, known, self._counts.extractor.n - known)

    def score_grid(self, x: Any, smoothings: Iterable[float]) -> list[dict[Label, float]]:
        """`joint_log_likelihood` for each smoothing; the message is read and its words are looked up once.

        Args:
            x: A message.
            smoothings: Values of `smoothing`, 0 or more and finite, else ValueError.
        """
        return [self._joint(x, checked_number("smoothing", smoothing, 0.0)) for smoothing in smoothings]

    # State

    def to_bytes(self) -> bytes:
        """The whole model, its key included; equal models give equal bytes, whatever the order of learning."""
        values, arrays = self._counts.pack()
        options = {name: value for name, value in self.options().items() if name != "key"}
        return snapshot.pack(type(self).__name__, {**values, "options": snapshot.options_state(options)}, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The model that `to_bytes` gave.

        Raises:
            SnapshotError: The bytes are damaged, or of another kind.
        """
        values, arrays = snapshot.unpack(data, cls.__name__)
        counts = WordStatistics.unpack(values, arrays)
        try:
            model = cls(key=counts.key, **snapshot.options_of(values["options"]))
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a {cls.__name__} with options missing or misshapen: {error}") from error
        model.attach(counts)
        return model

    # Inside

    def _joint(self, x: Any, smoothing: float) -> dict[Label, float]:
        return self._joint_of(self._scored(x, smoothing))

    def _joint_of(self, result: list[float]) -> dict[Label, float]:
        return {label: result[place] for label, place in self._places}

    def _explain(self, x: Any) -> tuple[dict[Label, float], np.ndarray]:
        terms = np.zeros((self._counts.find(x).n, len(self._counts.columns)))
        self._workspace.bind(Place.TERMS, terms)
        joint = self._joint(x, self.smoothing)
        self._workspace.bind(Place.TERMS, _NO_TERMS)
        return joint, terms

    def _scored(self, x: Any, smoothing: float) -> list[float]:
        """What is found of a message, laid out by `layout.TextResult`."""
        counts = self._counts
        extractor = counts.extractor
        extractor.load(x)
        if self._classes is not counts.classes or self._prior_bound != self.prior:
            self._bind_classes()
        if smoothing != self._smoothing_bound:
            self._bind_smoothing(smoothing)
        positive = counts.columns.get(self.positive, -1)
        extractor.n = self._score(extractor, extractor.rows_owner is not counts, smoothing, positive)
        extractor.rows_owner = counts
        return self._result.tolist()

    def log_priors(self) -> dict[Label, float]:
        """log P(y) of every class, by the rule `prior`."""
        return priors.log_priors(self.prior, self._counts.messages())

    def _bind_smoothing(self, smoothing: float) -> None:
        """Bind what has been computed for this smoothing: logarithms by count, and sums over absent words."""
        if smoothing not in self._log_caches:
            if len(self._log_caches) == _MOST_SMOOTHINGS:
                self._log_caches, self._absent = {}, {}
            self._log_caches[smoothing] = np.full((_LOG_CACHE_SLOTS, 2), np.nan)
        if smoothing not in self._absent:
            self._absent[smoothing] = np.full((len(self._places), len(Absent)), -1.0)
        self._workspace.bind(Place.LOG_CACHE, self._log_caches[smoothing])
        self._workspace.bind(Place.ABSENT, self._absent[smoothing])
        self._smoothing_bound = smoothing

    def _bind_classes(self) -> None:
        """Follow a change of the classes or of the prior."""
        self._classes, self._prior_bound = self._counts.classes, copy.copy(self.prior)
        self._places = tuple((label, TextResult.JOINT + c) for label, c in self._counts.columns.items())
        a_message, own = priors.weights(self.prior, self.classes)
        self._workspace.bind(Place.PRIOR, np.array([a_message, math.fsum(own.values()), *own.values()]))
        computed = self.parameters_computed
        self._result = np.zeros(TextResult.JOINT + len(own))
        self._result[TextResult.COMPUTED] = computed
        self._workspace.bind(Place.RESULT, self._result)
        self._absent = {}
        self._smoothing_bound = math.nan
