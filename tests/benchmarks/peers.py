"""Other learners for `benchmarks.robustness`: each scores a text and learns its label, with its own tokenising.

River's `BernoulliNB` is left out: its score reads every known word that a text lacks, which takes minutes per stream.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, Protocol

_WORDS = re.compile(r"(?u)\b\w[\w\-]+\b")
_PLAIN = re.compile(r"[a-z0-9]+")


class Peer(Protocol):
    """A learner; its `score` is above 0 for spam."""

    def score(self, words: Any) -> float: ...

    def learn(self, words: Any, label: str) -> None: ...


class River:
    """River's `MultinomialNB` on its bag of words, with the defaults of both."""

    name = "river"

    def __init__(self) -> None:
        from river.naive_bayes import MultinomialNB

        self._model = MultinomialNB()

    @staticmethod
    def words(text: str) -> Any:
        return Counter(_WORDS.findall(text.lower()))

    def score(self, words: Any) -> float:
        joint = self._model.joint_log_likelihood(words) if self._model.class_counts else {}
        return float(joint["spam"] - joint["ham"]) if len(joint) == 2 else 0.0

    def learn(self, words: Any, label: str) -> None:
        self._model.learn_one(words, label)


class VowpalWabbit:
    """A linear learner of words and pairs, logistic loss."""

    name = "VW"

    def __init__(self) -> None:
        from vowpalwabbit import Workspace

        self._model = Workspace("--loss_function logistic --ngram 2 -b 22 --quiet --link identity")

    @staticmethod
    def words(text: str) -> Any:
        return " ".join(_PLAIN.findall(text.lower()))

    def score(self, words: Any) -> float:
        found = float(self._model.predict(f"| {words}"))
        return found if math.isfinite(found) else 0.0

    def learn(self, words: Any, label: str) -> None:
        self._model.learn(f"{1 if label == 'spam' else -1} | {words}")

    def finish(self) -> None:
        self._model.finish()


PEERS: tuple[type[River] | type[VowpalWabbit], ...] = (River, VowpalWabbit)


@contextmanager
def open_peer(kind: type[River] | type[VowpalWabbit]) -> Iterator[Peer]:
    """A new learner, which is closed after the block."""
    peer = kind()
    try:
        yield peer
    finally:
        if isinstance(peer, VowpalWabbit):
            peer.finish()
