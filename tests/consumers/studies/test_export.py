"""`export` and `net`: the words of a model as CSV and as a picture, from mails and from the log."""

import csv
import math
import re
import stat
import xml.etree.ElementTree as ET

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import LogUnavailable, UserError
from consumers.log import open_log
from consumers.model.factory import new_model
from consumers.settings import LearnerSettings, Settings, load_settings
from consumers.studies import export
from consumers.studies.corpus import Labelled
from stream_nb import BernoulliNB, MultinomialNB
from stream_nb.mail_nb.vocabulary import word_weights
from stream_nb.types import Mail, Part
from tests.consumers.studies.made import drawn_mails
from tests.support.worker_run import run_worker

MAILS = drawn_mails(80)


def rows_of(table):
    return list(csv.reader(export.to_csv(table).splitlines()))


@pytest.mark.parametrize("name", ["multinomial", "boolean", "bernoulli"])
def test_L1_bias_plus_weights_equal_the_log_odds_of_the_model(name):
    table = export.of_mails(MAILS, name, LearnerSettings(smoothing=0.5), None)
    head, bias, *rows = rows_of(table)
    assert head == ["kind", "word", "weight", "P(word | ham)", "P(word | spam)"]
    assert bias[:3] == ["bias", "", repr(table.rows[0][2])]
    weights = {row[1]: float(row[2]) for row in rows}
    model = {
        "multinomial": lambda: MultinomialNB(smoothing=0.5),
        "boolean": lambda: MultinomialNB(smoothing=0.5, presence=True),
        "bernoulli": lambda: BernoulliNB(smoothing=0.5),
    }[name]()
    for mail, label in MAILS:
        model.learn_one(mail, label)
    for words in (["free"], ["free", "free", "meeting"], ["hello", "win"], []):
        counted = words if name == "multinomial" else set(words)
        expected = model.log_odds_one(words, "spam")
        assert float(bias[2]) + math.fsum(weights[word] for word in counted) == pytest.approx(expected, abs=1e-12)
    chances = {row[1]: (float(row[3]), float(row[4])) for row in rows}
    found = model.word_probabilities("free")
    assert chances["free"] == (pytest.approx(found["ham"]), pytest.approx(found["spam"]))


def test_a_model_without_a_linear_form_is_refused():
    always = [Labelled(Mail((Part("", b"list"),)), "ham"), Labelled(Mail((Part("", b"offer"),)), "spam")]
    with pytest.raises(UserError, match="set smoothing above 0"):
        export.of_mails(always, "bernoulli", LearnerSettings(smoothing=0.0), None)


def test_L5_top_words_are_listed_by_class_the_most_probable_first():
    head, *rows = rows_of(export.of_mails(MAILS, "multinomial", LearnerSettings(), 3))
    assert head == ["class", "word", "P(word | class)"]
    assert [row[0] for row in rows] == ["ham"] * 3 + ["spam"] * 3
    chances = [float(row[2]) for row in rows[:3]]
    assert chances == sorted(chances, reverse=True)


def test_mails_without_words_are_refused():
    rows = [Labelled(Mail((Part("", b""),), (), (("size", n),)), label) for n, label in enumerate(("ham", "spam"))]
    for top in (None, 3):
        with pytest.raises(UserError, match="no mail has a word, so there are none to export; give --text-column"):
            export.of_mails(rows, "multinomial", LearnerSettings(), top)


@pytest.mark.parametrize("name", ["mail", "boolean"])
def test_a_model_on_a_log_that_knows_no_word_is_refused(name, monkeypatch):
    model = new_model(LearnerSettings(model=name))
    for label in ("ham", "spam"):
        model.learn_one(Mail((Part("", b""),), (), (("size", 1.0),)), label)
    for top in (None, 3):
        with pytest.raises(UserError, match="the model has learned no word, so there are none to export"):
            of_model(monkeypatch, model, top)


def test_L5_top_words_of_mails_need_no_positive_class():
    settings = LearnerSettings(positive="club")
    assert export.of_mails(MAILS, "boolean", settings, 3) == export.of_mails(MAILS, "boolean", LearnerSettings(), 3)


