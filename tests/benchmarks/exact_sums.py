"""The cost of exact moments compared with float moments: `python -m tests.benchmarks.exact_sums` prints ratios."""

import random
import timeit

from river.naive_bayes import GaussianNB as RiverGaussianNB

from stream_nb.tabular.gaussian import GaussianNB
from stream_nb.tabular.moments import Moments


class Welford:
    """The usual float update, for comparison."""

    __slots__ = ("m2", "mean", "n")

    def __init__(self):
        self.n = 0
        self.mean = self.m2 = 0.0

    def add(self, x):
        self.n += 1
        delta = x - self.mean
        self.mean += delta / self.n
        self.m2 += delta * (x - self.mean)


def seconds(call):
    return min(timeit.repeat(call, number=1, repeat=3))


def fill(new, values):
    statistic = new()
    for x in values:
        statistic.add(x)


def prequential(new, rows):
    model = new()
    for x, y in rows:
        model.predict_proba_one(x)
        model.learn_one(x, y)


def main():
    rng = random.Random(1)
    streams = {
        "whole numbers": [float(rng.randrange(1000)) for _ in range(50_000)],
        "measurements": [rng.gauss(3, 2) for _ in range(50_000)],
        "1e-100 to 1e100": [rng.gauss(0, 1) * 10 ** rng.uniform(-100, 100) for _ in range(50_000)],
    }
    print("add one value, time / float Welford")
    for name, values in streams.items():
        ratio = seconds(lambda v=values: fill(Moments, v)) / seconds(lambda v=values: fill(Welford, v))
        print(f"  {name:16} {ratio:6.2f}")
    rows = [({f"x{i}": rng.gauss(c, 1) for i in range(8)}, c) for c in (rng.randrange(2) for _ in range(4000))]
    ours, river = seconds(lambda: prequential(GaussianNB, rows)), seconds(lambda: prequential(RiverGaussianNB, rows))
    print(f"predict + learn 8 features, time / river's GaussianNB  {ours / river:6.2f}")


if __name__ == "__main__":
    main()
