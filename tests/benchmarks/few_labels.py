"""The mail model after few labels, and with one rare class, with `balance` and without.

    python -m tests.benchmarks.few_labels [--seeds N] [PATH...] [--shuffled PATH...]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam; without one, 3,000 generated mails.

after N labels   Of 400 mails that are not learned, after N mails drawn at random: balanced accuracy in percent, log
                 loss of the probability, and the share of mails predicted as the less probable class, in percent.
1 in 101         (1-AUC) in percent, test-then-train, of a stream in which one class is made this rare at random; of
                 equally many mails of each class; and the share of the rare class that is missed, in percent.
all              (1-AUC) and accuracy in percent of the whole stream, in its order.
labels N late    (1-AUC) in percent of 2,500 mails in their order, from each of five starts, if every label is learned N
                 mails later; the same without the mails before the first labels of both classes; and the range of
                 the ratio of the two.

Accuracies are means, (1-AUC) geometric means, over paths and seeds.

`stream_nb.kernels.mail_nb.class_balance` lists what was tried and is worse. Also tried while labels are few: words of
headers with two or four times the weight (worse in every row), and twice the bias, fading twice as fast (1 to 2 more of
balanced accuracy after 20 labels, 0.2 less after 100, and 5 % more (1-AUC) if ham is 1 mail in 31).
"""

from __future__ import annotations

import argparse
from pathlib import Path
from random import Random

import numpy as np

from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from stream_nb import MailNB
from tests.benchmarks.conditions import HAM, SPAM, Labelled, one_class_rare
from tests.benchmarks.robustness import one_minus_auc, read

LABELS = (20, 50, 100, 500)
DELAYS = (0, 20, 100, 500)
BEGINNINGS, LENGTH = 5, 2500
TESTED = 400
ONE_IN = 101


def scored(mails: list[Labelled], balance: bool) -> tuple[np.ndarray, np.ndarray]:
    """Test-then-train: which mails are spam, and their log-odds."""
    model = MailNB(key=b"the same key for every run", balance=balance)
    truth = [mail.truth for mail in mails]
    log_odds = model.score_then_learn([mail.mail for mail in mails], truth)
    return np.array(truth) == SPAM, np.array(log_odds)


def late(mails: list[Labelled], beginning: int, delay: int, balance: bool) -> float:
    """(1-AUC) in percent if labels arrive this number of mails late."""
    start = beginning * len(mails) // BEGINNINGS
    mails = (mails[start:] + mails[:start])[:LENGTH]
    model = MailNB(key=b"the same key for every run", balance=balance)
    scores = np.zeros(len(mails))
    for place, mail in enumerate(mails):
        scores[place] = model.score(mail.mail).log_odds
        if place >= delay:
            model.learn_one(mails[place - delay].mail, mails[place - delay].truth)
    spam, first = np.array([mail.truth == SPAM for mail in mails]), int(np.argmax(scores != 0.0))
    return float(one_minus_auc(spam[first:], scores[first:], 0)[0])


def after(mails: list[Labelled], labels: int, seed: int, balance: bool) -> tuple[float, float, float]:
    """Balanced accuracy in percent, log loss, and percent predicted as the less probable class, after some labels."""
    drawn = Random(seed).sample(mails, len(mails))
    learned, tested = drawn[:labels], drawn[-TESTED:]
    model = MailNB(key=b"the same key for every run", balance=balance)
    model.learn_many([mail.mail for mail in learned], [mail.truth for mail in learned])
    scores = model.score_many([mail.mail for mail in tested])
    predicted_spam = np.array([score.log_odds > 0.0 for score in scores])
    probability = np.clip([score.probability for score in scores], 1e-12, 1.0 - 1e-12)
    spam = np.array([mail.truth == SPAM for mail in tested])
    log_loss = -np.log(np.where(spam, probability, 1.0 - probability)).mean()
    contradicting = 100.0 * (predicted_spam != (probability > 0.5)).mean()
    accuracy = 50.0 * (predicted_spam[spam].mean() + (~predicted_spam[~spam]).mean())
    return float(accuracy), float(log_loss), float(contradicting)