@pytest.mark.parametrize("name", ["mail", "boolean"])
def test_L5_top_words_of_a_log_need_no_positive_class(name, monkeypatch):
    model = new_model(LearnerSettings(model=name))
    for mail, label in MAILS:
        model.learn_one(mail, label)
    assert of_model(monkeypatch, model, 3, positive="club") == of_model(monkeypatch, model, 3)


def test_the_columns_of_a_table_and_a_model_can_be_named_but_only_with_mails(tmp_path):
    path, out = tmp_path / "mails.csv", tmp_path / "w.csv"
    path.write_text("body,kind\nfree money,spam\nfree offer,spam\nsee you,ham\n")
    columns = ["--label-column", "kind", "--text-column", "body"]
    ran = CliRunner().invoke(cli, ["export", str(out), "--mails", str(path), *columns])
    assert ran.exit_code == 0, ran.output
    assert "P(word | spam)" in out.read_text().splitlines()[0] and "word,free," in out.read_text()
    assert stat.S_IMODE(out.stat().st_mode) == 0o600, "it contains words of mails"
    ran = CliRunner().invoke(cli, ["export", "-", "--mails", str(path), *columns])
    assert ran.stdout == out.read_text() and not (tmp_path / "-").exists()

    for needs_mails in (columns, ["--model", "bernoulli"]):
        ran = CliRunner().invoke(cli, ["export", str(out), *needs_mails])
        assert isinstance(ran.exception, UserError) and "--mails" in str(ran.exception)


def test_all_classes_but_the_positive_one_are_combined():
    mails = [*MAILS, *(Labelled(Mail((Part("", b"stamps and coins"),)), "club") for _ in range(5))]
    table = export.of_mails(mails, "multinomial", LearnerSettings(positive="club"), None)
    assert table.head[3:] == ("P(word | other)", "P(word | club)")
    renamed = [mail._replace(label="other" if mail.label == "club" else mail.label) for mail in mails]
    found = export.of_mails(renamed, "multinomial", LearnerSettings(positive="other"), None)
    assert (found.head[3:], found.rows) == (("P(word | rest)", "P(word | other)"), table.rows)
    with pytest.raises(UserError, match="no mail is of the class 'offer'; name one of club, ham, spam with --positive"):
        export.of_mails(mails, "multinomial", LearnerSettings(positive="offer"), None)


def test_a_word_that_a_spreadsheet_would_run_as_a_formula_is_quoted():
    table = export.ExportTable(("word",), [("=HYPERLINK(1)",), ("+1",), ("free\x1b",), (-1.5,)])
    _, *rows = rows_of(table)
    assert rows == [["'=HYPERLINK(1)"], ["'+1"], ["free\ufffd"], ["-1.5"]]


def test_the_words_of_a_model_of_several_classes_are_listed_by_class():
    mails = [*MAILS, Labelled(Mail((Part("", b"stamps"),)), "club")]
    table = export.of_mails(mails, "multinomial", LearnerSettings(smoothing=0.0), 1)
    assert [row[0] for row in table.rows] == ["club", "ham", "spam"] and table.rows[0][1:] == ("stamps", 1.0)


def of_model(monkeypatch, model, top=None, **learner):
    monkeypatch.setattr(export, "model_on_log", lambda log, settings, command: model)
    return export.of_log(None, Settings(), LearnerSettings(**learner), top)


def test_the_positive_class_and_the_smoothing_are_those_asked_for(monkeypatch):
    model = new_model(LearnerSettings())
    for mail, label in MAILS:
        model.learn_one(mail, label)
    table, opposite = of_model(monkeypatch, model), of_model(monkeypatch, model, positive="ham")
    assert (table.head[3:], opposite.head[3:]) == (
        ("P(word | ham)", "P(word | spam)"),
        ("P(word | spam)", "P(word | ham)"),
    )
    weights, against = ({row[1]: row[2] for row in found.rows} for found in (table, opposite))
    assert against == {word: pytest.approx(-weight) for word, weight in weights.items()}
    assert of_model(monkeypatch, model, smoothing=9.0).rows != table.rows


def test_words_whose_text_is_unknown_are_left_out(monkeypatch):
    model = new_model(LearnerSettings())
    for mail, label in MAILS:
        model.learn_one(mail, label)
    (first, *others), all_rows = word_weights(model, "spam"), of_model(monkeypatch, model).rows
    monkeypatch.setattr(export, "word_weights", lambda *_: (first._replace(text=""), *others))
    assert of_model(monkeypatch, model).rows == [row for row in all_rows if row[1] != first.text]


