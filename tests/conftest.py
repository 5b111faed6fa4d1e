"""Fixtures that several rooms share."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))

import kafka_broker


def pytest_configure(config) -> None:
    """kafka-python reads its message schemas with calls that Python 3.11 deprecates and 3.13 takes back."""
    config.addinivalue_line("filterwarnings", "ignore:(read|open)_text is deprecated:DeprecationWarning")


@pytest.fixture(scope="session")
def kafka_or_skip():
    """Skips the test out loud where Kafka cannot run; in CI that is a failure."""
    reason = kafka_broker.why_not()
    if reason is not None:
        if kafka_broker.required():
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def kafka(kafka_or_skip, tmp_path_factory):
    """A real one-node Kafka for the whole run; tests keep apart by topic prefix."""
    cluster = kafka_broker.Cluster(tmp_path_factory.mktemp("kafka"))
    try:
        yield cluster.start()
    finally:
        cluster.stop()
