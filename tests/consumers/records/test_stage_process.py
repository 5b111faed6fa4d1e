"""A stage's process reports the topics that it creates."""

from __future__ import annotations

from consumers.log import open_log
from consumers.records.schemas import EMAILS, TOPICS
from consumers.records.stage_process import stage_process
from consumers.settings import Settings


def test_a_topic_deleted_while_the_stage_ran_is_recreated_and_logged(tmp_path, caplog):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    with open_log(settings) as log:
        log.create_topics([spec for spec in TOPICS if spec.name != EMAILS], 1)
    for _ in range(2):
        with stage_process(settings, "group", "stage"):
            pass
    assert caplog.text.count("created topics") == caplog.text.count(f"created topics {EMAILS} on sqlite:") == 1
