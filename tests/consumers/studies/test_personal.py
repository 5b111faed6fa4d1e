"""The personal filter: how mails are divided, its report and its file; and word counts as input."""

import csv
import json
import math
import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from consumers.cli import progress
from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.filter.model_file import ModelFile
from consumers.ingest.formats import open_source
from consumers.settings import LearnerSettings, Settings
from consumers.studies import personal
from consumers.studies.corpus import Labelled, divided, load, word_counts, word_set
from stream_nb import MailNB, MultinomialNB
from stream_nb.types import Score
from tests.consumers.studies.made import drawn_mails, with_numbers


def test_P2_all_mails_are_used(mails):
    setting, result, _ = personal.study(mails[:100], MailNB()).sections
    assert "80 mails for training, 10 for validation, 10 for the test" in setting.text[0]
    assert "fewer mails" not in setting.text[0]
    assert sum(result.figures["confusion"]) == 10


def test_P2_fewer_mails_than_asked_for_are_divided_in_the_same_proportions(mails):
    setting, result, _ = personal.study(mails[:100], MailNB(), (400, 50, 50)).sections
    assert "80 mails for training, 10 for validation, 10 for the test" in setting.text[0]
    assert "fewer mails than asked for" in setting.text[0]
    assert sum(result.figures["confusion"]) == 10


def test_P2_too_few_mails_of_all_or_of_one_class_are_refused(mails):
    with pytest.raises(UserError, match="49 labelled mails would be split 41 / 4 / 4"):
        personal.study(mails[:49], MailNB())
    ham, spam = ([mail for mail in mails if mail.label == label] for label in ("ham", "spam"))
    for rare in (0, 2):
        with pytest.raises(UserError, match=rf"of {60 + rare} mails {rare} are of the class 'spam' and 60 of others"):
            personal.study(ham[:60] + spam[:rare], MailNB(), (40, 10, 10))


def test_P2_each_part_has_mails_of_a_rare_class(mails):
    """With four mails of a hundred, most random divisions leave one part without any."""
    ham, spam = ([mail for mail in mails if mail.label == label] for label in ("ham", "spam"))
    for seed in range(5):
        _, result, _ = personal.study(ham[:96] + spam[:4], MailNB(), (80, 10, 10), seed=seed).sections
        caught, missed, lost, kept = result.figures["confusion"]
        assert caught + missed >= 1 and lost + kept >= 1


