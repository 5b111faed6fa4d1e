"""`stream-nb evaluate` on a table of several classes, and `personal` on the same."""

import json

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli

COLUMNS = ["--label-column", "kind", "--text-column", "text"]


@pytest.fixture
def table(tmp_path, monkeypatch):
    """Mails of three classes. The words of two of them differ less."""
    monkeypatch.chdir(tmp_path)
    words = {"spam": ["free", "money", "win"], "work": ["plan", "team", "x"], "family": ["team", "lunch", "x"]}
    rows = [f"{kind},{own[n % 3]} {own[n % 2]} x" for n in range(40) for kind, own in words.items()]
    (tmp_path / "t.csv").write_text("\n".join(["kind,text", *rows]))
    return "t.csv"


def printed(*arguments):
    ran = CliRunner().invoke(cli, [*map(str, arguments)])
    assert ran.exit_code == 0, ran.output
    return ran.stdout


def test_the_class_of_the_figures_can_be_named(table):
    figures = json.loads(printed("evaluate", table, *COLUMNS, "--positive", "family", "--json"))
    hits = figures["confusion"]["family"]["family"]
    called = sum(row.get("family", 0) for row in figures["confusion"].values())
    assert (figures["positive"], figures["precision"], figures["recall"]) == ("family", hits / called, hits / 40)
    assert "or `evaluate --positive`" in printed("evaluate", table, *COLUMNS, "--positive", "none of them")


def test_P2_confusions_of_other_classes_are_told_from_errors(table):
    shown = printed("personal", table, *COLUMNS).replace("\n", " ")
    assert "accuracy         1 " in shown
    assert " of them are rightly not spam; the figures above count these as right." in shown


@pytest.mark.parametrize(
    ("model", "column", "options", "nothing"),
    [
        ("gaussian", "text", [], True),
        ("boolean", "text", [], False),
        ("boolean", "size", [], True),
        ("mail", "size", [], False),
        ("boolean", "size", ["--delay", "9"], True),
        ("mail", "size", ["--starter", "starter.snb"], False),
    ],
)
def test_a_model_that_finds_nothing_to_read_says_so(model, column, options, nothing, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "t.csv").write_text(f"label,{column}\n" + "spam,1\nham,2\n" * 3)
    printed("starter", "t.csv")
    ran = CliRunner().invoke(cli, ["evaluate", "t.csv", "--model", model, *options])
    assert ran.exit_code == 0, ran.output
    assert (f"the model {model} found nothing to read in these mails" in ran.stderr) == nothing
