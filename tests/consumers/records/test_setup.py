"""A log is created where there was none, but never in place of one that has disappeared."""

import pytest

from consumers.errors import LogUnavailable, TopicMismatch
from consumers.log.memory import MemoryLog
from consumers.records.schemas import EMAILS, TOPICS
from consumers.records.setup import open_existing_log, open_ready_log
from consumers.settings import KafkaSettings, Settings


def test_a_new_log_gets_all_topics_and_they_are_reported(tmp_path):
    notes: list[str] = []

    with open_ready_log(Settings(log=f"sqlite:{tmp_path}/log"), notes.append) as log:
        assert all(log.partitions(topic.name) == 1 for topic in TOPICS)

    assert len(notes) == 1 and notes[0].startswith("created topics emails, labels")


def test_a_log_that_has_disappeared_is_not_recreated(tmp_path):
    settings = Settings(log=f"sqlite:{tmp_path}/log")

    with pytest.raises(LogUnavailable, match="no log is here"):
        open_ready_log(settings, print, create=False)

    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize("create", [True, False])
def test_an_inaccessible_folder_is_named_with_the_reason(tmp_path, create):
    """For example a folder of another user."""
    with pytest.raises(LogUnavailable, match="File name too long; name a folder"):
        open_ready_log(Settings(log=f"sqlite:{tmp_path}/{'x' * 300}"), print, create)


def test_a_tilde_in_the_address_is_expanded(tmp_path, monkeypatch):
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.chdir(tmp_path)

    open_ready_log(Settings(log="sqlite:~/log"), lambda text: None).close()

    assert [path.name for path in tmp_path.iterdir()] == ["log"]


def test_a_log_whose_topics_do_not_fit_is_closed(monkeypatch):
    """Processes that try again and again would otherwise collect the threads and sockets of its clients."""
    log, closed = MemoryLog(), []
    log.create_topics(TOPICS, 2)
    monkeypatch.setattr(log, "close", lambda: closed.append(log))
    monkeypatch.setattr("consumers.records.setup.open_log", lambda *_: log)

    with pytest.raises(TopicMismatch):
        open_ready_log(Settings(), print)

    assert closed == [log]


def test_a_command_names_topics_with_fewer_partitions_than_the_others(monkeypatch):
    """Otherwise it would look for a partition that does not exist, and ask whether the broker is up."""
    log = MemoryLog()
    for topic in TOPICS:
        log.create_topics([topic], 3 if topic.name == EMAILS else 2)
    monkeypatch.setattr("consumers.records.setup.open_log", lambda *_, **__: log)

    with pytest.raises(TopicMismatch, match=r"'a.emails': 3, 'a.labels': 2, 'a.predictions': 2.*--partitions 3"):
        open_existing_log(Settings(kafka=KafkaSettings(prefix="a.")))