def test_P2_the_columns_of_a_table_can_be_named(mails, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with open("mails.csv", "w", newline="") as file:
        rows = ((mail.parts[0].text.decode(), label) for mail, label in mails[:60])
        csv.writer(file).writerows([("body", "kind"), *rows])
    columns = ["--label-column", "kind", "--text-column", "body"]
    ran = CliRunner().invoke(cli, ["personal", "mails.csv", *columns])
    assert ran.exit_code == 0, ran.output
    assert "60 labelled mails" in ran.output and "48 mails for training" in ran.output


def test_P2_the_command_writes_a_report_that_loads_nothing(folder, tmp_path):
    out = tmp_path / "report.html"
    ran = CliRunner().invoke(cli, ["personal", str(folder), "--out", str(out), "--model", str(tmp_path / "my.snb")])
    assert ran.exit_code == 0, ran.output
    assert "Result on the test mails" in ran.output
    assert ran.stderr == "training, choosing smoothing and threshold, testing\n"  # of many mails this takes long
    html = out.read_text()
    assert "accuracy" in html
    assert "<script" not in html
    assert not re.search(r"(src|href)\s*=", html)


@pytest.fixture
def mailbox(tmp_path):
    """A folder of mails, a tenth of which are in the wrong class; each subject is a script."""
    for number, mail in enumerate(drawn_mails(120, seed=3)):
        label = {"ham": "spam", "spam": "ham"}[mail.label] if number % 10 == 0 else mail.label
        (tmp_path / "mail" / label).mkdir(parents=True, exist_ok=True)
        head = f"From: Ann <ann{number}@example.org>\nSubject: <script>alert({number})</script>\n\n"
        (tmp_path / "mail" / label / f"{number:03}.eml").write_bytes(head.encode() + mail.mail.parts[0].text + b"\n")
    return tmp_path / "mail"


def test_P2_a_progress_bar_is_shown_while_mails_are_read(folder, tmp_path, monkeypatch):
    monkeypatch.setattr(progress, "can_redraw", lambda: True)
    files = ("--out", str(tmp_path / "my.html"), "--model", str(tmp_path / "my.snb"))
    ran = CliRunner().invoke(cli, ["personal", str(folder), *files])

    assert ran.exit_code == 0, ran.output
    assert ran.stderr.startswith("mails")


def test_P2_the_saved_filter_is_the_tested_one(mailbox, tmp_path, monkeypatch):
    """The file keeps the tested smoothing and threshold, also after it has learned more."""
    monkeypatch.chdir(tmp_path)
    ran = CliRunner().invoke(cli, ["personal", str(mailbox), "--lose-at-most", "0"])
    assert ran.exit_code == 0, ran.output
    kept = Path("personal.snb")
    assert kept.stat().st_mode & 0o777 == 0o600
    assert ran.output.rstrip().endswith("next: stream-nb classify --model personal.snb < mail.eml")

    model = ModelFile(kept, Settings())
    mails = load(open_source(mailbox), "a mailbox").mails
    paths = {item.value: item for item in open_source(mailbox)}
    places = divided(list(range(120)), (96, 12, 12), seed=0)[2]
    raw = list(paths)
    misfiled = []
    for place in places:
        reply = model.check(raw[place])
        assert reply.label in ("ham", "spam")
        if reply.label != mails[place].label:
            number = re.search(rb"ann\d+", raw[place])[0].decode()
            misfiled.append((number, mails[place].label, reply.label, f"{reply.probability:.4g}"))
    assert misfiled, "no test mail is misfiled, so nothing is tested"
    shown = ran.output[ran.output.index("Misfiled test mails") :]
    for number, label, predicted, probability in misfiled:
        (line,) = [line for line in shown.splitlines() if f"<{number}@" in line]
        assert line.split()[-3:] == [label, predicted, probability]
    assert shown.count("@example.org") == len(misfiled)

    page = Path("personal.html").read_text()
    assert "&lt;script&gt;alert(" in page and "<script" not in page

    wrong = next(mailbox.glob("*/*.eml"))
    before = kept.read_bytes()
    learned = CliRunner().invoke(cli, ["learn", "--as", "new", "--model", "personal.snb", str(wrong)])
    assert learned.exit_code == 0 and kept.read_bytes() != before
    assert ModelFile(kept, Settings()).threshold == model.threshold != 0.0
    assert ModelFile(kept, Settings(learner=LearnerSettings(threshold=7.0))).threshold == 7.0


def test_P2_at_most_a_hundred_misfiled_mails_are_shown_the_surest_first():
    other = {"ham": "spam", "spam": "ham"}
    mails = drawn_mails(700, seed=3)
    turned = mails[:300] + [Labelled(mail, other[label]) for mail, label in mails[300:]]
    section = personal.study(turned, MailNB(), (100, 100, 500), seed=1).sections[-1]
    rows = section.tables[0][1]
    assert len(section.figures["misfiled"]) > len(rows) == 100
    assert "; the first 100 are shown." in section.text[1]
    sure = [abs(math.log(row[-1] / (1 - row[-1]))) for row in rows]
    assert sure[0] > sure[-1]


class Sure(MailNB):
    """Takes every mail for one of the family, as surely as its number says, or for spam."""

    def score(self, x):
        sure = dict(x.features)["sure"]
        if not sure:
            return Score("spam", 1.0, 0.7, {"spam": 1.0, "work": 0.0, "family": 0.0}, 1, 0)
        return Score("family", -9.0, 0.0, {"spam": sure - 9.0, "work": -sure, "family": sure}, 1, 0)


def test_P2_the_surest_of_mails_misfiled_among_other_classes_come_first():
    """Their log-odds of the positive class say nothing about it."""
    mails = [with_numbers("work", {"sure": float(n)}) for n in range(1, 101)] + [
        with_numbers("spam", {"sure": 0.0})
    ] * 20
    section = personal.study(mails, Sure(), (60, 20, 40), seed=2).sections[-1]
    sure = [float(row[0].split()[-1]) for row in section.figures["misfiled"]]
    assert len(sure) > 20 and sure == sorted(sure, reverse=True)


def test_P2_the_training_mails_can_be_forgotten(mailbox, tmp_path):
    kept = tmp_path / "my.snb"
    assert (
        CliRunner()
        .invoke(cli, ["personal", str(mailbox), "--model", str(kept), "--out", str(tmp_path / "out.html")])
        .exit_code
        == 0
    )
    ran = CliRunner().invoke(cli, ["learn", "--forget", "--model", str(kept), str(mailbox)])
    assert "96 mails forgotten, 24 not: never learned" in ran.output
    assert MailNB.from_bytes(kept.read_bytes()).labels_learned == 0


def test_P2_an_existing_file_is_not_overwritten(mailbox, tmp_path):
    kept = tmp_path / "my.snb"
    kept.write_bytes(b"learned for years")
    ran = CliRunner().invoke(cli, ["personal", str(mailbox), "--model", str(kept)])
    assert ran.exit_code != 0
    assert "my.snb exists" in str(ran.exception)
    assert ran.output == "", "the mails were read first"
    assert kept.read_bytes() == b"learned for years"


def test_P2_the_positive_class_can_be_chosen(mailbox, tmp_path):
    (mailbox / "spam").rename(mailbox / "work")
    (mailbox / "ham").rename(mailbox / "play")
    kept = tmp_path / "my.snb"
    options = ["--positive", "work", "--model", str(kept), "--out", str(tmp_path / "out.html")]
    ran = CliRunner().invoke(cli, ["personal", str(mailbox), *options])
    assert ran.exit_code == 0, ran.output
    model = ModelFile(kept, Settings())
    replies = [model.check(item.value) for item in open_source(mailbox)]
    assert {reply.label for reply in replies} == {"work", "play"}
    assert all(reply.is_spam == (reply.label == "work") for reply in replies)


def test_P3_the_word_counts_of_the_notes_are_accepted(tmp_path):
    model = MultinomialNB()
    x = {"free": 100, "identification": 2, "lottery": 10, "money": 10}
    model.learn_one(x, "spam")
    model.learn_one("I just would like to remind you of your scheduled presentation", "ham")
    spam = model.word_probabilities("free")["spam"]
    assert spam == pytest.approx(101 / (122 + model.words))
    assert model.predict_one(x) == "spam"
    assert model.joint_log_likelihood(x)["spam"] == pytest.approx(
        math.log(0.5) + sum(count * math.log(model.word_probabilities(word)["spam"]) for word, count in x.items())
    )
    lines = [{"id": str(i), "words": x, "label": y} for i, y in enumerate(["spam", "ham"])]
    path = tmp_path / "vectors.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    mails = load(open_source(path), "a mailbox").mails
    assert [mail.label for mail in mails] == ["spam", "ham"]
    read = MultinomialNB()
    read.learn_one(mails[0].mail, "spam")
    read.learn_one("I just would like to remind you of your scheduled presentation", "ham")
    assert read.word_probabilities("free")["spam"] == pytest.approx(spam)
    assert word_set(mails[0].mail) == dict.fromkeys(x, 1)
    assert word_counts(mails[0].mail) == x


def test_after_a_table_the_command_suggests_to_load_the_filter_into_a_log(tmp_path, monkeypatch):
    """It used to suggest `classify`, which reads mail and so has none of the numbers."""
    monkeypatch.chdir(tmp_path)
    rows = [f"{n % 7},{('ham', 'spam')[n % 7 > 3]}" for n in range(60)]
    Path("rows.csv").write_text("\n".join(["size,kind", *rows]))
    ran = CliRunner().invoke(cli, ["personal", "rows.csv", "--label-column", "kind"])
    assert ran.output.rstrip().endswith("next: stream-nb load personal.snb, and feed new messages")
    assert "labels learned" in CliRunner().invoke(cli, ["load", "personal.snb", "--log", "sqlite:log"]).output
