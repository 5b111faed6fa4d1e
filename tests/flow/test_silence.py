"""The stage `silence` as a process, on both logs: killed, it still labels each mail once; people's labels win."""

from __future__ import annotations

import json

import pytest

from consumers.log.base import Log
from consumers.records.replay import final_labels, read_labels, read_predictions
from consumers.records.schemas import LABELS, SILENCE
from tests.flow.conftest import Stages, wait_until
from tests.support.processes import kill_with_descendants

MAILS = 300
DAYS = 5.0 / 86_400.0


def silent(log: Log) -> list[str]:
    return [label.id for _, label in read_labels(log) if label.source == SILENCE]


def sure(log: Log) -> set[str]:
    """The mails that silence may label, by their predictions alone."""
    from consumers.model.silence import sure_label

    return {prediction.id for _, prediction in read_predictions(log) if sure_label(prediction) is not None}


def wait_for(log: Log, number: int) -> None:
    """Wait until silence has given this number of labels."""
    wait_until(lambda: len(silent(log)) >= number, lambda: f"{len(silent(log))} labels of silence, not {number}")


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "kafka"])
def test_a_killed_and_restarted_stage_labels_each_mail_once_and_labels_of_people_win(tmp_path, stages_on, kind):
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
    stages.run("label", "m61", "ham")  # a person contradicts the prediction, usually before the time is up
    with stages.open() as log:
        expected = sure(log) - {f"m{n}" for n in range(60)} - {"m61"}
        assert len(expected) > MAILS / 2
        first = stages.start("silence", "--days", str(DAYS))
        wait_for(log, 1)
        kill_with_descendants(first)
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


def test_a_waiting_time_longer_than_mails_are_kept_is_refused(stages_on):
    said = stages_on("sqlite").run_refused("silence", "--days", "90")
    assert "[silence] after_days is 90" in said and "[sqlite] retention_days" in said and "Traceback" not in said
    assert "--days" in stages_on("sqlite").run_refused("silence", "--days", "0")
    assert "'nan' is not a finite number" in stages_on("sqlite").run_refused("silence", "--days", "nan")
