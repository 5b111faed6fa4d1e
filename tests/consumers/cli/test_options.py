"""What the options of commands take."""

import os
from pathlib import Path

import click
import pytest

from consumers.cli.options import OutFileType, table_options


def test_a_file_that_is_there_may_be_written_where_none_can_be_made(monkeypatch, tmp_path):
    """/dev/stdout, for one; whoever is root may do all."""
    there = tmp_path / "there"
    there.touch()
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK or Path(path) == there)
    assert OutFileType().convert(str(there), None, None) == there
    with pytest.raises(click.BadParameter, match="name a file in a folder that can be written"):
        OutFileType().convert(str(tmp_path / "new"), None, None)


def test_columns_of_running_text_are_named_one_after_the_other():
    """The last one alone was read, and the first became a category without a word."""
    command = click.command()(table_options(lambda label_column, text_column: text_column))
    read = ["--text-column", "Message"]
    assert command.main(read, standalone_mode=False) == ("Message",)
    assert command.main(["--text-column", "Subject", *read], standalone_mode=False) == ("Subject", "Message")
    assert command.main([], standalone_mode=False) == ()
