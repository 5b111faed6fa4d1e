"""The examples in docs/notes-worked.md give the outputs shown, and the page has every row of the notes."""

import doctest
import re
from contextlib import contextmanager

import pytest

from stream_nb.kernels import jit
from tests.notes_worked import PAGE, run, steps
from tests.rows import ROWS


@pytest.mark.timeout(900)
def test_every_example_gives_the_output_on_the_page(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    names, checker = {}, doctest.OutputChecker()
    examples = list(steps(PAGE.read_text("utf-8")))
    assert len(examples) > 100
    for step in examples:
        output = run(step, names)
        assert checker.check_output(step.expected, output, doctest.ELLIPSIS | doctest.NORMALIZE_WHITESPACE), (
            f"{PAGE.name}:{step.line}: {step.source}gives\n{output}"
            f"not\n{step.expected}if that is right, run python -m tests.notes_worked"
        )


def test_every_row_of_the_notes_has_a_heading_on_the_page():
    headings = " ".join(re.findall(r"^### (.*)$", PAGE.read_text("utf-8"), re.MULTILINE))
    assert set(ROWS) <= {*headings.replace("Q1 to Q4", "Q1 Q2 Q3 Q4").split()}


def test_a_wrong_expected_output_differs_from_the_actual_one():
    text = "```python\n>>> 1 + 1\n3\n```\n"
    (step,) = steps(text)
    assert step.expected == "3\n"
    assert run(step, {}) == "2\n"


@pytest.mark.parametrize("not_kept", [set(), {"scan"}], ids=["once", "at each start"])
def test_the_output_of_a_command_is_the_same_while_kernels_are_compiled(not_kept, tmp_path, monkeypatch):
    @contextmanager
    def compilations(show):
        show("scan")
        yield

    (step,) = steps("```console\n$ stream-nb evaluate mails.csv --label-column y\n```\n")
    (tmp_path / "mails.csv").write_text("text,y\nwin money,spam\nsee you at lunch,ham\n", "utf-8")
    monkeypatch.chdir(tmp_path)
    expected = run(step, {})
    monkeypatch.setattr(jit, "compilations", compilations)
    monkeypatch.setattr(jit, "NOT_KEPT", not_kept)
    assert run(step, {}) == expected
