"""The titles of mails in the tables of studies."""

import csv
import random

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.studies.titles import text_of, title_of
from stream_nb.types import Mail, Part

TEXT, SUBJECT = Part("", b"cheap pills"), Part("subject", b"hello\x07")


@pytest.mark.parametrize(
    ("mail", "title"),
    [
        (Mail((SUBJECT, TEXT)), "hello⟨U+0007⟩"),
        (Mail((Part("subject", b""), TEXT)), "cheap pills"),
        (Mail((), (("free", 100),), (("size", 12041), ("html", True))), "free 100, size 12,041, html true"),
        (Mail((Part("", b"x" * 80),)), "x" * 59 + "…"),
        (Mail((), (), (("name", "y" * 80),)), "name " + "y" * 54 + "…"),
        (Mail(()), ""),
    ],
)
def test_a_title_is_the_subject_or_the_text_or_the_features(mail, title):
    assert title_of(mail) == title


def test_the_text_of_a_part_is_empty_if_there_is_none():
    assert text_of(Mail((TEXT,)), "from") == ""


def test_P2_a_misfiled_row_of_numbers_can_be_recognised(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    draw = random.Random(1)
    rows = [(round(draw.random(), 3), draw.choice(("ham", "spam"))) for _ in range(60)]
    with open("numbers.csv", "w", newline="") as file:
        csv.writer(file).writerows([("size", "label"), *rows])
    ran = CliRunner().invoke(cli, ["personal", "numbers.csv"])
    assert ran.exit_code == 0, ran.output
    misfiled = ran.output[ran.output.index("Misfiled test mails") :].splitlines()
    shown = [line.split()[:2] for line in misfiled if line.startswith("size")]
    assert shown and all(value in {str(number) for number, _ in rows} for _, value in shown)
