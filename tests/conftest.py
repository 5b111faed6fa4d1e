"""Fixtures that several rooms share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import kafka_broker


@pytest.fixture(scope="session")
def kafka(tmp_path_factory):
    """A real one-node Kafka for the whole run; tests keep apart by topic prefix."""
    reason = kafka_broker.why_not()
    if reason is not None:
        if kafka_broker.required():
            pytest.fail(reason)
        pytest.skip(reason)
    cluster = kafka_broker.Cluster(tmp_path_factory.mktemp("kafka")).start()
    yield cluster
    cluster.stop()
