"""Where the system denies executable memory, nothing can be compiled: a command says so and ends."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize(
    "arguments",
    [
        ("worker",),  # its fork server imports numba, and then each process that is forked from it
        ("filter", "--port", "0"),  # two of its threads import numba at the same time
        ("evaluate", "mails"),
    ],
    ids=lambda arguments: arguments[0],
)
def test_a_command_ends_with_status_2_and_one_line(tmp_path, arguments):
    """Not with a traceback, and a worker is not restarted for ever."""
    (tmp_path / "numba.py").write_text("raise PermissionError(13, 'cannot allocate executable memory')")
    for label in ("spam", "ham"):
        (tmp_path / "mails" / label).mkdir(parents=True)
        (tmp_path / "mails" / label / "1").write_text(f"Subject: {label}\n\nhello\n")
    path = os.pathsep.join((str(tmp_path), str(ROOT)))
    environment = {**os.environ, "PYTHONPATH": path, "TMPDIR": str(tmp_path)}

    done = subprocess.run(
        [sys.executable, "-m", "consumers", *arguments], cwd=tmp_path, env=environment, capture_output=True, text=True
    )

    assert done.returncode == 2, done.stderr
    assert done.stderr.splitlines()[-1].startswith("stream-nb: numba cannot compile here (")
    assert "Traceback" not in done.stderr
