"""Attacks that the mail model does not withstand: hidden text, good words in the visible text, poisoned labels.

    python -m tests.benchmarks.attacks [--only hidden words poison] [--mails N] [PATH...]

PATH is as for `stream-nb evaluate`, and its mails are shuffled (seed 0); without one, 4,000 generated mails. The model
learns the first two thirds of a stream. Of the other spams, those that it catches are sent again as HTML mail, at most
N (300), and those that are still caught are attacked:

hidden   300 words of one of the user's own hams are hidden in the mail; the share that passes, in percent, by trick.
words    Words are added to the visible text until the mail passes. Prints how many are needed for half of the spams:
         words of the user's own hams, after the spam, before it, or in turns with its words; words that are common in
         mail of both classes; and the words with the strongest evidence for ham.
poison   Before a ham arrives, five spams are learned that each contain another half of its words; how many of 40 such
         hams are lost.
"""

from __future__ import annotations

import argparse
import html
import math
import re
from collections import Counter
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random

from consumers.errors import BadRecord
from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from consumers.records.messages import read_value
from stream_nb import Mail, MailNB, Update
from tests.benchmarks.tricks import PLAIN_PART, TRICKS, before, behind, in_turns

WORDS = 300
MOST_WORDS = 2000
HAMS, POISONS = 40, 5
KINDS = ("hidden", "words", "poison")
Item = tuple[Mail, str]

_WORD = re.compile(r"[^\W\d_]{2,20}")
_UNPRINTABLE = re.compile(r"[^\x20-\x7e]+")


def stream(path: Path | None) -> list[Item]:
    """The labelled mails of a stream, parsed."""
    found: list[Item] = []
    for item in synthetic_mails(4000, 1) if path is None else open_source(path, shuffle=0):
        if item.label in ("ham", "spam"):
            try:
                found.append((read(item.value), item.label))
            except BadRecord:
                pass
    return found


def read(raw: bytes) -> Mail:
    return read_value(raw, None, "safe").mail


def body(mail: Mail) -> str:
    return next(part.text for part in mail.parts if part.name == "").decode()


def words(mail: Mail) -> list[str]:
    return _WORD.findall(body(mail))


def sent(mail: Mail, markup: str, plain: str | None = None) -> Mail:
    """A mail as it arrives: HTML with subject and sender of another mail, and optionally a plain-text part."""
    lines = ["MIME-Version: 1.0"]
    for part in mail.parts:
        if part.name in ("subject", "from"):
            lines.append(f"{part.name}: {_UNPRINTABLE.sub(' ', part.text.decode())[:200]}")
    page = f"Content-Type: text/html; charset=utf-8\n\n{markup}\n"
    if plain is not None:
        text = f"Content-Type: text/plain; charset=utf-8\n\n{plain}\n"
        page = f"Content-Type: multipart/alternative; boundary=b\n\n--b\n{text}--b\n{page}--b--\n"
    return read("\n".join([*lines, page]).encode())


