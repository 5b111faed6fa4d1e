"""Options that several commands share."""

import importlib
import os
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from consumers.cli.options import OutFileType, table_options


def test_an_existing_file_is_accepted_in_a_folder_that_cannot_be_written(monkeypatch, tmp_path):
    """For example /dev/stdout. Root may write anywhere."""
    there = tmp_path / "there"
    there.touch()
    monkeypatch.setattr("os.access", lambda path, mode: mode != os.W_OK or Path(path) == there)
    assert OutFileType().convert(str(there), None, None) == there
    for name in ("new", "x" * 300):
        with pytest.raises(click.BadParameter, match="name a file in an existing, writable folder"):
            OutFileType().convert(str(tmp_path / name), None, None)
    with pytest.raises(click.BadParameter, match="the name is empty"):
        OutFileType().convert("", None, None)
    with pytest.raises(click.BadParameter, match="- would be a file of that name; name a file, or /dev/stdout"):
        OutFileType().convert("-", None, None)


def test_several_columns_of_running_text_can_be_named():
    """Otherwise the first one would silently become a category."""
    command = click.command()(table_options(lambda columns: columns))
    read = ["--text-column", "Message"]
    assert command.main(read, standalone_mode=False).text == ("Message",)
    assert command.main(["--text-column", "Subject", *read], standalone_mode=False).text == ("Subject", "Message")
    assert command.main([], standalone_mode=False) is None


@pytest.mark.parametrize(
    "arguments",
    [
        ("demo", "t.csv"),
        ("evaluate", "t.csv"),
        ("export", "weights.csv", "--mails", "t.csv"),
        ("feed", "t.csv", "--labels", "--dry-run"),
        ("personal", "t.csv"),
        ("starter", "t.csv"),
        ("study", "gaussian", "t.csv"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_that_needs_the_labels_of_a_table_lists_its_columns(monkeypatch, tmp_path, arguments):
    monkeypatch.chdir(tmp_path)
    Path("t.csv").write_text("size,kind\n1,ham\n")
    name, *rest = arguments
    command = importlib.import_module(f"consumers.cli.commands.{name}").command
    refused = CliRunner().invoke(command, rest)
    assert "t.csv: no column is the class; name one with --label-column; the columns are size, kind" in str(
        refused.exception
    )
    twice = CliRunner().invoke(command, [*rest, "--label-column", "kind", "--text-column", "kind"])
    assert "--label-column and --text-column are both 'kind'" in str(twice.exception)


@pytest.mark.parametrize(
    "arguments",
    [
        ("demo",),
        ("evaluate",),
        ("export", "-", "--mails"),
        ("feed",),
        ("personal",),
        ("starter",),
        ("study", "entropy"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_that_needs_labels_takes_the_rules_that_name_classes(monkeypatch, tmp_path, arguments):
    """Notes on the folders' classes advise --classes whatever the command."""
    monkeypatch.chdir(tmp_path)
    name, *rest = arguments
    for folder in ("work", "home"):
        (tmp_path / "mail" / folder).mkdir(parents=True)
        (tmp_path / "mail" / folder / "1.eml").write_text("Subject: lunch\n\nat noon\n")
    command = importlib.import_module(f"consumers.cli.commands.{name}").command
    refused = CliRunner().invoke(command, [*rest, "mail", "--classes", "work=job"])
    assert "--classes 'work=job': no rule matches 'home'; add one, for example 'home=home'" in str(refused.exception)


def test_classes_of_the_demo_need_a_folder():
    refused = CliRunner().invoke(importlib.import_module("consumers.cli.commands.demo").command, ["--classes", "*=*"])
    assert "name a folder of mail as PATH" in str(refused.exception)
