"""The cost of a message for BinnedNB, by the distribution of its numbers: `python -m tests.benchmarks.binned`."""

import random
import time

from stream_nb import BinnedNB

SPREADS = {
    "normal around 0": lambda rng: rng.gauss(0.0, 1.0),
    "uniform to 1000": lambda rng: rng.uniform(0.0, 1000.0),
    "uniform 10 to 20": lambda rng: rng.uniform(10.0, 20.0),
    "1e6 and up to 1000 more": lambda rng: 1e6 + rng.uniform(0.0, 1000.0),
    "always 3": lambda rng: 3.0,
}
LEARNED, MEASURED = 6000, 1500


def us_a_message(draw):
    rng = random.Random(1)
    rows = [({"x": draw(rng)}, rng.choice("ab")) for _ in range(LEARNED + MEASURED)]
    model = BinnedNB()
    model.learn_many(*zip(*rows[:LEARNED], strict=True))
    started = time.process_time()
    for x, y in rows[LEARNED:]:
        model.predict_one(x)
        model.learn_one(x, y)
    return 1e6 * (time.process_time() - started) / MEASURED


def main():
    print(f"{'values of the one number':28}{'us/message':>12}")
    for name, draw in SPREADS.items():
        print(f"{name:28}{us_a_message(draw):12.0f}")


if __name__ == "__main__":
    main()
