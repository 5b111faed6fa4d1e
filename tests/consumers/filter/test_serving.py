"""The serving loop: its heartbeats, and when the server is open."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import count
from threading import Event, current_thread

import msgspec
import pytest

from consumers.filter import serving
from consumers.filter.lmtp import LmtpServer
from consumers.filter.path import MailPath
from consumers.filter.server import FilterServer
from consumers.filter.serving import serve_until
from consumers.records.heartbeat import FILTER, HeartbeatRecord, HeartbeatWriter
from consumers.records.setup import open_ready_log
from consumers.settings import FilterSettings, Settings
from tests.support.own_log import own_messages
from tests.support.own_loop import run_coroutine


def test_heartbeats_tell_that_a_server_starts_serves_and_has_stopped(monkeypatch):
    events: list[str] = []
    stop = Event()
    monkeypatch.setattr(stop, "is_set", iter((False, False, True)).__next__)  # once while it starts, then per heartbeat

    class Path:
        def append(self, records):
            beat = msgspec.json.decode(records[0].value, type=HeartbeatRecord)
            events.append(beat.starting or ("stopped" if beat.stopped else "serving"))

        async def ready(self):
            pass

    class Server:
        def close(self):
            events.append("closed")

    async def start():
        events.append("opened")
        return Server()

    path = Path()
    heartbeat = HeartbeatWriter(path, FILTER, "host port", timer=count(step=100).__next__)
    run_coroutine(serve_until(stop, path, heartbeat, start, lambda: events.append("ready")))
    assert events == ["reading the latest predictions", "opened", "ready", "serving", "closed", "stopped"]


SERVERS = pytest.mark.parametrize(
    "serve",
    [lambda *log: FilterServer(*log), lambda *log: LmtpServer(*log, "127.0.0.1", 0, None)],
    ids=["filter", "lmtp"],
)


@SERVERS
def test_no_thread_of_the_loop_waits_for_the_log(tmp_path, monkeypatch, serve):
    """A loop that ends waits for its own threads, whatever interrupts it."""
    settings = Settings(log=f"sqlite:{tmp_path}", filter=FilterSettings(port=0))
    server = serve(partial(open_ready_log, settings, print), settings)
    close, stop = MailPath.close, Event()
    threads: list[str] = []
    monkeypatch.setattr(MailPath, "close", lambda path: threads.append(current_thread().name) or close(path))

    with ThreadPoolExecutor(1) as caller:
        caller.submit(server.run, stop, stop.set).result()

    assert threads == ["filter-close"]


@SERVERS
def test_a_log_that_does_not_answer_does_not_keep_a_server_that_stops(tmp_path, monkeypatch, caplog, serve):
    """A service manager would kill it, without a word why."""
    settings = Settings(log=f"sqlite:{tmp_path}", filter=FilterSettings(port=0))
    server = serve(partial(open_ready_log, settings, print), settings)
    close, stop, answers = MailPath.close, Event(), Event()
    closed = Event()
    monkeypatch.setattr(serving, "CLOSE_S", 0.1)
    monkeypatch.setattr(MailPath, "close", lambda path: (answers.wait(), close(path), closed.set()))

    with ThreadPoolExecutor(1) as caller, pytest.raises(KeyboardInterrupt):
        caller.submit(server.run, stop, stop.set).result()
    answers.set()

    assert any(line.startswith("the log does not answer for 0.1 s: ending without it") for line in own_messages(caplog))
    assert closed.wait(60)
