"""What a stage's process tells about its log."""

from __future__ import annotations

from consumers.log import open_log
from consumers.records.schemas import EMAILS, TOPICS
from consumers.records.stage_process import stage_process
from consumers.settings import Settings


def test_a_topic_that_was_deleted_since_the_stage_began_is_made_anew_with_a_line(tmp_path, caplog):
    settings = Settings(log=f"sqlite:{tmp_path / 'log'}")
    with open_log(settings) as log:
        log.create_topics([spec for spec in TOPICS if spec.name != EMAILS], 1)
    for _ in range(2):
        with stage_process(settings, "group", "stage"):
            pass
    assert caplog.text.count("created topics") == caplog.text.count(f"created topics {EMAILS} on sqlite:") == 1
