"""`stream-nb policy` prints how scores become labels, and changes it."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import ConsumerError
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import TOPICS


@pytest.fixture
def disk(tmp_path) -> str:
    """The address of an empty log."""
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
    return f"sqlite:{tmp_path / 'log'}"


def policy(disk: str, *options: str) -> list[str]:
    """The lines that the command prints."""
    return CliRunner().invoke(cli, ["policy", "--log", disk, *options], catch_exceptions=False).output.splitlines()


def test_it_reports_what_undo_reverted_and_that_a_second_undo_redoes_it(disk):
    policy(disk, "--threshold", "2", "--source", "ann")
    first, second = policy(disk, "--undo", "--source", "bob"), policy(disk, "--undo", "--source", "eve")

    assert re.fullmatch(r"undone: \S+ \S+  ann: threshold 2; another --undo redoes it", first[0])
    assert first[1] == "in force: threshold 0, from [learner] in the settings"
    assert re.fullmatch(r"undone: \S+ \S+  bob: back to the settings; another --undo redoes it", second[0])
    assert second[1] == "in force: threshold 2"
    changes = [line.split("  ", 1)[1] for line in policy(disk)[1:]]
    assert changes == ["eve: threshold 2", "bob: back to the settings", "ann: threshold 2"]


def test_it_changes_only_the_values_that_are_given(disk):
    def in_force(*options: str) -> str:
        return policy(disk, *options)[0].removeprefix("in force: ")

    assert in_force("--threshold", "2") == in_force() == "threshold 2"
    assert in_force("--lose-at-most", "0.01") == in_force() == "threshold 2, lose at most 0.01"
    assert in_force("--unsure", "0.5") == "threshold 2, lose at most 0.01, unsure within 0.5"
    cost = "false positive cost 9, unsure within 0.5 of threshold 2"
    assert in_force("--lose-at-most", "none", "--false-positive-cost", "9") == cost
    assert in_force("--unsure", "0") == "false positive cost 9"
    assert in_force("--reset") == "threshold 0, from [learner] in the settings"


@pytest.mark.parametrize(
    ("options", "error"),
    [
        (["--threshold", "1", "--undo"], "--undo and --reset cannot be combined"),
        (["--lose-at-most", "none", "--reset"], "--undo and --reset cannot be combined"),
        (["--undo", "--reset"], "--undo and --reset cannot be combined"),
        (["--lose-at-most", "few"], "--lose-at-most 'few': give a share from 0 to 1, or none"),
        (["--lose-at-most", "1.5"], "lose_at_most"),
        (["--lose-at-most", "nan"], "lose_at_most"),
    ],
)
def test_it_refuses_what_it_cannot_do(disk, options, error):
    with pytest.raises(ConsumerError, match=re.escape(error)):
        policy(disk, *options)


@pytest.mark.parametrize(
    ("option", "value"), [("threshold", "1e13"), ("false-positive-cost", "0"), ("unsure", "-1"), ("unsure", "1e13")]
)
def test_it_names_the_option_that_is_out_of_range(disk, option, value):
    said = "\n".join(policy(disk, f"--{option}={value}"))
    assert f"Invalid value for '--{option}': {float(value)} is not in the range" in said
