"""The LMTP server at its limits: too many connections, sizes, errors that nobody has foreseen, and its end."""

from __future__ import annotations

import smtplib
import socket
import threading
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager

import msgspec
import pytest

from consumers.filter import lmtp as module
from consumers.filter.lmtp import MAX_PASSED_BYTES, LmtpServer
from consumers.filter.next_hop import REPLY_S, parse_next_hop
from consumers.monitor.heartbeats import LatestHeartbeats
from consumers.settings import Settings
from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh
from tests.consumers.filter.test_lmtp import BOB, EVE, deliver
from tests.support.mail_sink import MailSink
from tests.support.waiting import until


@contextmanager
def serving(
    mail_filter: RunningFilter, next_hop: MailSink | None = None, settings: Settings | None = None
) -> Iterator[tuple[LmtpServer, threading.Event]]:
    """An LMTP server on the log of `mail_filter`, and the event that ends it."""
    hop = None if next_hop is None else parse_next_hop(next_hop.url)
    server = LmtpServer(mail_filter.open, settings or mail_filter.settings, "127.0.0.1", 0, hop)
    stop, ready = threading.Event(), threading.Event()
    thread = threading.Thread(target=server.run, args=(stop, ready.set))
    thread.start()
    try:
        assert ready.wait(PATIENCE_S)
        yield server, stop
    finally:
        stop.set()
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


@pytest.fixture
def sink() -> Iterator[MailSink]:
    """A next hop that accepts everything."""
    made = MailSink()
    yield made
    made.close()


def test_a_mail_on_a_connection_above_the_limit_is_put_off_until_another_ends(mail_filter):
    two = msgspec.structs.replace(mail_filter.settings.filter, connections=2)
    raw = fresh("ham").value
    with serving(mail_filter, settings=msgspec.structs.replace(mail_filter.settings, filter=two)) as (server, _):
        with smtplib.LMTP("127.0.0.1", server.port, timeout=PATIENCE_S):
            assert deliver(server.port, raw)[0].startswith("250")
            with smtplib.LMTP("127.0.0.1", server.port, timeout=PATIENCE_S):
                assert deliver(server.port, raw) == ["452 4.3.2 too many connections; try again later"]
            deadline = time.monotonic() + PATIENCE_S
            while (told := deliver(server.port, raw)[0]).startswith("452") and time.monotonic() < deadline:
                time.sleep(0.05)

    assert told.startswith("250")


def test_a_client_that_says_nothing_for_longer_than_a_next_hop_may_is_disconnected(mail_filter, monkeypatch):
    assert module.IDLE_S > REPLY_S
    monkeypatch.setattr(module, "IDLE_S", 0.1)
    with serving(mail_filter) as (server, _):
        with socket.create_connection(("127.0.0.1", server.port), timeout=PATIENCE_S) as silent:
            assert silent.makefile("rb").read().startswith(b"220 ")


def test_a_mail_with_a_long_line_is_accepted(mail_filter):
    """SMTP allows 998 characters, but programs write whole paragraphs of HTML as one line."""
    with serving(mail_filter) as (server, _):
        assert deliver(server.port, b"Subject: a\n\n" + b"x" * 100_000)[0].startswith("250")


@pytest.mark.parametrize(
    ("size", "code"),
    [
        (MAX_PASSED_BYTES, "250"),
        (MAX_PASSED_BYTES + 1, "552"),
    ],
)
def test_a_declared_size_above_the_limit_is_refused(mail_filter, size, code):
    with serving(mail_filter) as (server, _):
        assert deliver(server.port, fresh("ham").value, options=f" SIZE={size}")[0][:3] == code


def test_an_error_that_nobody_has_foreseen_defers_the_mail_for_each_recipient(mail_filter, sink, monkeypatch):
    monkeypatch.setattr(module, "unscorable", lambda raw: 1 / 0)
    with serving(mail_filter, sink) as (server, _):
        told = deliver(server.port, fresh("ham").value, (BOB, EVE))

    assert told == ["451 4.3.0 internal error; try again later"] * 2
    assert sink.kept == []


def test_addresses_are_relayed_as_the_mta_wrote_them(mail_filter, sink, monkeypatch):
    """A decoded word makes another address, which the MTA has not checked."""
    recipients = ["a..b@test.example", "=?utf-8?q?staff?=@test.example", '"a b>\\""@test.example', "c,d@test.example"]
    seen: list[list[str]] = []
    monkeypatch.setattr(
        module, "pass_on", lambda hop, sender, to, *_: seen.append([sender, *to]) or ["250 ok"] * len(to)
    )
    with serving(mail_filter, sink) as (server, _):
        deliver(
            server.port, fresh("ham").value, recipients, sender="=?utf-8?q?staff?=@a.example", options=" BODY=8BITMIME"
        )
        deliver(server.port, fresh("ham").value, recipients[:1], sender="")

    assert seen == [["=?utf-8?q?staff?=@a.example", *recipients], ["", recipients[0]]]


def test_a_mail_does_not_wait_until_another_is_relayed(mail_filter, sink):
    both = threading.Barrier(2, timeout=PATIENCE_S)
    sink.reply = lambda mail: both.wait() >= 0 and "250 kept"
    with ThreadPoolExecutor(2) as mta, serving(mail_filter, sink) as (server, _):
        told = [mta.submit(deliver_last, server.port, fresh("ham").value) for _ in range(2)]
        assert [one.result() for one in told] == [(250, b"kept")] * 2


def test_a_mail_that_is_being_relayed_when_the_server_ends_gets_its_reply(mail_filter, sink):
    relayed, go_on = threading.Event(), threading.Event()
    sink.reply = lambda mail: relayed.set() or (go_on.wait(PATIENCE_S) and "250 kept")
    with ThreadPoolExecutor(1) as mta, serving(mail_filter, sink) as (server, stop):
        told = mta.submit(deliver_last, server.port, fresh("ham").value)
        assert relayed.wait(PATIENCE_S)
        stop.set()
        until(lambda: server._socket.fileno() < 0)  # it listens no more
        go_on.set()
        assert told.result() == (250, b"kept")
    assert server.mails == 1
    with mail_filter.open() as log:  # the page would not show it while the feed of another test seems to run
        beats = LatestHeartbeats(log).follow(time.time())
    assert [beat.stopped for beat in beats if beat.member.endswith(f"lmtp://127.0.0.1:{server.port}")] == [True]


def test_a_next_hop_that_does_not_reply_holds_the_server_up_for_a_while_only(mail_filter, sink, monkeypatch):
    monkeypatch.setattr(module, "STOP_S", 0.1)
    relayed, go_on = threading.Event(), threading.Event()
    sink.reply = lambda mail: relayed.set() or (go_on.wait(PATIENCE_S) and "250 kept")
    with ThreadPoolExecutor(1) as mta:
        with serving(mail_filter, sink) as (server, _):
            told = mta.submit(deliver_last, server.port, fresh("ham").value)
            assert relayed.wait(PATIENCE_S)
        go_on.set()
        with pytest.raises(smtplib.SMTPServerDisconnected):  # the MTA keeps the mail
            told.result()


def deliver_last(port: int, raw: bytes) -> tuple[int, bytes]:
    """Deliver a mail; the connection may end after the reply."""
    client = smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE_S)
    client.ehlo()
    client.docmd("MAIL", "FROM:<>")
    client.docmd("RCPT", f"TO:<{BOB}>")
    client.docmd("DATA")
    client.send(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n.\r\n")
    try:
        return client.getreply()
    finally:
        client.close()
