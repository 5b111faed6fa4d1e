"""The cost of a prediction as the vocabulary grows, the bytes of a feature, and snapshots of a million words.

    python -m tests.benchmarks.vocabulary [largest power of ten, default 7]

Messages have 100 words: 80 from 5,000 common ones and 20 from the whole vocabulary. `bernoulli` also counts all absent
words, and must not cost more for it.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from stream_nb import BernoulliNB, MailNB, MultinomialNB

_SEED = 1
_MESSAGES = 2000


def train_words(model, size: int):
    """Let the model learn `size` words, a thousand per message."""
    for start in range(0, size, 1000):
        words = [f"w{number}" for number in range(start, min(start + 1000, size))]
        model.learn_one(words, "spam" if start // 1000 % 2 else "ham")
    return model


def messages(size: int) -> list[str]:
    draw = np.random.default_rng(_SEED)
    common = draw.integers(0, min(size, 5000), (_MESSAGES, 80))
    rare = draw.integers(0, size, (_MESSAGES, 20))
    return [" ".join(f"w{number}" for number in row) for row in np.hstack((common, rare)).tolist()]


def best_us(call, xs) -> float:
    best = 1e12
    for _ in range(3):
        started = time.process_time()
        for x in xs:
            call(x)
        best = min(best, 1e6 * (time.process_time() - started) / len(xs))
    return best


def main(largest: int) -> None:
    print(f"{'words':>10}{'multinomial us':>16}{'bernoulli us':>14}{'ratio':>7}{'MailNB us':>11}{'bytes/feature':>15}")
    for power in range(4, largest + 1):
        size, xs = 10**power, messages(10**power)
        multinomial = train_words(MultinomialNB(), size)
        bernoulli = BernoulliNB.reading(multinomial)
        mail = train_words(MailNB(band=float("inf"), trust=False), size)
        for model in (multinomial, bernoulli, mail):
            model.predict_one(xs[0])
        m, b, n = (best_us(model.predict_one, xs) for model in (multinomial, bernoulli, mail))
        print(f"{size:>10}{m:>16.1f}{b:>14.1f}{b / m:>7.2f}{n:>11.1f}{mail.nbytes / mail.features:>15.1f}", flush=True)
    started = time.perf_counter()
    data = multinomial.to_bytes()
    written = time.perf_counter()
    MultinomialNB.from_bytes(data)
    read = time.perf_counter()
    print(
        f"snapshot of {multinomial.words} words: {len(data) / 1e6:.1f} MB, "
        f"written in {written - started:.2f} s, read in {read - written:.2f} s"
    )


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else 7)
