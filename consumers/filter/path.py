"""The path of a mail: append it to `emails`, wait for its prediction on `predictions`, answer.

After a deadline the answer is "no action" with a symbol for the reason. A mail that is already on the log is scored
when a worker gets to it, and can be learned.
"""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple

from ..errors import BadRecord, ConsumerError, LogUnavailable
from ..log.base import Log, ProducerRecord
from ..records.mail_id import carried_id, content_hash, content_of, new_id, repeatable_id
from ..records.messages import as_value
from ..records.schemas import EMAILS, LABELS, LabelRecord, PredictionRecord, decode_label, encode
from ..records.sources import given_source
from ..settings import Settings
from .follower import PredictionFollower
from .metrics import FilterMetrics
from .passed import PassedMails
from .verdict import Verdict, scored_verdict, unscorable, unscored_verdict
from .words import StrongestWords, in_time
from .writer import LogWriter

logger = logging.getLogger(__name__)

LEARN_S = 10.0
STORE_S = 60.0
"""Timeout for a mail that an MTA delivers to become durable."""


class Learned(NamedTuple):
    """A label on the log: the id of its mail, and how that was found (`header`, `content` or `new`)."""

    id: str
    found: str


@dataclass
class _Waiting:
    """A mail in progress: the future of its prediction, whether it is durable, and how many deliveries wait for it."""

    prediction: asyncio.Future[PredictionRecord]
    durable: bool = False
    users: int = 0


class MailPath:
    """The path over one log, for all connections of an asyncio loop; it must be created in that loop.

    `open_log` is called in other threads. With `redelivers`, `deliver` also finds the predictions of mails that an MTA
    delivers again. Raises ImportError where numba may not compile.
    """

    def __init__(self, open_log: Callable[[], Log], settings: Settings, redelivers: bool = False) -> None:
        import_module("stream_nb.kernels.jit")  # if threads did it and it failed, not all of them would learn why
        self._settings = settings
        self._loop = asyncio.get_running_loop()
        self._waiting: dict[str, _Waiting] = {}
        self._writer = LogWriter(open_log)
        self._words = StrongestWords(open_log, settings)
        remember = settings.worker.remember_mails
        self._passed = PassedMails(remember)
        self._follower = PredictionFollower(
            open_log, remember, self._passed, self._waiting.__contains__, self._arrived, redelivers
        )
        self.metrics = FilterMetrics()

    def append(self, records: Sequence[ProducerRecord]) -> None:
        """Append records without waiting; they are lost if the log fails or is too far behind."""
        self._writer.append(records, lambda error: None)

    async def ready(self) -> None:
        """Wait until the mails that passed before are known and the mail parser is imported and compiled."""
        await asyncio.to_thread(new_id, b"")
        while not self._follower.caught_up.is_set():
            await asyncio.sleep(0.05)

    async def check(self, raw: bytes) -> Verdict:
        """Append the mail (`raw` bytes) to the log, and return the verdict by its prediction."""
        started = time.monotonic()
        verdict = await self._check(raw)
        self.metrics.answered(verdict, time.monotonic() - started)
        return verdict

    async def deliver(self, raw: bytes, wants_verdict: bool) -> Verdict | None:
        """Append a mail of an MTA (`raw` bytes) and wait until it is durable; return the verdict if `wants_verdict`.

        The same bytes delivered again are the same mail, which is not appended again if its prediction is known.
        Raises LogUnavailable.
        """
        message_id = await asyncio.to_thread(repeatable_id, raw)
        mail = self._waiting.setdefault(message_id, _Waiting(self._loop.create_future()))
        mail.users += 1
        try:
            words = self._words.ask(raw) if wants_verdict else None
            if not self._follower.read_again(message_id):
                await self._append([ProducerRecord(EMAILS, message_id.encode(), as_value(raw))], STORE_S)
            if not wants_verdict:
                return None
            try:
                async with asyncio.timeout(self._settings.filter.deadline_s):
                    prediction = await asyncio.shield(mail.prediction)
            except TimeoutError:
                return self._late(message_id)
            return await self._verdict(prediction, words)
        finally:
            mail.users -= 1
            if not mail.users:
                del self._waiting[message_id]

    async def learn(self, raw: bytes, label: str | None, source: str, forget: bool = False) -> Learned | None:
        """Append the `label` that a `source` gives a mail (`raw` bytes); with `forget`, withdraw the source's label.

        A mail that never passed is appended first. Returns None if there is nothing to forget. Raises BadRecord for an
        invalid label or source, and LogUnavailable if the label cannot be made durable.
        """
        if label == "none":  # in `stream-nb label` it withdraws a label, so whoever sends it hardly means a class
            raise BadRecord("bad-label", "'none' is no class; `stream-nb learn --forget` withdraws a label")
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
        """Append the waiting records and end the threads."""
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
                return _without_score("", "LOG_BEHIND", "too many mails are already waiting for the log")
            words = self._words.ask(raw)
            async with asyncio.timeout(self._settings.filter.deadline_s):
                prediction = await mail.prediction
        except TimeoutError:
            limit = self._settings.filter.deadline_s
            if not mail.durable:
                return _without_score("", "LOG_BEHIND", f"the log did not accept the mail within {limit:g} s")
            return self._late(message_id)
        except ConsumerError as error:
            return unscored_verdict("", "LOG_UNAVAILABLE", f"the log does not accept mails: {error}")
        finally:
            del self._waiting[message_id]
        return await self._verdict(prediction, words)

    async def _verdict(self, prediction: PredictionRecord, words: Future[tuple[str, ...]] | None) -> Verdict:
        shown, own = await in_time(words), self._settings.learner.positive
        if shown and own != prediction.positive:
            text = "[learner] positive is %r here and %.100r at the worker: set it alike; until then words are left out"
            logger.warning(text, own, prediction.positive)
            shown = ()  # their weights refer to another class than the score
        return scored_verdict(prediction, shown, self._settings.filter)

    def _late(self, message_id: str) -> Verdict:
        why = f"no prediction arrived within {self._settings.filter.deadline_s:g} s; is a worker running?"
        return _without_score(message_id, "DEADLINE", why)

    async def _append(self, records: list[ProducerRecord], limit_s: float) -> None:
        """Append records and wait until they are durable. After LogUnavailable they may still be appended."""
        durable: asyncio.Future[None] = self._loop.create_future()
        if not self._writer.append(records, lambda error: self._call(_resolve, durable, error)):
            raise LogUnavailable("the log does not keep up; try again later")
        try:
            async with asyncio.timeout(limit_s):
                await durable
        except TimeoutError as error:
            raise LogUnavailable("the log does not answer; try again later") from error

    def _find(self, raw: bytes) -> tuple[str | None, str]:
        """The id that a mail has on the log (None: none), and how it was found."""
        content = content_hash(raw)
        carried = carried_id(raw)
        named = content_of(carried or "")
        # The header may come from another filter, or be forged so that labels of the mail are lost. It counts only if a
        # mail with exactly this id has passed, or if it fits the content and no mail with this content is remembered.
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
        """Call the function in the loop, from another thread; do nothing if the loop has ended."""
        with suppress(RuntimeError):  # as `call_soon_threadsafe` says that
            self._loop.call_soon_threadsafe(function, *arguments)


def _resolve(durable: asyncio.Future[None], error: ConsumerError | None) -> None:
    if durable.done():
        return
    if error is None:
        durable.set_result(None)
    else:
        durable.set_exception(error)


def _without_score(message_id: str, reason: str, detail: str) -> Verdict:
    logger.warning("a mail passes without a score: %s", detail)
    return unscored_verdict(message_id, reason, detail)
