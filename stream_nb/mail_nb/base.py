"""The parts of `MailNB` other than its formulas: options, statistics, updates and snapshots."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Self

from stream_nb import parameter, snapshot
from stream_nb.errors import SnapshotError
from stream_nb.features import hash_key
from stream_nb.features.extractor import Extractor
from stream_nb.features.model import CountingNB
from stream_nb.kernels.layout import MailSetting
from stream_nb.mail_nb.batch_engine import BatchEngine
from stream_nb.mail_nb.recorder import UpdateRecorder
from stream_nb.mail_nb.scorer import ROOM, ScoredMessage
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.mail_nb.update_sum import UpdateSum
from stream_nb.mail_nb.updates import apply_changes
from stream_nb.mail_nb.view import MailView
from stream_nb.types import ClassName, Label, Update

LEAST_SMOOTHING = 1e-9
_TRUST_SLOPE = 4.5


class MailModel(CountingNB[MailStatistics]):
    """The state of a `MailNB`, which documents the arguments."""

    smoothing = parameter.smoothing()
    shape = parameter.number(1.0, 10.0)
    damping = parameter.number(0.0, 1.0)
    novelty = parameter.number(0.0, 10.0)
    pair_weight = parameter.number(0.0, 10.0)
    band = parameter.number(1e-3, math.inf)
    trust = parameter.flag()
    balance = parameter.flag()
    positive: parameter.Parameter[ClassName] = parameter.label()
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
        grams: bool = False,
        band: float = 4.0,
        trust: bool = True,
        balance: bool = True,
        max_features: int | None = None,
    ) -> None:
        self._key = hash_key.checked(key)
        self.positive = positive
        self.smoothing = smoothing
        self.shape = shape
        self.damping = damping
        self.novelty = novelty
        self.pair_weight = pair_weight
        self._pairs, self._grams = parameter.checked_flag("pairs", pairs), parameter.checked_flag("grams", grams)
        self.band = band
        self.trust = trust
        self.balance = balance
        self._max_features = parameter.whole(max_features)
        if max_features is not None and (self._max_features is None or self._max_features < ROOM):
            raise ValueError(
                f"max_features is {max_features!r:.60}: give a whole number of {ROOM} or more, or None for no limit"
            )
        self.attach(MailStatistics())

    __init__.__qualname__ = "MailNB.__init__"  # Python's message of an unknown argument names it

    @property
    def pairs(self) -> bool:
        """Whether pairs of adjacent words are features; fixed at construction."""
        return self._pairs

    @property
    def grams(self) -> bool:
        """Whether character n-grams are features; fixed at construction."""
        return self._grams

    @property
    def hashing(self) -> str:
        """What must be equal for models to exchange changes: the key, in hexadecimal, and whether there are n-grams."""
        return self.key.hex() + ("+grams" if self._grams else "")

    @property
    def max_features(self) -> int | None:
        """The maximum number of words, pairs and n-grams, None for no limit; fixed at construction."""
        return self._max_features

    @property
    def statistics(self) -> MailView:
        """A read-only view of the counts: features, labels, sources and margins."""
        return MailView(self._counts, self._engine.extractor)

    @property
    def labels_learned(self) -> int:
        """Number of labels in the statistics."""
        return self._counts.labels_learned

    @property
    def features(self) -> int:
        """Number of distinct words, pairs and n-grams with a count."""
        return self._counts.table.live

    @property
    def nbytes(self) -> int:
        """Memory of the counts in bytes, without the texts of the words."""
        return self._counts.table.nbytes

    def apply_update(self, x: Any, update: Update) -> None:
        """Add an update to the statistics. It adds the same counts to every model with the same key.

        Args:
            x: The mail for which the update was graded.
            update: The result of `grade` of a model with the same key.

        Raises:
            ValueError: No `grade` returns such an update; nothing has changed.
        """
        self._engine.add(x, update, 1)
        self._counts.forget(update.sources)

    def revert_update(self, x: Any, update: Update) -> None:
        """Subtract an update from the statistics: the exact inverse of `apply_update`.

        Args:
            x: The mail for which the update was graded.
            update: An update that has been applied.
        """
        self._engine.add(x, update, -1)
        self._counts.forget(update.sources)

    def recorder(self) -> UpdateRecorder:
        """Return a recorder, which applies updates to this model and returns their sum as bytes for `apply_changes`."""
        return UpdateRecorder(self, self._ready)

    def update_sum(self) -> UpdateSum:
        """Return an empty sum of changes recorded from models with this key. It is independent of this model."""
        return UpdateSum(self.key, self.hashing)

    def apply_changes(self, data: bytes, less: Sequence[bytes] = ()) -> None:
        """Add changes recorded from another model with the same key, as if its updates had been applied here.

        The texts of words that the other model already knew are not included. Such a word stays without a text here
        until changes include one.

        Args:
            data: The result of `UpdateRecorder.take` or `UpdateSum.take`.
            less: Recorded changes that are part of the sum `data` but have already been applied here; they are
                subtracted.

        Raises:
            SnapshotError: The bytes are damaged or of another kind; no count has changed.
        """
        apply_changes(self._counts, data, less, self.hashing, self._engine.extractor.hash_multipliers)

    def same_counts(self, other: Self) -> bool:
        """Whether both models have equal options and statistics. The texts of words are ignored: they affect no score.

        Args:
            other: A model to compare with.
        """
        return self.options() == other.options() and other.statistics.same_counts(self._counts)

    def attach(self, counts: MailStatistics) -> None:
        """Use these statistics from now on."""
        extractor = Extractor(self.key, self._pairs, ROOM, counted=False, grams=self._grams)
        self._counts = counts
        self._engine = BatchEngine(extractor, counts, self._max_features)
        self._ready_for = -1

    # State

    def to_bytes(self) -> bytes:
        """A snapshot of the whole model, including its key; equal models give equal bytes, in any learning order."""
        values, arrays = self._counts.pack()
        options = {**self.options(), "key": self.key.hex(), "band": repr(self.band)}
        return snapshot.pack("MailNB", {"options": options, **values}, arrays)

    @classmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Restore a model from the result of `to_bytes`.

        Raises:
            SnapshotError: The bytes are damaged or of another kind.
        """
        values, arrays = snapshot.unpack(data, "MailNB")
        try:
            options = dict(values["options"])
            options |= {"key": bytes.fromhex(options["key"]), "band": float(options["band"])}
            model = cls._with_options(options)
        except (KeyError, TypeError, ValueError) as error:
            raise SnapshotError(f"snapshot of a MailNB with missing or malformed options: {error}") from error
        model.attach(MailStatistics.unpack(values, arrays, hash_key.hash_multipliers(model.key)))
        return model

    def _result(self, x: Any) -> list[float]:
        """Score a mail and return the result, laid out by `MailResult`."""
        engine = self._engine if self._ready_for == self.parameters_set else self._ready()
        engine.score(x if self._counts.classes or not self._leaves_unread(x) else "", self.positive)
        return engine.result.tolist()

    def _scored(self, x: Any) -> ScoredMessage:
        engine = self._engine if self._ready_for == self.parameters_set else self._ready()
        return engine.score(x, self.positive)

    def _ready(self) -> BatchEngine:
        """The engine, updated to the current options. What runs for each mail compares first, to save the call."""
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
                    MailSetting.BALANCE: float(self.balance),
                }
            )
            self._ready_for = self.parameters_set
        return self._engine
