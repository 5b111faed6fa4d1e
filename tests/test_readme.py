"""What README and docs show works: programs run, commands and their options exist, records decode, paths exist."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import msgspec
import pytest

from consumers.cli.main import COMMANDS
from consumers.records import schemas
from consumers.settings import ENV_PREFIX, Settings, load_settings

ROOT = Path(__file__).parent.parent
DOCUMENTS = {
    str(path.relative_to(ROOT)): path.read_text("utf-8")
    for path in [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
}
RECORDS = {
    "emails": (schemas.MailRecord, schemas.decode_mail_record),
    "labels": (schemas.LabelRecord, schemas.decode_label),
    "predictions": (schemas.PredictionRecord, schemas.decode_prediction),
    "quarantine": (schemas.QuarantineRecord, schemas.decode_quarantine),
}

documents = pytest.mark.parametrize("document", DOCUMENTS)


def blocks(text: str, language: str) -> list[str]:
    """The fenced blocks of a language."""
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


def command_lines(text: str) -> list[str]:
    """The lines of code blocks that run stream-nb, without the prompt, variables, redirections and comments."""
    return re.findall(r"^(?:    |\$ |\w+=\S+ )*(stream-nb [^#<|>\n]*)", text, re.MULTILINE)


def find_command(arguments: list[str]) -> tuple[click.Command, list[str]]:
    """The command that arguments begin with (`topics create` has two words), and the other arguments."""
    assert arguments[0] in COMMANDS, arguments[0]
    command = importlib.import_module(f"consumers.cli.commands.{arguments[0]}").command
    rest = arguments[1:]
    if isinstance(command, click.Group) and rest:
        assert rest[0] in command.commands, rest[0]
        return command.commands[rest[0]], rest[1:]
    return command, rest


@documents
def test_every_program_runs_as_printed(document, tmp_path):
    """Programs only: what a page shows with the prompt >>> has a test of its own."""
    for program in blocks(DOCUMENTS[document], "python"):
        if ">>>" in program:
            continue
        command = [sys.executable, "-W", "error", "-c", program]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=tmp_path)
        assert done.returncode == 0, done.stderr
        assert done.stdout


@documents
def test_every_command_line_is_accepted(document):
    for line in command_lines(DOCUMENTS[document]):
        arguments = [os.path.expanduser(word) for word in shlex.split(line)[1:]]
        if arguments == ["--help"]:
            continue
        command, rest = find_command(arguments)
        command.make_context(line, rest)


@documents
def test_every_command_named_has_the_options_named(document):
    for words in re.findall(r"`stream-nb ([^`]+)`", DOCUMENTS[document]):
        arguments = words.split()
        if arguments[0].startswith("--"):
            continue
        command, rest = find_command(arguments)
        options = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in rest if word.startswith("--")} <= options, words


def test_the_pages_show_enough_commands_to_test():
    assert len(command_lines(DOCUMENTS["README.md"])) > 15


@documents
def test_every_make_job_named_exists(document):
    jobs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text("utf-8"), re.MULTILINE))

    assert set(re.findall(r"(?:`|^ +)make ([a-z-]+)", DOCUMENTS[document], re.MULTILINE)) <= jobs


@documents
def test_every_module_named_can_be_run(document):
    for module in re.findall(r"python -m ([a-z_.]+)", DOCUMENTS[document]):
        assert importlib.util.find_spec(module) is not None, module


@documents
def test_every_path_named_exists(document):
    text = DOCUMENTS[document]
    named = set(re.findall(r"`((?:config|docs|tests|stream_nb|consumers)/[\w./-]*)`", text))
    folder = (ROOT / document).parent
    linked = {link for link in re.findall(r"\]\(([^)#\s]+)\)", text) if "://" not in link}

    assert [path for path in sorted(named) if not (ROOT / path).exists()] == []
    assert [link for link in sorted(linked) if not (folder / link).exists()] == []


@documents
def test_every_anchor_is_a_heading(document):
    """GitHub makes the anchor of a heading from small letters, without punctuation, with a hyphen for each space."""
    text = DOCUMENTS[document]
    headings = {
        re.sub(r"[^\w -]", "", title).lower().replace(" ", "-") for title in re.findall(r"^#+ (.*)", text, re.M)
    }

    assert set(re.findall(r"\]\(#([^)]+)\)", text)) <= headings


@documents
def test_every_variable_and_settings_file_is_accepted(document, tmp_path):
    sections = {field.name: field.type for field in msgspec.structs.fields(Settings)}
    known = {"CONFIG", "DATA", "LOG"} | {
        f"{section}_{field.name}".upper()
        for section, kind in sections.items()
        if section != "log"
        for field in msgspec.structs.fields(kind)
    }
    # rspamd symbols, which docs/filter.md names, begin like our variables.
    symbols = {"UNTRAINED", "SPAM", "HAM", "DEADLINE", "LOG_BEHIND", "LOG_UNAVAILABLE", "TOO_LARGE", "EMPTY", "UNSURE"}
    # `_STREAM_NB_COMPLETE` is click's.
    named = set(re.findall(rf"(?<!_){ENV_PREFIX}([A-Z_]+[A-Z])", DOCUMENTS[document])) - symbols
    assert named <= known, named - known
    for block in blocks(DOCUMENTS[document], "toml"):
        path = tmp_path / "settings.toml"
        path.write_text(block, "utf-8")
        load_settings(path, {})


@pytest.mark.parametrize("example", sorted((ROOT / "config").glob("*.toml")), ids=lambda path: path.name)
def test_the_example_settings_are_accepted(example):
    load_settings(example, {})


@pytest.mark.parametrize("topic", RECORDS)
def test_each_field_of_a_record_is_described_and_the_example_decodes(topic):
    kind, decode = RECORDS[topic]
    section = DOCUMENTS["docs/records.md"].split(f"\n## {topic}\n")[1].split("\n## ")[0]
    table = section.split("| field |")[1].split("\n\n")[0]

    assert re.findall(r"^\| `(\w+)`", table, re.MULTILINE) == [field.name for field in msgspec.structs.fields(kind)]
    for example in blocks(section, "json"):
        record = decode(example.encode())
        assert set(json.loads(example)) <= {field.name for field in msgspec.structs.fields(kind)}
        assert isinstance(record, kind)
    assert blocks(section, "json")


def test_the_records_that_the_readme_shows_decode():
    rows = re.findall(r"^\| `(emails|labels)` \| you \| `(\{.*?\})`", DOCUMENTS["README.md"], re.MULTILINE)

    assert len(rows) == 3
    for topic, example in rows:
        RECORDS[topic][1](example.encode())


def test_the_glossary_is_short_and_names_each_word_once():
    glossary = DOCUMENTS["CONTRIBUTING.md"].split("\n## Words\n")[1].split("\n## ")[0]
    entries = re.findall(r"^\| ([^|]+) \| [^|]+ \|$", glossary, re.MULTILINE)[1:]
    words = [word for entry in entries for word in entry.split(", ")]

    assert 20 <= len(entries) <= 40
    assert len(set(words)) == len(words)


def test_the_rooms_of_the_architecture_are_those_on_disk():
    table = DOCUMENTS["CONTRIBUTING.md"].split("| room |")[1].split("\n\n")[0]
    named = {path.rstrip("/") for path in re.findall(r"`((?:stream_nb|consumers)/[\w./]+)`", table)}
    there = {
        str(path.parent.relative_to(ROOT))
        for package in ("stream_nb", "consumers")
        for path in (ROOT / package).glob("*/__init__.py")
    }

    assert there <= named


def test_a_room_that_lists_its_files_lists_all_of_them():
    """The docstrings of the two packages themselves give a reading order instead."""
    missing: list[str] = []
    for package in ("stream_nb", "consumers"):
        for init in sorted((ROOT / package).glob("*/**/__init__.py")):
            listed = set(re.findall(r"\b\w+\.py\b", ast.get_docstring(ast.parse(init.read_text("utf-8"))) or ""))
            files = {path.name for path in init.parent.glob("*.py")} - {"__init__.py"}
            if listed & files:
                missing += [f"{init.relative_to(ROOT)}: {name}" for name in sorted(files ^ listed)]

    assert not missing
