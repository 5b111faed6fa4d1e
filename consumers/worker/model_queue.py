"""The queue of a partition's mails to score and labels to learn; a thread works off a backlog while mails are read."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass
from typing import NamedTuple

from stream_nb.types import Mail, Score, Update

from ..log.base import Record
from ..model.ledger import Entry
from ..model.stream_model import Recorder, StreamModel
from ..records.messages import Message
from ..records.values import Label

AT_ONCE, MOST_BYTES = 64, 128 << 10
"""Most turns that the thread gets at once, and most bytes of their texts, except for a single mail."""
MOST_BEGUN = 16
"""Enough parts for the thread while the next mails are polled and read, and for the reader while the thread gets no
processor. What waits is not yet counted in the size of a delta, so it must be limited."""
MOST_BEGUN_BYTES = 8 * MOST_BYTES
"""Most bytes in these parts: a single mail may have a megabyte."""
NEW_WORD = 2
"""A word that the model did not know has about twice as many bytes in a delta as in a text."""
_COUNTED = 50  # approximate bytes of a counted word, a number or a category, besides its texts
_thread = ThreadPoolExecutor(1, "model")  # one per process, started by the first backlog


@dataclass(slots=True)
class Turn:
    """A mail's turn: it is scored, then learned if it has a label, given by `source`; `entry` is the ledger's entry of
    the label. `arrival` is its record and message, if it has just arrived and awaits a prediction."""

    mail: Mail
    arrival: tuple[Record, Message] | None = None
    label: Label | None = None
    source: str = ""
    entry: Entry | None = None


class Outcome(NamedTuple):
    """What became of a turn: the mail's score, the labels that the model had learned when it scored the mail, and what
    the mail's label added."""

    turn: Turn
    score: Score
    labels_learned: int
    update: Update | None


class ModelQueue:
    """Scores mails and learns labels in order. Nothing else may read or change the model until all are taken.

    The kernels release the GIL, so another core can work off `AT_ONCE` turns while Python reads the next mails and
    encodes predictions. The caller of `take` does fewer turns itself, because handing them to the thread takes longer.
    Instead of waiting for the thread, `work` is called: it does a little other work, or returns False if there is none.
    """

    def __init__(self, model: StreamModel, recorder: Recorder, work: Callable[[], bool]) -> None:
        self._model = model
        self._recorder = recorder
        self._work = work
        self._turns: list[Turn] = []
        self._nbytes = 0
        self._begun: deque[tuple[Future[list[Outcome]], int]] = deque()
        """The parts of the thread, oldest first, with the bytes of their texts."""
        self._begun_nbytes = 0

    def score(self, record: Record, message: Message) -> None:
        """Append a mail to score."""
        self._append(message.mail, len(record.value or b""), (record, message))

    def learn(self, mail: Mail, label: Label, source: str, entry: Entry) -> int:
        """Append a mail's `label` by `source` to learn, of a class that the model knows; `entry` is the ledger's.

        Returns the approximate bytes of what it changes, as if all words were new.
        """
        last, nbytes = self._turns[-1] if self._turns else None, _size(mail)
        if last is None or last.mail is not mail or last.label is not None:
            last = self._append(mail, nbytes)
        last.label, last.source, last.entry = label, source, entry
        return NEW_WORD * nbytes

    def take_done(self) -> Iterator[list[Outcome]]:
        """Yield the parts that the thread has finished; wait only while more than `MOST_BEGUN` parts, or
        `MOST_BEGUN_BYTES` in them, are begun."""
        while self._begun and (
            len(self._begun) > MOST_BEGUN or self._begun_nbytes > MOST_BEGUN_BYTES or self._begun[0][0].done()
        ):
            yield self._first_begun()

    def take(self) -> Iterator[list[Outcome]]:
        """Yield all remaining parts, each as soon as it is finished; after that the model may change."""
        while self._begun:
            yield self._first_begun()
        if self._turns:
            yield self._run(self._next_turns())

    def _first_begun(self) -> list[Outcome]:
        future, nbytes = self._begun.popleft()
        self._begun_nbytes -= nbytes
        while not future.done() and self._work():
            pass
        return future.result()

    def _append(self, mail: Mail, nbytes: int, arrival: tuple[Record, Message] | None = None) -> Turn:
        if len(self._turns) == AT_ONCE or self._nbytes >= MOST_BYTES:
            begun = self._nbytes
            self._begun_nbytes += begun
            self._begun.append((_thread.submit(self._run, self._next_turns()), begun))
        self._turns.append(turn := Turn(mail, arrival))
        self._nbytes += nbytes
        return turn

    def _next_turns(self) -> list[Turn]:
        turns, self._turns, self._nbytes = self._turns, [], 0
        return turns

    def _run(self, turns: list[Turn]) -> list[Outcome]:
        labels_learned, outcomes = self._model.labels_learned, list[Outcome]()
        mails, labels = [turn.mail for turn in turns], [turn.label for turn in turns]
        found = self._recorder.score_then_learn(mails, labels, [turn.source for turn in turns])
        for turn, (score, update) in zip(turns, found, strict=True):
            outcomes.append(Outcome(turn, score, labels_learned, update))
            labels_learned += update is not None
        return outcomes


def _size(mail: Mail) -> int:
    """Approximate bytes of what a model can learn from a mail."""
    size = sum([len(text) for _, text in mail.parts])
    if mail.words or mail.features:
        named = (*mail.words, *mail.features)
        size += sum([_COUNTED + len(name) + (len(value) if isinstance(value, str) else 0) for name, value in named])
    return size
