"""Score, then learn, one message at a time: ours against its peers, in one run on one core, as ratios of CPU time.

    python -m tests.benchmarks.throughput [enron1 enron2 enron3]

Each system does its own tokenising. Repetitions are interleaved and the best counts. Peers come with
`pip install .[dev,bench]`; the slow ones see the first messages only, which favours them. scikit-learn's and
river's words are those of their defaults; Vowpal Wabbit reads `a-z0-9` runs, with bigrams.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable

from stream_nb import MailNB, MultinomialNB
from tests.benchmarks.streams import enron

_WORDS = re.compile(r"(?u)\b\w[\w\-]+\b")
_PLAIN = re.compile(r"[a-z0-9]+")
REPETITIONS = 3


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


def main(names: list[str]) -> None:
    warm = [("a b", "spam"), ("c d", "ham")]
    for run in (mail_nb, mail_nb_batch, multinomial):
        run(warm * 3)
    for name in names:
        stream = [(text.decode("latin-1"), label) for text, label in enron(name)]
        counted = [
            ({word: text.lower().count(word) for word in set(_WORDS.findall(text.lower()))}, label)
            for text, label in stream[:1500]
        ]
        few = stream[:1500]
        jobs = [(run, stream) for run in (regex, mail_nb, mail_nb_batch, multinomial)]
        jobs += [(multinomial_dicts, counted), (river_dicts, counted), (river, few), (scikit_learn, stream[:100])]
        try:
            import vowpalwabbit  # noqa: F401

            jobs.append((vowpal_wabbit, stream))
        except ImportError:
            print("Vowpal Wabbit is not installed: pip install .[bench]")
        best: dict[str, float] = {}
        for _ in range(REPETITIONS):
            for run, messages in jobs:
                best[run.__name__] = min(best.get(run.__name__, 1e12), cpu_us(run, messages))
        print(f"\n{name}: {len(stream)} messages, {sum(len(t) for t, _ in stream) // len(stream)} characters each")
        print(f"{'':20}{'us/message':>12}{'MailNB is faster by':>22}")
        for system, us in best.items():
            print(f"{system:20}{us:12.1f}{us / best['mail_nb']:22.2f}")
        print(f"dict input: ours is {best['river_dicts'] / best['multinomial_dicts']:.1f} times as fast as river's")


if __name__ == "__main__":
    main(sys.argv[1:] or ["enron1", "enron2", "enron3"])
