"""`lose_at_most` against the best fixed threshold: ham lost and spam missed, each mail tested before it is learned.

    python -m tests.benchmarks.losing [PATH...] [--generated N] [--seeds N]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam; generated mail is 5,000 per seed. Each stream is
replayed in its order; shuffled (a path only); with labels 100 mails late; with 5 % of labels wrong; with either class
1 in 31; and with one class only after 1,000 mails of the other, or after 500 of it. Printed for each share that may be
lost: the ham lost and the ham that may be lost, and the spam missed in percent, also with the lowest fixed threshold of
at least 0 that loses no more, chosen afterwards. Then, over all replays of a kind: ham lost divided by what may be
lost; in how many replays it was more, and in how many more than by chance (Poisson, 5 %); and the geometric mean of
spam missed divided by that of the best fixed threshold, with a tenth of a percent added to both.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

import numpy as np
from scipy.stats import poisson

from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy
from tests.benchmarks.conditions import (
    HAM,
    SPAM,
    Labelled,
    one_class_first,
    one_class_late,
    one_class_rare,
    with_wrong_labels,
)
from tests.benchmarks.robustness import read

SHARES = (0.001, 0.005, 0.01)
DELAY = 100
FIRST = 500
GENERATED = 5000


class Loss(NamedTuple):
    """Ham lost and ham that may be lost; spam missed with this threshold and with the best fixed one, in percent."""

    lost: int
    allowed: float
    missed: float
    best: float


def replays(mails: list[Labelled], seeds: int, shuffle: bool) -> Iterator[tuple[str, list[Labelled], list[str], int]]:
    """The kind of each replay, its mails, the label given to each, and the delay of labels in mails."""

    def right(mails: list[Labelled]) -> list[str]:
        return [mail.truth for mail in mails]

    yield "as they come", mails, right(mails), 0
    yield "labels late", mails, right(mails), DELAY
    for seed in range(seeds):
        if shuffle:
            shuffled = list(mails)
            Random(seed).shuffle(shuffled)
            yield "shuffled", shuffled, right(shuffled), 0
        yield "5 % flips", mails, with_wrong_labels(mails, 0.05, seed), 0
    for label in (HAM, SPAM):
        for kind, some in (
            (f"{label} 1 in 31", one_class_rare(mails, label, 31, 0)),
            (f"{label} late", one_class_late(mails, label)),
            (f"{label} first", one_class_first(mails, label, FIRST)),
        ):
            yield kind, some, right(some), 0


def scores_and_thresholds(mails: list[Labelled], given: list[str], delay: int) -> tuple[np.ndarray, np.ndarray]:
    """The log-odds of each mail, float64[mails]; the threshold for each share then, float64[mails, shares]."""
    policies = [Policy(lose_at_most=share) for share in SHARES]
    log_odds, thresholds = np.zeros(len(mails)), np.zeros((len(mails), len(SHARES)))
    model = MailNB()
    for i, mail in enumerate(mails):
        log_odds[i] = model.score(mail.mail).log_odds
        thresholds[i] = [policy.threshold_for(model) for policy in policies]
        if i >= delay:
            model.learn_one(mails[i - delay].mail, given[i - delay])
    return log_odds, thresholds


def losses(mails: list[Labelled], given: list[str], delay: int) -> list[Loss]:
    """The ham lost and the spam missed at each share."""
    log_odds, thresholds = scores_and_thresholds(mails, given, delay)
    spam = np.array([mail.truth == SPAM for mail in mails])
    ham = np.sort(log_odds[~spam])
    found: list[Loss] = []
    for share, threshold in zip(SHARES, thresholds.T, strict=True):
        fixed = max(float(ham[-1 - int(share * len(ham))]), 0.0)
        missed = 100 * float((log_odds <= threshold)[spam].mean())
        best = 100 * float((log_odds[spam] <= fixed).mean())
        found.append(Loss(int((log_odds > threshold)[~spam].sum()), share * len(ham), missed, best))
    return found


def summary(runs: list[Loss]) -> str:
    """All replays of a kind at one share."""
    lost, allowed = sum(run.lost for run in runs), sum(run.allowed for run in runs)
    over = sum(run.lost > run.allowed for run in runs)
    beyond = sum(poisson.sf(run.lost - 1, run.allowed) < 0.05 for run in runs)
    times = np.exp(np.mean([np.log((run.missed + 0.1) / (run.best + 0.1)) for run in runs]))
    return f"{lost / allowed:>10.2f}{over:>5}{beyond:>4} of{len(runs):>3}{times:>7.2f}"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("path", nargs="*", type=Path)
    parser.add_argument("--generated", type=int, default=0, help="seeds of generated mail")
    parser.add_argument("--seeds", type=int, default=2, help="of shuffling and of wrong labels")
    given = parser.parse_args()
    print(f"{'lost of allowed, missed % (best %)':34}" + "".join(f"{f'{100 * s:g} %':>28}" for s in SHARES))
    kinds: dict[str, list[list[Loss]]] = {}
    streams = [(path.name, lambda path=path: open_source(path), True) for path in given.path]
    for seed in range(given.generated):
        streams.append((f"generated {seed}", lambda seed=seed: synthetic_mails(GENERATED, seed=seed), False))
    for name, items, shuffle in streams:
        for kind, mails, labels, delay in replays(read(items(), peers=False), given.seeds, shuffle):
            found = losses(mails, labels, delay)
            kinds.setdefault(f"{'' if shuffle else 'generated, '}{kind}", []).append(found)
            cells = (f"{r.lost:>6} of {r.allowed:5.1f},{r.missed:6.1f} ({r.best:4.1f})" for r in found)
            print(f"{name + ', ' + kind:34}" + "".join(f"{cell:>28}" for cell in cells), flush=True)
    print(f"\n{'':26}" + f"{'lost over may, replays above, beyond chance, missed over best':>62}")
    for kind, runs in kinds.items():
        print(f"{kind:26}" + " ".join(summary([run[k] for run in runs]) for k in range(len(SHARES))))


if __name__ == "__main__":
    main()
