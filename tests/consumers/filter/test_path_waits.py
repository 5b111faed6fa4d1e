"""What a request waits for, and for how long: its words, the log, and another delivery of the same mail."""

from __future__ import annotations

import asyncio
import threading

import pytest

from consumers.filter import path, writer
from consumers.filter.path import MailPath
from consumers.filter.words import StrongestWords
from tests.consumers.filter.conftest import PATIENCE_S, fresh
from tests.support.filter_client import post, talk
from tests.support.own_log import own_messages
from tests.support.own_loop import run_coroutine

TELL = b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: spam\r\n\r\n"


def test_an_answer_does_not_wait_for_its_words(mail_filter, monkeypatch):
    """They come late while a large model is loaded."""
    go_on = threading.Event()
    monkeypatch.setattr(StrongestWords, "_answer", lambda self, raw: go_on.wait(PATIENCE_S) and ("late +1.00",))

    content = post(mail_filter.port, "/checkv2", fresh("spam").value)[1]
    go_on.set()

    assert content["action"] == "add header"
    assert content["symbols"]["STREAM_NB_SPAM"]["options"] == []


def test_while_too_much_mail_waits_for_the_log_more_gets_the_reason(filter_on, monkeypatch):
    server = filter_on(trained=False)
    monkeypatch.setattr(writer, "MAX_WAITING_BYTES", 10)
    mail = fresh("spam").value

    content = post(server.port, "/checkv2", mail)[1]

    assert content["symbols"]["STREAM_NB_LOG_BEHIND"]["description"] == "too many mails are already waiting for the log"
    assert post(server.port, "/learnspam", mail) == (503, {"error": "the log does not keep up; try again later"})
    assert talk(server.port, TELL, mail).startswith(b"SPAMD/1.1 75 EX_TEMPFAIL ")


def test_a_log_line_says_why_mails_pass_without_a_score(filter_on, caplog):
    """An operator who has not started a worker sees nothing else in any log."""
    post(filter_on(trained=False, deadline_s=0.01).port, "/checkv2", fresh("spam").value)

    assert any(text.startswith("a mail passes without a score: ") for text in own_messages(caplog))


def test_a_label_that_is_not_on_the_log_in_time_is_refused(filter_on, monkeypatch):
    monkeypatch.setattr(path, "LEARN_S", 0.1)
    go_on = threading.Event()
    append = writer.LogWriter._next_batch
    monkeypatch.setattr(writer.LogWriter, "_next_batch", lambda self: (go_on.wait(PATIENCE_S), append(self))[1])
    server = filter_on(trained=False)

    answer = post(server.port, "/learnspam", fresh("spam").value)
    go_on.set()

    assert answer == (503, {"error": "the log does not answer; try again later"})


def test_a_mail_delivered_again_meanwhile_gets_the_same_verdict(mail_filter):
    """An MTA that has waited too long delivers it again while the first delivery is still waiting."""
    raw = fresh("spam").value

    async def deliver_twice() -> list:
        mails = MailPath(mail_filter.open, mail_filter.settings, redelivers=True)
        await mails.ready()
        try:
            return await asyncio.gather(*(mails.deliver(raw, wants_verdict=True) for _ in range(2)))
        finally:
            await asyncio.to_thread(mails.close)

    first, second = run_coroutine(deliver_twice())

    assert first.label == "spam"
    assert (second.id, second.label, second.score) == (first.id, first.label, first.score)


def test_a_mail_delivered_again_meanwhile_waits_until_its_own_deadline(filter_on):
    server = filter_on(trained=False, deadline_s=0.3)
    raw = fresh("spam").value

    async def deliver_twice() -> list:
        mails = MailPath(server.open, server.settings, redelivers=True)
        await mails.ready()
        try:
            first = asyncio.create_task(mails.deliver(raw, wants_verdict=True))
            await asyncio.sleep(0.15)
            return await asyncio.gather(first, mails.deliver(raw, wants_verdict=True))
        finally:
            await asyncio.to_thread(mails.close)

    assert [verdict.symbol.name for verdict in run_coroutine(deliver_twice())] == ["STREAM_NB_DEADLINE"] * 2


def test_nothing_is_kept_of_a_mail_that_has_its_answer(mail_filter):
    async def ask() -> tuple[str | None, str | None, int]:
        mails = MailPath(mail_filter.open, mail_filter.settings, redelivers=True)
        await mails.ready()
        try:
            checked = await mails.check(fresh("spam").value)
            delivered = await mails.deliver(fresh("spam").value, wants_verdict=True)
            return checked.label, delivered.label, len(mails._waiting)
        finally:
            await asyncio.to_thread(mails.close)

    assert run_coroutine(ask()) == ("spam", "spam", 0)


def test_a_delivery_ends_when_its_mta_has_gone_even_if_the_log_answers_at_that_moment(mail_filter, monkeypatch):
    """Before Python 3.12 `asyncio.wait_for` ignores a cancellation that comes together with the result."""

    async def deliver() -> None:
        mails = MailPath(mail_filter.open, mail_filter.settings, redelivers=True)
        await mails.ready()
        delivery = asyncio.create_task(mails.deliver(fresh("spam").value, wants_verdict=False))
        resolve = path._resolve
        monkeypatch.setattr(path, "_resolve", lambda *given: (resolve(*given), delivery.cancel()))
        try:
            await delivery
        finally:
            await asyncio.to_thread(mails.close)

    with pytest.raises(asyncio.CancelledError):
        run_coroutine(deliver())
