"""Workarounds for brokers that accept connections without answering, or close them right after an answer."""

from __future__ import annotations

import socket
import threading

import pytest

from consumers.log.kafka.clients import KafkaError, make_admin, make_feeder, make_reader
from consumers.log.kafka.connection import connection
from consumers.log.kafka.net_client import METADATA_BACKOFF_MS, answer_first
from consumers.settings import KafkaSettings

MAKERS = {"reader": lambda options: make_reader(options, wait_ms=1), "admin": make_admin, "feeder": make_feeder}


@pytest.mark.parametrize("kind", MAKERS)
def test_a_broker_that_does_not_answer_leaves_time_to_ask_another(kafka, monkeypatch, kind):
    """kafka-python asks one at random and waits for it until the timeout."""
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        options = connection(f"127.0.0.1:{port},{kafka.bootstrap}", KafkaSettings()) | {"bootstrap_timeout_ms": 2_000}
        asked = []

        def choose(brokers):
            asked.append(min(brokers, key=lambda broker: (broker.port == port) == bool(asked)))
            return asked[-1]

        monkeypatch.setattr("kafka.net.manager.random.choice", choose)
        MAKERS[kind](options).close()
        assert asked[0].port == port
        assert asked[-1].port != port


@pytest.mark.parametrize("kind", MAKERS)
def test_a_client_that_no_broker_answers_leaves_nothing_open(kind):
    """In kafka-python its thread and four files remain, so that a filter without brokers had too many after an hour."""
    before = set(threading.enumerate())
    with socket.create_server(("127.0.0.1", 0)) as silent:
        options = connection(f"127.0.0.1:{silent.getsockname()[1]}", KafkaSettings()) | {"bootstrap_timeout_ms": 100}
        with pytest.raises(KafkaError, match="Unable to bootstrap"):
            MAKERS[kind](options)
    assert set(threading.enumerate()) <= before


@pytest.mark.parametrize("kind", MAKERS)
def test_no_client_waits_100_ms_for_the_metadata_of_each_topic(kafka, kind):
    """kafka-python does not pass a client's settings to its metadata, so the default would apply."""
    client = MAKERS[kind](connection(kafka.bootstrap, KafkaSettings()))
    network = client._sender._client if kind == "feeder" else client._client
    assert (getattr(network, "cluster", None) or network._manager.cluster).refresh_backoff() == METADATA_BACKOFF_MS
    client.close()


def test_an_answer_is_received_although_the_broker_closed_the_connection_after_it():
    from kafka.net.selector import NetworkSelector
    from kafka.net.transport import KafkaTCPTransport

    ours, brokers = socket.socketpair()
    ours.setblocking(False)
    brokers.sendall(b"wrong password")
    brokers.close()
    transport = KafkaTCPTransport(NetworkSelector(), ours)
    receive = answer_first(transport._sock_recv)
    assert receive() == (b"wrong password", None)
    received, error = receive()
    assert received == b"" and "socket disconnected" in str(error)
    ours.close()
