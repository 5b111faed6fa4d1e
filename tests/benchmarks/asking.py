"""Labels only for the mails where they teach most, compared with all labels and with as many random ones.

    python -m tests.benchmarks.asking [--ask SHARE] [--seeds N] [PATH...] [--shuffled PATH...]

PATH is as for `stream-nb evaluate`; without one, generated mail. Prints (1-AUC) in percent, test-then-train, and its
ratio to that with all labels: with the labels that were asked for; with these and the predictions of all other mails
("silence"); and with labels drawn at random (geometric mean over the seeds).
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path

from consumers.evaluation.asking import AskingReport, evaluate_asking
from consumers.evaluation.report import Report
from consumers.ingest.feeder import Item
from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy

GENERATED = 3_000


def streams(given: argparse.Namespace) -> Iterator[tuple[str, list[Item]]]:
    """Name and mails of each stream."""
    for paths, shuffle in ((given.path, None), (given.shuffled, 0)):
        for path in paths:
            yield path.name, list(open_source(path, shuffle=shuffle))
    if not given.path and not given.shuffled:
        yield "generated", list(synthetic_mails(GENERATED, seed=0))


def line(name: str, reports: list[AskingReport]) -> str:
    """The figures of a stream."""
    first = reports[0]
    every = percent(first.all_labels)
    runs = (percent(first.asked), percent(first.asked_and_silence), geometric([percent(r.random) for r in reports]))
    cells = "".join(f"{value:>12.4f}{value / every:>7.2f}" for value in runs)
    n = first.all_labels.n
    shares = f"{100 * first.labels / n:>8.1f}{100 * first.labels_with_silence / n:>8.1f}"
    return f"{name:16}{n:>7}{shares}{every:>12.4f}{cells}"


def percent(report: Report) -> float:
    return max(report.one_minus_auc_pct or 0.0, 1e-4)


def geometric(values: list[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--ask", type=float, default=0.1, help="labels a mail")
    parser.add_argument("--seeds", type=int, default=1, help="draws of the random share")
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    head = f"{'all':>12}{'asked':>12}{'ratio':>7}{'silence':>12}{'ratio':>7}{'random':>12}{'ratio':>7}"
    print(f"{'(1-AUC) %':16}{'mails':>7}{'% asked':>16}{head}")
    for name, mails in streams(given):
        reports = [
            evaluate_asking(lambda mails=mails: mails, MailNB, Policy(), "safe", given.ask, seed)
            for seed in range(given.seeds)
        ]
        print(line(name, reports), flush=True)


if __name__ == "__main__":
    main()
