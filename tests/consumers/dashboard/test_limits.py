"""The limits per client address; `remote_address` makes this machine count as another one."""

from __future__ import annotations

import http.client
import socket
import time

import pytest

from consumers.dashboard import limits
from consumers.dashboard.limits import BURST, MOST_CONNECTIONS, REQUESTS_PER_S, Limits

REMOTE = "192.0.2.1"


@pytest.fixture
def remote_stage(make_stage, monkeypatch):
    """A server that takes all clients for one address of another machine."""
    monkeypatch.setattr(limits, "remote_address", lambda host: REMOTE)
    return make_stage()


def address_of(stage) -> tuple[str, int]:
    return "127.0.0.1", stage.server.port


def ended(connection: socket.socket) -> bool:
    """Whether the server closes the connection, now or soon."""
    connection.settimeout(60)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_a_burst_is_allowed_and_then_the_rate_applies():
    now = 100.0
    counted = Limits(lambda: now)
    assert [counted.ask(REMOTE) for _ in range(BURST)] == [0.0] * BURST

    wait = counted.ask(REMOTE)
    assert 0 < wait <= 1 / REQUESTS_PER_S + 1e-6  # sums of fractions are not exact
    assert counted.ask("192.0.2.2") == 0.0
    now += wait
    assert counted.ask(REMOTE) == 0.0
    assert counted.ask(REMOTE) > 0


def test_the_people_behind_one_address_can_load_the_page_ten_times_at_once(stage, open_page):
    page = open_page(stage.server.url)
    requests = []
    page.on("request", lambda request: requests.append(request.url))
    page.reload()
    page.locator('#health [data-part="log"][data-kind="live"]').wait_for()
    assert 40 < len(requests) <= BURST / 10


def test_idle_addresses_are_forgotten(monkeypatch):
    monkeypatch.setattr(limits, "SWEEP_ADDRESSES", 10)
    now = 0.0
    counted = Limits(lambda: now)
    for number in range(1000):
        now += 1.0
        counted.ask(str(number))
    assert len(counted._full_at) <= 11


def test_an_invalid_request_is_refused_and_not_logged(capfd, stage):
    upgrade = b"GET / HTTP/1.1\r\nHost: a\r\nConnection: upgrade\r\nUpgrade: websocket\r\n\r\n"
    for request in (b"NONSENSE\r\n\r\n", upgrade):
        with socket.create_connection(address_of(stage)) as connection:
            connection.sendall(request)
            connection.shutdown(socket.SHUT_WR)
            assert connection.recv(100).startswith(b"HTTP/1.1 ")
    assert capfd.readouterr().err == ""


def test_a_request_above_the_rate_is_refused_with_retry_after(remote_stage, monkeypatch):
    monkeypatch.setattr(limits, "BURST", 3)
    monkeypatch.setattr(limits, "REQUESTS_PER_S", 0.01)
    connection = http.client.HTTPConnection(*address_of(remote_stage))
    seen = []
    for _ in range(5):
        connection.request("GET", "/api/page")
        reply = connection.getresponse()
        reply.read()
        seen.append(reply.status)
    assert seen == [200, 200, 200, 429, 429]
    assert 1 <= int(reply.headers["retry-after"]) <= 101


def test_one_address_cannot_hold_all_connections(remote_stage):
    held = [socket.create_connection(address_of(remote_stage)) for _ in range(MOST_CONNECTIONS)]
    time.sleep(0.2)
    assert ended(socket.create_connection(address_of(remote_stage)))

    held.pop().close()
    deadline = time.monotonic() + 60
    while True:  # the server detects the end of the other connection a moment later
        connection = http.client.HTTPConnection(*address_of(remote_stage))
        try:
            connection.request("GET", "/api/page")
            assert connection.getresponse().status == 200
            break
        except (OSError, http.client.HTTPException):
            assert time.monotonic() < deadline


def test_a_connection_without_a_request_is_closed(remote_stage, monkeypatch):
    monkeypatch.setattr(limits, "FIRST_REQUEST_S", 0.2)
    silent = socket.create_connection(address_of(remote_stage))
    slow = socket.create_connection(address_of(remote_stage))
    slow.sendall(b"GET / HTTP/1.1\r\nHost: local")
    assert ended(silent) and ended(slow)


def test_this_machine_has_no_limits(stage, monkeypatch):
    monkeypatch.setattr(limits, "BURST", 1)
    monkeypatch.setattr(limits, "REQUESTS_PER_S", 0.001)
    monkeypatch.setattr(limits, "MOST_CONNECTIONS", 1)
    for _ in range(3):
        connection = http.client.HTTPConnection(*address_of(stage))
        connection.request("GET", "/api/page")
        assert connection.getresponse().status == 200
