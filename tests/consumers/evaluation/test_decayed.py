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


def test_a_half_life_is_refused_for_textbook_models(folder, monkeypatch):
    monkeypatch.setenv("STREAM_NB_LEARNER_HALF_LIFE", "64")
    with pytest.raises(UserError, match="half_life is for the mail model, but the model is multinomial"):
        CliRunner().invoke(command, [str(folder), "--model", "multinomial"], catch_exceptions=False)
