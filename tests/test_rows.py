"""Every row of the lecture notes has a test with its id in the name, and no test has the id of an unknown row."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.rows import ROWS, rows_with_tests

ROOT = Path(__file__).parent.parent


@pytest.mark.parametrize("row", ROWS)
def test_every_row_has_a_test(row):
    assert rows_with_tests()[row]


def test_no_test_names_an_unknown_row():
    assert set(rows_with_tests()) == set(ROWS)


def test_the_command_prints_rows_with_their_tests():
    done = subprocess.run([sys.executable, "-m", "tests.rows"], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.startswith("M1 ")
    assert "::test_Q7_the_accuracies_equal_those_of_a_separate_run_for_each_lambda" in done.stdout
    assert "NO TEST" not in done.stdout
