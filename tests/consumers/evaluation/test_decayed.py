"""With a half-life, `evaluate` also shows the figures of the same model without it."""

import json

import pytest
from click.testing import CliRunner

from consumers.cli.commands.evaluate import command
from consumers.errors import UserError
from consumers.ingest.synthetic import synthetic_mails


@pytest.fixture
def folder(tmp_path):
    for item in synthetic_mails(300, seed=5):
        (tmp_path / item.label).mkdir(exist_ok=True)
        (tmp_path / item.label / f"{item.id}.eml").write_bytes(item.value)
    return tmp_path


def test_figures_with_and_without_half_life_are_printed(folder, monkeypatch):
    monkeypatch.setenv("STREAM_NB_LEARNER_HALF_LIFE", "64")
    text = CliRunner().invoke(command, [str(folder)], catch_exceptions=False).stdout
    found = json.loads(CliRunner().invoke(command, [str(folder), "--json"], catch_exceptions=False).stdout)

    assert (
        text.startswith("with half_life = 64\n\nmails       300") and "\nwithout half_life\n\nmails       300" in text
    )
    assert found["half_life"] == 64 and found["decayed"]["n"] == found["undecayed"]["n"] == 300
    assert found["decayed"]["one_minus_auc_pct"] != found["undecayed"]["one_minus_auc_pct"]


def test_the_second_figures_are_those_of_the_model_without_the_setting(folder, monkeypatch):
    alone = json.loads(CliRunner().invoke(command, [str(folder), "--json"], catch_exceptions=False).stdout)
    monkeypatch.setenv("STREAM_NB_LEARNER_HALF_LIFE", "64")
    both = json.loads(CliRunner().invoke(command, [str(folder), "--json"], catch_exceptions=False).stdout)

    assert both["undecayed"] | {"mails_per_s": 0} == alone | {"mails_per_s": 0}


def test_standard_input_cannot_be_read_twice(monkeypatch):
    monkeypatch.setenv("STREAM_NB_LEARNER_HALF_LIFE", "64")
    with pytest.raises(UserError, match="cannot be combined with standard input"):
        CliRunner().invoke(command, ["-"], catch_exceptions=False, input="{}")


@pytest.mark.parametrize(("half_life", "options"), [(None, []), ("64", []), (None, ["--ask", "10%"])])
def test_the_number_of_mails_may_be_unknown_in_advance(tmp_path, monkeypatch, half_life, options):
    mails = [{"id": str(n), "features": {"size": n % 2}, "label": "ab"[n % 2]} for n in range(40)]
    path = tmp_path / "mails.jsonl"
    path.write_text("\n".join(map(json.dumps, [*mails, {"id": "x", "features": {"size": 1}}])))
    if half_life:
        monkeypatch.setenv("STREAM_NB_LEARNER_HALF_LIFE", half_life)

    ran = CliRunner().invoke(command, [str(path), *options], catch_exceptions=False)

    assert " 40 " in ran.stdout
    assert ("1 mail was skipped: without a label" in ran.stderr) is not bool(options)


def test_a_half_life_is_refused_for_textbook_models(folder, monkeypatch):
    monkeypatch.setenv("STREAM_NB_LEARNER_HALF_LIFE", "64")
    with pytest.raises(UserError, match="half_life is for the mail model, but the model is multinomial"):
        CliRunner().invoke(command, [str(folder), "--model", "multinomial"], catch_exceptions=False)
