"""Classes whose names differ only in case are learned as they are, and named once."""

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.ingest.class_case import note_on_case

NOTE = "note: classes differ only in case, and are learned as separate ones: Spam, spam; "


@pytest.fixture
def mails(tmp_path):
    path = tmp_path / "mails.jsonl"
    labels = ("spam", "ham", "Spam")
    path.write_text("".join(f'{{"text": "word {n}", "label": "{labels[n % 3]}"}}\n' for n in range(60)))
    return str(path)


def test_each_group_of_names_is_listed_together():
    assert "ones: A, a, SPAM, Spam, spam; " in (note_on_case(["spam", "a", "ham", "SPAM", "A", "Spam"]) or "")


def test_only_the_first_names_are_listed_and_safely():
    shown = note_on_case([form(f"\x1b{n:02}x") for n in range(60) for form in (str.upper, str.lower)]) or ""
    assert "\x1b" not in shown
    assert shown.count("x") == 10  # of 20 names half are in lower case
    assert ", ...; " in shown


@pytest.mark.parametrize("command", ["evaluate", "personal", "feed", "feed --dry-run"])
def test_commands_that_learn_such_classes_say_so_once(mails, tmp_path, command):
    log = ("--log", f"sqlite:{tmp_path / 'log'}")
    name, *options = command.split()
    if name == "feed":
        options += ["--labels", *log]
    elif name == "personal":
        options += ["--out", str(tmp_path / "p.html"), "--model", str(tmp_path / "p.snb")]
    ran = CliRunner().invoke(cli, [name, mails, *options])
    assert ran.exit_code == 0, ran.output
    assert ran.stderr.count("differ only in case") == ran.stderr.count(NOTE) == 1


def test_feed_compares_with_the_classes_on_the_log_and_is_silent_without_labels(mails, tmp_path):
    log = ("--log", f"sqlite:{tmp_path / 'log'}")
    ran = CliRunner().invoke(cli, ["feed", mails, *log])
    assert "differ only in case" not in ran.stderr
    mail = tmp_path / "a.eml"
    mail.write_text("Subject: a\n\nb\n")
    for label, noted in (("spam", False), ("SPAM", True), ("SPAM", False)):
        ran = CliRunner().invoke(cli, ["feed", str(mail), "--label", label, *log])
        assert ("differ only in case, and are learned as separate ones: SPAM, spam; " in ran.stderr) == noted
