"""What `stream-nb verify` prints of many differences."""

from __future__ import annotations

from click.testing import CliRunner

from consumers.cli.commands.verify import command
from consumers.evaluation.findings import Findings
from consumers.records.setup import open_ready_log
from consumers.settings import Settings


def test_the_first_differences_are_printed_and_the_others_counted(tmp_path, monkeypatch):
    """Otherwise a log that lost its predictions would fill the terminal with a line for each mail."""
    open_ready_log(Settings(log=f"sqlite:{tmp_path}"), print).close()
    lines = [f"emails[0]@{offset}: neither predicted nor quarantined" for offset in range(101)]
    found = Findings(mails=101, differences=lines)
    monkeypatch.setattr("consumers.evaluation.verify.verify", lambda *_: found)

    result = CliRunner().invoke(command, ["--log", f"sqlite:{tmp_path}"], standalone_mode=False)

    assert result.return_value == 1
    assert result.stdout.splitlines() == [
        *lines[:100],
        "not printed: 1 difference after these",
        "101 mails, 0 updates: 101 differences",
    ]
