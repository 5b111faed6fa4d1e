"""The path of a mail: append it to `emails`, wait for its prediction on `predictions`, answer.

There is a deadline, and after it the answer is "no action" with a symbol that says so. A mail that is on the log by
then is scored when a worker gets to it, and can be learned.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from typing import NamedTuple

from stream_nb.mail.limits import MAX_MAIL_BYTES

from ..errors import ConsumerError, LogUnavailable
from ..log.base import Log, ProducerRecord
from ..records.messages import as_value
from ..records.schemas import EMAILS, LABELS, LabelRecord, PredictionRecord, decode_label, encode
from ..records.sources import given_source
from ..settings import Settings
from .follower import PredictionFollower
from .mail_id import carried_id, content_hash, content_of, new_id, repeatable_id
from .metrics import FilterMetrics
from .passed import PassedMails
from .verdict import Verdict, judged, unjudged
from .words import Words
from .writer import LogWriter

WORDS_S = 0.1
"""So long an answer waits for its words after the prediction came."""

LEARN_S = 10.0
STORE_S = 60.0
"""So long a mail that an MTA delivers may take to become durable."""


class Learned(NamedTuple):
    """A label that is on the log: the id it is about, and how that was found (`header`, `content` or `new`)."""

    id: str
    found: str


@dataclass
class _Waiting:
    """A mail on its way: its prediction to come, and whether the log has it."""

    prediction: asyncio.Future[PredictionRecord]
    durable: bool = False
    users: int = 0


def unscorable(raw: bytes) -> Verdict | None:
    """The verdict on a mail, of these `raw` bytes, that is not put on the log: too large or empty; None for others."""
    if len(raw) > MAX_MAIL_BYTES:
        return unjudged("", "TOO_LARGE", f"mails of more than {MAX_MAIL_BYTES} bytes are not scored")
    if not raw.strip():
        return unjudged("", "EMPTY", "there is nothing to score")
    return None


class MailPath:
    """The way over one log for all connections of an asyncio loop; make it in the loop.

    `open_log` is called in other threads.
    `redelivers` is for mails of an MTA, which may come again: their predictions are found again, too.
    """

    def __init__(self, open_log: Callable[[], Log], settings: Settings, redelivers: bool = False) -> None:
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, _Waiting] = {}
        self._writer = LogWriter(open_log)
        self._words = Words(open_log, settings)
        remember = settings.worker.remember_mails
        self._passed = PassedMails(remember)
        self._follower = PredictionFollower(
            open_log, remember, self._passed, self._waiting.__contains__, self._arrived, redelivers
        )
        self.metrics = FilterMetrics()

    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Have records appended without waiting; what the log does not take is lost."""
        self._writer.append(records, lambda error: None)

    async def ready(self) -> None:
        """Wait until the mails that passed before are known, and what reads a mail is loaded or compiled."""
        await asyncio.to_thread(new_id, b"")
        while not self._follower.caught_up.is_set():
            await asyncio.sleep(0.05)

    async def check(self, raw: bytes) -> Verdict:
        """Put the mail of these `raw` bytes on the log and judge it by its prediction."""
        started = time.monotonic()
        verdict = await self._check(raw)
        self.metrics.answered(verdict, time.monotonic() - started)
        return verdict

    async def deliver(self, raw: bytes, judge: bool) -> Verdict | None:
        """Put a mail of an MTA (`raw` bytes) on the log, and with `judge` say what it is; returns when the log has it.

        A mail that comes again is the same mail, by its bytes: where its prediction is known it is not put on the log
        again. Raises LogUnavailable.
        """
        started = time.monotonic()
        message_id = await asyncio.to_thread(repeatable_id, raw)
        mail = self._waiting.setdefault(message_id, _Waiting(self._loop.create_future()))
        mail.users += 1
        try:
            words = self._words.ask(raw) if judge else None
            if not self._follower.read_again(message_id):
                await self._append([ProducerRecord(EMAILS, message_id.encode(), as_value(raw))], STORE_S)
                self._passed.add(message_id)
            if not judge:
                return None
            try:
                prediction = await asyncio.wait_for(asyncio.shield(mail.prediction), self._settings.filter.deadline_s)
            except TimeoutError:
                verdict = self._late(message_id)
            else:
                verdict = judged(prediction, await _in_time(words), self._settings.filter)
            self.metrics.answered(verdict, time.monotonic() - started)
            return verdict
        finally:
            mail.users -= 1
            if not mail.users:
                del self._waiting[message_id]

    async def learn(self, raw: bytes, label: str | None, source: str, forget: bool = False) -> Learned | None:
        """Put the `label` of a `source` on a mail, its `raw` bytes, or with `forget` withdraw what the source said.

        A mail that never passed is put on the log first; None says that there is nothing to forget. Raises BadRecord
        for a label that no worker would take or a source that is none, LogUnavailable when it cannot be made durable.
        """
        message_id, found = await asyncio.to_thread(self._find, raw)
        if message_id is None and forget:
            return None
        records: list[ProducerRecord] = []
        if message_id is None:
            message_id = await asyncio.to_thread(new_id, raw)
            records.append(ProducerRecord(EMAILS, message_id.encode(), as_value(raw)))
        value = encode(LabelRecord(message_id, label, given_source(source), time.time(), forget))
        decode_label(value)
        records.append(ProducerRecord(LABELS, message_id.encode(), value))
        await self._append(records, LEARN_S)
        self._passed.add(message_id)
        self.metrics.labelled()
        return Learned(message_id, found)

    def close(self) -> None:
        """Append what is waiting and end the threads."""
        self._writer.close()
        self._follower.close()
        self._words.close()

    async def _check(self, raw: bytes) -> Verdict:
        refused = unscorable(raw)
        if refused is not None:
            return refused
        message_id = new_id(raw)
        mail = self._waiting[message_id] = _Waiting(self._loop.create_future())
        try:
            if not self._writer.append(
                [ProducerRecord(EMAILS, message_id.encode(), as_value(raw))],
                lambda error: self._call(self._appended, message_id, mail, error),
            ):
                return unjudged("", "LOG_BEHIND", "too many mails wait for the log already")
            words = self._words.ask(raw)
            prediction = await asyncio.wait_for(mail.prediction, self._settings.filter.deadline_s)
        except TimeoutError:
            limit = self._settings.filter.deadline_s
            if not mail.durable:
                return unjudged("", "LOG_BEHIND", f"the log did not take the mail within {limit:g} s")
            return self._late(message_id)
        except ConsumerError as error:
            return unjudged("", "LOG_UNAVAILABLE", f"the log does not take mails: {error}")
        finally:
            del self._waiting[message_id]
        return judged(prediction, await _in_time(words), self._settings.filter)

    def _late(self, message_id: str) -> Verdict:
        limit = self._settings.filter.deadline_s
        return unjudged(message_id, "DEADLINE", f"no prediction came within {limit:g} s; is a worker running?")

    async def _append(self, records: list[ProducerRecord], limit_s: float) -> None:
        """Return once the log has them; raises LogUnavailable, after which it may still get them."""
        durable: asyncio.Future[None] = self._loop.create_future()
        if not self._writer.append(records, lambda error: self._call(_resolve, durable, error)):
            raise LogUnavailable("the log does not keep up; try again later")
        try:
            await asyncio.wait_for(durable, limit_s)
        except TimeoutError as error:
            raise LogUnavailable("the log does not answer; try again later") from error

    def _find(self, raw: bytes) -> tuple[str | None, str]:
        """The id under which a mail passed, and how it was found."""
        content = content_hash(raw)
        carried = carried_id(raw)
        named = content_of(carried or "")
        # A header can be left over from another filter, or forged so that labels of the mail get lost: it counts when a
        # mail has passed under just this id, or when nothing but the header knows this mail.
        if named is not None and self._passed.find(named) == carried:
            return carried, "header"
        found = self._passed.find(content)
        if found is not None:
            return found, "content"
        return (carried, "header") if named == content else (None, "new")

    def _arrived(self, predictions: list[PredictionRecord]) -> None:
        self._call(self._deliver, predictions)

    def _deliver(self, predictions: list[PredictionRecord]) -> None:
        for prediction in predictions:
            mail = self._waiting.get(prediction.id)
            if mail is not None and not mail.prediction.done():
                mail.prediction.set_result(prediction)

    def _appended(self, message_id: str, mail: _Waiting, error: ConsumerError | None) -> None:
        if error is None:
            mail.durable = True
            self._passed.add(message_id)
        elif not mail.prediction.done():
            mail.prediction.set_exception(error)

    def _call(self, function: Callable[..., None], *arguments: object) -> None:
        """Call in the loop, from a thread; a loop that has ended needs no answer."""
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function, *arguments)


def _resolve(durable: asyncio.Future[None], error: ConsumerError | None) -> None:
    if durable.done():
        return
    if error is None:
        durable.set_result(None)
    else:
        durable.set_exception(error)


async def _in_time(words: Future[tuple[str, ...]] | None) -> tuple[str, ...]:
    if words is None:
        return ()
    try:
        return await asyncio.wait_for(asyncio.wrap_future(words), WORDS_S)
    except TimeoutError:
        return ()
