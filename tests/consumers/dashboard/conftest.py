"""Fixtures for tests of the page: the log, the stages and the server behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import pytest

from consumers.model.stream_model import StreamModel
from tests.support.page_stage import Stage, settings_of


@pytest.fixture
def quick_looks(monkeypatch) -> None:
    """The server looks at the stages ten times as often as it does elsewhere, so that less is waited for."""
    monkeypatch.setattr("consumers.dashboard.view_cache.LOOK_S", 0.2)
    monkeypatch.setattr("consumers.dashboard.view_cache.AGAIN_S", 0.2)


@pytest.fixture(autouse=True, scope="module")
def dated_heartbeats() -> Iterator[None]:
    """Heartbeats keep the time that a test gives them, so that they stay recent during the test, or are old at once."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("consumers.monitor.heartbeats.within", lambda timestamp, since, now: timestamp)
        yield


@pytest.fixture
def make_stage() -> Iterator[Callable[..., Stage]]:
    stages: list[Stage] = []

    def make(model: StreamModel | None = None, **dashboard: object) -> Stage:
        stages.append(Stage(settings_of(**dashboard), model))
        return stages[-1]

    yield make
    for stage in stages:
        stage.close()


@pytest.fixture
def stage(make_stage) -> Stage:
    return make_stage()


@pytest.fixture
def all_run(stage) -> Stage:
    """A log whose worker and monitor count as running for the next hour."""
    stage.beat()
    return stage
