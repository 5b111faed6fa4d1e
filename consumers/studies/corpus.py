"""Labelled mails in memory: from a source, or generated; and random splits of them."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from typing import NamedTuple, TypeVar

from stream_nb.features import hash_key
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import UNIT
from stream_nb.types import Mail, Part

from ..errors import UserError
from ..ingest.class_case import note_on_case
from ..ingest.copies import Copies
from ..ingest.feeder import Item
from ..ingest.formats import MailSource
from ..ingest.labelled import LabelledMails
from ..ingest.synthetic import synthetic_mails
from ..records.number_text import many
from ..records.values import Label

DRAWS = 1000  # splits tried until all parts have both kinds of mail; with three among 500, it takes about 20
T = TypeVar("T")


class Labelled(NamedTuple):
    """A mail as the learner reads it, and its label."""

    mail: Mail
    label: Label


class Corpus(NamedTuple):
    """Labelled mails, and a sentence for people about their origin and the numbers of mails read and available."""

    mails: list[Labelled]
    about: str


def load(
    source: MailSource,
    name: str,
    limit: int | None = None,
    headers: str = "keep",
    notify: Callable[[str], None] = lambda text: None,
) -> Corpus:
    """Read the labelled mails of a source. Mails without a label, those that cannot be parsed, and copies are left out:
    a copy of a training mail among the test mails would improve the figures.

    Args:
        source: The mails.
        name: What people call the source: its path, or the address of a log.
        limit: Maximum number of mails, 0 or more; None for all.
        headers: Which headers count as text, as in `[learner] headers`.
        notify: Called with a line about classes that differ only in case.

    Raises:
        UserError: The source has no mails, or fewer than two classes have mails.
    """
    copies = Copies()
    mails, unreadable, unlabelled, more = _read(copies.leave_out(source), limit, headers)
    if case := note_on_case({mail.label for mail in mails}):
        notify(case)
    whole = f"of {source.total:,} " if source.total is not None else "of more " if more else ""
    reasons = ((unlabelled, "without a label"), (unreadable, "unreadable"), (copies.count, "as copies of others"))
    left_out = [f"{n:,} {why}" for n, why in reasons if n]
    about = f"{len(mails):,} labelled mails {whole}({source.about}) at {name}"
    return Corpus(_two_classes(mails, name), f"{about}{'; left out: ' if left_out else ''}{', '.join(left_out)}.")


def generate(total: int, seed: int) -> Corpus:
    """`total` generated mails (see `consumers.ingest.synthetic`); another `seed` gives others."""
    mails, *_ = _read(synthetic_mails(total, seed), None, "keep")
    return Corpus(mails, f"{len(mails):,} generated mails, seed {seed}; give a PATH for your own.")


def _read(items: Iterable[Item], limit: int | None, headers: str) -> tuple[list[Labelled], int, int, bool]:
    """The labelled mails, the number of unreadable mails, the number of mails without a label, and whether there are
    more mails."""
    rest = iter(items)
    labelled = LabelledMails(rest, headers)
    mails = [Labelled(mail, label) for mail, label, _ in islice(labelled, limit)]
    return mails, labelled.unreadable, labelled.unlabelled, next(rest, None) is not None


def _two_classes(mails: list[Labelled], where: str) -> list[Labelled]:
    classes = {mail.label for mail in mails}
    if len(classes) < 2:
        raise UserError(
            f"{where}: {many(len(mails), 'labelled mail')} of {many(len(classes), 'class', 'classes')}; two classes "
            "are needed, as in a folder with ham and spam, or with Inbox and Junk, or a table with a --label-column"
        )
    return mails


def has_words(mails: Iterable[Labelled]) -> bool:
    """Whether any mail has a word."""
    return any(mail.mail.words or any(part.text.strip() for part in mail.mail.parts) for mail in mails)


def classes_of(mails: Iterable[Labelled]) -> list[Label]:
    """The classes of the mails, sorted by name."""
    return sorted({mail.label for mail in mails})


def positive_class(mails: Sequence[Labelled], positive: Label) -> Label:
    """Check and return the class `positive`.

    Raises:
        UserError: No mail is of this class, or all are.
    """
    classes = classes_of(mails)
    if positive not in classes:
        raise UserError(f"no mail is of the class {positive!r}; name one of {', '.join(classes)} with --positive")
    if len(classes) < 2:
        raise UserError(f"all mails are of the class {positive!r}; two classes are needed")
    return positive


def name_of_others(positive: Label) -> Label:
    """The name of all classes but `positive` together."""
    return "rest" if positive == "other" else "other"


def divided(rows: list[T], sizes: tuple[int, ...], seed: int) -> list[list[T]]:
    """Disjoint random samples of the given sizes, each in the order of `rows`; the same for the same seed.

    Args:
        sizes: Number of rows in each sample; their sum is at most `len(rows)`.
        seed: Seed of the draw.

    Raises:
        UserError: There are too few rows.

    >>> [len(part) for part in divided(list(range(10)), (6, 2, 2), seed=0)]
    [6, 2, 2]
    """
    if sum(sizes) > len(rows):
        raise UserError(f"{sum(sizes)} mails are needed ({' + '.join(map(str, sizes))}), there are {len(rows)}")
    drawn = random.Random(seed).sample(range(len(rows)), sum(sizes))
    parts: list[list[T]] = []
    begin = 0
    for size in sizes:
        parts.append([rows[i] for i in sorted(drawn[begin : begin + size])])
        begin += size
    return parts


def divided_with_both(
    mails: Sequence[Labelled], sizes: tuple[int, ...], positive: Label, seed: int
) -> list[list[Labelled]]:
    """The first random split, from `seed` on, in which each part has mails of the positive class and of another one.

    Args:
        sizes: Number of mails in each part; their sum is at most `len(mails)`.
        positive: The class that every part must contain.

    Raises:
        UserError: There are too few mails, in all, of the class or of others.
    """
    of_class = sum(mail.label == positive for mail in mails)
    enough = min(of_class, len(mails) - of_class) >= len(sizes)
    for draw in range(seed, seed + DRAWS if enough else seed):
        parts = divided(list(mails), sizes, draw)
        if all(len({mail.label == positive for mail in part}) == 2 for part in parts):
            return parts
    raise UserError(
        f"of {len(mails)} mails {of_class} are of the class {positive!r} and {len(mails) - of_class} of others, but "
        f"each of {len(sizes)} parts needs some of both: give more mails of the rarer kind, larger parts, or another "
        "class with --positive"
    )


def word_counts(mail: Mail) -> dict[str, int]:
    """The number of occurrences of each word in a mail's subject and text together, without header prefixes."""
    counts: dict[str, int] = {word: round(count) for word, count in mail.words if count > 0}
    for word, count in _words([Part("", part.text) for part in mail.parts if part.name in ("", "subject")]):
        counts[word] = counts.get(word, 0) + count
    return counts


def word_set(mail: Mail) -> dict[str, int]:
    """The distinct words of a mail, each with value 1, as input for models of dicts. Words in a header are prefixed
    with its name."""
    words = [word for word, _ in _words(mail.parts)]
    return dict.fromkeys(words + [word for word, count in mail.words if count > 0], 1)


def _words(parts: Iterable[Part]) -> Iterator[tuple[str, int]]:
    """The distinct words of these parts as the models read them, but no punctuation, and how often each occurs."""
    extractor = _extractor()
    extractor.extract(Mail(tuple(parts)))
    for i, units in enumerate(extractor.counts[: extractor.n].tolist()):
        word = extractor.text_of(i)
        if word[-1] == "_" or word[-1].isalnum() or not word[-1].isascii():
            yield word, units // UNIT


@cache
def _extractor() -> Extractor:
    return Extractor(hash_key.checked(None), pairs=False, room=None, counted=True)
