"""Commands, options, paths, settings and symbols named in docs/filter.md exist."""

import importlib
import re
from pathlib import Path

import msgspec
import pytest

from consumers.settings import FilterSettings, load_settings

ROOT = Path(__file__).parents[3]
TEXT = (ROOT / "docs" / "filter.md").read_text("utf-8")


def test_commands_and_options_exist():
    named = re.findall(r"stream-nb ([a-z]+)([^`\n#]*)", TEXT)
    assert {"filter", "classify", "learn", "worker"} <= {name for name, _ in named}
    for name, rest in named:
        command = importlib.import_module(f"consumers.cli.commands.{name}").command
        options = {option for parameter in command.params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", rest)) <= options, name


@pytest.mark.parametrize("path", ["config/compose.yaml", "config/kubernetes/stream-nb.yaml"])
def test_commands_in_container_files_exist(path):
    commands = [words.split(", ") for words in re.findall(r"\[stream-nb, ([^\]]*)\]", (ROOT / path).read_text("utf-8"))]

    assert ["filter", "--host", "0.0.0.0"] in commands
    for name, *arguments in commands:
        command = importlib.import_module(f"consumers.cli.commands.{name}").command
        command.make_context(name, [word.strip('"') for word in arguments])


def test_paths_exist():
    paths = re.findall(r"`((?:config|tests|consumers)/[\w./-]*)`", TEXT)
    assert len(paths) >= 4
    for path in paths:
        assert (ROOT / path).exists(), path


def test_settings_exist():
    variables = dict(re.findall(r"(STREAM_NB_FILTER_[A-Z_]+)(?:=(\w+))?", TEXT))
    assert variables
    load_settings(None, {name: value or "x" for name, value in variables.items()})
    fields = {field.name for field in msgspec.structs.fields(FilterSettings)}
    assert {"add_header", "rewrite_subject", "soft_reject", "reject", "deadline_s", "words", "connections"} <= fields


def test_symbols_exist():
    source = "".join(path.read_text() for path in (ROOT / "consumers" / "filter").glob("*.py"))
    for name in re.findall(r"`STREAM_NB_([A-Z_]+)`", TEXT):
        assert f'"{name}"' in source or f"STREAM_NB_{name}" in source or name in ("SPAM", "HAM", "UNSURE", ""), name
