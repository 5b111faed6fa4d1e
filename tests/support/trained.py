"""Models that have learned something, for tests of the learner."""

from __future__ import annotations

KEY = b"a secret of 16 bytes or more"


def trained(model, data):
    """The model, having learned the data: pairs of a message and its label."""
    for message, label in data:
        model.learn_one(message, label)
    return model
