"""The base of all models over words: merging, decay, copies, equality and snapshots of their counts."""

from __future__ import annotations

import abc
from typing import Any, Generic, Self, TypeVar

from stream_nb.base import NaiveBayes
from stream_nb.batch import Batch
from stream_nb.features.class_counts import ClassCounts
from stream_nb.features.view import CountsView
from stream_nb.types import ClassName

C = TypeVar("C", bound=ClassCounts)


class CountingNB(NaiveBayes, Generic[C]):
    """A naive Bayes model whose state is `ClassCounts` of words, hashed under the secret `key`."""

    _key: bytes
    _counts: C

    @property
    def key(self) -> bytes:
        """The secret key of the word hash; fixed at construction."""
        return self._key

    @abc.abstractmethod
    def attach(self, counts: C) -> None:
        """Replace the model's counts by these.

        Args:
            counts: Counts made with the same key; several models may share them.
        """

    @property
    @abc.abstractmethod
    def statistics(self) -> CountsView[C]:
        """A read-only view of the counts."""

    @property
    def hashing(self) -> str:
        """How words are hashed: the key in hexadecimal. Counts can be merged only between models where it is equal."""
        return self.key.hex()

    @property
    @abc.abstractmethod
    def labels_learned(self) -> int:
        """The number of labels in the statistics."""

    @abc.abstractmethod
    def to_bytes(self) -> bytes:
        """Return a snapshot of the model and its key; equal models give equal bytes, whatever the order of learning."""

    @classmethod
    @abc.abstractmethod
    def from_bytes(cls, data: bytes) -> Self:
        """Return the model that `to_bytes` saved.

        Args:
            data: The bytes that `to_bytes` of a model of this class returned.

        Raises:
            SnapshotError: The bytes are damaged, or a snapshot of another class.
        """

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes that have learned messages, in the order in which they were first learned."""
        return self._counts.classes

    def merge(self, other: Self) -> None:
        """Add everything that another model has learned, as if this model had learned it.

        Args:
            other: A model of this class; it is not changed.

        Raises:
            TypeError: The other model is of another class.
            ValueError: The other model uses another hash key, or only one of the two has n-grams.
        """
        self._checked(other).add_to(self._counts, 1)

    def unmerge(self, other: Self) -> None:
        """Subtract what `merge` added. Raises TypeError and ValueError like `merge`; a textbook model also raises
        ValueError, and changes nothing, if a class would have less than 0 messages."""
        self._checked(other).add_to(self._counts, -1)

    def decay(self, factor: float) -> None:
        """Multiply all counts by `factor`, rounded to 1/256 of a message.

        Messages that were learned before cannot be unlearned exactly afterwards.

        Args:
            factor: From 0 (forget everything) to 1 (forget nothing).

        Raises:
            ValueError: The factor is outside this range.
        """
        self._counts.decay(factor)

    def copy(self) -> Self:
        """Return a model with equal options and statistics that shares nothing with this one."""
        twin = type(self)(**self.options())
        twin.attach(self._counts.copy())
        return twin

    def _batch(self, X: Any) -> Batch:
        """Messages, as `learn_many` takes them; a word that does not occur counts 0 in a table."""
        return Batch.of(X, zeros=False)

    def __eq__(self, other: object) -> bool:
        """Return whether both have equal options and statistics, and so equal bytes."""
        return type(other) is type(self) and self.to_bytes() == other.to_bytes()

    def __reduce__(self) -> tuple[Any, ...]:
        return _restored, (type(self), self.to_bytes())

    def __repr__(self) -> str:
        shown = ", ".join(f"{name}={value!r}" for name, value in self.options().items() if name != "key")
        return f"{type(self).__name__}({shown})"

    def _checked(self, other: Self) -> CountsView[C]:
        other = self._of_this_class(other)
        if other.hashing != self.hashing:
            raise ValueError(
                "the other model uses another hash key, or only one of the two has n-grams: give both the same options"
            )
        return other.statistics


def _restored(cls: type[CountingNB[Any]], data: bytes) -> CountingNB[Any]:
    return cls.from_bytes(data)
