"""The kernels of a model are compiled before its mails are read."""

import pytest
from click.testing import CliRunner

from consumers.cli.compile_first import compile_first
from consumers.cli.main import cli
from consumers.evaluation.prequential import evaluate
from consumers.ingest.labelled import LabelledMails
from consumers.ingest.synthetic import synthetic_mails
from consumers.model.factory import new_model, new_policy
from consumers.model.textbook_input import READS
from consumers.settings import LearnerSettings
from stream_nb.kernels import jit


@pytest.mark.parametrize("name", ["mail", *READS])
def test_mails_need_no_further_compilation_and_the_second_time_nothing_is_reported(name, capsys):
    learner = LearnerSettings(model=name)
    compile_first(learner)
    capsys.readouterr()
    compiled = []
    with jit.compilations(compiled.append):
        evaluate(synthetic_mails(200, seed=1), new_model(learner), new_policy(learner), learner.headers)
        compile_first(learner)
    assert compiled == [] and capsys.readouterr().err == ""


def test_the_starter_and_the_columns_of_a_table_are_part_of_the_compilation(monkeypatch, tmp_path):
    given = []
    monkeypatch.setattr("consumers.evaluation.prequential.evaluate", lambda *arguments: given.append(arguments))
    starter = tmp_path / "starter.snb"
    rows = tmp_path / "rows.csv"
    rows.write_text("text,size,label\nwin money,1,spam\nlunch at noon,2,ham\n")
    learner = LearnerSettings()
    columns = ["--label-column", "label", "--text-column", "text"]
    assert CliRunner().invoke(cli, ["starter", str(rows), *columns, "--out", str(starter)]).exit_code == 0
    compile_first(learner, starter, features=True)
    compile_first(learner)

    mails, model = given[-2][:2]
    read = [mail for mail, *_ in LabelledMails(mails, learner.headers)]
    assert [len(mail.features) for mail in read[-4:]] == [2] * 4
    assert len(model.to_bytes()) > len(new_model(learner).to_bytes())  # it contains the starter
    plain = given[-1][0]
    assert not any(mail.features for mail, *_ in LabelledMails(plain, learner.headers))


def test_missing_labels_are_refused_before_compilation_and_mails_read_after_it(monkeypatch, tmp_path):
    class Reached(Exception):
        pass

    def reach(*_, **__):
        raise Reached

    table = tmp_path / "rows.csv"
    table.write_text("size,kind\n1,spam\n2,ham\n")
    mails = tmp_path / "mails.jsonl"
    mails.write_text('{"id": "a", "text": "win money", "label": "spam"}\n')
    for command in ("evaluate", "personal", "starter"):
        monkeypatch.setattr(f"consumers.cli.commands.{command}.compile_first", reach)
        ran = CliRunner().invoke(cli, [command, str(mails)], standalone_mode=False)
        assert isinstance(ran.exception, Reached), command
        ran = CliRunner().invoke(cli, [command, str(table)], standalone_mode=False)
        assert "no column is the class" in str(ran.exception), command


@pytest.mark.parametrize("command", ["evaluate", "personal", "starter"])
@pytest.mark.parametrize(("name", "features"), [("mails.jsonl", True), ("mails.mbox", False)])
def test_what_json_lines_may_have_is_compiled_first(monkeypatch, tmp_path, command, name, features):
    """Otherwise the speed of a first run would be that of the compiler."""
    given = []

    def reach(learner, starter=None, features=False):
        given.append(features)
        raise KeyboardInterrupt

    mails = tmp_path / name
    line = '{"id": "a", "features": {"size": 7}, "label": "spam"}' if features else "From ann@example.org\nSubject: a\n"
    mails.write_text(f"{line}\n")
    monkeypatch.setattr(f"consumers.cli.commands.{command}.compile_first", reach)
    CliRunner().invoke(cli, [command, str(mails)])
    assert given == [features]
