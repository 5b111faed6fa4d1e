"""The benefit and the cost of character n-grams (`[learner] grams`) for the mail model.

    python -m tests.benchmarks.grams [--seeds N] [PATH...] [--shuffled PATH...]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam; without one, 3,000 generated mails.

Each row is (1-AUC) and accuracy in percent, without / with grams, test-then-train: of whole mails; of their subjects
only; of the first 400 and 100 characters of their bodies; of these 100 in scripts written without spaces and in another
alphabet; of some of these with 20 % of the labels wrong ("flips"). Then balanced accuracy and (1-AUC) in percent on 400
mails after a few labels, as in `benchmarks.few_labels`. Last, CPU time and features without / with grams. (1-AUC) are
geometric means over draws.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from stream_nb import Mail, MailNB, Part
from tests.benchmarks.conditions import SPAM, Labelled, with_wrong_labels
from tests.benchmarks.few_labels import LABELS, TESTED, geometric
from tests.benchmarks.robustness import one_minus_auc, read
from tests.benchmarks.unknown_text import CHANGES

CHARACTERS, MORE_CHARACTERS = 100, 400
FLIPS = 0.2
_LATIN, _CYRILLIC = "abcdefghijklmnopqrstuvwxyz", "абцдефгхийклмнопярстувшхуз"
_TO_CYRILLIC = str.maketrans(_LATIN + _LATIN.upper(), _CYRILLIC + _CYRILLIC.upper())


def _subject(mail: Mail) -> Mail:
    return Mail(tuple(part for part in mail.parts if part.name == "subject"))


def _beginning(mail: Mail, characters: int = CHARACTERS) -> Mail:
    body = b"".join([part.text for part in mail.parts if not part.name])
    return Mail((Part("", body.decode("utf-8", "replace")[:characters].encode()),))


def _cyrillic(mail: Mail) -> Mail:
    return Mail((Part("", _beginning(mail).parts[0].text.decode().translate(_TO_CYRILLIC).encode()),))


KINDS: dict[str, Callable[[Mail], Mail]] = {
    "whole mails": lambda mail: mail,
    "subjects alone": _subject,
    f"first {MORE_CHARACTERS} characters": lambda mail: _beginning(mail, MORE_CHARACTERS),
    f"first {CHARACTERS} characters": _beginning,
    "these in ideographs": lambda mail: CHANGES["ideographs, no spaces"](_beginning(mail), Random(0)),
    "these in Cyrillic": _cyrillic,
}


def _model(grams: bool) -> MailNB:
    return MailNB(key=b"the same key for every run", grams=grams)


def _stream(mails: list[Mail], truth: list[str], given: list[str], grams: bool) -> tuple[float, float, float, int]:
    """(1-AUC), accuracy, microseconds of CPU per mail, and features, if the labels `given` are learned."""
    model, spam = _model(grams), np.array(truth) == SPAM
    started_at = time.process_time()
    log_odds = np.array(model.score_then_learn(mails, given))
    cpu_us = 1e6 * (time.process_time() - started_at) / len(mails)
    right = 100.0 * float(((log_odds > 0.0) == spam).mean())
    return float(one_minus_auc(spam, log_odds, 0)[0]), right, cpu_us, model.features


def _after(mails: list[Labelled], labels: int, seed: int, grams: bool) -> tuple[float, float]:
    """Balanced accuracy and (1-AUC) after this number of labels."""
    drawn = Random(seed).sample(mails, len(mails))
    learned, tested = drawn[:labels], drawn[-TESTED:]
    model = _model(grams)
    model.learn_many([mail.mail for mail in learned], [mail.truth for mail in learned])
    log_odds = np.array([score.log_odds for score in model.score_many([mail.mail for mail in tested])])
    spam = np.array([mail.truth == SPAM for mail in tested])
    positive = log_odds > 0.0
    return 50.0 * float(positive[spam].mean() + (~positive[~spam]).mean()), float(one_minus_auc(spam, log_odds, 0)[0])


def measure(name: str, mails: list[Labelled], seeds: range) -> None:
    """Print the rows of one stream."""
    truth = [mail.truth for mail in mails]
    print(f"{name}: {len(mails)} mails")
    _stream([mail.mail for mail in mails[:20]], truth[:20], truth[:20], True)  # compiles
    wrong = with_wrong_labels(mails, FLIPS, 0)
    runs = [(kind, kind, truth) for kind in KINDS]
    runs += [
        (f"{kind}, flips", kind, wrong) for kind in ("whole mails", "subjects alone", f"first {CHARACTERS} characters")
    ]
    for kind, name_of_change, given_labels in runs:
        changed = [KINDS[name_of_change](mail.mail) for mail in mails]
        without, with_grams = (_stream(changed, truth, given_labels, grams) for grams in (False, True))
        pairs = list(zip(without, with_grams, strict=True))
        cells = (f"{pairs[0][0]:.3f} / {pairs[0][1]:.3f}", f"{pairs[1][0]:.2f} / {pairs[1][1]:.2f}",
                 f"{pairs[2][0]:.0f} / {pairs[2][1]:.0f} us", f"{pairs[3][0]:,} / {pairs[3][1]:,}")  # fmt: skip
        print(f"    {kind:28}" + "".join(f"{cell:>22}" for cell in cells), flush=True)
    for labels in LABELS:
        found = [np.array([_after(mails, labels, seed, grams) for seed in seeds]) for grams in (False, True)]
        auc = " / ".join(f"{geometric(runs[:, 1].tolist()):.3f}" for runs in found)
        right = " / ".join(f"{runs[:, 0].mean():.2f}" for runs in found)
        print(f"    {f'after {labels} labels':28}{auc:>22}{right:>22}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--seeds", type=int, default=3, help="draws of the mails that are learned")
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    print(f"{'%':32}{'(1-AUC)':>22}{'accuracy':>22}{'CPU a mail':>22}{'features':>22}")
    for path, shuffle in [*((path, None) for path in given.path), *((path, 0) for path in given.shuffled)]:
        measure(path.name, read(iter(open_source(path, shuffle=shuffle)), peers=False), range(given.seeds))
    if not given.path and not given.shuffled:
        measure("generated", read(synthetic_mails(3000, seed=0), peers=False), range(given.seeds))


if __name__ == "__main__":
    main()
