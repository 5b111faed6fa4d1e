"""How many errors a starter of other people's mail saves a new user.

    python -m tests.benchmarks.starter [--seeds N] [PATH...] [--shuffled PATH...]

Each PATH, as for `stream-nb evaluate`, with mails labelled ham and spam, is the mail of one user, in random order
(seed 0) for --shuffled; without one, three users with 2,000 generated mails each, which only shows the mechanism. For
each user, `stream_nb.mail_nb.starter` makes a starter from the mail of all others, in their order. The user's mails are
scored and learned one after the other, with and without it: in their order, and in --seeds random orders. A line has,
as means over the orders, without and with a starter: errors among the first 200 mails, among the first 1,000, among
those after 1,000, and (1-AUC) in percent of the latter. The same follows, over all users, for bad starters: with the
labels swapped, from the mail of only the last other user, from generated mail, from 50 mails. Then misleading orders,
rare classes and wrong labels, as in `tests.benchmarks.robustness`: (1-AUC) in percent and errors of whole streams,
means over the users.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from stream_nb import MailNB
from stream_nb.mail_nb.starter import starter
from tests.benchmarks.conditions import SPAM, Condition, Labelled, orders, with_wrong_labels
from tests.benchmarks.few_labels import geometric
from tests.benchmarks.robustness import one_minus_auc, read

FIRST, LATER = 200, 1000
LEAST = 0.002
"""A smaller (1-AUC), in percent, counts as this."""


def starter_from(*users: list[Labelled], wrong: bool = False) -> MailNB:
    """The starter of these users' mail; with `wrong`, their labels are swapped."""
    model = MailNB(key=b"the same key for every run")
    for mails in users:
        labels = with_wrong_labels(mails, 1.0, 0) if wrong else [mail.truth for mail in mails]
        model.learn_many([mail.mail for mail in mails], labels)
    return starter(model)


def bad_starters(others: list[list[Labelled]]) -> Iterator[tuple[str, MailNB]]:
    """Bad starters."""
    mails, generated = [mail for other in others for mail in other], read(synthetic_mails(2000, seed=9), peers=False)
    yield "labels swapped", starter_from(*others, wrong=True)
    yield "of one other", starter_from(others[-1])
    yield "of one other, wrong", starter_from(others[-1], wrong=True)
    yield "generated", starter_from(generated)
    yield "generated, wrong", starter_from(generated, wrong=True)
    yield "of 50 mails", starter_from(Random(0).sample(mails, 50))


def figures(mails: list[Labelled], starting_model: MailNB) -> tuple[float, float, float, float]:
    """Errors among the first 200 mails, the first 1,000 and those after them, and (1-AUC) of the latter in percent."""
    truth = [mail.truth for mail in mails]
    scores = np.array(starting_model.copy().score_then_learn([mail.mail for mail in mails], truth))
    spam = np.array(truth) == SPAM
    wrong = (scores > 0) != spam
    auc = float(one_minus_auc(spam[LATER:], scores[LATER:], 0)[0])
    return float(wrong[:FIRST].sum()), float(wrong[:LATER].sum()), float(wrong[LATER:].sum()), max(auc, LEAST)


def misleading_conditions(mails: list[Labelled]) -> Iterator[Condition]:
    """The stream in misleading orders, with one rare class, and with wrong labels."""
    yield from orders(mails, range(1))
    for share in (0.05, 0.2):
        yield Condition(f"{100 * share:.0f} % flips", mails, with_wrong_labels(mails, share, 0))


def whole_stream(condition: Condition, starting_model: MailNB) -> tuple[float, float]:
    """(1-AUC) in percent and errors over all mails, by their true labels."""
    scores = np.array(starting_model.copy().score_then_learn([mail.mail for mail in condition.mails], condition.given))
    spam = np.array([mail.truth for mail in condition.mails]) == SPAM
    return max(float(one_minus_auc(spam, scores, 0)[0]), LEAST), float(((scores > 0) != spam).sum())


def line(name: str, without: np.ndarray, with_starter: np.ndarray) -> str:
    """Means over orders (rows), each without and with a starter; (1-AUC) as a geometric mean."""
    cells = ""
    for column, decimals in enumerate((1, 1, 1, 4)):
        mean = np.mean if column < 3 else geometric
        cells += f"{mean(without[:, column]):>14.{decimals}f}{mean(with_starter[:, column]):>8.{decimals}f}"
    return f"{name:20}{cells}"


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=5, help="random orders beside the one as they come")
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    sources = [(path, None) for path in given.path] + [(path, 0) for path in given.shuffled]
    users = {path.name: read(open_source(path, shuffle=seed), peers=False) for path, seed in sources}
    users = users or {f"generated {seed}": read(synthetic_mails(2000, seed=seed), peers=False) for seed in (1, 2, 3)}
    heads = (f"first {FIRST}", f"first {LATER}", f"after {LATER}", "(1-AUC) after")
    print(f"{'errors':20}" + "".join(f"{head:>14}{'starter':>8}" for head in heads))
    rows: tuple[list[np.ndarray], list[np.ndarray]] = ([], [])
    by_bad_starter: dict[str, list[np.ndarray]] = {}
    by_condition: dict[str, list[tuple[tuple[float, float], ...]]] = {}
    for name, mails in users.items():
        others = [mails for other, mails in users.items() if other != name]
        starting_model = starter_from(*others)
        drawn = [mails, *(Random(seed).sample(mails, len(mails)) for seed in range(1, given.seeds + 1))]
        for side, model in enumerate((starting_model.clone(), starting_model)):
            rows[side].append(np.array([figures(order, model) for order in drawn]))
        print(line(name, rows[0][-1], rows[1][-1]), flush=True)
        for kind, other in bad_starters(others):
            by_bad_starter.setdefault(kind, []).append(np.array([figures(order, other) for order in drawn]))
        for condition in misleading_conditions(mails):
            by_condition.setdefault(condition.name, []).append(
                (whole_stream(condition, starting_model.clone()), whole_stream(condition, starting_model))
            )
    print(line("all", np.concatenate(rows[0]), np.concatenate(rows[1])))
    for kind, found in by_bad_starter.items():
        print(line(kind, np.concatenate(rows[0]), np.concatenate(found)))
    print(f"\n{'':20}{'(1-AUC)':>14}{'starter':>8}{'errors':>14}{'starter':>8}")
    for name, found in by_condition.items():
        (auc, wrong), (auc_with_starter, wrong_with_starter) = np.array(found).transpose(1, 2, 0).tolist()
        print(
            f"{name:20}{geometric(auc):>14.3f}{geometric(auc_with_starter):>8.3f}"
            f"{np.mean(wrong):>14.1f}{np.mean(wrong_with_starter):>8.1f}"
        )


if __name__ == "__main__":
    main()
