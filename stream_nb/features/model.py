"""What every model over words shares, whatever its score: the laws of its statistics, and its place in memory."""

from __future__ import annotations

import abc
from typing import Any, Generic, Self, TypeVar

from stream_nb.base import NaiveBayes
from stream_nb.batch import Batch
from stream_nb.features.class_counts import ClassCounts
from stream_nb.features.view import CountsView
from stream_nb.types import Label

C = TypeVar("C", bound=ClassCounts)


class CountingNB(NaiveBayes, Generic[C]):
    """A naive Bayes model whose state is `ClassCounts` of words, hashed under the secret `key`."""

    key: bytes
    _counts: C

    @abc.abstractmethod
    def attach(self, counts: C) -> None:
        """Read and change these counts from now on, instead of those before.

        Args:
            counts: Counts made with the same key; several models may share them.
        """

    @property
    @abc.abstractmethod
    def statistics(self) -> CountsView[C]:
        """What has been counted, to read."""

    @property
    def hashing(self) -> str:
        """What two models must have in common for one to take over what the other counted: the key, in hexadecimal."""
        return self.key.hex()

    @property
    @abc.abstractmethod
    def labels_learned(self) -> int:
        """How many labels count in the statistics now."""

    @abc.abstractmethod
    def to_bytes(self) -> bytes:
        """The whole model, its key included; equal models give equal bytes, whatever the order of learning."""

    @classmethod
    @abc.abstractmethod
    def from_bytes(cls, data: bytes) -> Self:
        """The model that `to_bytes` gave.

        Args:
            data: What `to_bytes` of a model of this class returned.

        Raises:
            SnapshotError: The bytes are damaged, or of another kind.
        """

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that have learned messages, in the order in which they came."""
        return self._counts.classes

    def merge(self, other: Self) -> None:
        """Add everything another model learned, as if it had been learned here.

        Args:
            other: A model of this class; it stays as it is.

        Raises:
            TypeError: It is of another class.
            ValueError: It hashes words with another key, or only one of the two has n-grams.
        """
        self._checked(other).add_to(self._counts, 1)

    def unmerge(self, other: Self) -> None:
        """Take back what `merge` added. Raises TypeError and ValueError as `merge`."""
        self._checked(other).add_to(self._counts, -1)

    def decay(self, factor: float) -> None:
        """Multiply everything learned by `factor`, rounded to 1/256 of a message.

        What was learned before cannot be taken back exactly after it.

        Args:
            factor: From 0 (forget all) to 1 (nothing).

        Raises:
            ValueError: The factor is outside this range.
        """
        self._counts.decay(factor)

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        twin = type(self)(**self.options())
        twin.attach(self._counts.copy())
        return twin

    def _batch(self, X: Any) -> Batch:
        """Messages, as `learn_many` takes them; a word that does not occur counts 0 in a table."""
        return Batch.of(X, zeros=False)

    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal options: equal bytes."""
        return type(other) is type(self) and self.to_bytes() == other.to_bytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.to_bytes())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.options().items() if name != "key")
        return f"{type(self).__name__}({shown})"

    def _checked(self, other: Self) -> CountsView[C]:
        if self._of_this_class(other).hashing != self.hashing:
            raise ValueError(
                "the other model hashes words with another key, or one of the two has n-grams; merge models of one key"
            )
        return other.statistics


def _restored(cls: type[CountingNB[Any]], data: bytes) -> CountingNB[Any]:
    return cls.from_bytes(data)
