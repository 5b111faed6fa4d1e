"""The base class of models whose messages are dicts of named features: priors and likelihood."""

from __future__ import annotations

import abc
from collections.abc import ItemsView, Mapping
from typing import Any

from stream_nb import prior as priors
from stream_nb.joint import GenerativeNB
from stream_nb.posterior import log_likelihood_of
from stream_nb.types import ClassName, Label, LogLikelihood


class MappingNB(GenerativeNB):
    """A model whose messages map features to values. Features may be missing, and new ones may appear at any time."""

    prior = priors.parameter()

    @property
    @abc.abstractmethod
    def class_counts(self) -> dict[ClassName, float]:
        """Number of messages of each class."""

    @abc.abstractmethod
    def class_log_likelihood(self, label: Label) -> float:
        """log P(all messages of the class | y).

        Args:
            label: A known class.
        """

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes that have messages, in a fixed order."""
        return tuple(self.class_counts)

    def log_priors(self) -> dict[ClassName, float]:
        """log P(y) of every class, according to `prior`."""
        return priors.log_priors(self.prior, self.class_counts)

    def log_likelihood(self) -> LogLikelihood:
        """The log-likelihood of all learned messages and labels under the model."""
        return log_likelihood_of(self.class_counts, self.log_priors(), self.class_log_likelihood)

    @staticmethod
    def _items(x: Mapping[Any, Any]) -> ItemsView[Any, Any]:
        """The features of a message with their values. Raises TypeError if it is not a mapping."""
        if not isinstance(x, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a message of type {type(x).__name__}: give a dict of features")
        return x.items()
