"""The base class of all naive Bayes models."""

from __future__ import annotations

import abc
import functools
import inspect
from collections.abc import Iterable, Mapping
from typing import Any, Self, overload

from river import base

from stream_nb.batch import Batch, checked_labels_of, numbered
from stream_nb.parameter import Parameter
from stream_nb.types import ClassName, Label, Score


class NaiveBayes(base.MiniBatchClassifier):
    """A classifier whose statistics are sums: the interface of every model of this package.

    `unlearn_one` exactly reverts `learn_one`, `merge` adds the statistics of another model, and `==` compares
    statistics regardless of the order of learning. A model is not thread-safe, not even for reading. A subclass names
    every argument of its constructor (no ``*args`` or ``**kwargs``), and keeps its value in an attribute of that name.
    """

    @property
    @abc.abstractmethod
    def classes(self) -> tuple[ClassName, ...]:
        """The classes that have learned messages; ``()`` for an empty model."""

    # The signatures of predictions differ from river's, which take keyword options.

    @abc.abstractmethod
    def learn_one(self, x: Any, y: Label) -> None:
        """Add one message of class `y` to the statistics; a new class is added to `classes`.

        Args:
            x: A message, of a type that the model's class documents.
            y: Its class.
        """

    @abc.abstractmethod
    def unlearn_one(self, x: Any, y: Label) -> None:
        """Remove one message of class `y` from the statistics: the exact inverse of `learn_one`.

        Args:
            x: A message that has been learned.
            y: The class with which it was learned.
        """

    @abc.abstractmethod
    def merge(self, other: Any) -> None:
        """Add the statistics of `other`, a model of the same class, as if its messages had been learned here.

        Args:
            other: A model of the same class; it is not changed.

        Raises:
            TypeError: `other` is of another class.
        """

    @abc.abstractmethod
    def unmerge(self, other: Any) -> None:
        """Subtract the statistics of `other`, all of whose messages must have been learned here: the exact inverse of
        `merge`.

        Args:
            other: A model that has been merged into this one.
        """

    @abc.abstractmethod
    def score(self, x: Any) -> Score:
        """Score a message without changing any state.

        Args:
            x: A message.
        """

    @abc.abstractmethod
    def predict_proba_one(self, x: Any) -> dict[ClassName, float]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The probability of every class; ``{}`` for an empty model.

        Args:
            x: A message.
        """

    @abc.abstractmethod
    def predict_one(self, x: Any) -> ClassName | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The predicted class of a message; None for an empty model.

        Args:
            x: A message.
        """

    @abc.abstractmethod
    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The score of `positive` minus the highest other score; 0.0 if there is no other class.

        Args:
            x: A message.
            positive: The class to compare with the best other one.
        """

    @abc.abstractmethod
    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal settings."""

    def options(self) -> dict[str, Any]:
        """The keyword arguments that construct an empty model with the same settings. Raises TypeError for a subclass
        that does not name all of them."""
        return {name: getattr(self, name) for name in _arguments(type(self))}

    @classmethod
    def _with_options(cls, options: dict[str, Any]) -> Self:
        """An empty model with these options. Raises ValueError if one that the constructor of a subclass lacks has
        another value than this constructor sets."""
        names = _arguments(cls)
        model = cls(**{name: options[name] for name in options if name in names})
        for name in options.keys() - names:
            if getattr(model, name, None) != options[name]:
                raise ValueError(f"{cls.__name__} cannot be constructed with {name} = {options[name]!r:.60}")
        return model

    @abc.abstractmethod
    def copy(self) -> Self:
        """An independent copy of the model."""

    def __copy__(self) -> Self:
        """The same as `copy`: models that share their statistics would change each other."""
        return self.copy()

    def clone(self, new_params: dict[str, Any] | None = None, include_attributes: bool = False) -> Self:
        """A new model with the same options.

        Args:
            new_params: Options that differ, by name.
            include_attributes: Whether the new model has also learned everything that this one has.

        Raises:
            TypeError: As in `options`.
            ValueError: The statistics are included, and `new_params` has another key, or differs in n-grams.
        """
        _arguments(type(self))  # raises; river would leave out what is not named
        twin = super().clone(new_params)
        if include_attributes:  # river would copy attributes one by one, but workspaces have the addresses of arrays
            twin.merge(self)
        return twin

    # Batches are river's: a table may be of any dataframe library, and the result is of the same library.

    def learn_many(self, X: Any, y: Iterable[Label]) -> None:
        """Learn messages in order, with the same result as repeated calls of `learn_one`.

        If a message is invalid, the error names its position, and the messages before it have been learned.

        Args:
            X: A list of messages, a column of texts, or a dataframe (pandas, polars, ...), each row of which is a
                message: a dict of its cells by column, without missing cells (None, nan).
            y: The class of each message, as a list or a column.

        Raises:
            ValueError: The lengths differ, a message is missing in a column, or a label is nan.
            TypeError: `X` is a single message or a set; or `y` is a single label, a set or a dataframe, or contains an
                invalid label.
        """
        for number, (message, label) in enumerate(zip(*self._labelled(X, y), strict=True)):
            try:
                self.learn_one(message, label)
            except (TypeError, ValueError) as error:
                raise numbered(error, number) from error

    @overload
    def predict_many(self, X: list[Any] | tuple[Any, ...]) -> list[ClassName | None]: ...
    @overload
    def predict_many(self, X: Any) -> Any: ...
    def predict_many(self, X: Any) -> Any:
        """`predict_one` of each message, as a list; for a dataframe or column, as a column with the same index.

        Args:
            X: Messages, in the forms that `learn_many` accepts. Raises TypeError for a single message.
        """
        batch = self._batch(X)
        return batch.labels(self._predict_each(batch.messages))

    @overload
    def predict_proba_many(self, X: list[Any] | tuple[Any, ...]) -> list[dict[ClassName, float]]: ...
    @overload
    def predict_proba_many(self, X: Any) -> Any: ...
    def predict_proba_many(self, X: Any) -> Any:
        """`predict_proba_one` of each message, as a list; for a dataframe or column, as a dataframe with one column per
        class.

        Args:
            X: Messages, in the forms that `learn_many` accepts. Raises TypeError for a single message.
        """
        batch = self._batch(X)
        return batch.probabilities([self.predict_proba_one(x) for x in batch.messages], self.classes)

    def _batch(self, X: Any) -> Batch:
        """The messages of `X`, in the forms that `learn_many` accepts. Raises TypeError for a single message."""
        return Batch.of(X, zeros=True)

    def _labelled(self, X: Any, y: Iterable[Label]) -> tuple[list[Any], list[ClassName]]:
        """Messages and labels, in the forms that `learn_many` accepts. Raises the same errors."""
        messages, labels = self._batch(X).messages, checked_labels_of(y)
        if len(messages) != len(labels):
            raise ValueError(f"{len(messages)} messages and {len(labels)} labels: give one label for each message")
        return messages, labels

    def _predict_each(self, messages: list[Any]) -> list[ClassName | None]:
        return [self.predict_one(x) for x in messages]

    def _leaves_unread(self, x: Any) -> bool:
        """Whether the values of `x` are not checked, because the model is empty: river's MinMaxScaler turns all numbers
        into nan before it has learned its first message."""
        return not self.classes and isinstance(x, Mapping)

    def _of_this_class(self, other: Any) -> Self:
        """Return `other`, or a copy if it is this model. Raises TypeError unless it is of this model's class."""
        if type(other) is not type(self):
            raise TypeError(f"a {type(other).__name__} cannot be merged into a {type(self).__name__}, or unmerged")
        return other.copy() if other is self else other

    @property
    def _multiclass(self) -> bool:
        return True

    @property
    def _mutable_attributes(self) -> set[str]:
        """The options that river's `mutate` sets on a trained model."""
        cls = type(self)
        return {name for name in _arguments(cls) if isinstance(getattr(cls, name, None), Parameter)}


@functools.cache
def _arguments(model: type) -> tuple[str, ...]:
    parameters = inspect.signature(model).parameters
    for parameter in parameters.values():
        if parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD):
            raise TypeError(
                f"{model.__name__} is constructed with {parameter}: name each argument, because copies, clones and "
                "snapshots are constructed with the same arguments"
            )
    return tuple(parameters)
