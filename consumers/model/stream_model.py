"""The interface between the stages and the model on the log, whichever `[learner] model` is."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Self

from stream_nb.types import Evidence, Mail, Score, Update

from ..records.values import Label


class TakesUpdates(Protocol):
    """Something to which updates can be applied, and in which they can be reverted."""

    def apply_update(self, x: Mail, /, update: Update) -> None:
        """Add an update about a message."""
        ...

    def revert_update(self, x: Mail, /, update: Update) -> None:
        """Revert an update that was applied for a message: the exact inverse of `apply_update`."""
        ...


class Recorder(TakesUpdates, Protocol):
    """Applies updates to a model, and adds them up until `take` returns their sum."""

    def learn(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """Grade a label, apply the update, and return it. `label` and `source` are as for `StreamModel.grade`."""
        ...

    def score_then_learn(
        self, xs: Sequence[Mail], labels: Sequence[Label | None], sources: Sequence[str], /
    ) -> list[tuple[Score, Update | None]]:
        """Score each message, and learn its label after that, in order.

        Args:
            xs: The messages.
            labels: The class of each; None if it is only scored.
            sources: Who gives each label.

        Returns:
            For each message its score, and the update of its label, None if it has none.
        """
        ...

    @property
    def nbytes(self) -> int:
        """Approximate size of `take`'s result, in bytes; it may be four times as large."""
        ...

    def take(self) -> bytes:
        """The sum of the updates since the last call, for `StreamModel.apply_changes`; ``b""`` if there were none."""
        ...


class UpdateSum(Protocol):
    """Adds up changes: applying the sum gives the same model as applying each of them, bit for bit."""

    @property
    def nbytes(self) -> int:
        """Approximate size of `take`'s result, in bytes."""
        ...

    def add(self, data: bytes) -> None:
        """Add changes.

        Args:
            data: A result of `Recorder.take`, except ``b""``.

        Raises:
            SnapshotError: The data is anything else, or its words are hashed with another key; the sum is unchanged.
        """
        ...

    def take(self) -> bytes:
        """The sum since the last call, for `StreamModel.apply_changes`; ``b""`` if nothing was added."""
        ...


class StreamModel(TakesUpdates, Protocol):
    """A model that scores and learns one message at a time, and whose statistics are sums of updates.

    An update is what one label adds. It is computed once (`grade`), and can then be applied to any model of the log,
    reverted, merged with others and recounted: the sum has the same bits in any order. `MailNB` is such a model, and so
    are the textbook models in a `textbook.TextbookModel`.

    Attributes:
        smoothing: Lambda, in messages; None if the model has none. It can be set at any time.
    """

    smoothing: Any

    @property
    def key(self) -> bytes:
        """The secret of the word hash; empty if the model hashes no words."""
        ...

    @property
    def positive(self) -> Any:  # a Label, but type checkers cannot tell this of a model's checked option
        """The class that log-odds and probability refer to."""
        ...

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes seen so far."""
        ...

    @property
    def labels_learned(self) -> int:
        """How many labels are in the statistics now."""
        ...

    @property
    def features(self) -> int:
        """The number of distinct words (and pairs of words, numbers and categories) that have been counted."""
        ...

    def score(self, x: Mail, /) -> Score:
        """Score a message; does not change the model."""
        ...

    def score_many(self, xs: Iterable[Mail], /) -> list[Score]:
        """`score` of each message, in order."""
        ...

    def evidence(self, x: Mail, /, most: int | None = None, label: Label | None = None) -> Evidence:
        """The terms that add up to the log-odds of a class, the strongest first. Raises KeyError for an unknown class.

        Args:
            most: How many terms to return, 0 or more; None for all.
            label: The class; None for the positive one or, if that is unknown, the best one.
        """
        ...

    def learn_one(self, x: Mail, y: Label, /, source: str = "") -> None:
        """Grade a label, and apply the update. `y` is the label, and `source` as for `grade`."""
        ...

    def grade(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """The update that learning a label of a message now would add; does not change the model.

        Args:
            label: Its class, seen before or not.
            source: Who gives the label; "" stands for all unnamed sources.
        """
        ...

    def recorder(self) -> Recorder:
        """A new recorder that applies updates to this model."""
        ...

    def update_sum(self) -> UpdateSum:
        """A new sum of changes that models of this log have recorded; it neither reads nor changes this model."""
        ...

    def apply_changes(self, data: bytes, /, less: Sequence[bytes] = ()) -> None:
        """Add the changes of another model's recorder, or of a sum.

        Args:
            data: A result of `Recorder.take` or `UpdateSum.take`, except ``b""``.
            less: Recorded changes to subtract, because this model has them already and `data` includes them again.

        Raises:
            SnapshotError: The data is anything else, or its words are hashed with another key; the model is unchanged.
        """
        ...

    def clone(self) -> Self:
        """An empty model with this one's key and options."""
        ...

    def merge(self, other: Any, /) -> None:
        """Add everything that another model of the same kind (`other`, which is not changed) learned, as if it had been
        learned here.

        Raises:
            ValueError: Its words are hashed with another key.
        """
        ...

    def unmerge(self, other: Any, /) -> None:
        """Undo the merge of `other`, which is not changed.

        Raises:
            ValueError: Its words are hashed with another key, or the model detects that it was not merged.
        """
        ...

    def same_counts(self, other: Any, /) -> bool:
        """Whether this and `other`, a model of the same kind, have the same options and statistics, regardless of the
        known texts of words."""
        ...

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        ...

    def to_bytes(self) -> bytes:
        """Encode the whole model; equal models have equal bytes, in whatever order they learned."""
        ...
