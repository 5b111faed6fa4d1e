"""The study command: every study without a path, on a path and on the log; options, reports and charts."""

import json
import math
import re
import xml.etree.ElementTree as ET

import numpy as np
import pytest
from click.testing import CliRunner

from consumers.cli.commands.study import STUDIES
from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.studies import sample
from consumers.studies.charts import Annotation, Line, histogram, line_chart
from consumers.studies.corpus import generate, load, word_counts, word_set
from consumers.studies.report import Section, in_text, page, write
from stream_nb import MultinomialNB
from tests.consumers.studies.made import drawn_mails


def run(*arguments):
    return CliRunner().invoke(cli, ["study", *map(str, arguments)])


@pytest.mark.parametrize("name", STUDIES)
def test_every_study_runs_without_a_path_and_names_the_units_of_both_axes(name, tmp_path):
    out = tmp_path / "report.html"
    ran = run(name, "--limit", 150, "--seed", 3, "--out", out)
    assert ran.exit_code == 0, ran.output
    if name not in ("convergence", "risk"):
        assert "150 generated mails, seed 3" in ran.output
        assert "150 generated mails, seed 3" in out.read_text()
    pictures = re.findall(r"<svg.*?</svg>", out.read_text(), re.S)
    assert pictures
    for svg in pictures:
        ET.fromstring(svg)
        if "Bayes net" not in svg:
            upward, rightward = re.search(r'aria-label="(.*?)"', svg)[1].split(" against ")
            assert re.search(r"\(.+\)|share of", upward), upward
            assert re.search(r"\(.+\)", rightward), rightward


def test_all_studies_of_a_folder_in_one_report(folder, tmp_path):
    out = tmp_path / "all.html"
    ran = run("all", folder, "--limit", 150, "--out", out)
    assert ran.exit_code == 0, ran.output
    assert f"150 labelled mails of 520 (folder with the classes ham, spam) at {folder}" in ran.output
    assert out.read_text().count("<h2>") == len(STUDIES)
    assert "<script" not in out.read_text()


def test_options_that_a_study_does_not_have_and_unknown_values_are_refused(folder):
    for arguments, message in (
        (("logistic", folder, "--positive", "offer"), "no mail is of the class 'offer'; name one of ham, spam"),
        (("risk", folder, "--positive", "offer"), "of the class 'offer'"),
        (("events", folder, "--positive", "offer"), "of the class 'offer'"),
        (("logistic", folder, "--heads", "0.5"), "study logistic has no --heads"),
        (("smoothing", folder, "--model", "mail"), "--model mail: the models of this study are multinomial"),
        (("likelihood", "--limit", 10, "--model", "mail"), "study are multinomial, boolean, bernoulli, categorical"),
        (("gaussian", folder, "--feature", "weight"), "--feature weight: the numbers are capitals"),
        (("dependence", folder, "--words", "free,zebra"), "no mail has zebra"),
        (("dependence", "--shuffle", 1), "--shuffle, --classes, --label-column and --text-column need a PATH"),
        (("dependence", "sqlite:x", "--label-column", "class"), "sqlite:x: the mails of a log have labels"),
    ):
        ran = run(*arguments)
        assert isinstance(ran.exception, UserError), arguments
        assert message in str(ran.exception)


def test_Q11_a_study_reads_the_labelled_mails_of_the_log(folder, tmp_path):
    log = f"sqlite:{tmp_path / 'log'}"
    fed = CliRunner().invoke(cli, ["feed", str(folder), "--labels", "--limit", "200", "--log", log])
    assert fed.exit_code == 0, fed.output
    label = ["label", "--log", log, "no-such-mail", "spam"]
    CliRunner().invoke(cli, label)
    ran = run("dependence", log, "--words", "hello,free,win,now")
    assert ran.exit_code == 0, ran.output
    assert f"200 labelled mails (log) at {log}." in ran.output
    assert re.search(r"^now +win ", ran.output, re.M)


def test_the_numbers_in_messages_are_studied(tmp_path):
    rng = np.random.default_rng(0)
    lines = [
        {"id": str(i), "features": {"size": float(rng.normal(9 if i % 2 else 3, 1)), "same": 7}, "label": "ab"[i % 2]}
        for i in range(80)
    ]
    path = tmp_path / "numbers.jsonl"
    path.write_text("\n".join(map(json.dumps, lines)))
    ran = run("gaussian", path)
    text = " ".join(ran.output.split())
    assert "2 numbers of 80 messages" in text
    assert "without information: same" in text
    assert run("gaussian", path, "--feature", "size").output.count("size") >= 2


