"""Silence as processes, on both logs: killed and started again, it labels each mail once, and people are heard."""

from __future__ import annotations

import json
import os
import signal
import time

import pytest

from consumers.log.base import Log
from consumers.records.replay import final_labels, read_labels, read_predictions
from consumers.records.schemas import LABELS, SILENCE
from tests.flow.conftest import PATIENCE_S, Stages
from tests.support.processes import descendants

MAILS = 300
DAYS = 5.0 / 86_400.0


def silent(log: Log) -> list[str]:
    return [label.id for _, label in read_labels(log) if label.source == SILENCE]


def sure(log: Log) -> set[str]:
    """The mails that silence may label, by their predictions alone."""
    from consumers.model.silence import sure_label

    return {prediction.id for _, prediction in read_predictions(log) if sure_label(prediction) is not None}


def wait_for(log: Log, number: int) -> None:
    """Until silence has given so many labels."""
    deadline = time.monotonic() + PATIENCE_S
    while len(silent(log)) < number:
        assert time.monotonic() < deadline, f"{len(silent(log))} labels of silence, not {number}"
        time.sleep(0.1)


def kill_all(pid: int) -> None:
    """SIGKILL of a supervisor and all that it started."""
    for process in [pid, *descendants(pid)]:
        os.kill(process, signal.SIGKILL)


@pytest.mark.parametrize("kind", ["sqlite", "kafka"])
def test_killed_and_started_again_it_labels_each_mail_once_and_people_are_heard(tmp_path, stages_on, kind):
    stages: Stages = stages_on(kind)
    stages.run("topics", "create")
    path = tmp_path / "mails.jsonl"
    words = {"ham": "lunch at noon in the canteen", "spam": "win free money now"}
    lines = [
        json.dumps({"id": f"m{n}", "text": f"{words[label]} {n}", **({"label": label} if n < 60 else {})})
        for n, label in enumerate(["ham", "spam"] * (MAILS // 2))
    ]
    path.write_text("\n".join(lines[:60]) + "\n")
    stages.run("feed", str(path), "--labels")
    stages.start("worker")
    stages.wait_until_done()
    path.write_text("\n".join(lines[60:]) + "\n")
    stages.run("feed", str(path))
    stages.wait_until_done()
    stages.run("label", "m61", "ham")  # against its prediction, and before its time is up, or at least heard
    with stages.open() as log:
        expected = sure(log) - {f"m{n}" for n in range(60)} - {"m61"}
        assert len(expected) > MAILS / 2
        first = stages.start("silence", "--days", str(DAYS))
        wait_for(log, 1)
        kill_all(first.pid)
        stages.start("silence", "--days", str(DAYS))
        wait_for(log, len(expected))
        stages.run("label", "m63", "ham")
        stages.wait_until_done()
        assert sorted(silent(log)) == sorted(expected)
        by_all, by_people = final_labels(log, silence=True), final_labels(log)
        assert (by_all["m61"], by_all["m63"], by_all["m65"]) == ("ham", "ham", "spam")
        assert set(by_people) == {f"m{n}" for n in range(60)} | {"m61", "m63"}
        assert stages.report()["n"] == len(by_people)
        assert log.partitions(LABELS) == 1
    assert "0 differences" in stages.run("verify")
    assert SILENCE in stages.run("sources")
    stages.run("forget", "--source", SILENCE)
    stages.wait_until_done()
    assert "0 differences" in stages.run("verify")
    assert SILENCE not in stages.run("sources")


def test_a_silence_longer_than_mails_are_kept_is_refused(stages_on):
    said = stages_on("sqlite").run_refused("silence", "--days", "90")
    assert "[silence] after_days is 90" in said and "[sqlite] retention_days" in said and "Traceback" not in said
    assert "--days" in stages_on("sqlite").run_refused("silence", "--days", "0")
    assert "'nan' is not a finite number" in stages_on("sqlite").run_refused("silence", "--days", "nan")
