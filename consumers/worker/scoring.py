"""The queue of a partition's mails to score; a thread scores a backlog while the next mails are read."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor

from stream_nb.types import Score

from ..log.base import Record
from ..model.stream_model import StreamModel
from ..records.messages import Message

AT_ONCE = 64
_thread = ThreadPoolExecutor(1, "scoring")  # one per process, started by the first backlog

ScoredRecord = tuple[Record, Message, Score]


class ScoringQueue:
    """Scores mails in order, with a model that must not change until all of them are taken.

    The kernels release the GIL, so another core can score `AT_ONCE` mails while Python reads the next ones and encodes
    their predictions. Fewer mails are scored by the caller of `take`, because handing them to the thread takes longer.

    Args:
        model: The model.
    """

    def __init__(self, model: StreamModel) -> None:
        self._model = model
        self._mails: list[tuple[Record, Message]] = []
        self._begun: deque[tuple[list[tuple[Record, Message]], Future[list[Score]]]] = deque()

    def add(self, record: Record, message: Message) -> None:
        """Append a mail to the queue."""
        self._mails.append((record, message))
        if len(self._mails) == AT_ONCE:
            mails, self._mails = self._mails, []
            self._begun.append((mails, _thread.submit(self._model.score_many, [each.mail for _, each in mails])))

    def take_done(self) -> Iterator[ScoredRecord]:
        """Yield the mails that the thread has finished, without waiting."""
        while self._begun and self._begun[0][1].done():
            yield from self._take_first()

    def take(self) -> Iterator[ScoredRecord]:
        """Yield all remaining mails, scored; after that the model may change."""
        while self._begun:
            yield from self._take_first()
        if self._mails:
            mails, self._mails = self._mails, []
            scores = self._model.score_many([message.mail for _, message in mails])
            yield from ((*mail, score) for mail, score in zip(mails, scores, strict=True))

    def _take_first(self) -> Iterator[ScoredRecord]:
        mails, scores = self._begun.popleft()
        return ((*mail, score) for mail, score in zip(mails, scores.result(), strict=True))
