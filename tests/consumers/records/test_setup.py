"""A log is made where it is begun, and never in place of one that has gone away."""

import pytest

from consumers.errors import LogUnavailable
from consumers.records.schemas import TOPICS
from consumers.records.setup import open_ready_log
from consumers.settings import Settings


def test_a_new_log_gets_all_topics_and_says_so(tmp_path):
    notes: list[str] = []

    with open_ready_log(Settings(log=f"sqlite:{tmp_path}/log"), notes.append) as log:
        assert all(log.partitions(topic.name) == 1 for topic in TOPICS)

    assert len(notes) == 1 and notes[0].startswith("created topics emails, labels")


def test_a_log_that_has_gone_away_is_not_begun_anew(tmp_path):
    settings = Settings(log=f"sqlite:{tmp_path}/log")

    with pytest.raises(LogUnavailable, match="no log is here"):
        open_ready_log(settings, print, create=False)

    assert not (tmp_path / "log").exists()
