"""The blocks of docs/notes-worked.md: found, run, and written anew with `python -m tests.notes_worked`."""

from __future__ import annotations

import contextlib
import doctest
import io
import os
import re
import shlex
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from click.testing import CliRunner

from consumers.cli.main import cli

PAGE = Path(__file__).parent.parent / "docs" / "notes-worked.md"
_BLOCK = re.compile(r"^```(python|console)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


class Step(NamedTuple):
    """Something to run (its source lines as they stand), what should come out, and the line of the page."""

    source: str
    expected: str
    line: int


def steps(text: str) -> Iterator[Step]:
    """The statements and commands of the page, in order."""
    for block in _BLOCK.finditer(text):
        line = text.count("\n", 0, block.start(2)) + 1
        if block[1] == "console":
            for part in re.split(r"^(?=\$ )", block[2], flags=re.MULTILINE)[1:]:
                command, _, expected = part.partition("\n")
                yield Step(command + "\n", expected, line)
        else:
            for example in doctest.DocTestParser().get_examples(block[2]):
                lines = example.source.splitlines(keepends=True)
                source = "".join(f"{'... ' if i else '>>> '}{one}" for i, one in enumerate(lines))
                yield Step(source, example.want, line + example.lineno)


def run(step: Step, names: dict[str, Any]) -> str:
    """What comes out of a step; Python steps share `names`."""
    if step.source.startswith("$ "):
        program, *arguments = shlex.split(step.source[2:])
        assert program == "stream-nb", step.source
        done = CliRunner().invoke(cli, arguments)
        if done.exit_code:
            raise RuntimeError(f"{PAGE.name}:{step.line}: {step.source}{done.output}{done.exception}")
        output = re.sub(r"^compil(ing|ed)\b.*\n", "", done.output, flags=re.MULTILINE)  # only a cold cache reports it
        lines = (re.sub(r"[\d,.]+ mails/s", "... mails/s", line.rstrip()) for line in output.splitlines())
        return "\n".join(filter(None, lines)) + "\n"
    out = io.StringIO()
    code = "\n".join(line[4:] for line in step.source.splitlines()) + "\n"
    with contextlib.redirect_stdout(out):
        exec(compile(code, f"{PAGE.name}:{step.line}", "single"), names)
    return out.getvalue()


def main() -> None:
    """Write what comes out of every step into the page."""
    text = PAGE.read_text("utf-8")
    names: dict[str, Any] = {}
    with tempfile.TemporaryDirectory() as folder:
        before = os.getcwd()
        os.chdir(folder)
        try:
            filled = _BLOCK.sub(
                lambda block: (
                    f"```{block[1]}\n" + "".join(step.source + run(step, names) for step in steps(block[0])) + "```"
                ),
                text,
            )
        finally:
            os.chdir(before)
    PAGE.write_text(filled, "utf-8")


if __name__ == "__main__":
    main()
