"""The base class of the textbook models of text: statistics, learning and scoring."""

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
from stream_nb.kernels.layout import Absent, Slot, TextResult
from stream_nb.parameter import MOST_SMOOTHING, checked_number, checked_whole
from stream_nb.posterior import best
from stream_nb.text.interpretation import InterpretableNB
from stream_nb.text.statistics import WordStatistics
from stream_nb.types import ClassName, Label, Score

_LOG_CACHE_SLOTS, _MOST_SMOOTHINGS = 4096, 64
_NO_TERMS = np.zeros((0, 0))
_BEST, _JOINT = int(TextResult.BEST), int(TextResult.JOINT)  # because access to enum members is slow


class TextNB(InterpretableNB):
    """Naive Bayes over words, read from `WordStatistics`.

    `smoothing`, `prior` (see `stream_nb.prior`) and the options of subclasses apply when the statistics are read, so
    they may be set on a trained model. A message is text, a `Mail`, a list of tokens, or a dict of counts.
    """

    prior = priors.parameter()

    def __init__(self, key: bytes | None, smoothing: float, prior: priors.Prior, positive: Label) -> None:
        self._key = hash_key.checked(key)
        self.smoothing = smoothing
        self.prior = prior
        self.positive = positive
        self._log_caches: dict[float, np.ndarray] = {}
        self._absent: dict[float, np.ndarray] = {}
        self._result = np.zeros(TextResult.JOINT)
        self._workspace: Any = kernels.Workspace()
        self._addresses = self._workspace.addresses
        self._workspace.bind(Slot.TERMS, _NO_TERMS)
        self.attach(WordStatistics(self.key))

    def attach(self, counts: WordStatistics) -> None:
        """Use these counts from now on."""
        self._counts = counts
        self._workspace.nest(Slot.STATISTICS, counts.workspace)
        self._bind_classes()

    @classmethod
    def reading(cls, other: TextNB, **options: Any) -> Self:
        """Return a model that shares the statistics of another model but reads them with its own options.

        Args:
            other: The model whose statistics are shared; it may be of another class.
            options: Arguments of the class, except `key`.
        """
        model = cls(key=other.key, **options)
        other.share(model)
        return model

    def share(self, reader: TextNB) -> None:
        """Make another model use the statistics of this one.

        Args:
            reader: A model with the same key, of this class or another.
        """
        reader.attach(self._counts)

    @abc.abstractmethod
    def _score(self, extractor: Extractor, find: bool, smoothing: float, positive: int) -> int:
        """Score the loaded message: tokenize it if necessary, look up its words if `find`, and fill RESULT and, if it
        has rows, TERMS. Returns the number of distinct words."""

    @property
    def statistics(self) -> CountsView[WordStatistics]:
        """A read-only view of the counts."""
        return CountsView(self._counts, self._counts.extractor)

    @property
    def labels_learned(self) -> int:
        """Number of messages in the statistics; after `decay`, rounded down."""
        return int(sum(self._counts.messages().values()))

    @property
    def words(self) -> int:
        """V: number of distinct words with a count."""
        return self._counts.words

    @property
    def parameters_computed(self) -> int:
        """How many logarithms of counts this object has computed; they are cached by count."""
        return int(self._result[TextResult.COMPUTED])

    # Learning

    def learn_one(self, x: Any, y: Label) -> None:
        """Add one message of class `y`.

        Raises:
            TypeError: `x` is not a message.
        """
        self._counts.add(x, y)

    def unlearn_one(self, x: Any, y: Label) -> None:
        """Remove a learned message of class `y`: the exact inverse of `learn_one`.

        Raises:
            TypeError: `x` is not a message.
            ValueError: The class has no message, or after `decay` less than one; nothing has changed.
        """
        self._counts.add(x, y, -1)

    def evict(self, most: int) -> int:
        """Evict the rarest words (by the sum of occurrences and messages over all classes) until at most `most` are
        left. Returns the number of words evicted.

        The numbers of messages do not change. Unlearning a message whose words were evicted makes their counts
        negative; these read as 0.

        Args:
            most: Maximum number of words to keep, 0 or more; ValueError otherwise.
        """
        return self._counts.evict(checked_whole("most", most, 0), self._counts.extractor.hash_multipliers)

    # Reading

    def joint_log_likelihood(self, x: Any) -> dict[ClassName, float]:
        """log P(y) + log P(x | y) of every class; ``{}`` for an empty model."""
        return {} if self._leaves_unread(x) else self._joint(x, self.smoothing)

    def predict_one(self, x: Any) -> ClassName | None:
        """The class with the greatest joint log-likelihood, on a tie the first by name; None for an empty model."""
        if self._leaves_unread(x):
            return None
        result = self._scored(x, self.smoothing)
        top = int(result[_BEST])
        return self._joint_indices[top][0] if top >= 0 else best(self._joint_of(result))

    def score(self, x: Any) -> Score:
        """Score a message: joint log-likelihoods, posterior of `positive`, numbers of known and unseen words."""
        result = self._scored(x, self.smoothing)
        scores = self._joint_of(result)
        top, log_odds, probability, words_known, _ = result[:_JOINT]
        known = int(words_known)
        label = self._joint_indices[int(top)][0] if top >= 0.0 else best(scores)
        return Score(label, log_odds, probability, scores, known, self._counts.extractor.n - known)

    def score_grid(self, x: Any, smoothings: Iterable[float]) -> list[dict[ClassName, float]]:
        """`joint_log_likelihood` for each smoothing; the message is read and its words are looked up only once.

        Args:
            x: A message.
            smoothings: Values of `smoothing`, 0 to 1e300; ValueError otherwise.
        """
        return [self._joint(x, checked_number("smoothing", smoothing, 0.0, MOST_SMOOTHING)) for smoothing in smoothings]

    # State

    def to_bytes(self) -> bytes:
        """A snapshot of the whole model, including its key; equal models give equal bytes, in any learning order."""
        values, arrays = self._counts.pack()
        options = {name: value for name, value in self.options().items() if name != "key"}
        return snapshot.pack(type(self).__name__, {**values, "options": snapshot.options_state(options)}, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Restore a model from the result of `to_bytes`.

        Raises:
            SnapshotError: The bytes are damaged or of another kind.
        """
        values, arrays = snapshot.unpack(data, cls.__name__)
        counts = WordStatistics.unpack(values, arrays)
        try:
            model = cls._with_options({"key": counts.key, **snapshot.options_of(values["options"])})
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a {cls.__name__} with missing or malformed options: {error}") from error
        model.attach(counts)
        return model

    # Internals

    def _joint(self, x: Any, smoothing: float) -> dict[ClassName, float]:
        return self._joint_of(self._scored(x, smoothing))

    def _joint_of(self, result: list[float]) -> dict[ClassName, float]:
        return {label: result[index] for label, index in self._joint_indices}

    def _explain(self, x: Any) -> tuple[dict[ClassName, float], np.ndarray]:
        terms = np.zeros((self._counts.find(x).n, len(self._counts.columns)))
        self._workspace.bind(Slot.TERMS, terms)
        try:
            return self._joint(x, self.smoothing), terms
        finally:  # also if it is interrupted: the terms of a larger message would be written beyond this array
            self._workspace.bind(Slot.TERMS, _NO_TERMS)

    def _scored(self, x: Any, smoothing: float) -> list[float]:
        """Score a message and return the result, laid out by `layout.TextResult`."""
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

    def log_priors(self) -> dict[ClassName, float]:
        """log P(y) of every class, according to `prior`."""
        return priors.log_priors(self.prior, self._counts.messages())

    def _bind_smoothing(self, smoothing: float) -> None:
        """Bind the values cached for this smoothing: logarithms of counts, and sums over absent words."""
        if smoothing not in self._log_caches:
            if len(self._log_caches) == _MOST_SMOOTHINGS:
                self._log_caches, self._absent = {}, {}
            self._log_caches[smoothing] = np.full((_LOG_CACHE_SLOTS, 2), np.nan)
        if smoothing not in self._absent:
            self._absent[smoothing] = np.full((len(self._joint_indices), len(Absent)), -1.0)
        self._workspace.bind(Slot.LOG_CACHE, self._log_caches[smoothing])
        self._workspace.bind(Slot.ABSENT, self._absent[smoothing])
        self._smoothing_bound = smoothing

    def _bind_classes(self) -> None:
        """Update everything that depends on the classes or the prior."""
        self._classes, self._prior_bound = self._counts.classes, copy.copy(self.prior)
        self._joint_indices = tuple((label, TextResult.JOINT + c) for label, c in self._counts.columns.items())
        per_message, constants = priors.weights(self.prior, self.classes)
        self._workspace.bind(Slot.PRIOR, np.array([per_message, math.fsum(constants.values()), *constants.values()]))
        computed = self.parameters_computed
        self._result = np.zeros(TextResult.JOINT + len(constants))
        self._result[TextResult.COMPUTED] = computed
        self._workspace.bind(Slot.RESULT, self._result)
        self._absent = {}
        self._smoothing_bound = math.nan
