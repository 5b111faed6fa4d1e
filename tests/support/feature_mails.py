"""Mails with only numbers and categories, and models that have learned some."""

from __future__ import annotations

from stream_nb import Mail, MailNB


def mail_with(**features):
    """A mail with only these features."""
    return Mail((), features=tuple(features.items()))


def trained(data, model=None):
    """The model (None: a new one) after learning the data; the source of each label is named like the label."""
    model = MailNB() if model is None else model
    for x, y in data:
        model.learn_one(x, y, source=y)
    return model
