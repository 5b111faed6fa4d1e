"""How many errors a starter of other people's numbers or categories saves a new user.

    python -m tests.benchmarks.starter_numbers [--seeds N]

The tables of numbers that ship with river and scikit-learn, and two of them with each number as a category, are divided
into the rows of a user and those of others: at random, so that both are similar; and by a random direction in the space
of their numbers, with noise of half its deviation, so that they differ. The handwritten digits are divided by writer.
`stream_nb.mail_nb.starter` makes a starter from the others' rows, and the user's rows, at most 600, are scored and
learned one after the other. A line has, as means over --seeds divisions, without and with a starter, the errors among
the first 20, 50 and 200 rows and among those after them; then the errors among the first 50 with a starter whose labels
are wrong: each class is replaced by the next.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from random import Random

import numpy as np
from river import datasets
from sklearn.datasets import load_breast_cancer, load_digits, load_iris, load_wine

from stream_nb import Mail, MailNB
from stream_nb.mail_nb.starter import starter

MOST = 600
FIRST = (20, 50, 200)

Rows = list[tuple[Mail, str]]


def tables() -> Iterator[tuple[str, np.ndarray, list[str]]]:
    """The name of a table, its numbers, and the class of each row."""
    for name, load in (
        ("iris", load_iris),
        ("wine", load_wine),
        ("cancer", load_breast_cancer),
        ("digits", load_digits),
    ):
        table = load()
        yield name, table.data.astype(float), [str(y) for y in table.target]
    for stream in (datasets.Phishing, datasets.Bananas, datasets.ImageSegments):
        rows = [([float(value) for value in x.values()], str(y)) for x, y in stream()]
        yield stream.__name__, np.array([x for x, _ in rows]), [y for _, y in rows]


def rows_of(numbers: np.ndarray, labels: list[str], category: bool) -> Rows:
    features = [tuple((f"f{i}", f"{x:.1f}" if category else float(x)) for i, x in enumerate(row)) for row in numbers]
    return [(Mail((), features=pairs), label) for pairs, label in zip(features, labels, strict=True)]


def rows_of_user(name: str, numbers: np.ndarray, seed: int, similar: bool) -> np.ndarray:
    """Which rows are the user's."""
    draw = np.random.default_rng(seed)
    if similar and name == "digits":  # the two halves have different writers
        return (np.arange(len(numbers)) < len(numbers) // 2) == bool(seed % 2)
    scaled = (numbers - numbers.mean(axis=0)) / np.maximum(numbers.std(axis=0), 1e-9)
    projection = scaled @ draw.normal(size=numbers.shape[1])
    noise = draw.normal(size=len(numbers))
    projection = noise if similar else projection + noise * 0.5 * projection.std()
    return projection < np.median(projection)


def starter_from(rows: Rows, wrong: bool = False) -> MailNB:
    model, labels = MailNB(key=b"the same key for every run"), sorted({label for _, label in rows})
    next_class = dict(zip(labels, [*labels[1:], labels[0]], strict=True))
    model.learn_many([mail for mail, _ in rows], [next_class[label] if wrong else label for _, label in rows])
    return starter(model)


def errors(rows: Rows, start: MailNB) -> list[float]:
    """The errors among the first rows, each scored before it is learned, and among the others."""
    model, wrong = start.copy(), []
    for mail, label in rows:
        wrong.append(model.predict_one(mail) != label)
        model.learn_one(mail, label)
    return [float(sum(wrong[:n])) for n in FIRST] + [float(sum(wrong[FIRST[-1] :]))]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=6, help="divisions of each table")
    given = parser.parse_args()
    heads = [*(f"first {n}" for n in FIRST), "later"]
    print(f"{'errors':36}" + "".join(f"{head:>12}{'starter':>8}" for head in heads) + f"{'wrong, first 50':>18}")
    for similar in (True, False):
        for name, numbers, labels in tables():
            for category in (False, True) if name in ("digits", "Phishing") else (False,):
                found: list[list[list[float]]] = []
                for seed in range(given.seeds):
                    of_user, rows = rows_of_user(name, numbers, seed, similar), rows_of(numbers, labels, category)
                    user = [row for row, is_own in zip(rows, of_user, strict=True) if is_own]
                    others = [row for row, is_own in zip(rows, of_user, strict=True) if not is_own]
                    user = Random(seed).sample(user, min(len(user), MOST))
                    empty = MailNB(key=b"the same key for every run")
                    starts = empty, starter_from(others), starter_from(others, wrong=True)
                    found.append([errors(user, start) for start in starts])
                without, with_starter, wrong = np.mean(found, axis=0)
                what = f"{name}{' as categories' if category else ''}, {'one kind' if similar else 'others differ'}"
                cells = "".join(f"{a:>12.1f}{b:>8.1f}" for a, b in zip(without, with_starter, strict=True))
                print(f"{what:36}{cells}{wrong[1]:>18.1f}", flush=True)


if __name__ == "__main__":
    main()
