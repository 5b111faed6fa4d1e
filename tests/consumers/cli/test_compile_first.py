"""What a model needs is compiled before its mails are read."""

import pytest
from click.testing import CliRunner

from consumers.cli.compile_first import compile_first
from consumers.cli.main import cli
from consumers.evaluation.prequential import evaluate
from consumers.ingest.synthetic import synthetic_mails
from consumers.model.factory import new_model, new_policy
from consumers.settings import LearnerSettings
from stream_nb.kernels import jit


@pytest.mark.parametrize("name", ["mail", "multinomial", "boolean", "bernoulli", "categorical", "gaussian", "mixed"])
def test_other_mails_need_no_more_and_nothing_is_said_the_second_time(name, capsys):
    learner = LearnerSettings(model=name)
    compile_first(learner)
    capsys.readouterr()
    compiled = []
    with jit.compilations(compiled.append):
        evaluate(synthetic_mails(200, seed=1), new_model(learner), new_policy(learner), learner.headers)
        compile_first(learner)
    assert compiled == [] and capsys.readouterr().err == ""


def test_evaluate_compiles_before_it_reads(monkeypatch, tmp_path):
    class Reached(Exception):
        pass

    def reach(learner):
        raise Reached

    mails = tmp_path / "mails.jsonl"
    mails.write_text('{"id": "a", "text": "win money", "label": "spam"}\n')
    for command in ("evaluate", "personal", "starter"):
        monkeypatch.setattr(f"consumers.cli.commands.{command}.compile_first", reach)
        ran = CliRunner().invoke(cli, [command, str(mails)], standalone_mode=False)
        assert isinstance(ran.exception, Reached), command