def test_a_study_of_words_is_refused_for_mails_without_words(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("size,colour,class\n" + "".join(f"{i % 7}.5,red,{'ab'[i % 2]}\n" for i in range(40)))
    table = (path, "--label-column", "class")

    refused = run("learning", *table)
    assert isinstance(refused.exception, UserError)
    assert "study learning reads words, but no mail has any; give --text-column" in str(refused.exception)
    for arguments in (("gaussian", *table), ("likelihood", *table, "--model", "gaussian")):
        assert run(*arguments).exit_code == 0
    every = run("all", *table, "--positive", "a")
    assert every.exit_code == 0, every.output
    assert "A Gaussian over the histogram" in every.output and "Learning curve" not in every.output
    assert "learning is left out: study learning reads words" in every.output
    assert "boundary is left out: a boundary needs two numbers" in every.output


def test_M9_drawn_mails_can_be_read_like_any_folder(tmp_path):
    truth = MultinomialNB(smoothing=0.0)
    for mail, label in drawn_mails(50):
        truth.learn_one(mail, label)
    sample.write_folder(truth, tmp_path / "drawn", 200, seed=1, length=20)
    drawn = load(open_source(tmp_path / "drawn"), "drawn").mails
    assert len(drawn) == 200
    words = set().union(*(word_counts(mail.mail) for mail in drawn))
    assert words <= {word for word, _ in truth.top_words("ham", truth.words)}
    right = sum(truth.predict_one(mail.mail) == mail.label for mail in drawn)
    assert right > 120
    with pytest.raises(UserError, match="not empty"):
        sample.write_folder(truth, tmp_path / "drawn", 1, seed=1)


@pytest.mark.parametrize("option", ["--words=nan", "--words=inf", "--seed=-1", "--mails=0"])
def test_M9_a_number_that_cannot_be_drawn_with_is_refused(tmp_path, folder, option):
    ran = CliRunner().invoke(sample.main, [str(folder), str(tmp_path / "drawn"), option])
    assert ran.exit_code == 2, ran.output
    assert option.partition("=")[0] in ran.output


def test_M9_each_class_has_a_folder_of_its_own_among_the_drawn_mails(tmp_path):
    truth = MultinomialNB(smoothing=0.0)
    for label in ("..", ".hidden", "a/b", "a_b", "a%2Fb"):
        truth.learn_one("free money", label)
    sample.write_folder(truth, tmp_path / "drawn", 60, seed=1)
    assert [path.name for path in tmp_path.iterdir()] == ["drawn"]
    assert sorted(path.name for path in (tmp_path / "drawn").iterdir()) == [
        "%2E.", "%2Ehidden", "a%252Fb", "a%2Fb", "a_b"
    ]  # fmt: skip


def test_M9_drawn_mails_have_words_of_their_class_and_none_with_header_prefixes(tmp_path, folder):
    ran = CliRunner().invoke(sample.main, [str(folder), str(tmp_path / "drawn"), "--mails", "30"])
    assert ran.exit_code == 0, ran.output
    learned, drawn = load(open_source(folder), "learned").mails, load(open_source(tmp_path / "drawn"), "drawn").mails
    assert len(drawn) == 30
    for label in ("ham", "spam"):
        words, own = (set().union(*(word_counts(x) for x, y in mails if y == label)) for mails in (drawn, learned))
        assert words <= own
    for path in (tmp_path / "drawn").rglob("*.eml"):
        head, body = path.read_bytes().split(b"\r\n\r\n", 1)
        assert b":" not in body
        assert head.count(b"subject:") == 0


def test_M9_a_folder_that_is_not_empty_or_cannot_be_made_is_refused_before_learning(tmp_path, folder, monkeypatch):
    monkeypatch.setattr(sample, "load", None)
    (tmp_path / "file").write_text("")
    for out, why in ((folder, "is not empty; give a new folder"), (tmp_path / "file" / "a", "name a folder that can")):
        ran = CliRunner().invoke(sample.main, [str(folder), str(out)])
        assert ran.exit_code == 2
        assert ran.output.startswith(f"Error: {out}") and why in ran.output


def test_mails_of_only_one_class_are_refused(tmp_path):
    (tmp_path / "ham").mkdir()
    (tmp_path / "ham" / "1.txt").write_text("Subject: a\n\nb\n")
    with pytest.raises(UserError, match="two classes"):
        load(open_source(tmp_path), "a folder")


def test_a_path_that_is_not_utf_8_is_escaped_in_the_report(tmp_path):
    write(tmp_path / "report.html", "title", [], "mail at sp\udce4m")

    assert rb"mail at sp\udce4m" in (tmp_path / "report.html").read_bytes()


def test_reports_escape_all_text():
    evil = "</td><script>alert(1)</script>\x1b"
    chart = line_chart({evil: [(0, 1), (1, 2)]}, evil, evil, annotations=[Annotation(0, 1, evil)])
    html = page(evil, [Section(evil, (evil,), (((evil,), [(evil,), (0.5,)]),), (chart,))], evil)
    assert "<script" not in html
    assert "\x1b" not in in_text(Section("t", (), (((evil,), [(evil,)]),)))


def test_charts_of_empty_flat_and_infinite_lines_are_valid_and_histograms_are_densities():
    for points in ([], [(1, 1)], [(0, 5), (1, 5)], [(0, math.inf), (1, math.nan), (2, 3)], [(0, 1), (10, 2)]):
        for log in (False, True):
            ET.fromstring(line_chart({"a": points}, "x", "y", log_x=log, log_y=log))
            ET.fromstring(line_chart({"a": Line(points, dots=True)}, "x", "y", log_x=log))
    assert math.fsum(h * (b - a) for a, b, h in histogram([1, 2, 2, 9], [1, 3, 6, 9])) == pytest.approx(1)
    assert math.fsum(h * (b - a) for a, b, h in histogram([1, 2, 3, 9], [1, 2, 3])) == pytest.approx(0.75)


def test_generated_mails_are_the_same_for_the_same_seed_and_only_word_sets_have_prefixes():
    first, again, other = generate(30, 1), generate(30, 1), generate(30, 2)
    assert first == again != other
    assert any(":" in word for mail in first.mails for word in word_set(mail.mail))
    assert not any(":" in word for mail in first.mails for word in word_counts(mail.mail))
