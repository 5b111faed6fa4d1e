"""`stream-nb explain` prints the terms of a score, and says why there is none."""

from __future__ import annotations

import re

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.records.lookup import ID_BY_CONTENT
from tests.consumers.records.test_lookup import disk, label, mail, run
from tests.support.worker_run import run_worker

__all__ = ["disk"]


def test_explain_prints_the_predicted_class_and_counts_decisive_words_if_they_are_many(disk):
    words = [f"word{number}" for number in range(20)]
    texts = {"family": " ".join(words), "spam": "win money"}
    disk.append([mail(name.encode(), f"Subject: {name}\n\n{text}".encode()) for name, text in texts.items()])
    run_worker(disk)
    disk.append([label(name, name) for name in texts])
    run_worker(disk)
    disk.append([mail(b"long", texts["family"].encode()), mail(b"short", b"word1")])
    run_worker(disk)

    shown = run("explain", "long").stdout
    assert "predicted family on arrival, with 2 labels learned\n\nnow log-odds -" in shown
    assert "many words decide: the " in shown
    assert re.search(r" for spam \(probability <?\d+\.\d %\), 2 labels", shown), "as on the page"
    assert "without this the prediction would change: word1\n" in run("explain", "short").stdout


def test_explain_prints_the_counts_of_two_classes_if_all_would_be_too_wide(disk):
    names = [f"class{number}" for number in range(20)]
    disk.append([mail(name.encode(), f"word{name}".encode()) for name in names])
    run_worker(disk)
    disk.append([label(name, name) for name in names])
    run_worker(disk)

    shown = run("explain", "class7").stdout
    compared = r"for class7 against (class\d+), 20 labels learned\n\n    weight    class7 +\1  term\n"
    assert re.search(compared, shown)
    assert max(map(len, shown.splitlines())) < 120


def test_explain_distinguishes_an_unscored_mail_from_an_unknown_one(disk):
    disk.append([mail(b"a@b")])

    for name, message in (("<a@b>", "no worker has scored 'a@b' on sqlite"), ("a@c", ID_BY_CONTENT)):
        with pytest.raises(UserError, match=message):
            CliRunner().invoke(cli, ["explain", name], catch_exceptions=False)
    run_worker(disk)
    assert "\nnow log-odds +0.0000 for spam" in run("explain", "a@b").stdout, "before the first label"


def test_explain_says_why_a_mail_is_in_quarantine(disk):
    """Before and after a worker has scored a later mail."""
    disk.append([mail(b"<a@b>", b"{not JSON")])
    run_worker(disk)
    for _ in range(2):
        with pytest.raises(UserError, match=r"mail 'a@b' is in quarantine: bad-json: mail record: "):
            CliRunner().invoke(cli, ["explain", "a@b"], catch_exceptions=False)
        disk.append([mail(b"c@d")])
        run_worker(disk)
