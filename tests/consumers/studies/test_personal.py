"""The personal spam detector: chosen on validation mails, judged once; and the notes' own vectors as input."""

import json
import math
import re

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.studies import personal
from consumers.studies.corpus import Labelled, divided, load, word_counts, word_set
from stream_nb import MailNB, MultinomialNB
from stream_nb.metrics import wilson


def test_P2_personal_filter_never_sees_the_test_mails(mails):
    setting, result = personal.study(mails, (400, 50, 50))
    chosen = setting.figures["chosen"]
    assert chosen.accuracy >= 0.9
    assert sum(result.figures["confusion"]) == 50
    assert result.figures["accuracy"] >= 0.85
    row = result.tables[0][1][0]
    assert row[1:] == (result.figures["accuracy"], *wilson(round(result.figures["accuracy"] * 50), 50))
    # other labels on the test mails leave the choice as it was
    places = set(divided(list(range(len(mails))), (400, 50, 50), seed=0)[2])
    other = {"ham": "spam", "spam": "ham"}
    changed = [Labelled(mail, other[y] if i in places else y) for i, (mail, y, _) in enumerate(mails)]
    again, turned = personal.study(changed, (400, 50, 50))
    assert again.figures["chosen"] == chosen
    assert turned.figures["accuracy"] == pytest.approx(1 - result.figures["accuracy"])


def test_P2_a_limit_on_lost_mail_is_kept_in_validation(mails):
    setting, _ = personal.study(mails, (400, 50, 50), max_fpr=0.0)
    threshold = setting.figures["chosen"].threshold
    train, validation, _ = divided(mails, (400, 50, 50), seed=0)
    model = MailNB(smoothing=setting.figures["chosen"].smoothing)
    for mail, label, _ in train:
        model.learn_one(mail, label)
    assert all(model.score(mail).log_odds <= threshold for mail, label, _ in validation if label == "ham")


def test_P2_too_few_mails_is_one_clear_line(mails):
    with pytest.raises(UserError, match="500 mails are needed"):
        personal.study(mails[:100])
    with pytest.raises(UserError, match="all of one kind"):
        personal.study([mail for mail in mails if mail.label == "ham"], (40, 10, 10))


def test_P2_command_writes_a_report(folder, tmp_path):
    out = tmp_path / "report.html"
    ran = CliRunner().invoke(cli, ["personal", str(folder), "--out", str(out)])
    assert ran.exit_code == 0, ran.output
    assert "Result on the test mails" in ran.output
    html = out.read_text()
    assert "accuracy" in html
    assert "<script" not in html
    assert not re.search(r"(src|href)\s*=", html)


def test_P3_the_notes_own_vector_is_accepted(tmp_path):
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
    mails = load(str(path)).mails
    assert [mail.label for mail in mails] == ["spam", "ham"]
    read = MultinomialNB()
    read.learn_one(mails[0].mail, "spam")
    read.learn_one("I just would like to remind you of your scheduled presentation", "ham")
    assert read.word_probabilities("free")["spam"] == pytest.approx(spam)
    assert word_set(mails[0].mail) == dict.fromkeys(x, 1)
    assert word_counts(mails[0].mail) == x
