"""A log on the broker, and the client that administrates it."""

from __future__ import annotations

import uuid

import pytest

from consumers.settings import KafkaSettings, Settings
from tests.support.log_bench import make_bench


@pytest.fixture
def settings(kafka):
    """The settings of a log of the test's own."""
    return Settings(log=f"kafka://{kafka.bootstrap}", kafka=KafkaSettings(prefix=f"t{uuid.uuid4().hex[:8]}-"))


@pytest.fixture
def admin(kafka):
    """The library's client for topics and their settings."""
    from kafka import KafkaAdminClient

    admin = KafkaAdminClient(bootstrap_servers=kafka.bootstrap)
    yield admin
    admin.close()


@pytest.fixture
def bench(request, tmp_path, kafka):
    """Makes logs on the broker."""
    bench = make_bench("kafka", request, tmp_path)
    yield bench
    bench.close()
