"""Mails of numbers and categories alone, and models that have learned some."""

from __future__ import annotations

from stream_nb import Mail, MailNB


def of(**features):
    """A mail of these features alone."""
    return Mail((), features=tuple(features.items()))


def trained(data, model=None):
    """The model, having learned the data, each label by a source of its name."""
    model = MailNB() if model is None else model
    for x, y in data:
        model.learn_one(x, y, source=y)
    return model
