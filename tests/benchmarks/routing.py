"""Mail sorted into many classes: the accuracy of each learner when it scores each mail and then learns its label.

    python -m tests.benchmarks.routing [--rare N] [--seed N] [PATH]

PATH is anything that `stream-nb evaluate` reads whose ham came by mailing lists: each list is a class, from its
List-Id, and spam is another. Classes with fewer than `--rare` mails, and ham that came by no list, are left out. The
mails are shuffled. A text is the subject, without [list names], and the body, up to a line of dashes or underscores,
below which lists sign: nothing else names the list.

Without PATH, the ham of each of three Enron users is a class, and all their spam another; the streams are interleaved,
each at its own rate.

"First 500" and "second half" are accuracies on these mails; "recall" is the mean over classes of the share of their
mails that are classified correctly.
"""

from __future__ import annotations

import argparse
import random
import re
from collections import Counter, defaultdict
from email import message_from_bytes
from pathlib import Path
from typing import Any, Protocol

from consumers.ingest.formats import open_source
from stream_nb import MailNB, MultinomialNB
from stream_nb.mail import read_mail
from tests.benchmarks.peers import River
from tests.benchmarks.peers import VowpalWabbit as BinaryVowpalWabbit
from tests.benchmarks.streams import enron

EARLY = 500
_LIST = re.compile(r"<([^.>]+)")
_TAG = re.compile(rb"\[[^\]]{1,20}\]")
_SIGNATURE = re.compile(rb"\n[-_]{2,} ?\n|\n[-_]{20,}")

Stream = list[tuple[bytes, str]]


class Learner(Protocol):
    """A learner of any classes."""

    def predict_one(self, x: bytes) -> str | None: ...

    def learn_one(self, x: bytes, y: str) -> None: ...


class RiverMultinomialNB:
    """River's `MultinomialNB` on its bag of words, with the defaults of both.

    Its `ComplementNB` is left out: with these words it takes more than ten minutes.
    """

    def __init__(self) -> None:
        from river.naive_bayes import MultinomialNB

        self._model = MultinomialNB()

    def predict_one(self, x: bytes) -> str | None:
        return self._model.predict_one(River.words(x.decode(errors="replace")))

    def learn_one(self, x: bytes, y: str) -> None:
        self._model.learn_one(River.words(x.decode(errors="replace")), y)


class VowpalWabbit:
    """One linear learner of words and pairs against all others for each class, logistic loss."""

    def __init__(self, classes: list[str]) -> None:
        from vowpalwabbit import Workspace

        self._classes = classes
        self._model = Workspace(f"--oaa {len(classes)} --loss_function logistic --ngram 2 -b 22 --quiet")

    def predict_one(self, x: bytes) -> str:
        return self._classes[self._model.predict(self._example(x)) - 1]

    def learn_one(self, x: bytes, y: str) -> None:
        self._model.learn(f"{self._classes.index(y) + 1} {self._example(x)}")

    @staticmethod
    def _example(x: bytes) -> str:
        return f"| {BinaryVowpalWabbit.words(x.decode(errors='replace'))}"


def users() -> Stream:
    """Mail of three Enron users: (text, user or "spam")."""
    mails = []
    for name in ("enron1", "enron2", "enron3"):
        stream = enron(name)
        for number, (text, label) in enumerate(stream):
            mails.append(((number + 0.5) / len(stream), name, text, name if label == "ham" else label))
    mails.sort(key=lambda mail: mail[:2])
    return [(text, label) for _, _, text, label in mails]


def lists(path: Path, rare: int, seed: int) -> Stream:
    """Mail of mailing lists: (text, list or "spam")."""
    mails = []
    for item in open_source(path):
        named = _LIST.search(str(message_from_bytes(item.value)["List-Id"]))
        label = "spam" if item.label == "spam" else named and named[1]
        if label is not None:
            mails.append((_plain(item.value), label))
    counts = Counter(label for _, label in mails)
    mails = [(text, label) for text, label in mails if counts[label] >= rare]
    random.Random(seed).shuffle(mails)
    return mails


def _plain(raw: bytes) -> bytes:
    text = next((text for name, text in read_mail(raw).mail.parts if not name), b"")
    subject, _, body = text.partition(b"\n")
    return _TAG.sub(b"", subject) + b"\n" + _SIGNATURE.split(body, maxsplit=1)[0]


def learners(classes: list[str]) -> dict[str, Learner]:
    """Ours, then others."""
    return {
        "MailNB": MailNB(),
        "MultinomialNB, lambda 0.1, presence": MultinomialNB(smoothing=0.1, presence=True),
        "MultinomialNB": MultinomialNB(),
        "river's MultinomialNB": RiverMultinomialNB(),
        "Vowpal Wabbit, one against all": VowpalWabbit(classes),
    }


def line(name: str, stream: Stream, learner: Any) -> str:
    """The figures of a learner."""
    right: list[bool] = []
    found: dict[str, list[bool]] = defaultdict(list)
    for text, label in stream:
        right.append(learner.predict_one(text) == label)
        found[label].append(right[-1])
        learner.learn_one(text, label)
    recalls = [_percent(each) for each in found.values()]
    late = right[len(right) // 2 :]
    figures = (_percent(right), _percent(right[:EARLY]), _percent(late), sum(recalls) / len(recalls))
    return f"{name:36}" + "".join(f"{figure:>13.2f}" for figure in figures)


def _percent(right: list[bool]) -> float:
    return 100.0 * sum(right) / len(right)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rare", type=int, default=20, help="fewest mails of a class (20)")
    parser.add_argument("--seed", type=int, default=0, help="seed of the order (0)")
    parser.add_argument("path", nargs="?", type=Path)
    given = parser.parse_args()
    stream = users() if given.path is None else lists(given.path, given.rare, given.seed)
    counts = Counter(label for _, label in stream).most_common()
    print(f"{len(stream)} mails:", ", ".join(f"{label} {count}" for label, count in counts))
    print(f"{'':36}{'accuracy %':>13}{f'first {EARLY}':>13}{'second half':>13}{'recall':>13}")
    for name, learner in learners(sorted(label for label, _ in counts)).items():
        print(line(name, stream, learner), flush=True)


if __name__ == "__main__":
    main()