def as_many_of_each(mails: list[Labelled], rare: str, seed: int) -> list[Labelled]:
    """Equally many mails of both classes, as many as `one_class_rare` leaves of the rare one, in their order."""
    kept = [mail for mail in one_class_rare(mails, rare, ONE_IN, seed) if mail.truth == rare]
    others = Random(seed).sample([mail for mail in mails if mail.truth != rare], len(kept))
    chosen = set(map(id, kept + others))
    return [mail for mail in mails if id(mail) in chosen]


def ranked(mails: list[Labelled], balance: bool, rare: str) -> tuple[float, float]:
    """(1-AUC), and the share of the rare class that is missed, in percent."""
    spam, scores = scored(mails, balance)
    of_class = spam if rare == SPAM else ~spam
    wrong = (scores > 0) != spam
    return float(one_minus_auc(spam, scores, 0)[0]), 100.0 * float(wrong[of_class].mean())


def geometric(values: list[float]) -> float:
    return float(np.exp(np.mean(np.log(values))))


def streams_and_seeds(about: str) -> tuple[list[list[Labelled]], range]:
    """The mails of each path on the command line, else generated ones; and the seeds of what is at random."""
    parser = argparse.ArgumentParser(description=about.splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, help="draws of what is at random")
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    streams = [read(open_source(path, shuffle=None), peers=False) for path in given.path]
    streams += [read(open_source(path, shuffle=0), peers=False) for path in given.shuffled]
    return streams or [read(synthetic_mails(3000, seed=0), peers=False)], range(given.seeds)


def main() -> None:
    streams, seeds = streams_and_seeds(__doc__ or "")
    print(f"{'%':24}{'balance':>20}{'without':>20}")
    for labels in LABELS:
        cells = ""
        for balance in (True, False):
            right, loss, contradicting = np.mean(
                [after(mails, labels, seed, balance) for mails in streams for seed in seeds], axis=0
            )
            cells += f"{right:>8.1f}{loss:>7.3f}{contradicting:>5.1f}"
        print(f"{f'after {labels} labels':24}{cells}", flush=True)
    for rare in (HAM, SPAM):
        drawn = [(mails, seed) for mails in streams for seed in seeds]
        cells = ""
        for balance in (True, False):
            runs = [ranked(one_class_rare(mails, rare, ONE_IN, seed), balance, rare) for mails, seed in drawn]
            each = [ranked(as_many_of_each(mails, rare, seed), balance, rare)[0] for mails, seed in drawn]
            auc, missed = geometric([run[0] for run in runs]), np.mean([run[1] for run in runs])
            cells += f"{auc:>8.2f}{geometric(each):>6.2f}{missed:>6.1f}"
        print(f"{f'{rare} 1 in {ONE_IN}':24}{cells}", flush=True)
    cells = ""
    for balance in (True, False):
        runs = [scored(mails, balance) for mails in streams]
        right = np.mean([100.0 * ((scores > 0) == spam).mean() for spam, scores in runs])
        cells += f"{geometric([float(one_minus_auc(spam, scores, 0)[0]) for spam, scores in runs]):>12.4f}{right:>8.2f}"
    print(f"{'all':24}{cells}", flush=True)
    for delay in DELAYS:
        with_balance, without = (
            [late(mails, each, delay, balance) for mails in streams for each in range(BEGINNINGS)]
            for balance in (True, False)
        )
        ratios = np.divide(with_balance, without)
        cells = f"{geometric(with_balance):>20.4f}{geometric(without):>20.4f}  {ratios.min():.2f}-{ratios.max():.2f}"
        print(f"{f'labels {delay} late':24}{cells}", flush=True)


if __name__ == "__main__":
    main()
