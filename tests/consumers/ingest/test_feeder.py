"""What the feeder sends if its source fails, and if the source is then fed again."""

from __future__ import annotations

import itertools

import pytest

from consumers.errors import UserError
from consumers.evaluation.verify import verify
from consumers.ingest.feeder import Feeder
from consumers.ingest.formats import open_source
from consumers.log.memory import MemoryLog, Topics
from consumers.records.replay import read_quarantine
from consumers.records.schemas import TOPICS
from tests.support.outputs import predictions
from tests.support.worker_run import EVERYTHING, run_worker

GOOD = [f'{{"text": "free money {number}", "label": "{("ham", "spam")[number % 2]}"}}' for number in range(250)]


@pytest.mark.parametrize("delay", [0, 20])
def test_mails_before_an_invalid_line_are_sent_and_count_once_if_fed_again(tmp_path, delay):
    log, path = MemoryLog(Topics()), tmp_path / "mails.jsonl"
    log.create_topics(TOPICS, 1)
    path.write_text("\n".join([*GOOD[:210], '{"text": 1}', *GOOD[210:]]))

    with pytest.raises(UserError, match=r"mails.jsonl line 211: .*; 210 mails before it are on the log"):
        Feeder(log, delays=itertools.repeat(delay)).run(open_source(path))
    first = run_worker(log, EVERYTHING)
    assert len(predictions(log)) == first.replica.require_model().labels_learned == 210

    path.write_text("\n".join(GOOD))
    Feeder(log, delays=itertools.repeat(delay)).run(open_source(path))
    second = run_worker(log, EVERYTHING)
    assert len(predictions(log)) == second.replica.require_model().labels_learned == 250
    assert {entry.reason for entry in read_quarantine(log)} == {"duplicate-id"}
    assert verify(log, EVERYTHING).differences == ()


@pytest.mark.parametrize(("good", "before"), [(0, ""), (1, "; 1 mail before it is on the log")])
def test_the_error_names_the_number_of_mails_before_an_invalid_line(tmp_path, good, before):
    log, path = MemoryLog(Topics()), tmp_path / "mails.jsonl"
    log.create_topics(TOPICS, 1)
    path.write_text("\n".join([*GOOD[:good], '{"text": 1}']))

    with pytest.raises(UserError, match=rf"line {good + 1}: .*subject and label{before}") as failed:
        Feeder(log).run(open_source(path))
    assert ("on the log" in str(failed.value)) == bool(good)
