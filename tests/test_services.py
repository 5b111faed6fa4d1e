"""The unit for systemd is one that systemd accepts, and what it starts is there."""

import shutil
import subprocess
from pathlib import Path

import pytest

from consumers.errors import STATUS_USER_ERROR

UNIT = Path(__file__).parents[1] / "config" / "systemd" / "stream-nb@.service"


def test_systemd_accepts_the_unit(tmp_path):
    if shutil.which("systemd-analyze") is None:
        pytest.skip("no systemd-analyze here: install systemd to have the unit checked")
    unit = tmp_path / "stream-nb@worker.service"
    # Program and user are made at the installation.
    text = UNIT.read_text().replace("/opt/stream-nb/bin/stream-nb", "/bin/true").replace("User=stream-nb", "User=root")
    unit.write_text(text)

    result = subprocess.run(["systemd-analyze", "verify", str(unit)], capture_output=True, text=True, check=False)

    ours = [line for line in (result.stdout + result.stderr).splitlines() if "stream-nb" in line]
    assert ours == []


def test_a_mistake_in_the_settings_is_not_tried_again():
    assert f"RestartPreventExitStatus={STATUS_USER_ERROR}\n" in UNIT.read_text()
