"""Mail of which the model knows little: in another language or script, or without text.

    python -m tests.benchmarks.unknown_text [PATH...] [--shuffled PATH...]

PATH is as for `stream-nb evaluate`, with mails labelled ham and spam; without one, 4,000 generated mails. The model
learns the first two thirds of a stream. The rest, ham and spam, is changed in each of several ways, and its letters are
normalised by `stream_nb.mail.normalization`. A line has, in percent: ham lost and spam missed of the rest with this
model; and of its first 500 mails if each label is learned after its mail is scored.
"""

from __future__ import annotations

import argparse
import re
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np

from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from consumers.ingest.synthetic.grammar import made_up_word
from stream_nb import Mail, MailNB, Part
from stream_nb.mail.normalization import normalized
from tests.benchmarks.attacks import sent
from tests.benchmarks.conditions import HAM, SPAM, Labelled
from tests.benchmarks.robustness import read

FIRST = 500
_WORD = re.compile(r"[^\W_]+")
_IDEOGRAPHS = 0x4E00, 4000  # the first code point, and how many are used


def _by_word(change: Callable[[str], str]) -> Callable[[Mail, Random], Mail]:
    """A change that is applied to each word of a mail."""

    def changed(mail: Mail, draw: Random) -> Mail:
        def text(part: Part) -> bytes:
            return _WORD.sub(lambda word: change(word[0]), part.text.decode("utf-8", "replace")).encode()

        return mail._replace(parts=tuple(part._replace(text=text(part)) for part in mail.parts))

    return changed


def _partly(share: float) -> Callable[[Mail, Random], Mail]:
    """Replaces a share of the words with words that are new in each mail."""
    return lambda mail, draw: _by_word(
        lambda word: f"{made_up_word(draw)}{draw.randrange(10**9)}" if draw.random() < share else word
    )(mail, draw)


def _translated(word: str) -> str:
    return f"ñ{made_up_word(Random(word.lower()))}"


def _ideographs(word: str) -> str:
    draw = Random(word.lower())
    first, count = _IDEOGRAPHS
    return "".join(chr(first + draw.randrange(count)) for _ in range(1 + len(word) // 3))


def _unspaced(mail: Mail, draw: Random) -> Mail:
    parts = _by_word(_ideographs)(mail, draw).parts
    return mail._replace(parts=tuple(part._replace(text=part.text.replace(b" ", b"")) for part in parts))


def _full_width(word: str) -> str:
    return "".join(chr(ord(letter) + 0xFEE0) if "!" <= letter <= "~" else letter for letter in word)


def _spaced(mail: Mail, draw: Random) -> Mail:
    """Puts a space between letters, and two between words."""
    apart = mail._replace(parts=tuple(part._replace(text=part.text.replace(b" ", b"  ")) for part in mail.parts))
    return _by_word(" ".join)(apart, draw)


CHANGES: dict[str, Callable[[Mail, Random], Mail]] = {
    "as they are": lambda mail, draw: mail,
    "80 % of words new": _partly(0.8),
    "95 % of words new": _partly(0.95),
    "another language": _by_word(_translated),
    "ideographs, no spaces": _unspaced,
    "spaced letters": _spaced,
    "words not further apart": _by_word(" ".join),
    "dotted letters": _by_word(".".join),
    "full-width letters": _by_word(_full_width),
    "only an image": lambda mail, draw: sent(mail, f'<img src="cid:{draw.randrange(10**12)}">'),
}


def lost_and_missed(scores: list[float], truth: list[str]) -> str:
    spam, predicted_spam = np.array(truth) == SPAM, np.array(scores) > 0.0
    return f"{100 * predicted_spam[~spam].mean():12.1f}{100 * (~predicted_spam[spam]).mean():9.1f}"


def measure(name: str, mails: list[Labelled]) -> None:
    """Print a line for each change."""
    learned, later = mails[: 2 * len(mails) // 3], mails[2 * len(mails) // 3 :]
    model = MailNB(key=b"the same key for every run")
    model.score_then_learn([mail.mail for mail in learned], [mail.truth for mail in learned])
    truth = [mail.truth for mail in later]
    first = truth[:FIRST]
    print(f"{name}: {sum(label == HAM for label in truth)} ham, {len(truth)} mails")
    for change, apply in CHANGES.items():
        written = [apply(mail.mail, Random(number)) for number, mail in enumerate(later)]
        changed = [as_read(mail) for mail in written]
        scores = [score.log_odds for score in model.score_many(changed)]
        learning = model.copy().score_then_learn(changed[:FIRST], first)
        print(f"    {change:24}{lost_and_missed(scores, truth)}{lost_and_missed(learning, first)}", flush=True)


def as_read(mail: Mail) -> Mail:
    """A mail with normalised letters."""
    texts = normalized([part.text for part in mail.parts])
    return mail._replace(parts=tuple(part._replace(text=text) for part, text in zip(mail.parts, texts, strict=True)))


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--shuffled", nargs="+", type=Path, default=[], help="paths whose mails are shuffled, seed 0")
    parser.add_argument("path", nargs="*", type=Path)
    given = parser.parse_args()
    print(f"{'%':28}{'ham lost':>12}{'missed':>9}{'ham lost':>12}{'missed':>9}  (the last two while learning)")
    for path, shuffle in [*((path, None) for path in given.path), *((path, 0) for path in given.shuffled)]:
        measure(path.name, read(open_source(path, shuffle=shuffle), peers=False))
    if not given.path and not given.shuffled:
        measure("generated", read(synthetic_mails(4000, seed=1), peers=False))


if __name__ == "__main__":
    main()
