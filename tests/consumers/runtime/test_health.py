"""Health over HTTP: /healthz is 200 while the loop runs, /readyz while it works on its assignment."""

import socket
import struct
import threading
import time
import urllib.error
import urllib.request

import pytest
from prometheus_client import CollectorRegistry, Counter
from prometheus_client.exposition import CONTENT_TYPE_LATEST

from consumers.errors import UserError
from consumers.runtime import health
from consumers.runtime.health import HealthServer, Pulse


def get(port, path):
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}{path}", timeout=5) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


@pytest.fixture
def served():
    now = [100.0]
    registry = CollectorRegistry()
    Counter("things", "Things.", registry=registry).inc(3)
    pulse = Pulse(limit_s=10.0, clock=lambda: now[0])
    server = HealthServer("127.0.0.1", 0, pulse, registry, "--port")
    yield server.port, pulse, now
    server.close()


def test_a_process_is_alive_at_once_and_ready_after_a_ready_beat(served):
    port, pulse, _ = served
    assert (get(port, "/healthz"), get(port, "/readyz")) == ((200, "ok\n"), (503, "not yet\n"))

    pulse.beat(ready=True)

    assert get(port, "/readyz")[0] == 200


def test_the_port_may_have_an_ipv6_address():
    try:
        socket.create_server(("::1", 0), family=socket.AF_INET6).close()
    except OSError:
        pytest.skip("this machine has no IPv6")
    server = HealthServer("::1", 0, Pulse(), CollectorRegistry(), "--port")
    try:
        with socket.create_connection(("::1", server.port), timeout=5) as client:
            client.sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
            assert client.recv(100).startswith(b"HTTP/1.0 200 ")
    finally:
        server.close()


def test_a_process_without_beats_is_neither_alive_nor_ready(served):
    port, pulse, now = served
    pulse.beat(ready=True)

    now[0] += 10.5

    assert (get(port, "/healthz")[0], get(port, "/readyz")[0]) == (503, 503)


def test_metrics_are_served_and_other_paths_are_not(served):
    port, _, _ = served

    assert "things_total 3.0" in get(port, "/metrics")[1]
    with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
        assert answer.headers["Content-Type"] == CONTENT_TYPE_LATEST, "Prometheus refuses metrics without their format"
        assert answer.headers["Content-Length"] == str(len(answer.read()))
    assert get(port, "/../etc/passwd")[0] == 404


@pytest.mark.parametrize(("port", "why"), [(None, "Address already in use"), (70_000, "ports end at 65535")])
def test_a_used_or_invalid_port_is_a_user_error(served, port, why):
    port = port or served[0]
    with pytest.raises(UserError, match=rf"127.0.0.1:{port}: {why}; choose .*\[monitor\] port"):
        HealthServer("127.0.0.1", port, Pulse(), CollectorRegistry(), "[monitor] port")


def test_the_name_of_the_machine_is_not_looked_up_because_that_takes_seconds_without_dns(monkeypatch):
    def lookup(*_: object) -> str:
        raise AssertionError("a name was looked up")

    monkeypatch.setattr(socket, "gethostbyaddr", lookup)
    HealthServer("127.0.0.1", 0, Pulse(), CollectorRegistry(), "--port").close()


def test_an_idle_client_is_disconnected(monkeypatch):
    monkeypatch.setattr(health, "IDLE_S", 0.1)
    server = HealthServer("127.0.0.1", 0, Pulse(), CollectorRegistry(), "--port")
    with socket.create_connection(("127.0.0.1", server.port), timeout=30) as client:
        client.sendall(b"GET /healthz HT")
        assert client.recv(1) == b""
    server.close()


def test_a_connection_reset_prints_nothing(served, capfd):
    before = threading.active_count()
    for _ in range(5):
        client = socket.create_connection(("127.0.0.1", served[0]), timeout=30)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        client.sendall(b"GET /healthz HT")
        while threading.active_count() == before:
            time.sleep(0.01)
        client.close()
        while threading.active_count() > before:
            time.sleep(0.01)
    assert capfd.readouterr().err == ""


def test_above_the_limit_the_oldest_connection_is_closed_and_a_probe_answered(served, monkeypatch):
    monkeypatch.setattr(health, "MOST_CONNECTIONS", 3)
    clients = [socket.create_connection(("127.0.0.1", served[0]), timeout=30) for _ in range(3)]
    assert get(served[0], "/healthz")[0] == 200
    assert clients[0].recv(1) == b""
    clients[1].sendall(b"GET /healthz HTTP/1.0\r\n\r\n")
    assert clients[1].recv(12) == b"HTTP/1.0 200"
    for client in clients:
        client.close()
