"""Traces a word back to its lessons: the labelled mails that contain it, and who labelled them.

A label adds the same weight to every feature of its mail, and subtracts the same from each in the class that it
contradicts. So a word's count in a class is the sum over the lessons that contain the word. They are searched from the
newest on, until they explain the whole count.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

import msgspec
import numpy as np

from stream_nb import MailNB
from stream_nb.kernels.layout import UNIT
from stream_nb.types import Mail, Update

from ..errors import BadRecord
from ..model.ledger import Entry
from ..model.replica import Replica
from ..model.words import as_known, message_of
from ..records.messages import MailPlace, Message
from ..records.sanitize import ROW_SENDER_CHARS, ROW_SUBJECT_CHARS, show_safely
from ..records.sources import SHOWN_SOURCE_CHARS
from ..records.values import Label
from .last_learned import left_of

SHOWN_LESSONS = 100
SEARCH_S = 5.0
LESSON_WORD_CHARS = 200
NOTHING_LEARNED = Update("", 0, (), "")


class Lesson(msgspec.Struct, frozen=True):
    """A labelled mail that contains the word, at (`partition`, `offset`) of `emails`.

    `taught` is what its label added to the word's count in each class, after decay, in mails (negative if subtracted).
    `labelled_at` is when the label was appended to the log, in seconds since 1970. All texts except `id` are safe to
    show.
    """

    partition: int
    offset: int
    id: str
    subject: str
    sender: str
    label: str
    source: str
    labelled_at: float
    taught: dict[str, float]


class SourceLessons(msgspec.Struct, frozen=True):
    """How many lessons with the word are from a source, and what they added to its count by class. `name` is the raw
    name of the source, `display_name` is safe to show."""

    name: str
    display_name: str
    lessons: int
    taught: dict[str, float]


class WordLessons(msgspec.Struct, frozen=True):
    """What taught the model a word.

    Args:
        word: The word, safe to show.
        counts: Its count in each class, in mails; negative if labels of other classes subtracted more than it had.
        taught: What the lessons found have added to each class.
        unexplained: The counts minus `taught`. It is 0 once all lessons have been found, unless some were evicted; with
            `[learner] half_life` it is only near 0, because words take turns to decay.
        lessons: The latest lessons, at most 100.
        sources: The totals by source, the source that taught most first.
        found: How many lessons contain the word.
        searched: How many lessons were searched.
        remembered: How many lessons the ledgers have.
        evicted: Number of lessons that count in the model but were evicted, whatever their words.
        unreadable: Number of searched lessons whose mail is no longer on the log.
        complete: Whether the counts are explained, or all lessons were searched; False if the time was up.
    """

    word: str
    counts: dict[str, float]
    taught: dict[str, float]
    unexplained: dict[str, float]
    lessons: list[Lesson]
    sources: list[SourceLessons]
    found: int
    searched: int
    remembered: int
    evicted: int
    unreadable: int
    complete: bool


def word_lessons(replica: Replica, read: Callable[[MailPlace], Message], text: str) -> WordLessons:
    """Find the lessons of a word.

    Args:
        read: Reads the mail at a place; raises BadRecord if it is no longer on the log.
        text: The word: ``free`` in a body, ``subject:free`` in a subject.

    Raises:
        BadRecord: There is no model, or it is not the mail model.
    """
    model = replica.require_model()
    if not isinstance(model, MailNB):
        raise BadRecord("no-lessons", "only the mail model keeps what taught a word ([learner] model)")
    statistics, classes = model.statistics, list(model.classes)
    rows = statistics.find(message_of(as_known(model, text)), pairs=False)[:1]
    counts = statistics.balances(rows)[0] if len(rows) else np.zeros(len(classes))
    entries = _teaching_entries(replica)
    found = _search(entries, replica, read, lambda mail: rows[0] in statistics.find(mail), classes, counts)
    lessons = [lesson for _, lesson in found.lessons]
    by_source: dict[str, list[Lesson]] = {}
    for source, lesson in found.lessons:
        by_source.setdefault(source, []).append(lesson)
    sources = [
        SourceLessons(name, show_safely(name, SHOWN_SOURCE_CHARS), len(theirs), _taught(theirs))
        for name, theirs in by_source.items()
    ]
    return WordLessons(
        word=show_safely(text, LESSON_WORD_CHARS),
        counts=_by_class(classes, counts),
        taught=_taught(lessons),
        unexplained=_by_class(classes, found.left),
        lessons=lessons[:SHOWN_LESSONS],
        sources=sorted(sources, key=lambda each: -sum(map(abs, each.taught.values()))),
        found=len(lessons),
        searched=found.searched,
        remembered=len(entries),
        evicted=replica.evicted,
        unreadable=found.unreadable,
        complete=not found.left.any() or found.searched == len(entries),
    )


def _teaching_entries(replica: Replica) -> list[tuple[int, Entry]]:
    """The ledgers' entries from which something was learned, with their partitions, newest first."""
    entries = [
        (partition, entry)
        for partition, entry in replica.entries()
        if entry.update is not None and (entry.update.weight or entry.update.taken)
    ]
    return sorted(entries, key=lambda each: -each[1].timestamp)


class _Found(NamedTuple):
    """The lessons found, each with the raw name of its source; what of the counts they do not explain (`left`); and how
    many lessons were searched, and how many of these could not be read."""

    lessons: list[tuple[str, Lesson]]
    left: np.ndarray
    searched: int
    unreadable: int


def _search(
    entries: list[tuple[int, Entry]],
    replica: Replica,
    read: Callable[[MailPlace], Message],
    contains: Callable[[Mail], bool],
    classes: list[Label],
    counts: np.ndarray,
) -> _Found:
    """Search the entries in order, until the mails that contain the word explain its counts, or the time is up."""
    lessons: list[tuple[str, Lesson]] = []
    left = counts.copy()
    searched = unreadable = 0
    deadline = time.monotonic() + SEARCH_S
    for partition, entry in entries:
        if not left.any() or time.monotonic() > deadline:
            break
        searched += 1
        try:
            message = read(MailPlace(partition, entry.next_offset - 1))
        except BadRecord:
            unreadable += 1
            continue
        if not contains(message.mail):
            continue
        update = left_of(entry, replica) or NOTHING_LEARNED
        lesson = _lesson(partition, entry, update, message)
        for name, amount in lesson.taught.items():
            if name in classes:
                left[classes.index(name)] -= amount
        lessons.append((update.source, lesson))
    return _Found(lessons, left, searched, unreadable)


def _lesson(partition: int, entry: Entry, update: Update, message: Message) -> Lesson:
    taught = {update.label: update.weight / UNIT}
    if update.rival is not None:
        taught[update.rival] = -update.taken / UNIT
    return Lesson(
        partition=partition,
        offset=entry.next_offset - 1,
        id=entry.id,
        subject=show_safely(message.subject, ROW_SUBJECT_CHARS),
        sender=show_safely(message.sender, ROW_SENDER_CHARS),
        label=update.label,
        source=show_safely(update.source, SHOWN_SOURCE_CHARS),
        labelled_at=entry.timestamp,
        taught=taught,
    )


def _taught(lessons: list[Lesson]) -> dict[Label, float]:
    taught: dict[Label, float] = {}
    for lesson in lessons:
        for label, amount in lesson.taught.items():
            taught[label] = taught.get(label, 0.0) + amount
    return {label: amount for label, amount in taught.items() if amount}


def _by_class(classes: list[Label], counts: np.ndarray) -> dict[Label, float]:
    return {label: float(count) for label, count in zip(classes, counts, strict=True) if count}
