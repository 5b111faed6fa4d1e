"""Each study gives the figures it claims, on mail of our own making; the commands write whole, harmless reports."""

import json
import math
import random
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.studies import (
    convergence,
    dependence,
    gaussian,
    learning,
    logistic,
    numbers,
    personal,
    picture,
    risk,
    sample,
    smoothing,
)
from consumers.studies.charts import histogram, line_chart
from consumers.studies.corpus import Labelled, divided, load, word_set
from consumers.studies.report import Section, in_text, page
from stream_nb import MailNB, MultinomialNB
from stream_nb.metrics import wilson
from stream_nb.types import Mail, Part

HAM = "meeting schedule noon report notes lunch project budget review team".split()
SPAM = "free money offer winner pills cheap prize click claim lottery".split()
BOTH = "hello you the a today please see with for our".split()


def mails_of_our_own(n, seed=0):
    rng = random.Random(seed)
    mails = []
    for _ in range(n):
        label = "spam" if rng.random() < 0.4 else "ham"
        words = [rng.choice((SPAM if label == "spam" else HAM) if rng.random() < 0.3 else BOTH) for _ in range(12)]
        words += ["win", "now!!!"] if label == "spam" and rng.random() < 0.5 else []  # two words that come together
        mails.append(Labelled(Mail((Part("", " ".join(words).encode()),)), label))
    return mails


@pytest.fixture(scope="module")
def mails():
    return mails_of_our_own(600)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    root = tmp_path_factory.mktemp("mails")
    for i, (mail, label) in enumerate(mails_of_our_own(520, seed=1)):
        (root / label).mkdir(exist_ok=True)
        (root / label / f"{i:04}.txt").write_bytes(b"Subject: number %d\n\n%s\n" % (i, mail.parts[0].text))
    return root


@pytest.mark.parametrize("sizes", [(400, 50, 50), (10, 0, 5)])
def test_Q5_parts_do_not_overlap(sizes):
    parts = divided(list(range(500)), sizes, seed=3)
    assert [len(part) for part in parts] == list(sizes)
    assert len(set().union(*parts)) == sum(sizes)
    assert parts == divided(list(range(500)), sizes, seed=3)
    with pytest.raises(UserError, match=r"501 mails are needed \(400 \+ 101\), there are 500"):
        divided(list(range(500)), (400, 101), seed=3)


def test_Q6_learning_curve_rises_for_test_mails_and_starts_overfitted(mails):
    rows = learning.study(mails).figures["rows"]
    assert [size for size, _, _ in rows] == [10, 20, 50, 100, 200, 480]
    assert rows[0][1] == 1.0 > rows[0][2]
    assert rows[-1][2] > rows[0][2] + 0.05
    assert abs(rows[-1][1] - rows[-1][2]) < rows[0][1] - rows[0][2]


def test_Q6_last_test_accuracy_is_a_plain_fit_and_test(mails):
    train, test = divided(mails, (480, 120), seed=0)
    model = MultinomialNB(smoothing=0.1, presence=True)
    for mail, label in train:
        model.learn_one(mail, label)
    expected = sum(model.predict_one(mail) == label for mail, label in test) / 120
    assert learning.study(mails).figures["rows"][-1][2] == expected


def test_Q7_one_pass_equals_one_run_for_each_lambda(mails):
    rows = smoothing.study(mails[:200], (0.0, 0.1, 1.0)).figures["rows"]
    for value, accuracy in rows:
        model, right = MultinomialNB(smoothing=value, presence=True), 0
        for mail, label in mails[:200]:
            right += model.predict_one(mail) == label
            model.learn_one(mail, label)
        assert accuracy == right / 200
    assert rows[1][1] > rows[0][1]  # a little smoothing beats none


def test_Q8_estimates_end_near_the_truth_and_depend_on_the_seed_only():
    section = convergence.study(seed=4, draws=5000)
    for _, truth, estimate, error in section.figures["table"]:
        assert abs(estimate - truth) < 4 * error
    assert section == convergence.study(seed=4, draws=5000)
    assert section != convergence.study(seed=5, draws=5000)
    assert len(section.charts) == 3


def test_Q9_misfit_tells_normal_from_not(mails):
    section = gaussian.study(mails)
    misfits = {(feature, label): misfit for feature, label, _, _, misfit in section.figures["misfits"]}
    assert misfits["exclamations", "spam"] > 0.2  # there or not there
    assert misfits["log bytes", "ham"] < 0.1
    assert any("exclamations in spam" in chart and 'class="bar"' in chart for chart in section.charts)


def test_M7_report_of_gaussian_against_binned_accuracy(mails):
    accuracy = gaussian.study(mails).figures["accuracy"]
    assert set(accuracy) == {"Gaussian, own variances", "Gaussian, shared variance", "12 bins"}
    assert all(0.5 < value < 1.0 for value in accuracy.values())


def test_Q10_regret_is_never_negative_and_falls():
    figures = risk.study(judged=400).figures
    assert 0 < figures["bayes_risk"] < 0.5
    regrets = [regret for _, _, regret in figures["rows"]]
    assert min(regrets) >= -1e-12
    assert regrets[-1] < 0.01 < max(regrets)


def test_Q11_dependent_words_are_found_and_independent_ones_left_alone():
    section = dependence.study(mails_of_our_own(2000, seed=2))
    share = {label: dependent for label, _, _, dependent in section.figures["summary"]}
    top = section.tables[2][1][0]
    assert {top[0], top[1]} == {"win", "now"}
    assert top[2] == pytest.approx(0.5, abs=0.05)
    assert top[3] == pytest.approx(0.25, abs=0.05)
    assert share["ham"] < 0.1


