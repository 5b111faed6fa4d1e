"""`export` and `net`: what a model knows of words as CSV and as a picture, from mails and from the log."""

import csv
import math
import re
import threading
import time
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from consumers import export
from consumers.cli import cli
from consumers.errors import UserError
from consumers.settings import LearnerSettings
from consumers.studies.corpus import Labelled
from stream_nb import BernoulliNB, MultinomialNB
from stream_nb.types import Mail, Part
from tests.consumers.studies.made import mails_of_our_own

MAILS = mails_of_our_own(80)


def written(path, table):
    export.write(path, table)
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.reader(file))


@pytest.mark.parametrize("name", ["multinomial", "boolean", "bernoulli"])
def test_L1_w_and_b_written_are_the_log_odds(tmp_path, name):
    table = export.of_mails(MAILS, name, LearnerSettings(smoothing=0.5), None)
    head, bias, *rows = written(tmp_path / "w.csv", table)
    assert head == ["kind", "word", "weight", "P(word | ham)", "P(word | spam)"]
    assert bias[:3] == ["bias", "", repr(table.rows[0][2])]
    weights = {row[1]: float(row[2]) for row in rows}
    model = {
        "multinomial": lambda: MultinomialNB(smoothing=0.5),
        "boolean": lambda: MultinomialNB(smoothing=0.5, presence=True),
        "bernoulli": lambda: BernoulliNB(smoothing=0.5),
    }[name]()
    for mail, label, _ in MAILS:
        model.learn_one(mail, label)
    for words in (["free"], ["free", "free", "meeting"], ["hello", "win"], []):
        counted = words if name == "multinomial" else set(words)
        expected = model.log_odds_one(words, "spam")
        assert float(bias[2]) + math.fsum(weights[word] for word in counted) == pytest.approx(expected, abs=1e-12)
    chances = {row[1]: (float(row[3]), float(row[4])) for row in rows}
    found = model.word_probabilities("free")
    assert chances["free"] == (pytest.approx(found["ham"]), pytest.approx(found["spam"]))


def test_L5_the_most_probable_words_of_each_class(tmp_path):
    head, *rows = written(tmp_path / "top.csv", export.of_mails(MAILS, "multinomial", LearnerSettings(), 3))
    assert head == ["class", "word", "P(word | class)"]
    assert [row[0] for row in rows] == ["ham"] * 3 + ["spam"] * 3
    assert all(float(a[2]) >= float(b[2]) for a, b in zip(rows[:2], rows[1:3], strict=True))


def test_of_many_classes_all_but_the_positive_are_one(tmp_path):
    mails = [*MAILS, *(Labelled(Mail((Part("", b"stamps and coins"),)), "club") for _ in range(5))]
    table = export.of_mails(mails, "multinomial", LearnerSettings(positive="club"), None)
    assert table.head[3:] == ("P(word | other)", "P(word | club)")
    with pytest.raises(UserError, match="--positive offer: there are club, ham, spam"):
        export.of_mails(mails, "multinomial", LearnerSettings(positive="offer"), None)


def test_a_word_that_a_spreadsheet_would_run_is_quoted(tmp_path):
    table = export.Table(("word",), [("=HYPERLINK(1)",), ("+1",), ("free\x1b",), (-1.5,)])
    _, *rows = written(tmp_path / "w.csv", table)
    assert rows == [["'=HYPERLINK(1)"], ["'+1"], ["free\ufffd"], ["-1.5"]]
    with pytest.raises(UserError, match="name a file"):
        export.write(tmp_path / "no" / "w.csv", table)


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """A log with a trained model."""
    from consumers.opening import open_ready_log
    from consumers.settings import load_settings
    from consumers.worker import Worker

    root = tmp_path_factory.mktemp("live")
    url = f"sqlite:{root / 'log'}"
    for i, mail in enumerate(MAILS):
        (root / "mails" / mail.label).mkdir(parents=True, exist_ok=True)
        (root / "mails" / mail.label / f"{i:03}.eml").write_bytes(b"Subject: it: %s\n\n%s\n" % ((mail.mail.parts[0].text,) * 2))
    fed = CliRunner().invoke(cli, ["feed", str(root / "mails"), "--labels", "--log", url])
    assert fed.exit_code == 0, fed.output
    return url
