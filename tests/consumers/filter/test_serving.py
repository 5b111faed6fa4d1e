"""The serving loop: its heartbeats, and when the server is open."""

from __future__ import annotations

from itertools import count
from threading import Event

import msgspec

from consumers.filter.serving import serve_until
from consumers.records.heartbeat import FILTER, HeartbeatRecord, HeartbeatWriter
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
