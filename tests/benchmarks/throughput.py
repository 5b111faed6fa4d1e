"""Scoring, then learning, one message at a time: our models and their peers in one run on one core, as CPU time ratios.

    python -m tests.benchmarks.throughput [enron1 enron2 enron3]

Each system does its own tokenising, and each ratio is over the same messages. Repetitions are interleaved and the best
one counts. Peers are installed with `pip install .[dev,bench]`. scikit-learn, which takes a hundredth of a second per
message, gets only the first 500. It and river split words by their defaults; Vowpal Wabbit reads `a-z0-9` runs, with
bigrams. MailNB reads words and pairs of words like Vowpal Wabbit, MultinomialNB words like river and scikit-learn.
"""

from __future__ import annotations

import math
import re
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec

from stream_nb import MailNB, MultinomialNB
from tests.benchmarks.streams import enron

_WORDS = re.compile(r"(?u)\b\w[\w\-]+\b")
_PLAIN = re.compile(r"[a-z0-9]+")
REPETITIONS = 5


def regex(stream) -> None:
    for text, _ in stream:
        _WORDS.findall(text.lower())


def mail_nb(stream) -> None:
    model = MailNB()
    for text, label in stream:
        model.score(text)
        model.learn_one(text, label)


def mail_nb_batch(stream) -> None:
    MailNB().score_then_learn([text for text, _ in stream], [label for _, label in stream])


def multinomial(stream) -> None:
    model = MultinomialNB(presence=True)
    for text, label in stream:
        model.score(text)
        model.learn_one(text, label)


def multinomial_dicts(stream) -> None:
    model = MultinomialNB()
    for counts, label in stream:
        model.predict_one(counts)
        model.learn_one(counts, label)


def river_dicts(stream) -> None:
    from river.naive_bayes import MultinomialNB as RiverNB

    model = RiverNB()
    for counts, label in stream:
        model.predict_one(counts)
        model.learn_one(counts, label)


def river(stream) -> None:
    from river.feature_extraction import BagOfWords
    from river.naive_bayes import MultinomialNB as RiverNB

    model = BagOfWords() | RiverNB()
    for text, label in stream:
        model.predict_one(text)
        model.learn_one(text, label)


def scikit_learn(stream) -> None:
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.naive_bayes import MultinomialNB as SklearnNB

    words, model = HashingVectorizer(alternate_sign=False, norm=None), SklearnNB()
    for number, (text, label) in enumerate(stream):
        row = words.transform([text])
        if number:
            model.predict_log_proba(row)
        model.partial_fit(row, [label], classes=["ham", "spam"])


def vowpal_wabbit(stream) -> None:
    from vowpalwabbit import Workspace

    model = Workspace("--loss_function logistic --ngram 2 -b 22 --quiet --link identity")
    for text, label in stream:
        words = " ".join(_PLAIN.findall(text.lower()))
        model.predict(f"| {words}")
        model.learn(f"{1 if label == 'spam' else -1} | {words}")
    model.finish()


def cpu_us(run: Callable, stream: list) -> float:
    started = time.process_time()
    run(stream)
    return 1e6 * (time.process_time() - started) / len(stream)


def counted(text: str) -> dict[str, int]:
    """A message as input of river's models: the number of occurrences of each word."""
    counts: dict[str, int] = {}
    for word in _WORDS.findall(text.lower()):
        counts[word] = counts.get(word, 0) + 1
    return counts


def measure(jobs: list[Callable], stream: list, repetitions: int) -> dict[str, float]:
    """The minimal CPU microseconds per message of each job, with interleaved repetitions."""
    best: dict[str, float] = {}
    for _ in range(repetitions):
        for run in jobs:
            best[run.__name__] = min(best.get(run.__name__, math.inf), cpu_us(run, stream))
    return best


def show(title: str, figures: dict[str, float], *ours: str) -> None:
    """Print one table: each system's time, and its ratio to ours."""
    print(f"\n{title:44}{'us/message':>12}" + "".join(f"{f'over {own}':>24}" for own in ours))
    for system, us in figures.items():
        print(f"    {system:40}{us:12.1f}" + "".join(f"{us / figures[own]:24.2f}" for own in ours))


def main(names: list[str]) -> None:
    warm = [("a b", "spam"), ("c d", "ham")]
    for run in (mail_nb, mail_nb_batch, multinomial):
        run(warm * 3)
    peers = [river]
    if find_spec("vowpalwabbit"):
        peers.append(vowpal_wabbit)
    else:
        print("Vowpal Wabbit is not installed: pip install .[bench]")
    for name in names:
        stream = [(text.decode("latin-1"), label) for text, label in enron(name)]
        dicts = [(counted(text), label) for text, label in stream]
        characters = sum(len(text) for text, _ in stream) // len(stream)
        figures = measure([regex, mail_nb, mail_nb_batch, multinomial, *peers], stream, REPETITIONS)
        show(f"{name}: {len(stream)} texts of {characters} characters", figures, "mail_nb", "multinomial")
        figures = measure([mail_nb, multinomial, scikit_learn], stream[:500], 2)
        show(f"{name}: the first 500", figures, "mail_nb", "multinomial")
        show(f"{name}: as dicts", measure([multinomial_dicts, river_dicts], dicts, REPETITIONS), "multinomial_dicts")


if __name__ == "__main__":
    main(sys.argv[1:] or ["enron1", "enron2", "enron3"])
