"""Output and messages that cannot be written, because of a full disk, a closed pipe or another encoding."""

import os
import subprocess
import sys

import pytest

from tests.consumers.cli.test_main import run


@pytest.mark.parametrize(("arguments", "status"), [("settings", 1), ("--help", 1), ("classify --passthrough", 3)])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_to_a_full_disk_is_an_error_in_one_line(arguments, status, unbuffered):
    """A mail that is lost this way must not look as if it had been printed."""
    with open("/dev/full", "wb") as full:
        result = subprocess.run(
            [sys.executable, "-m", "consumers", *arguments.split()],
            input="Subject: a\n\nb\n",
            stdout=full,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "STREAM_NB_FILTER_PORT": "1"},
        )

    assert result.returncode == status, result.stderr
    assert "the output cannot be written: No space left on device" in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize(("arguments", "status"), [("settings", 1), ("classify --passthrough", 3)])
@pytest.mark.parametrize("unbuffered", ["", "1"])
def test_output_that_a_disk_takes_only_in_part_is_an_error(tmp_path, arguments, status, unbuffered):
    command = ["sh", "-c", 'ulimit -f 1; "$0" -m consumers "$@" > cut', sys.executable, *arguments.split()]
    result = subprocess.run(
        command,
        input="Subject: a\n\n" + "b\n" * 2000,
        stderr=subprocess.PIPE,
        text=True,
        timeout=60,
        check=False,
        cwd=tmp_path,
        env={**os.environ, "PYTHONUNBUFFERED": unbuffered, "STREAM_NB_FILTER_PORT": "1", "PYTHONPATH": os.getcwd()},
    )

    assert (tmp_path / "cut").stat().st_size > 0
    assert result.returncode == status and "the output cannot be written" in result.stderr.splitlines()[-1]


def test_text_that_the_output_cannot_encode_is_escaped(tmp_path):
    """Subjects and paths may be in any script, whatever the locale."""
    result = run("topics", "create", "--log", f"sqlite:{tmp_path / '大'}", PYTHONIOENCODING="latin-1")

    assert result.returncode == 0, result.stderr
    assert r"\u5927 has all topics" in result.stdout


def test_a_command_works_with_standard_error_closed(tmp_path):
    """As `2>&-` in a crontab does; Python then has no sys.stderr, and the next file that is opened becomes it."""
    (tmp_path / "mails.jsonl").write_text('{"text": "a b", "label": "spam"}\n')
    feed = ["feed", str(tmp_path / "mails.jsonl"), "--log", f"sqlite:{tmp_path / 'log'}"]
    command = ["sh", "-c", '"$0" -m consumers "$@" 2>&-', sys.executable, *feed]
    done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=60, check=False)

    assert done.returncode == 0
    assert done.stdout.startswith("1 mail and 0 labels are on ")


def test_the_dashboard_starts_with_standard_output_closed(tmp_path):
    """Its server asks whether standard output is a terminal."""
    dashboard = ["dashboard", "--port", "0", "--log", f"sqlite:{tmp_path / 'log'}"]
    command = ["sh", "-c", 'exec "$0" -m consumers "$@" >&-', sys.executable, *dashboard]
    with subprocess.Popen(command, stderr=subprocess.PIPE, text=True) as started:
        said = [started.stderr.readline() for _ in range(2)]
        started.terminate()

    assert said[1].startswith("dashboard: http://"), said


def test_a_message_that_cannot_be_written_stops_no_command(tmp_path):
    """As on a terminal that has been closed, or in a log file on a full disk."""
    (tmp_path / "mails.jsonl").write_text('{"text": "a b", "label": "spam"}\n')
    feed = ["feed", str(tmp_path / "mails.jsonl"), "--log", f"sqlite:{tmp_path / 'log'}"]
    with open("/dev/full", "wb") as full:
        command = [sys.executable, "-m", "consumers", *feed]
        done = subprocess.run(command, stdout=subprocess.PIPE, stderr=full, text=True, timeout=60, check=False)

    assert done.returncode == 0
    assert done.stdout.startswith("1 mail and 0 labels are on ")
