"""Fixtures that several rooms share."""

from __future__ import annotations

import os
import signal
import tarfile
from pathlib import Path

import pytest
from hypothesis import settings

from tests.support import kafka_broker
from tests.support.browser import chromium, open_page
from tests.support.own_loop import refuse_main_thread

__all__ = ["chromium", "open_page"]

# The first call of a compiled kernel takes seconds on a cold cache, so property tests have no deadline. The profile
# `fast`, of `make test-fast`, has a quarter of the examples.
settings.register_profile("full", deadline=None)
settings.register_profile("fast", deadline=None, max_examples=25)
settings.load_profile("full")

refuse_main_thread()

# A shell without job control, and nohup, start the tests with signals ignored, which their processes would inherit.
signal.signal(signal.SIGINT, signal.default_int_handler)
if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
    signal.signal(signal.SIGHUP, lambda *_: None)

# A test that uses one of these fixtures, however indirectly, gets the marker; `make test-fast` leaves the markers out.
MARKERS = {
    "kafka_or_skip": "kafka", "chromium": "browser", "spark": "spark", "real_mail": "corpus",
    "postfix": "servers", "mta": "servers", "exim": "servers", "haraka": "servers", "dovecot": "servers",
    "agent": "servers", "tools": "servers",
}  # fmt: skip
PARAMETERS = {"kafka": "kafka", "real_mail": "corpus"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark tests by the fixtures that they use, and those with processes of their own (`tests/flow`)."""
    for item in items:
        for fixture in MARKERS.keys() & set(getattr(item, "fixturenames", ())):
            item.add_marker(MARKERS[fixture])
        # Some tests get the name of a log or of a kind of mail as a parameter, and request its fixture while they run.
        for value in _parameters(item):
            if isinstance(value, str) and value in PARAMETERS:
                item.add_marker(PARAMETERS[value])
        if Path(__file__).parent / "flow" in item.path.parents:
            item.add_marker("flow")


def _parameters(item: pytest.Item) -> list[object]:
    callspec = getattr(item, "callspec", None)
    return [] if callspec is None else list(callspec.params.values())


@pytest.fixture(scope="session")
def kafka_or_skip():
    """Skips the test with a reason if Kafka cannot run here; in CI the test fails."""
    reason = kafka_broker.why_not()
    if reason is not None:
        if kafka_broker.required():
            pytest.fail(reason)
        pytest.skip(reason)


@pytest.fixture(scope="session")
def kafka(kafka_or_skip, tmp_path_factory):
    """A real one-node Kafka for the whole run; each test uses its own prefix of topics."""
    cluster = kafka_broker.Cluster(tmp_path_factory.mktemp("kafka"))
    try:
        yield cluster.start()
    finally:
        cluster.stop()


@pytest.fixture(scope="session")
def real_mail(tmp_path_factory):
    """A function: name of an archive -> folder with its mails; skips the test if there is no such archive."""
    home = Path(os.environ.get("STREAM_NB_DATA") or Path(__file__).parents[2] / "shared" / "data")
    unpacked: dict[str, Path] = {}

    def unpack(name: str) -> Path:
        if name not in unpacked:
            archive = home / f"{name}.tar.xz"
            if not archive.exists():
                pytest.skip(f"no {archive.name} in {home}: set STREAM_NB_DATA; real mail is not part of the repository")
            folder = tmp_path_factory.mktemp(name)
            with tarfile.open(archive) as tar:
                # Python has extraction filters from 3.11.4 on.
                tar.extractall(folder, **({"filter": "data"} if hasattr(tarfile, "data_filter") else {}))
            unpacked[name] = folder / name
        return unpacked[name]

    return unpack
