"""What README shows is true: its program runs, its commands and make jobs exist."""

import importlib
import re
import subprocess
import sys
from pathlib import Path

import pytest

from consumers.cli.main import COMMANDS

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")


def test_the_program_runs_as_printed():
    (program,) = re.findall(r"```python\n(.*?)```", README, re.DOTALL)

    done = subprocess.run([sys.executable, "-W", "error", "-c", program], capture_output=True, text=True, check=False)

    assert done.returncode == 0, done.stderr
    assert "money" in done.stdout


def test_every_command_named_exists():
    named = set(re.findall(r"stream-nb ([a-z]+)", README))

    assert named and named <= set(COMMANDS)


def test_every_option_named_is_an_option_of_its_command():
    named = re.findall(r"stream-nb ([a-z]+)([^`\n#]*)", README)
    assert any("--" in rest for _, rest in named)
    for name, rest in named:
        command = importlib.import_module(COMMANDS[name][0], "consumers.cli").command
        options = {option for parameter in command.params for option in parameter.opts}
        assert set(re.findall(r"--[a-z-]+", rest)) <= options, name


@pytest.mark.parametrize("document", ["README.md", "CONTRIBUTING.md"])
def test_every_make_job_named_exists(document):
    text = (ROOT / document).read_text("utf-8")
    jobs = set(re.findall(r"^([a-z-]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))

    named = set(re.findall(r"(?:`|^ +)make ([a-z-]+)", text, re.MULTILINE))
    assert named and named <= jobs


def test_every_path_named_exists():
    for path in re.findall(r"`((?:config|tests|stream_nb|consumers)/[\w./-]*)`", README):
        assert (ROOT / path).exists(), path
