"""What the models whose messages are dicts of named features share: from counts and terms to priors and evidence."""

from __future__ import annotations

import abc
import functools
from collections.abc import ItemsView, Mapping
from typing import Any

from stream_nb import prior as priors
from stream_nb.base import GenerativeNB
from stream_nb.posterior import evidence_of, log_likelihood_of
from stream_nb.types import Evidence, Label, LogLikelihood, Term


class MappingNB(GenerativeNB):
    """A model of messages that are mappings of features to values; features may be missing, and come at any time."""

    prior = priors.parameter()

    @property
    @abc.abstractmethod
    def class_counts(self) -> dict[Label, float]:
        """Messages a class."""

    @abc.abstractmethod
    def terms(self, x: Mapping[Any, Any], label: Label, rival: Label) -> list[Term]:
        """What each feature adds to the log-odds of two classes, the strongest first; what says nothing is left out.

        Args:
            x: Values by feature; features may be missing.
            label: A class that has been met.
            rival: The class to compare it with.
        """

    @abc.abstractmethod
    def class_log_likelihood(self, label: Label) -> float:
        """log P(all messages of the class | y).

        Args:
            label: A class that has been met.
        """

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes that have messages, in a fixed order."""
        return tuple(self.class_counts)

    def log_priors(self) -> dict[Label, float]:
        """log P(y) of every class, by the rule `prior`."""
        return priors.log_priors(self.prior, self.class_counts)

    def evidence(self, x: Mapping[Any, Any]) -> Evidence:
        """Bias (of the prior, and of absent words) and the terms, which add up to the log-odds of the positive class
        (or, if it has not come, the best) against the best other.

        A value that is impossible in one class weighs infinitely much; where one does, nothing adds up, and the bias is
        0.0. Fewer than two classes have no evidence.

        Args:
            x: Values by feature; features may be missing.
        """
        return evidence_of(self.joint_log_likelihood(x), self.positive, functools.partial(self.terms, x))

    def log_likelihood(self) -> LogLikelihood:
        """How probable the model finds all it has learned, in its parts, which add up."""
        return log_likelihood_of(self.class_counts, self.log_priors(), self.class_log_likelihood)

    @staticmethod
    def _items(x: Mapping[Any, Any]) -> ItemsView[Any, Any]:
        """The features of a message, and their values. Raises TypeError for what is no mapping."""
        if not isinstance(x, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"a message of type {type(x).__name__}: give a dict of features")
        return x.items()
