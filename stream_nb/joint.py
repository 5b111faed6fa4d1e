"""The base class of models of the joint probability P(x, y), from which all predictions follow."""

from __future__ import annotations

import abc
import functools
from typing import Any

from stream_nb import parameter
from stream_nb.base import NaiveBayes
from stream_nb.features.class_counts import checked_label, unknown_class
from stream_nb.posterior import best, evidence_of, log_sum_exp, margin, posterior
from stream_nb.types import ClassName, Evidence, Label, Term


class GenerativeNB(NaiveBayes):
    """A model of P(x, y). Subclasses implement `joint_log_likelihood` and `terms`; all predictions follow from them."""

    positive: parameter.Parameter[ClassName] = parameter.label()

    @abc.abstractmethod
    def joint_log_likelihood(self, x: Any) -> dict[ClassName, float]:
        """log P(y) + log P(x | y) of every class; ``{}`` for an empty model. Changes no state.

        Args:
            x: A message.
        """

    @abc.abstractmethod
    def terms(self, x: Any, label: Label, rival: Label) -> list[Term]:
        """Each known feature's contribution to the log-odds of two classes, strongest first.

        Args:
            x: A message.
            label: A known class.
            rival: The class to compare it with.
        """

    def predict_proba_one(self, x: Any) -> dict[ClassName, float]:
        """P(y | x) of every class (see `stream_nb.posterior`); ``{}`` for an empty model."""
        return posterior(self.joint_log_likelihood(x))

    def predict_one(self, x: Any) -> ClassName | None:
        """The class with the greatest joint log-likelihood, on a tie the first by name; None for an empty model."""
        return best(self.joint_log_likelihood(x))

    def log_odds_one(self, x: Any, positive: Label) -> float:
        """The joint log-likelihood of `positive` minus the greatest other; 0.0 if there is no other class."""
        return margin(self.joint_log_likelihood(x), checked_label(positive))

    def log_likelihood_one(self, x: Any) -> float:
        """log P(x), the log-sum-exp of the joint log-likelihoods; -inf for an empty model.

        Args:
            x: A message.
        """
        return log_sum_exp(self.joint_log_likelihood(x).values())

    def evidence(self, x: Any, label: Label | None = None) -> Evidence:
        """The log-odds of a class against the best other class, as a bias (prior and absent words) and terms, strongest
        first.

        A word or value that is impossible in one of the two classes has an infinite weight. The terms then do not add
        up to the log-odds, and the bias is 0.0. The evidence is empty with fewer than two classes.

        Args:
            x: A message.
            label: The class; None for the positive one or, if that is unknown, the best one.

        Raises:
            KeyError: `label` is not a class of the model.
        """
        joint = self.joint_log_likelihood(x)
        if label is not None and label not in joint:
            raise unknown_class(label, joint)
        return evidence_of(joint, self.positive if label is None else label, functools.partial(self.terms, x))
