"""`lose_at_most` beside the best fixed cut: ham lost and spam missed, each mail tested before its label is learned.

    python -m tests.benchmarks.losing PATH... [--shuffled PATH...]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam. For each share that may be lost: how many mails
that is, how many ham were lost, what the true share is at most (95 %, Clopper and Pearson), spam missed in percent, and
that of the lowest fixed cut of at least 0 that loses no more, chosen afterwards.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np

from consumers.ingest.formats import open_source
from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy
from stream_nb.metrics import share_at_most
from tests.benchmarks.conditions import Labelled
from tests.benchmarks.robustness import read

SHARES = (0.001, 0.003, 0.01)


def scores_and_cuts(mails: list[Labelled]) -> tuple[np.ndarray, np.ndarray]:
    """The log-odds of each mail, and the cut of each share then: float64[mails], float64[mails, shares]."""
    policies = [Policy(lose_at_most=share) for share in SHARES]
    log_odds, cuts = np.zeros(len(mails)), np.zeros((len(mails), len(SHARES)))
    model = MailNB()
    for i, mail in enumerate(mails):
        log_odds[i] = model.score(mail.mail).log_odds
        cuts[i] = [policy.cut(model) for policy in policies]
        model.learn_one(mail.mail, mail.truth)
    return log_odds, cuts


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    print(f"{'':16}{'share %':>9}{'may lose':>10}{'lost':>6}{'at most %':>11}{'missed %':>10}{'best fixed %':>14}")
    for path, shuffle in [*((path, None) for path in given.path), *((path, 0) for path in given.shuffled)]:
        mails = read(open_source(path, shuffle=shuffle), peers=False)
        log_odds, cuts = scores_and_cuts(mails)
        spam = np.array([mail.truth == "spam" for mail in mails])
        ham = np.sort(log_odds[~spam])
        for share, cut in zip(SHARES, cuts.T, strict=True):
            lost = int((log_odds > cut)[~spam].sum())
            missed = 100 * float((log_odds <= cut)[spam].mean())
            fixed = max(float(ham[-1 - int(share * len(ham))]), 0.0)
            best = 100 * float((log_odds[spam] <= fixed).mean())
            bound = 100 * share_at_most(lost, len(ham))
            cells = f"{100 * share:>9.1f}{share * len(ham):>10.1f}{lost:>6}{bound:>11.2f}{missed:>10.1f}{best:>14.1f}"
            print(f"{path.name:16}{cells}", flush=True)


if __name__ == "__main__":
    main()
