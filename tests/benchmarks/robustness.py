"""The cost of misleading orders, rare classes, wrong labels and changed minds for the model, with and without trust.

    python -m tests.benchmarks.robustness [--seeds N] [--peers] [PATH...] [--shuffled PATH...]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam, in order of arrival unless shuffled; two or more
are also joined, one after the other. Without a path the mails are generated: all conditions but the joined ones run on
them, which only shows the mechanism, because they are easy. The figures of docs/figures.md need the archives.

Each condition of `tests.benchmarks.conditions` is run test-then-train. A line has, in percent by the true labels: ham
lost and spam missed, with/without trust; (1-AUC) with trust; (1-AUC) without trust (if a source lies:
without that source); their ratio with its 95 % interval; that ratio for the mails after the first 500; the worst
(1-AUC) with trust; the smallest difference in accuracy; and with `--peers` also (1-AUC) of river and Vowpal Wabbit
(`benchmarks.peers`), which believe the liar. (1-AUC) and its ratio are geometric means over paths and seeds; values
below .002 % count as .002 %. Intervals are from 200 bootstrap samples of each stream's mails, the same for all
learners. For watched mails, the line below has the number of them that are wrong, with/without trust, and their number.
Kinds of mail are mailing lists, or words if there are none.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from consumers.ingest.feeder import Item
from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from consumers.records.messages import read_value
from stream_nb import MailNB
from tests.benchmarks.conditions import LIAR, Condition, Labelled, kinds_of_mail, orders, wrong_labels
from tests.benchmarks.peers import PEERS, open_peer

_LEAST = 0.002
_SAMPLES = 200
_FIRST = 500
_GENERATED = 3000
_LIST_ID = re.compile(rb"(?im)^list-id:[^\r\n]*?([\w.-]+)>?[ \t]*\r?$")
_WORD = re.compile(rb"[a-z]{3,12}")
_HEAD = 6000


@dataclass(frozen=True)
class Figures:
    """Ham lost, spam missed and accuracy in percent; how many of the watched mails are wrong; and (1-AUC) in percent of
    the stream, of each bootstrap sample, and of the mails after the first."""

    lost: float
    missed: float
    accuracy: float
    watched: int
    one_minus_auc: np.ndarray
    later: float


def read(items: Iterator[Item], peers: bool) -> list[Labelled]:
    """The mails, parsed, with their kinds."""
    mails: list[Labelled] = []
    for item in items:
        if item.label in ("ham", "spam"):
            lists = _LIST_ID.findall(item.value[:_HEAD])[:1]
            words = lists if b"\nReceived: " in item.value[:_HEAD] else _WORD.findall(item.value[:_HEAD].lower())
            mail = read_value(item.value, item.id, "safe").mail
            text = b"\n".join(part for _, part in mail.parts).decode("utf-8", "replace")
            tokens = tuple(peer.words(text) for peer in PEERS) if peers else ()
            mails.append(Labelled(mail, item.label, frozenset(word.decode("latin-1") for word in words), tokens))
    return mails


def one_minus_auc(spam: np.ndarray, scores: np.ndarray, samples: int) -> np.ndarray:
    """(1-AUC) in percent of the stream, then of each bootstrap sample; ties count half."""
    order = np.argsort(scores, kind="stable")
    draw = np.random.default_rng(0)
    share = np.full(len(spam), 1.0 / len(spam))
    weights = np.vstack([np.ones((1, len(spam))), draw.multinomial(len(spam), share, size=samples)])[:, order]
    starts = np.flatnonzero(np.r_[True, np.diff(scores[order]) > 0])
    of_spam = np.add.reduceat(weights * spam[order], starts, axis=1)
    of_ham = np.add.reduceat(weights * ~spam[order], starts, axis=1)
    below = np.cumsum(of_ham, axis=1) - of_ham / 2
    pairs = np.maximum(of_spam.sum(axis=1) * of_ham.sum(axis=1), 1.0)
    return np.maximum(100.0 * (1.0 - (of_spam * below).sum(axis=1) / pairs), _LEAST)


def figures(condition: Condition, scores: np.ndarray) -> Figures:
    spam = np.array(condition.truth or [mail.truth for mail in condition.mails]) == "spam"
    predicted_spam = scores > 0
    return Figures(
        100 * float(predicted_spam[~spam].mean()),
        100 * float((~predicted_spam[spam]).mean()),
        100 * float((predicted_spam == spam).mean()),
        int((predicted_spam != spam)[condition.watched].sum()),
        one_minus_auc(spam, scores, _SAMPLES),
        float(one_minus_auc(spam[_FIRST:], scores[_FIRST:], 0)[0]),
    )


def run(condition: Condition, trust: bool, left_out: str | None = None) -> Figures:
    """Test, then train, without the labels of the source `left_out`, if any."""
    model = MailNB(trust=trust)
    sources = condition.sources or [""] * len(condition.mails)
    scores = np.zeros(len(condition.mails))
    for place, (each, label, source) in enumerate(zip(condition.mails, condition.given, sources, strict=True)):
        scores[place] = model.score(each.mail).log_odds
        if source != left_out:
            model.learn_one(each.mail, label, source)
    return figures(condition, scores)


def run_peer(condition: Condition, number: int) -> Figures:
    """Test, then train, a learner of `PEERS` on all labels."""
    scores = np.zeros(len(condition.mails))
    with open_peer(PEERS[number]) as peer:
        for place, (each, label) in enumerate(zip(condition.mails, condition.given, strict=True)):
            scores[place] = peer.score(each.words[number])
            peer.learn(each.words[number], label)
    return figures(condition, scores)


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


def geometric(runs: list[Figures]) -> np.ndarray:
    """The geometric means of (1-AUC) over runs, for the streams and for each bootstrap sample."""
    return np.exp(np.mean([np.log(each.one_minus_auc) for each in runs], axis=0))


def line(name: str, runs: list[list[Figures]], watched: list[int]) -> str:
    """The results of a condition: with trust, without, and of each peer."""
    on, off, *peers = (list(of_one) for of_one in zip(*runs, strict=True))
    ratio = geometric(on) / geometric(off)
    low, high = np.quantile(ratio[1:], [0.025, 0.975])
    cells = [
        f"{np.mean([each.lost for each in on]):.2f}/{np.mean([each.lost for each in off]):.2f}",
        f"{np.mean([each.missed for each in on]):.2f}/{np.mean([each.missed for each in off]):.2f}",
        f"{geometric(on)[0]:.3f}/{geometric(off)[0]:.3f}",
        f"{ratio[0]:.2f} ({low:.2f}-{high:.2f})",
        f"{np.exp(np.mean([np.log(a.later / b.later) for a, b in zip(on, off, strict=True)])):.2f}",
        f"{max(each.one_minus_auc[0] for each in on):.3f}",
        f"{min(a.accuracy - b.accuracy for a, b in zip(on, off, strict=True)):+.2f}",
        *(f"{geometric(peer)[0]:.3f}" for peer in peers),
    ]
    text = f"{name:26}{len(runs):>5}" + "".join(f"{cell:>{width}}" for cell, width in zip(cells, _WIDTHS, strict=False))
    wrong = [f"{a.watched}/{b.watched} of {size}" for a, b, size in zip(on, off, watched, strict=True) if size]
    return "\n".join([text, *(f"{'':8}{', '.join(wrong[k : k + 6])}" for k in range(0, len(wrong), 6))])


_WIDTHS = (15, 15, 15, 18, 8, 9, 8, 9, 9)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, help="draws of what is at random")
    parser.add_argument("--peers", action="store_true", help="river and Vowpal Wabbit too (dependency group bench)")
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    paths = {path.name: read(open_source(path, shuffle=None), given.peers) for path in given.path}
    paths |= {path.name: read(open_source(path, shuffle=0), given.peers) for path in given.shuffled}
    if not paths:
        print(f"no PATH: {_GENERATED:,} generated mails, and no streams to join")
        paths = {"generated": read(synthetic_mails(_GENERATED, seed=0), given.peers)}
    found: dict[str, tuple[list[list[Figures]], list[int]]] = {}
    for condition in conditions(paths, range(given.seeds)):
        runs, watched = found.setdefault(condition.name, ([], []))
        peers = [run_peer(condition, number) for number in range(len(PEERS))] if given.peers else []
        runs.append([run(condition, True), run(condition, False, LIAR), *peers])
        watched.append(len(condition.watched))
    titles = (
        "ham lost",
        "spam missed",
        "1-AUC",
        "ratio",
        "later",
        "most",
        "acc.",
        *(peer.name for peer in PEERS if given.peers),
    )
    head = "".join(f"{title:>{width}}" for title, width in zip(titles, _WIDTHS, strict=False))
    print(f"{'with trust/without, %':26}{'runs':>5}{head}")
    for name, (runs, watched) in found.items():
        print(line(name, runs, watched), flush=True)


if __name__ == "__main__":
    main()