class Attack:
    """A trained model, and the mails with which it is attacked."""

    def __init__(self, items: list[Item], most: int) -> None:
        learned, later = items[: 2 * len(items) // 3], items[2 * len(items) // 3 :]
        self.model = MailNB(key=b"the same key for every run")
        self.model.score_then_learn([mail for mail, _ in learned], [label for _, label in learned])
        self.hams = [mail for mail, label in learned if label == "ham" and len(words(mail)) >= 20]
        self.later = later
        self.learned = learned
        self.spams: list[tuple[Mail, str]] = []
        for mail, label in later:
            text = html.escape(body(mail))
            if label == "spam" and len(self.spams) < most and self._caught(sent(mail, TRICKS["comment"](text, ""))):
                self.spams.append((mail, text))

    def _caught(self, mail: Mail) -> bool:
        return self.model.score(mail).log_odds > 0

    def hidden(self) -> None:
        """Print the share of spams that pass with words of one of the user's hams, by trick."""
        passed = Counter[str]()
        for number, (mail, text) in enumerate(self.spams):
            draw = Random(number)
            ham: list[str] = []
            while len(ham) < WORDS:
                ham += words(draw.choice(self.hams))
            own = " ".join(ham[:WORDS])
            for trick, markup in TRICKS.items():
                passed[trick] += not self._caught(sent(mail, markup(text, own)))
            page = TRICKS["comment"](text, "")
            passed[PLAIN_PART] += not self._caught(sent(mail, page, own))
        for trick in (*TRICKS, PLAIN_PART):
            print(f"    {trick:34}{100 * passed[trick] / len(self.spams):8.1f}", flush=True)

    def good_words(self) -> None:
        """Print how many visible words are needed."""
        mails = Counter[str]()
        in_class: dict[str, Counter[str]] = {"ham": Counter(), "spam": Counter()}
        for mail, label in self.learned:
            own = {word.lower() for word in words(mail)}
            mails.update(own)
            in_class[label].update(own)
        totals = Counter(label for _, label in self.learned)
        common = [word for word, _ in mails.most_common() if min(in_class[c][word] for c in in_class) >= 3]
        for_ham = sorted(mails, key=lambda word: _ratio(word, in_class, totals))[:MOST_WORDS]
        chosen: dict[str, tuple[Callable[[Random], list[str]], Callable[[str, list[str]], str]]] = {
            "words of own hams": (self._own_words, behind),
            "words of own hams, before": (self._own_words, before),
            "words of own hams, in turns": (self._own_words, in_turns),
            "common words": (lambda draw: draw.sample(common[: 2 * MOST_WORDS], min(MOST_WORDS, len(common))), behind),
            "words that speak most for ham": (lambda draw: for_ham, behind),
        }
        for name, (choose, markup) in chosen.items():
            needed = sorted(
                self._needed(mail, partial(markup, text), choose(Random(number)))
                for number, (mail, text) in enumerate(self.spams)
            )
            half = needed[len(needed) // 2]
            print(f"    {name:34}{half if half <= MOST_WORDS else f'over {MOST_WORDS}':>8}", flush=True)

    def _own_words(self, draw: Random) -> list[str]:
        found: list[str] = []
        while len(found) < MOST_WORDS:
            found += words(draw.choice(self.hams))
        return found[:MOST_WORDS]

    def _needed(self, mail: Mail, markup: Callable[[list[str]], str], good: list[str]) -> int:
        """The least number of words with which a spam passes, by bisection; more than MOST_WORDS if none is enough."""

        def passes(count: int) -> bool:
            return not self._caught(sent(mail, markup(good[:count])))

        high = 1
        while not passes(high):
            if high >= len(good):
                return MOST_WORDS + 1
            high = min(2 * high, len(good))
        low = high // 2
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if passes(middle) else (middle, high)
        return high

    def poison(self) -> None:
        """Print how many hams are lost after poisoned labels."""
        lost = tried = 0
        for number, (target, label) in enumerate(self.later):
            own = words(target)
            if label != "ham" or len(set(own)) < 20 or self._caught(target):
                continue
            draw = Random(number)
            updates: list[tuple[Mail, Update]] = []
            for _ in range(POISONS):
                half = set(draw.sample(sorted(set(own)), len(set(own)) // 2))
                spam, text = draw.choice(self.spams)
                kept = html.escape(" ".join(word for word in own if word in half))
                mail = sent(spam, TRICKS["in sight, for comparison"](text, kept))
                update = self.model.grade(mail, "spam")
                self.model.apply_update(mail, update)
                updates.append((mail, update))
            lost += self._caught(target)
            for mail, update in updates:
                self.model.revert_update(mail, update)
            tried += 1
            if tried == HAMS:
                break
        print(f"    {'hams lost after poisoning':34}{lost:8} of {tried}")


def _ratio(word: str, in_class: dict[str, Counter[str]], totals: Counter[str]) -> float:
    """The smoothed ratio of a word's share in spam to that in ham."""
    spam, ham = (math.log((in_class[c][word] + 0.5) / (totals[c] + 1)) for c in ("spam", "ham"))
    return spam - ham


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS)
    parser.add_argument("--mails", type=int, default=300)
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    for path in given.path or [None]:
        attack = Attack(stream(path), given.mails)
        print(f"{path.name if path else 'generated'}: {len(attack.spams)} spams", flush=True)
        for kind in given.only:
            {"hidden": attack.hidden, "words": attack.good_words, "poison": attack.poison}[kind]()


if __name__ == "__main__":
    main()
