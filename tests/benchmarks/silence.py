"""Users who only report errors that they notice: what is learned from their reports, with and without silence.

    python -m tests.benchmarks.silence PATH... [--shuffled PATH...] [--after MAILS] [--late MAILS] [--first MAILS]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam. The first mails are all labelled, as at a start.
After that people report all errors, every second one (at random), or only spam that they received: at once, or on
average `--late` mails later (exponentially distributed). With silence, a mail with a sure prediction and without a
report is learned as predicted `--after` mails later, like a label of the stage `silence`, and unlearned if it is
reported after all; "not spam" leaves out mails predicted as spam ([silence] junk_is_read). Each mail is tested before
anything is learned from it. "wrong" is the percentage of wrong labels of silence, "flip rate" the estimate of it that
was learned from people.
"""

from __future__ import annotations

import argparse
import itertools
from collections import deque
from collections.abc import Callable
from heapq import heappop, heappush
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from consumers.evaluation.report import Report, RunningReport
from consumers.ingest.formats import open_source
from consumers.model.silence import sure_label, unmeasured
from consumers.records.schemas import SILENCE, PredictionRecord
from stream_nb import MailNB, Score
from stream_nb.mail_nb.reliability import reliabilities
from stream_nb.types import Update
from tests.benchmarks.conditions import HAM, SPAM, Labelled
from tests.benchmarks.robustness import read

COMPLAINTS: dict[str, Callable[[Random, str], bool]] = {
    "all errors": lambda draw, truth: True,
    "half of the errors": lambda draw, truth: draw.random() < 0.5,
    "spam got": lambda draw, truth: truth == SPAM,
}
AGREEMENT = {"none": (), "silence": (HAM, SPAM), "not spam": (HAM,)}
"""The predictions that silence confirms."""
_PREDICTION = PredictionRecord("", None, 0.0, 0.5, SPAM, 0.0, 0, {}, 0, 0, "emails", 0, 1, 0.0, 0.0)


class Learned(NamedTuple):
    """The figures of a run; the number of labels of silence, how many of them were wrong, and the learned flip rate."""

    report: Report
    silent: int
    wrong: int
    flip_rate: float


def run(mails: list[Labelled], complaint: str, agreed: tuple[str, ...], first: int, after: int, late: float) -> Learned:
    """Test, then train, on the reports of people and the labels of silence."""
    model, draw, report = MailNB(), Random(0), RunningReport(SPAM)
    waiting: deque[tuple[int, str]] = deque()
    complaints: list[tuple[int, int]] = []
    learned: dict[int, Update] = {}
    reported: set[int] = set()
    silent = wrong = 0
    for number, mail in enumerate(mails):
        score = model.score(mail.mail)
        report.update(mail.truth, score.label, score.log_odds)
        if number < first:
            model.learn_one(mail.mail, mail.truth, "people")
            continue
        if mail.truth != score.label and COMPLAINTS[complaint](draw, mail.truth):
            heappush(complaints, (number + int(draw.expovariate(1 / late) if late else 0), number))
        if (sure := _sure(score)) in agreed:
            waiting.append((number, sure))
        while complaints and complaints[0][0] <= number:
            _, index = heappop(complaints)
            x, corrects = mails[index].mail, SILENCE if index in learned else ""
            if index in learned:
                model.revert_update(x, learned[index])
            reported.add(index)
            model.apply_update(x, model.grade(x, mails[index].truth, "people")._replace(corrects=corrects))
        while waiting and waiting[0][0] + after <= number:
            old, label = waiting.popleft()
            if old not in reported:
                learned[old] = unmeasured(model.grade(mails[old].mail, label, SILENCE))
                model.apply_update(mails[old].mail, learned[old])
                silent += 1
                wrong += label != mails[old].truth
    known = reliabilities(model).get(SILENCE)
    return Learned(report.report(), silent, wrong, known.flip_rate if known else 0.0)


def _sure(score: Score) -> str:
    scores = {str(name): value for name, value in score.scores.items()}
    label = None if score.label is None else str(score.label)
    return sure_label(msgspec.structs.replace(_PREDICTION, label=label, log_odds=score.log_odds, scores=scores)) or ""


def line(learned: Learned) -> str:
    """The figures of a run."""
    report = learned.report
    ham, spam = report.confusion.get(HAM, {}), report.confusion.get(SPAM, {})
    index = (
        f"{learned.silent:>9}{100 * learned.wrong / learned.silent:>9.2f}{100 * learned.flip_rate:>13.2f}"
        if learned.silent
        else ""
    )
    return (
        f"{report.one_minus_auc_pct or 0.0:>10.3f}{100 * (report.accuracy or 0.0):>12.2f}"
        f"{ham.get(SPAM, 0):>10}{spam.get(HAM, 0):>13}{index}"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--after", type=int, default=500, help="mails until silence agrees")
    parser.add_argument("--late", type=float, default=0.0, help="mails until people complain, in the mean")
    parser.add_argument("--first", type=int, default=50, help="mails that are all labelled")
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    print(f"{'':42}{'(1-AUC) %':>10}{'accuracy %':>12}{'ham lost':>10}{'spam missed':>13}{'silent':>9}{'wrong %':>9}"
          f"{'flip rate %':>13}")  # fmt: skip
    for path, shuffle in [*((path, None) for path in given.path), *((path, 0) for path in given.shuffled)]:
        mails = read(open_source(path, shuffle=shuffle), peers=False)
        for complaint, (name, agreed) in itertools.product(COMPLAINTS, AGREEMENT.items()):
            learned = run(mails, complaint, agreed, given.first, given.after, given.late)
            print(f"{path.name:14}{complaint:20}{name:8}{line(learned)}", flush=True)


if __name__ == "__main__":
    main()
