"""Mails drawn from known distributions: which words each class uses, and which two occur together."""

import random

from consumers.studies.corpus import Labelled
from stream_nb.types import Mail, Part

HAM = "meeting schedule noon report notes lunch project budget review team".split()
SPAM = "free money offer winner pills cheap prize click claim lottery".split()
BOTH = "hello you the a today please see with for our".split()


def with_numbers(label, numbers):
    """A message with these numbers by name, and nothing else."""
    return Labelled(Mail((), features=tuple(numbers.items())), label)


def drawn_mails(n, seed=0):
    rng = random.Random(seed)
    mails = []
    for _ in range(n):
        label = "spam" if rng.random() < 0.4 else "ham"
        words = [rng.choice((SPAM if label == "spam" else HAM) if rng.random() < 0.3 else BOTH) for _ in range(12)]
        words += ["win", "now!!!"] if label == "spam" and rng.random() < 0.5 else []  # the two dependent words
        mails.append(Labelled(Mail((Part("", " ".join(words).encode()),)), label))
    return mails
