"""What every naive Bayes model here shares."""

from __future__ import annotations

import abc
import copy
import inspect
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any, Self, overload

from river import base

from stream_nb import parameter
from stream_nb.batch import Batch, labels_of
from stream_nb.features.class_counts import checked_label
from stream_nb.posterior import best, log_sum_exp, margin, posterior
from stream_nb.types import Label, Score


class NaiveBayes(base.MiniBatchClassifier):
    """A classifier whose statistics are sums: what every model of this package can do.

    `unlearn_one` takes back exactly what `learn_one` added, `merge` adds the statistics of another model, and `==`
    compares statistics, whatever the order in which they came. A model is for one thread at a time, reading included.
    """

    @property
    @abc.abstractmethod
    def classes(self) -> tuple[Label, ...]:
        """The classes that have learned messages; ``()`` before the first."""

    # river's labels may be bool and int, and its predictions take options: ours are names, and take none.

    @abc.abstractmethod
    def learn_one(self, x: Any, y: Label) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Add one message of class `y` to the statistics; a class not met before joins.

        Args:
            x: A message, as the class of the model says.
            y: Its class.
        """

    @abc.abstractmethod
    def unlearn_one(self, x: Any, y: Label) -> None:
        """Take one message of class `y` out again: the exact opposite of `learn_one`.

        Args:
            x: A message that has been learned.
            y: The class it was learned with.
        """

    @abc.abstractmethod
    def merge(self, other: Any) -> None:
        """Add the statistics of `other`, a model of the same class, as if its messages had been learned here.

        Args:
            other: A model of the same class; it stays as it is.

        Raises:
            TypeError: It is of another class.
        """

    @abc.abstractmethod
    def unmerge(self, other: Any) -> None:
        """Take out the statistics of `other`, all of whose messages have been learned here: the exact opposite of
        `merge`.

        Args:
            other: A model that has been merged into this one.
        """

    @abc.abstractmethod
    def score(self, x: Any) -> Score:
        """What the model thinks of a message; changes no state.

        Args:
            x: A message.
        """

    @abc.abstractmethod
    def predict_proba_one(self, x: Any) -> dict[Label, float]:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The probability of every class met so far; ``{}`` before the first.

        Args:
            x: A message.
        """

    @abc.abstractmethod
    def predict_one(self, x: Any) -> Label | None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """The class of a message; None before the first.

        Args:
            x: A message.
        """

    @abc.abstractmethod
    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The score of `positive` against the best other class; 0.0 without a rival.

        Args:
            x: A message.
            positive: The class to compare with the best other.
        """

    @abc.abstractmethod
    def __eq__(self, other: object) -> bool:
        """Equal statistics and equal settings."""

    def options(self) -> dict[str, Any]:
        """The arguments that make an empty model like this one, by name."""
        return {name: getattr(self, name) for name in _arguments(type(self))}

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        return copy.deepcopy(self)

    # A batch is river's: its tables may be of any library, and what comes back is of the same.

    def learn_many(self, X: Any, y: Iterable[Label]) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Learn messages in order; the same state as one by one.

        Args:
            X: A list of messages; a column of texts; or a table of pandas, polars, ..., each row of which is a message
                as a dict of its cells by column. A cell that is missing (None, nan) is left out.
            y: Their classes, as many: a list or a column.

        Raises:
            ValueError: The lengths differ.
            TypeError: `X` is one message, or `y` one label, a table, or has something that is no label.
        """
        for message, label in zip(*self._labelled(X, y), strict=True):
            self.learn_one(message, label)

    @overload
    def predict_many(self, X: list[Any] | tuple[Any, ...]) -> list[Label | None]: ...
    @overload
    def predict_many(self, X: Any) -> Any: ...
    def predict_many(self, X: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`predict_one` of each message: a list, or of a table or column a column with the same index.

        Args:
            X: Messages, as `learn_many` takes them. Raises TypeError for one message.
        """
        batch = self._batch(X)
        return batch.labels(self._predict_each(batch.messages))

    @overload
    def predict_proba_many(self, X: list[Any] | tuple[Any, ...]) -> list[dict[Label, float]]: ...
    @overload
    def predict_proba_many(self, X: Any) -> Any: ...
    def predict_proba_many(self, X: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """`predict_proba_one` of each message: a list, or of a table or column a table with a column a class.

        Args:
            X: Messages, as `learn_many` takes them. Raises TypeError for one message.
        """
        batch = self._batch(X)
        return batch.chances([self.predict_proba_one(x) for x in batch.messages], self.classes)

    def _batch(self, X: Any) -> Batch:
        """Messages, as `learn_many` takes them. Raises TypeError for one message."""
        return Batch.of(X, zeros=True)

    def _labelled(self, X: Any, y: Iterable[Label]) -> tuple[list[Any], list[Label]]:
        """Messages and their labels, as `learn_many` takes them. Raises what it raises."""
        messages, labels = self._batch(X).messages, [checked_label(label) for label in labels_of(y)]
        if len(messages) != len(labels):
            raise ValueError(f"{len(messages)} messages and {len(labels)} labels: give one label a message")
        return messages, labels

    def _predict_each(self, messages: list[Any]) -> list[Label | None]:
        return [self.predict_one(x) for x in messages]

    def _leaves_unread(self, x: Any) -> bool:
        """Whether there is nothing to say of the values of `x`, since there is no class: river's MinMaxScaler makes nan
        of all numbers before the first message."""
        return not self.classes and isinstance(x, Mapping)

    def _of_this_class(self, other: Any) -> Self:
        """The other model. Raises TypeError unless it is of this model's class."""
        if type(other) is not type(self):
            raise TypeError(f"a {type(other).__name__} cannot be merged into a {type(self).__name__}, or taken out")
        return other

    @property
    def _multiclass(self) -> bool:
        return True


@cache
def _arguments(model: type) -> tuple[str, ...]:
    return tuple(inspect.signature(model).parameters)


class GenerativeNB(NaiveBayes):
    """A model of P(x, y): subclasses give `joint_log_likelihood`, and every decision follows from it."""

    positive = parameter.label()

    @abc.abstractmethod
    def joint_log_likelihood(self, x: Any) -> dict[Label, float]:
        """log P(y) + log P(x | y) of every class met so far; ``{}`` before the first. Changes no state.

        Args:
            x: A message.
        """

    def predict_proba_one(self, x: Any) -> dict[Label, float]:
        """P(y | x) of every class met so far (see `posterior`); ``{}`` before the first."""
        return posterior(self.joint_log_likelihood(x))

    def predict_one(self, x: Any) -> Label | None:
        """The class with the greatest joint log-likelihood, among equals the first by name; None before the first."""
        return best(self.joint_log_likelihood(x))

    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The joint log-likelihood of `positive` less the greatest other; 0.0 without a rival."""
        return margin(self.joint_log_likelihood(x), positive)

    def log_likelihood_one(self, x: Any) -> float:
        """log P(x), the log_sum_exp of the joint log-likelihoods; -inf for a model without classes.

        Args:
            x: A message.
        """
        return log_sum_exp(self.joint_log_likelihood(x).values())
