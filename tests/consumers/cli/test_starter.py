"""`stream-nb starter`, and the commands that use its file."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.ingest.synthetic import synthetic_mails


def run(*arguments: object) -> str:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


def refused(*arguments: object) -> str:
    done = CliRunner().invoke(cli, [str(argument) for argument in arguments])
    assert done.exception is not None
    return str(done.exception)


def write(folder: Path, mails: int, seed: int) -> Path:
    for item in synthetic_mails(mails, seed=seed):
        (folder / str(item.label)).mkdir(parents=True, exist_ok=True)
        (folder / str(item.label) / item.id.replace("/", "_")).write_bytes(item.value)
    return folder


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    """Mail of two people, a starter built from it, and mail of a third person."""
    folder = tmp_path_factory.mktemp("starter")
    people = [write(folder / name, 300, seed) for seed, name in enumerate(("ann", "bob"), 1)]
    said = run("starter", *people, "--out", folder / "starter.snb")
    assert said.startswith(f"{folder / 'starter.snb'}: ") and "of 600 mails (" in said
    return folder, write(folder / "me", 300, 7)


def test_fewer_of_the_first_mails_are_misclassified_with_a_starter(made):
    folder, mails = made
    errors = []
    for more in ((), ("--starter", folder / "starter.snb")):
        report = json.loads(run("evaluate", mails, "--limit", 150, "--shuffle", 0, "--json", *more))
        errors.append(round(report["n"] * (1.0 - report["accuracy"])))
    assert errors[1] <= errors[0] // 2


def test_a_personal_filter_can_begin_with_a_starter(made, tmp_path):
    folder, mails = made
    files = ("--out", tmp_path / "report.html", "--model", tmp_path / "personal.snb")
    sizes = ("--train", 10, "--validate", 10, "--test", 50)
    said = run("personal", mails, *sizes, *files, "--starter", folder / "starter.snb")
    assert f"The filter starts with {folder / 'starter.snb'}." in said

    own = tmp_path / "own.snb"
    shutil.copy(folder / "starter.snb", own)
    spam = next((mails / "spam").iterdir())
    done = CliRunner().invoke(cli, ["classify", "--model", str(own), str(mails / "spam")], standalone_mode=False)
    answers = [line.split()[0] for line in done.output.splitlines()]
    assert answers.count("spam") > 0.7 * len(answers) > 0
    run("learn", "--ham", "--model", own, spam)
    run("learn", "--forget", "--model", own, spam)
    said = run("load", folder / "starter.snb", "--log", f"sqlite:{tmp_path / 'log'}")
    assert "starts with 0 labels learned" in said


def test_a_starter_can_be_built_from_a_table(tmp_path):
    draw = Random(1)
    lines = [f"{draw.gauss(10 if n % 2 else 20, 4)},{'AB'[n % 2]}{draw.choice('xy')},{'AB'[n % 2]}" for n in range(200)]
    for name, some in (("others", lines[:150]), ("mine", lines[150:])):
        (tmp_path / f"{name}.csv").write_text("\n".join(("size,kind,class", *some)))
    out, column = tmp_path / "starter.snb", ("--label-column", "class")
    said = run("starter", tmp_path / "others.csv", *column, "--out", out)
    assert said == f"{out}: 2 features of 150 mails (75 A, 75 B)\n"
    said = run("load", out, "--log", f"sqlite:{tmp_path / 'log'}")
    nothing = "0 labels learned, 0 features, and a starter of 2 features\n"
    assert said.endswith(f"starts with {nothing}")
    assert run("save", tmp_path / "1.snb", "--log", f"sqlite:{tmp_path / 'log'}").endswith(f"1.snb: {nothing}")
    accuracies = [
        json.loads(run("evaluate", tmp_path / "mine.csv", *column, "--json", *more))["accuracy"]
        for more in ((), ("--starter", out))
    ]
    assert accuracies[1] > accuracies[0]
    (tmp_path / "empty.csv").write_text("size,class\n,A\n,B\n1,A\n")
    assert "fewer than two classes have mails with words, numbers" in refused(
        "starter", tmp_path / "empty.csv", *column, "--out", tmp_path / "no.snb"
    )


def test_a_model_whose_classes_are_not_those_of_the_log_is_noted(made, tmp_path):
    folder, _ = made
    for label, noted in (("Junk", True), ("spam", False)):
        log = ("--log", f"sqlite:{tmp_path / label}")
        (tmp_path / "mails.jsonl").write_text(f'{{"text": "win money", "label": "{label}"}}\n')
        run("feed", tmp_path / "mails.jsonl", "--labels", *log)
        done = CliRunner().invoke(cli, ["load", str(folder / "starter.snb"), *log])
        assert ("starter.snb: ham, spam; none is among those of the log's labels: Junk" in done.stderr) == noted


def test_classes_can_be_named_and_mails_left_out_are_counted(tmp_path):
    for folder, word in (("offers", "free money"), ("post", "see you at noon")):
        (tmp_path / "mail" / folder).mkdir(parents=True)
        for n in range(3):
            (tmp_path / "mail" / folder / f"{n}.eml").write_text(f"Subject: {word} {n}\n\n{word}\n")
    said = run("starter", tmp_path / "mail", "--classes", "offers=spam,*=ham", "--out", tmp_path / "1.snb")
    assert said.endswith(" of 6 mails (3 spam, 3 ham)\n")

    lines = tmp_path / "mail.jsonl"
    lines.write_text("".join(f'{{"text": "word{n % 2} a b", "label": "{"AB"[n % 2]}"}}\n' for n in range(8)) + "{}\n")
    done = CliRunner().invoke(cli, ["starter", str(lines), str(lines), "--out", str(tmp_path / "2.snb")])
    assert "2 mails were skipped: without a label, or unreadable" in done.output


def test_user_errors_are_reported(made, tmp_path, monkeypatch):
    folder, mails = made
    assert "exists; name another file with --out" in refused("starter", mails, "--out", folder / "starter.snb")
    out = tmp_path / "one.snb"
    assert "a starter needs two:" in refused("starter", mails / "ham", "--out", out)
    assert "labelled mails of 1 class;" in refused("starter", mails, "--classes", "*=ham", "--out", out)
    monkeypatch.setenv("STREAM_NB_LEARNER_MODEL", "boolean")
    assert "[learner] model is boolean" in refused("starter", mails, "--out", out)
    assert "starter.snb holds a mail model" in refused("evaluate", mails, "--starter", folder / "starter.snb")
    assert "no-such" in refused("evaluate", mails, "--starter", tmp_path / "no-such")
    monkeypatch.delenv("STREAM_NB_LEARNER_MODEL")
    answer = refused("evaluate", mails, "--model", "gaussian", "--starter", folder / "starter.snb")
    assert "the model is gaussian: set [learner] model, or --model of evaluate, to mail" in answer
    assert not out.exists()
