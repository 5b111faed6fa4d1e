"""The package's docstring is correct: its program runs, its files exist, its names are public."""

import re
import subprocess
import sys
import textwrap
import tomllib
from pathlib import Path

import stream_nb


def test_the_program_in_the_package_docstring_runs(capsys):
    program = stream_nb.__doc__.split("\n\n", 1)[1].split("\n\nReading order")[0]
    lines = [line for line in textwrap.dedent(program).splitlines() if line.strip()]
    exec(compile("\n".join(lines), "front page", "exec"), {})

    assert len(lines) <= 15
    first, *terms = capsys.readouterr().out.splitlines()
    assert first.startswith("spam") and any(line.startswith("money") for line in terms)


def test_the_files_in_the_reading_order_exist():
    order = stream_nb.__doc__.split("Reading order:")[1]
    files = re.findall(r"[\w/]+\.py", order)
    assert len(files) > 10
    for file in files:
        assert (Path(stream_nb.__file__).parent / file).is_file(), file


def test_public_names_are_sorted_and_exist():
    assert stream_nb.__all__ == sorted(stream_nb.__all__)
    assert all(hasattr(stream_nb, name) for name in stream_nb.__all__)


def test_the_version_equals_that_in_pyproject():
    project = tomllib.loads((Path(stream_nb.__file__).parent.parent / "pyproject.toml").read_text("utf-8"))["project"]

    assert stream_nb.__version__ == project["version"]


def test_running_the_package_prints_its_version_and_the_command():
    result = subprocess.run([sys.executable, "-m", "stream_nb"], capture_output=True, text=True, check=True)

    assert result.stdout.startswith(f"stream_nb {stream_nb.__version__}: ")
    assert "`stream-nb --help`" in result.stdout