def test_a_model_on_a_log_without_words_or_with_more_classes_is_refused(monkeypatch):
    with pytest.raises(UserError, match="counts no words"):
        of_model(monkeypatch, new_model(LearnerSettings(model="gaussian")))
    model = new_model(LearnerSettings(model="multinomial"))
    for label in ("spam", "ham", "club"):
        model.learn_one(MAILS[0].mail, label)
    with pytest.raises(UserError, match="spam: bias and weights need exactly two classes"):
        of_model(monkeypatch, model)


@pytest.fixture(scope="module")
def live(tmp_path_factory):
    """The URL of a log with a trained model."""
    root = tmp_path_factory.mktemp("live")
    for i, mail in enumerate(MAILS):
        (root / "mails" / mail.label).mkdir(parents=True, exist_ok=True)
        raw = b"Subject: it: %s [list]\n\n%s\n" % (mail.label.encode(), mail.mail.parts[0].text)
        (root / "mails" / mail.label / f"{i:03}.eml").write_bytes(raw)
    url = f"sqlite:{root / 'log'}"
    fed = CliRunner().invoke(cli, ["feed", str(root / "mails"), "--labels", "--log", url])
    assert fed.exit_code == 0, fed.output
    settings = load_settings(None, {}, url)
    with open_log(settings) as log:
        run_worker(log, settings)
    return url


def test_L1_L5_the_words_of_the_model_on_a_log_are_exported(live, tmp_path):
    out = tmp_path / "w.csv"
    ran = CliRunner().invoke(cli, ["export", str(out), "--log", live])
    assert ran.exit_code == 0, ran.output
    with out.open(encoding="utf-8", newline="") as file:
        rows = {row["word"]: row for row in csv.DictReader(file)}
    assert float(rows["free"]["weight"]) > 0 > float(rows["meeting"]["weight"])
    assert float(rows["free"]["P(word | spam)"]) > float(rows["free"]["P(word | ham)"])
    assert rows[""]["weight"] == "0.0"
    ran = CliRunner().invoke(cli, ["export", str(out), "--log", live, "--top", "5"])
    with out.open(encoding="utf-8", newline="") as file:
        _, *top = csv.reader(file)
    probable = [
        [label, row["word"], row[f"P(word | {label})"]]
        for label in ("ham", "spam")
        for row in sorted(
            (row for word, row in rows.items() if word),
            key=lambda row, column=f"P(word | {label})": (-float(row[column]), row["word"]),
        )[:5]
    ]
    assert top == probable
    ran = CliRunner().invoke(cli, ["export", str(out), "--log", live, "--positive", "offer"])
    assert isinstance(ran.exception, UserError)
    assert "class offer has not been learned; choose --positive from: ham, spam" in str(ran.exception)


def test_a_log_whose_model_has_learned_nothing_has_no_class_to_choose(tmp_path):
    url = f"sqlite:{tmp_path / 'log'}"
    loaded = tmp_path / "empty.snb"
    loaded.write_bytes(new_model(LearnerSettings()).to_bytes())
    assert CliRunner().invoke(cli, ["load", str(loaded), "--log", url]).exit_code == 0

    ran = CliRunner().invoke(cli, ["export", str(tmp_path / "w.csv"), "--log", url])

    assert "the model has learned no label yet, so there are no weights to export" in str(ran.exception)


def test_M10_the_model_on_a_log_is_drawn_with_its_words(live, tmp_path):
    out = tmp_path / "net.svg"
    ran = CliRunner().invoke(cli, ["net", str(out), "--log", live])
    assert ran.exit_code == 0, ran.output
    assert "80 labels learned, classes ham, spam" in ran.output
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    texts = [element.text for element in ET.fromstring(out.read_text("utf-8")).iter() if element.tag.endswith("text")]
    words = [text.split()[0] for text in texts if text.startswith("   ")]
    assert len(words) == 12
    assert all(re.search(r"[a-z]{2}", word.rpartition(":")[2]) for word in words)
    empty = CliRunner().invoke(cli, ["net", str(out), "--log", f"sqlite:{tmp_path / 'other'}"])
    assert isinstance(empty.exception, LogUnavailable)
    assert "no log is here" in str(empty.exception)
