"""The benefit and cost of numbers: `python -m tests.benchmarks.numbers [--cost] [--shuffle SEED] [PATH...]`.

Without a path: on the streams of numbers that ship with river, test-then-train, accuracy % / log loss of `MailNB` on
messages with only numbers, next to our GaussianNB and river's; then three streams of generated mail, as for a PATH;
then the CPU time of ten numbers of a mail, as a ratio to that of its words (with `--cost` only this). A PATH is
anything `stream-nb feed` reads, with labels: accuracy % / (1-AUC)% of mails with and without ten numbers of their text,
with a 95 % interval of the difference by bootstrap over mails.
"""

from __future__ import annotations

import argparse
import math
import random
import time
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from river import datasets
from river.naive_bayes import GaussianNB as RiverGaussianNB

from consumers.evaluation.report import RunningReport
from consumers.ingest.feeder import Item
from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from consumers.studies.numbers import mail_numbers
from stream_nb import GaussianNB, Mail, MailNB, Part
from stream_nb.errors import MailError
from stream_nb.mail import read_mail

KEY = b"the same key for every run"
REPETITIONS = 30
GENERATED = 3000


def prequential(model: Any, rows: Iterable[tuple[Any, str]]) -> str:
    """Accuracy % / log loss, each row predicted before it is learned."""
    right, loss, n = 0, 0.0, 0
    for x, y in rows:
        chances = model.predict_proba_one(x)
        right += bool(chances) and max(chances, key=chances.__getitem__) == y
        loss -= math.log(max(chances.get(y, 0.0), 1e-15)) if chances else math.log(0.5)
        model.learn_one(x, y)
        n += 1
    return f"{100 * right / n:.2f} / {loss / n:.3f}"


def number_streams() -> None:
    print("accuracy % / log loss      MailNB          GaussianNB      own, shared     river's GaussianNB")
    for stream in (datasets.Phishing, datasets.Bananas, datasets.ImageSegments):
        rows = [({name: float(value) for name, value in x.items()}, str(y)) for x, y in stream()]
        mails = [(Mail((), features=tuple(x.items())), y) for x, y in rows]
        figures = [prequential(MailNB(KEY, positive="True"), mails)]
        figures += [prequential(model, rows) for model in (GaussianNB(), GaussianNB("shared"), RiverGaussianNB())]
        print(f"  {stream.__name__:22}", *(f"{figure:15}" for figure in figures), flush=True)


def cpu_seconds(*calls: Callable[[], object]) -> list[float]:
    """The minimal CPU time of each call, all of them in turns."""
    found = [math.inf] * len(calls)
    for _ in range(REPETITIONS):
        for i, call in enumerate(calls):
            begin = time.process_time()
            call()
            found[i] = min(found[i], time.process_time() - begin)
    return found


def learn_all(mails: list[tuple[Mail, str]]) -> None:
    model = MailNB(KEY)
    for mail, label in mails:
        model.score(mail)
        model.learn_one(mail, label)


def learn_numbers(rows: list[dict[str, float]], labels: list[str]) -> None:
    model = GaussianNB()
    for x, label in zip(rows, labels, strict=True):
        model.score(x)
        model.learn_one(x, label)


def costs(n: int = 2000) -> None:
    rng = random.Random(1)
    plain, rows = [], []
    for i in range(n):
        text = " ".join(f"word{int(rng.paretovariate(0.6)) % 20000}" for _ in range(162))
        plain.append((Mail((Part("", text.encode()),)), "spam" if i % 2 else "ham"))
        rows.append({f"number {k}": rng.gauss(i % 2, 1.0 + k) for k in range(10)})
    both = [(Mail(mail.parts, features=tuple(x.items())), y) for (mail, y), x in zip(plain, rows, strict=True)]
    alone = [(Mail((), features=mail.features), y) for mail, y in both]
    labels = [label for _, label in plain]
    words, with_numbers, numbers, gaussian = cpu_seconds(
        lambda: learn_all(plain), lambda: learn_all(both), lambda: learn_all(alone), lambda: learn_numbers(rows, labels)
    )
    size = sum(len(mail.parts[0].text) for mail, _ in plain) / n
    print(f"score and learn, CPU time / that of the words of a mail, 162 of them in {size:.0f} bytes")
    print(f"  ten numbers beside the words       {(with_numbers - words) / words:.2f}")
    print(f"  a message of ten numbers alone     {numbers / words:.2f}")
    print(f"  ten numbers in a GaussianNB        {gaussian / words:.2f}")


def one_minus_auc(odds: np.ndarray, spam: np.ndarray) -> float:
    order = np.argsort(odds, kind="stable")
    ranks = np.empty(len(odds))
    ranks[order] = np.arange(1, len(odds) + 1)
    positives = int(spam.sum())
    above = ranks[spam].sum() - positives * (positives + 1) / 2
    return 100.0 * (1.0 - above / (positives * (len(spam) - positives)))


def mail_streams(streams: Iterable[tuple[str, Iterable[Item]]]) -> None:
    print("accuracy % / (1-AUC)%      words alone      with ten numbers   difference of (1-AUC)%, 95 % of resamples")
    for name, items in streams:
        odds: list[list[float]] = [[], []]
        models, figures, labels = (MailNB(KEY), MailNB(KEY)), (RunningReport("spam"), RunningReport("spam")), []
        for item in items:
            try:
                mail = read_mail(item.value, "safe").mail
            except MailError as error:
                print(f"{name}: {item.id}: {error}")
                continue
            labels.append(item.label)
            for k, x in enumerate((mail, mail._replace(features=tuple(mail_numbers(mail).items())))):
                score = models[k].score(x)
                odds[k].append(score.log_odds)
                figures[k].update(item.label, score.label, score.log_odds)
                models[k].learn_one(x, item.label)
        cells = [
            f"{100 * report.accuracy:.2f} / {report.one_minus_auc_pct:.4f}"
            for report in (each.report() for each in figures)
        ]
        rng, spam, values = np.random.default_rng(1), np.array(labels) == "spam", np.array(odds)
        draws = []
        for _ in range(1000):
            some = rng.integers(0, len(labels), len(labels))
            draws.append(one_minus_auc(values[1, some], spam[some]) - one_minus_auc(values[0, some], spam[some]))
        low, high = np.quantile(draws, [0.025, 0.975])
        numbers, _ = models[1].statistics.part_weights
        print(
            f"  {name[-22:]:22} {cells[0]:17} {cells[1]:17} {low:+.4f} to {high:+.4f}, weight {numbers:.3f}", flush=True
        )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    options.add_argument("paths", nargs="*")
    options.add_argument("--shuffle", type=int)
    options.add_argument("--cost", action="store_true")
    chosen = options.parse_args()
    if chosen.paths:
        mail_streams((path, open_source(path, shuffle=chosen.shuffle)) for path in chosen.paths)
    else:
        if not chosen.cost:
            number_streams()
            mail_streams((f"generated, seed {seed}", synthetic_mails(GENERATED, seed)) for seed in range(3))
        costs()


if __name__ == "__main__":
    main()
