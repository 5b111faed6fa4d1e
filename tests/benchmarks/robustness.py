"""What orders that mislead, rare classes, wrong labels and changed minds cost the mail model, with trust and without.

    python -m tests.benchmarks.robustness [--seeds N] PATH... [--shuffled PATH...]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam, in order of arrival if not shuffled; two or more
are joined one after the other, too.
Each condition of `tests.benchmarks.conditions` is run test-then-train. A line has, in percent by the true labels: ham
called spam, spam called ham, (1-AUC) with trust, without (for a source that lies: with that source left out), their
ratio with the least and the greatest, and the least difference in accuracy; means over paths and seeds, geometric for
(1-AUC). Where mails are watched it has how many of them are wrong, of how many. An (1-AUC) below .002 % counts as that.
Kinds of mail are mailing lists, and words where there are none.
"""

from __future__ import annotations

import argparse
import math
import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.metrics import roc_auc_score

from consumers.ingest.formats import open_source
from consumers.records.messages import read_value
from stream_nb import MailNB
from tests.benchmarks.conditions import LIAR, Condition, Labelled, kinds_of_mail, orders, wrong_labels

_LEAST = 0.002
_LIST_ID = re.compile(rb"(?im)^list-id:[^\r\n]*?([\w.-]+)>?[ \t]*\r?$")
_WORD = re.compile(rb"[a-z]{3,12}")
_HEAD = 6000


class Figures(NamedTuple):
    """Ham lost, spam missed, accuracy and (1-AUC), in percent, and how many of the watched mails are wrong."""

    lost: float
    missed: float
    accuracy: float
    one_minus_auc: float
    watched: int


def read(path: Path, shuffle: int | None) -> list[Labelled]:
    """The mails of a source, parsed, with what they are known by."""
    mails: list[Labelled] = []
    for item in open_source(path, shuffle=shuffle):
        if item.label in ("ham", "spam"):
            lists = _LIST_ID.findall(item.value[:_HEAD])[:1]
            words = lists if b"\nReceived: " in item.value[:_HEAD] else _WORD.findall(item.value[:_HEAD].lower())
            kinds = frozenset(word.decode("latin-1") for word in words)
            mails.append(Labelled(read_value(item.value, item.id, "safe").mail, item.label, kinds))
    return mails


def run(condition: Condition, trust: bool, left_out: str | None = None) -> Figures:
    """Test, then train, without the labels of the source that is left out."""
    model = MailNB(trust=trust)
    sources = condition.sources or [""] * len(condition.mails)
    log_odds = np.zeros(len(condition.mails))
    for place, (each, label, source) in enumerate(zip(condition.mails, condition.given, sources, strict=True)):
        log_odds[place] = model.score(each.mail).log_odds
        if source != left_out:
            model.learn_one(each.mail, label, source)
    spam = np.array(condition.truth or [mail.truth for mail in condition.mails]) == "spam"
    called = log_odds > 0
    return Figures(
        100 * float(called[~spam].mean()),
        100 * float((~called[spam]).mean()),
        100 * float((called == spam).mean()),
        max(100 * (1 - float(roc_auc_score(spam, log_odds))), _LEAST),
        int((called != spam)[condition.watched].sum()),
    )


def conditions(paths: dict[str, list[Labelled]], seeds: range) -> Iterator[Condition]:
    """All conditions of all paths."""
    for mails in paths.values():
        yield from orders(mails, seeds)
        yield from wrong_labels(mails, seeds)
        yield from kinds_of_mail(mails, seeds)
    for first in paths:
        for second in paths:
            if first != second:
                both = paths[first] + paths[second]
                yield Condition("two joined", both, [mail.truth for mail in both])


def geometric(values: list[float]) -> float:
    return math.exp(math.fsum(map(math.log, values)) / len(values))


def line(name: str, runs: list[tuple[Figures, Figures, int]]) -> str:
    """What the runs of a condition came to, with trust and without."""
    on, off = [run[0] for run in runs], [run[1] for run in runs]
    ratios = [a.one_minus_auc / b.one_minus_auc for a, b in zip(on, off, strict=True)]
    cells = [
        *(f"{sum(a) / len(a):.2f}/{sum(b) / len(b):.2f}" for a, b in (
            ([each.lost for each in on], [each.lost for each in off]),
            ([each.missed for each in on], [each.missed for each in off]),
        )),
        f"{geometric([each.one_minus_auc for each in on]):.3f}/{geometric([each.one_minus_auc for each in off]):.3f}",
        f"{geometric(ratios):.2f} ({min(ratios):.2f}-{max(ratios):.2f})",
        f"{max(each.one_minus_auc for each in on):.3f}",
        f"{min(a.accuracy - b.accuracy for a, b in zip(on, off, strict=True)):+.2f}",
    ]  # fmt: skip
    text = f"{name:26}{len(runs):>5}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=True))
    watched = [f"{a.watched}/{b.watched} of {size}" for a, b, size in runs if size]
    return "\n".join([text, *(f"{'':8}{', '.join(watched[k : k + 6])}" for k in range(0, len(watched), 6))])


_WIDTHS = (15, 15, 15, 18, 9, 8)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, help="draws of what is at random")
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="+", type=Path)
    given = parser.parse_args()
    paths = {path.name: read(path, None) for path in given.path}
    paths |= {path.name: read(path, 0) for path in given.shuffled}
    found: dict[str, list[tuple[Figures, Figures, int]]] = {}
    for condition in conditions(paths, range(given.seeds)):
        pair = run(condition, True), run(condition, False, LIAR)
        found.setdefault(condition.name, []).append((*pair, len(condition.watched)))
    titles = ("ham lost", "spam missed", "1-AUC", "ratio", "most", "acc.")
    head = "".join(f"{title:>{width}}" for title, width in zip(titles, _WIDTHS, strict=True))
    print(f"{'with trust/without, %':26}{'runs':>5}{head}")
    for name, runs in found.items():
        print(line(name, runs), flush=True)


if __name__ == "__main__":
    main()
