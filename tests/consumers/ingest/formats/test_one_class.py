"""`--label` gives a source without labels one class; and the summary that `feed` prints first."""

from __future__ import annotations

import io
import sys

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.ingest.formats.summary import summarize
from tests.consumers.ingest.formats.test_mbox_folder import box


def labels(path, **options):
    return [item.label for item in open_source(path, **options)]


@pytest.fixture
def mbox(tmp_path):
    box(tmp_path / "box", "a", "b", "c")
    return tmp_path / "box"


@pytest.fixture
def folder(tmp_path):
    box(tmp_path / "mail" / "ham.mbox", "a", "b")
    box(tmp_path / "mail" / "spam.mbox", "c")
    return tmp_path / "mail"


def test_label_gives_all_mails_of_a_source_one_class(tmp_path, mbox, monkeypatch):
    assert labels(mbox, label="spam") == ["spam"] * 3
    assert labels(mbox, label="spam", shuffle=1) == ["spam"] * 3
    (tmp_path / "mail.eml").write_bytes(b"Subject: a\n\nb\n")
    assert labels(tmp_path / "mail.eml", label="work") == ["work"]
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "1").write_bytes(b"Subject: a\n\nb\n")
    assert labels(tmp_path / "plain", label="work") == ["work"]
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"Subject: a\n\nb\n")))
    assert labels("-", label="ham") == ["ham"]


def test_label_is_refused_for_a_source_with_classes(folder, tmp_path):
    with pytest.raises(UserError, match=r"--label spam: .* classes ham, spam"):
        open_source(folder, label="spam")
    with pytest.raises(UserError, match="--label and --classes"):
        open_source(folder, label="spam", classes="*=ham")
    lines = tmp_path / "mails.jsonl"
    lines.write_text('{"text": "a"}\n{"text": "b", "label": "ham"}\n')
    with pytest.raises(UserError, match=r"--label spam: .* has the class 'ham'"):
        labels(lines, label="spam")
    assert labels(lines, label="ham") == ["ham", "ham"]


@pytest.mark.parametrize("label", ["", "a\nb", "x" * 300])
def test_an_invalid_label_is_refused(mbox, tmp_path, label):
    for path in (mbox, tmp_path / "t.csv"):
        with pytest.raises(UserError, match="printable characters"):
            open_source(path, label=label)


def test_the_summary_has_what_is_known_without_reading(folder, mbox):
    assert summarize(open_source(folder)) == "3 mails from 2 files: 2 ham, 1 spam"
    assert summarize(open_source(folder), limit=1) == "1 mail from 1 file: 1 ham"
    (folder.parent / "one").write_bytes(b"Subject: a\n\n")
    assert summarize(open_source(folder.parent / "one")) == "1 mail (one mail)"
    assert summarize(open_source(mbox)) == "mails (mbox); their number and classes are only known at the end"
    known = "their number is only known at the end"
    assert summarize(open_source(mbox, label="spam")) == f"mails of the class spam (mbox); {known}"
    assert summarize(open_source(mbox), count=True) == "3 mails (mbox): 3 without a class"
    assert summarize(open_source(mbox, label="spam"), 2, count=True) == "2 mails (mbox): 2 spam"


@pytest.fixture
def run(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STREAM_NB_LOG", f"sqlite:{tmp_path / 'log'}")
    return lambda *arguments: CliRunner().invoke(cli, [str(argument) for argument in arguments])


def test_feed_prints_the_summary_first(run, folder):
    done = run("feed", folder)
    assert done.exit_code == 0, done.output
    assert "3 mails from 2 files: 2 ham, 1 spam; labels are not sent without --labels\n" in done.stderr
    assert "labels are not sent" not in run("feed", folder, "--labels").stderr


def test_a_dry_run_only_prints_the_summary(run, folder, mbox, tmp_path):
    done = run("feed", folder, "--dry-run")
    assert done.exit_code == 0, done.output
    assert done.stdout == "3 mails from 2 files: 2 ham, 1 spam; labels are not sent without --labels\n"
    assert run("feed", mbox, "--dry-run").stdout == "3 mails (mbox): 3 without a class\n"
    assert run("feed", mbox, "--dry-run", "--label", "spam", "--limit", 2).stdout == "2 mails (mbox): 2 spam\n"
    assert not (tmp_path / "log").exists()


def test_labels_inside_messages_are_reported_if_they_are_not_sent(run, tmp_path):
    lines = tmp_path / "mails.jsonl"
    lines.write_text('{"text": "a"}\n{"text": "b", "label": "ham"}\n')
    hint = "; labels are not sent without --labels\n"
    assert run("feed", lines, "--dry-run").stdout == f"2 mails (JSON lines): 1 ham, 1 without a class{hint}"
    assert run("feed", lines).stdout.endswith(hint)
    assert hint not in run("feed", lines, "--labels").output


def test_feed_with_label_sends_labels(run, mbox):
    done = run("feed", mbox, "--label", "spam")
    assert done.exit_code == 0, done.output
    assert "3 mails and 3 labels are on " in done.stdout


def test_feed_uses_the_singular_for_one_mail(run, tmp_path):
    mail = tmp_path / "mail.eml"
    mail.write_bytes(b"Subject: hello\n\nlunch at noon\n")
    assert run("feed", mail, "--label", "ham").stdout.startswith("1 mail and 1 label are on ")


def test_evaluate_accepts_label(run, mbox):
    assert "no mail with a label" in str(run("evaluate", mbox).exception)
    done = run("evaluate", mbox, "--label", "spam")
    assert done.exit_code == 0, done.output
    assert "left out" not in done.stderr
