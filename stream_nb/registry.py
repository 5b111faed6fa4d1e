"""The models of this package by name, for command lines and settings."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, NamedTuple

from stream_nb.base import NaiveBayes
from stream_nb.mail_nb import MailNB
from stream_nb.mixed import MixedNB
from stream_nb.tabular import BinnedNB, CategoricalNB, GaussianNB
from stream_nb.text import BernoulliNB, MultinomialNB


class ModelEntry(NamedTuple):
    """A model that can be chosen by name: its class, the options that the name implies, and the type of its messages.

    Messages are ``text`` (text, `Mail`, tokens or counts of words) or ``features`` (a dict of named values).
    """

    model: type[NaiveBayes]
    options: Mapping[str, Any]
    messages: Literal["text", "features"]

    def new(self, **options: Any) -> NaiveBayes:
        """Return an empty model. Raises TypeError for an unknown option, ValueError for a value out of range."""
        return self.model(**{**self.options, **options})


MODELS: dict[str, ModelEntry] = {
    "mail": ModelEntry(MailNB, {}, "text"),
    "multinomial": ModelEntry(MultinomialNB, {}, "text"),
    "boolean": ModelEntry(MultinomialNB, {"presence": True}, "text"),
    "bernoulli": ModelEntry(BernoulliNB, {}, "text"),
    "categorical": ModelEntry(CategoricalNB, {}, "features"),
    "gaussian": ModelEntry(GaussianNB, {}, "features"),
    "binned": ModelEntry(BinnedNB, {}, "features"),
    "mixed": ModelEntry(MixedNB, {}, "features"),
}
"""All models by name."""
