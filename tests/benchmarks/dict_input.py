"""Dict input, as in river: our models against river's on the same dicts.

`python -m tests.benchmarks.dict_input [PATH]` prints ratios for scoring and learning one message at a time. Without
PATH (labelled mails, as for `feed`) the mails are drawn from our model with 20,000 words.
"""

import math
import random
import re
import sys
import time

from river import naive_bayes

from stream_nb import BernoulliNB, MultinomialNB
from stream_nb.tabular.gaussian import GaussianNB

ROWS, VOCABULARY = 3000, 20_000
_WORD = re.compile(r"[a-z0-9_]+")


def drawn():
    rng = random.Random(0)
    weights = {y: [1 / (i + 1) ** rng.uniform(0.9, 1.1) for i in range(VOCABULARY)] for y in ("ham", "spam")}
    rows = []
    for _ in range(ROWS):
        label, x = rng.choice(("ham", "spam")), {}
        for i in rng.choices(range(VOCABULARY), weights[label], k=200):
            x[f"word{i}"] = x.get(f"word{i}", 0) + 1
        rows.append((x, label))
    return rows


def read(path):
    from consumers.ingest.formats import open_source
    from consumers.studies.corpus import load

    rows = []
    for mail, label in load(open_source(path), path, ROWS).mails:
        x = {}
        for word in _WORD.findall(b" ".join(part.text for part in mail.parts).decode("utf-8", "replace").lower()):
            x[word] = x.get(word, 0) + 1
        rows.append((x, label))
    return rows


def seconds(model, rows):
    right, start = 0, time.process_time()
    for x, y in rows:
        right += model.predict_one(x) == y
        model.learn_one(x, y)
    return time.process_time() - start, right / len(rows)


def main(path=None):
    rows = read(path) if path else drawn()
    print(f"{len(rows)} dicts, {math.fsum(len(x) for x, _ in rows) / len(rows):.0f} words each")
    few = rows[: max(100, len(rows) // 15)]  # river's Bernoulli slows down with every word it meets
    rng = random.Random(1)
    numbers = [({f"x{i}": rng.gauss(y == "spam", 1) for i in range(8)}, y) for _, y in rows]
    for name, theirs, ours, stream in (
        ("multinomial", naive_bayes.MultinomialNB(), MultinomialNB(), rows),
        ("Bernoulli", naive_bayes.BernoulliNB(), BernoulliNB(), few),
        ("Gaussian", naive_bayes.GaussianNB(), GaussianNB(), numbers),
    ):
        their_s, their_accuracy = seconds(theirs, stream)
        our_s, our_accuracy = seconds(ours, stream)
        print(
            f"{name:12} times faster than river {their_s / our_s:7.1f}   "
            f"accuracy ours {our_accuracy:.4f} river {their_accuracy:.4f}"
        )


if __name__ == "__main__":
    for new in (MultinomialNB, BernoulliNB, GaussianNB):
        seconds(new(), [({"a": 1}, "a"), ({"a": 1}, "b"), ({"a": 2}, "a")])  # compiles or loads the kernels
    main(*sys.argv[1:2])
