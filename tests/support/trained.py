"""Trained models for tests of the library."""

from __future__ import annotations

KEY = b"a secret of 16 bytes or more"


def trained(model, data):
    """The model after learning the data: pairs of a message and its label."""
    for message, label in data:
        model.learn_one(message, label)
    return model
