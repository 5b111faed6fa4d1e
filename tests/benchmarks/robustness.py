"""What one class first, a rare class and wrong labels cost the mail model, with label trust and without.

    python -m tests.benchmarks.robustness [--shuffle SEED] PATH...

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam. Each condition is run as it is and with 5 % of
the labels told wrong, test-then-train. Shown as on/off, in percent, by the true labels: ham called spam, spam called
ham, and (1-AUC). Figures of a rare class are means over three draws of the mails that are kept of it.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random

from consumers.evaluation.prequential import evaluate
from consumers.ingest.feeder import Item
from consumers.ingest.formats import open_source
from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy

_FIRST = 500
_RARE = 31
_DRAWS = 3
_FLIP = 0.05
_SEED = 1


def one_class_first(mails: list[Item], first: str, most: int) -> list[Item]:
    """At most so many mails of one class, as many of the other, then the rest as they come."""
    own = [mail for mail in mails if mail.label == first][:most]
    others = [mail for mail in mails if mail.label != first][:most]
    opening = set(map(id, own + others))
    return own + others + [mail for mail in mails if id(mail) not in opening]


def one_class_rare(mails: list[Item], rare: str, seed: int) -> list[Item]:
    """Of one class only as many, drawn at random, as make it 1 mail in 31."""
    others = sum(mail.label != rare for mail in mails)
    of_class = [mail for mail in mails if mail.label == rare]
    kept = set(map(id, Random(seed).sample(of_class, others // (_RARE - 1))))
    return [mail for mail in mails if mail.label != rare or id(mail) in kept]


def conditions(mails: list[Item]) -> Iterator[tuple[str, list[list[Item]]]]:
    """The name of each condition and its streams."""
    yield "as they come", [mails]
    for label in ("ham", "spam"):
        yield f"{_FIRST} {label} first", [one_class_first(mails, label, _FIRST)]
    for label in ("ham", "spam"):
        yield f"all {label} first", [one_class_first(mails, label, len(mails))]
    for label in ("ham", "spam"):
        yield f"{label} 1 in {_RARE}", [one_class_rare(mails, label, seed) for seed in range(_DRAWS)]


def figures(streams: list[list[Item]], trust: bool, flip: float) -> list[float]:
    """Ham called spam, spam called ham and (1-AUC) in percent, means over the streams."""
    rows = []
    for mails in streams:
        report, _ = evaluate(mails, MailNB(trust=trust), Policy(), "safe", flip=flip, seed=_SEED)
        ham, spam = report.confusion["ham"], report.confusion["spam"]
        lost, missed = ham.get("spam", 0) / sum(ham.values()), spam.get("ham", 0) / sum(spam.values())
        rows.append((100 * lost, 100 * missed, report.one_minus_auc_pct))
    return [math.fsum(column) / len(rows) for column in zip(*rows, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shuffle", type=int, help="seed of a random order of the mails; default is arrival order")
    parser.add_argument("path", nargs="+", type=Path)
    given = parser.parse_args()
    print(f"{'trust on/off, %':38}{'ham lost':>13}{'spam missed':>13}{'1-AUC':>15}")
    for path in given.path:
        mails = [mail for mail in open_source(path, shuffle=given.shuffle) if mail.label in ("ham", "spam")]
        for flip in (0.0, _FLIP):
            for name, streams in conditions(mails):
                on, off = figures(streams, True, flip), figures(streams, False, flip)
                cells = [f"{a:.{d}f}/{b:.{d}f}" for a, b, d in zip(on, off, (1, 1, 3), strict=True)]
                title = f"{path.name:13}{name}{', 5 % flips' if flip else ''}"
                print(f"{title:38}{cells[0]:>13}{cells[1]:>13}{cells[2]:>15}", flush=True)


if __name__ == "__main__":
    main()