def test_Q11_chi_square_equals_scipy():
    from scipy.stats import chi2_contingency

    both, a, b, n = 30, 50, 60, 200
    table = np.array([[both, a - both], [b - both, n - a - b + both]])
    joint, product, ratio, chi_square = dependence._compare(both, a, b, n)
    assert chi_square == pytest.approx(chi2_contingency(table, correction=False).statistic)
    assert (joint, product, ratio) == (0.15, 0.075, 2.0)


def test_L6_both_curves_and_the_filled_table(mails):
    section = logistic.study(mails)
    scores = {name: accuracy for name, accuracy, _ in section.figures["rows"]}
    assert min(scores.values()) > 0.85
    assert section.charts[0].count("<polyline") == 2
    table = section.tables[1][1]
    assert all(all(cell.strip() for cell in row) for row in table)
    assert ("similar", "linear classifier: sign of w.x + b", "linear classifier: sign of w.x + b") in table


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
    changed = [Labelled(mail, other[y] if i in places else y) for i, (mail, y) in enumerate(mails)]
    again, turned = personal.study(changed, (400, 50, 50))
    assert again.figures["chosen"] == chosen
    assert turned.figures["accuracy"] == pytest.approx(1 - result.figures["accuracy"])


def test_P2_a_limit_on_lost_mail_is_kept_in_validation(mails):
    setting, _ = personal.study(mails, (400, 50, 50), max_fpr=0.0)
    threshold = setting.figures["chosen"].threshold
    train, validation, _ = divided(mails, (400, 50, 50), seed=0)
    model = MailNB(smoothing=setting.figures["chosen"].smoothing)
    for mail, label in train:
        model.learn_one(mail, label)
    assert all(model.score(mail).log_odds <= threshold for mail, label in validation if label == "ham")


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
    mails = load(str(path))
    assert [label for _, label in mails] == ["spam", "ham"]
    read = MultinomialNB()
    read.learn_one(mails[0].mail, "spam")
    read.learn_one("I just would like to remind you of your scheduled presentation", "ham")
    assert read.word_probabilities("free")["spam"] == pytest.approx(spam)
    assert word_set(mails[0].mail) == dict.fromkeys(x, 1)


def test_study_commands(folder, tmp_path):
    out = tmp_path / "all.html"
    ran = CliRunner().invoke(cli, ["study", "all", str(folder), "--limit", "150", "--out", str(out)])
    assert ran.exit_code == 0, ran.output
    html = out.read_text()
    assert html.count("<h2>") == 8
    for svg in re.findall(r"<svg.*?</svg>", html, re.S):
        ET.fromstring(svg)
    assert CliRunner().invoke(cli, ["study", "convergence"]).exit_code == 0
    ran = CliRunner().invoke(cli, ["study", "learning"])
    assert isinstance(ran.exception, UserError)
    assert "needs mails" in str(ran.exception)


def test_M10_picture_of_a_model_trained_on_the_mails(mails):
    filter_, mixed = picture.study(mails[:100]).charts
    assert "MailNB" in filter_
    assert "MixedNB" in mixed
    assert mixed.count("node seen") == 3


def test_M9_drawn_mails_are_a_source_that_feed_reads(tmp_path):
    truth = MultinomialNB(smoothing=0.0)
    for mail, label in mails_of_our_own(50):
        truth.learn_one(mail, label)
    sample.write_folder(truth, tmp_path / "drawn", 200, seed=1, length=20)
    drawn = load(str(tmp_path / "drawn"))
    assert len(drawn) == 200
    words = set().union(*(word_set(mail) for mail, _ in drawn))
    body = {word.removeprefix("subject:") for word in words if ":" not in word.removeprefix("subject:")}
    assert body <= {word for word, _ in truth.top_words("ham", truth.words)}
    right = sum(truth.predict_one(mail) == label for mail, label in drawn)
    assert right > 120
    with pytest.raises(UserError, match="not empty"):
        sample.write_folder(truth, tmp_path / "drawn", 1, seed=1)


def test_one_class_is_refused(tmp_path):
    (tmp_path / "ham").mkdir()
    (tmp_path / "ham" / "1.txt").write_text("Subject: a\n\nb\n")
    with pytest.raises(UserError, match="two classes"):
        load(str(tmp_path))


def test_reports_escape_what_they_are_given():
    evil = "</td><script>alert(1)</script>\x1b"
    section = Section(
        evil, (evil,), (((evil,), [(evil,), (0.5,)]),), (line_chart({evil: [(0, 1), (1, 2)]}, evil, evil),)
    )
    html = page(evil, [section])
    assert "<script" not in html
    assert "\x1b" not in in_text(Section("t", (), (((evil,), [(evil,)]),)))


def test_charts_survive_empty_flat_and_infinite_lines():
    for points in ([], [(1, 1)], [(0, 5), (1, 5)], [(0, math.inf), (1, math.nan), (2, 3)], [(0, 1), (10, 2)]):
        for log_x in (False, True):
            ET.fromstring(line_chart({"a": points}, "x", "y", log_x=log_x))
    assert math.fsum(h * (b - a) for a, b, h in histogram([1, 2, 2, 9], bins=7)) == pytest.approx(1)
    assert histogram([3.0, 3.0])[0][2] > 0


def test_numbers_of_an_empty_mail_are_finite():
    for mail in (Mail(()), Mail((Part("", b""),)), Mail((Part("", b"\xff" * 10),))):
        assert all(math.isfinite(value) for value in numbers.mail_numbers(mail).values())
    assert word_set(Mail((Part("subject", b"Free"), Part("", b"free free")))) == {"subject:free": 1, "free": 1}
