"""Learning from a share of the labels: what each run learns, that asking beats drawing, and the command for it."""

import json

import pytest
from click.testing import CliRunner

from consumers.cli.commands.evaluate import command
from consumers.errors import UserError
from consumers.evaluation.asking import RUNS, SILENCE, evaluate_asking, render_asking
from consumers.evaluation.prequential import SourcedLabel, evaluate
from consumers.ingest.feeder import Item
from consumers.ingest.synthetic import synthetic_mails
from consumers.records.number_text import percentage, share_percentage
from stream_nb import MailNB
from stream_nb.mail_nb.decision import Policy
from stream_nb.types import Score

FIGURES = ("all_labels", "asked", "asked_and_silence", "random")


class Oracle:
    """Predicts spam for each mail, for every third one with certainty; records what it learns."""

    def __init__(self, runs):
        self.mails, self.learned = 0, []
        runs.append(self)

    def score(self, mail):
        self.mails += 1
        lead = 3.0 if self.mails % 3 == 0 else 0.5
        return Score("spam", lead, 0.9, {"ham": 0.0, "spam": lead}, 1, 0)

    def learn_one(self, mail, label, source=""):
        self.learned.append((self.mails, label, source))


def test_each_run_learns_the_labels_of_its_name():
    items = [Item(str(i), b"Subject: x\n\nhello", "ham") for i in range(900)]
    runs, seen = [], []

    report = evaluate_asking(lambda: items, lambda: Oracle(runs), Policy(), "safe", 0.1, seed=3, progress=seen.append)

    every, asked, silence, drawn = (run.learned for run in runs)
    assert every == [(n, "ham", "") for n in range(1, 901)]
    assert report.labels == len(asked) == len(drawn) and report.labels_with_silence == report.labels
    assert {label for _, label, _ in asked + drawn} == {"ham"}
    assert all(n % 3 for n, _, _ in asked[100:]) and sum(n % 3 == 0 for n, _, _ in drawn) > len(drawn) // 5
    assert [each for each in silence if each[2] != SILENCE] == asked
    said = {n for n, _, _ in asked}
    assert [each for each in silence if each[2]] == [(n, "spam", SILENCE) for n in range(3, 901, 3) if n not in said]
    assert seen[-1] == RUNS * 900 and seen == sorted(seen)


def test_labels_of_silence_are_learned_without_what_measures_scores():
    mails, models = list(synthetic_mails(20, seed=1)), (MailNB(), MailNB())

    for model, source in zip(models, (SILENCE, ""), strict=True):
        evaluate(mails, model, Policy(), "safe", label_to_learn=lambda _, label, s=source: SourcedLabel(label, s))

    assert models[0].labels_learned == 20 and models[0] != models[1]


@pytest.mark.parametrize(("mails", "explained"), [(500, True), (6_000, False)])
def test_an_exceeded_share_is_explained(mails, explained):
    items = [Item(str(i), b"Subject: x\n\nhello", "ham") for i in range(mails)]

    report = evaluate_asking(lambda: items, lambda: Oracle([]), Policy(), "safe", 0.1)

    assert (report.labels > 0.11 * mails) is explained
    assert ("asked for in advance" in render_asking(report)) is explained


def test_labels_asked_for_rank_better_than_random_ones_on_generated_mail():
    # only the mails before the spam campaign in the second half, which silence may learn as ham
    mails = list(synthetic_mails(3000, seed=4))[:1500]

    report = evaluate_asking(lambda: mails, MailNB, Policy(), "safe", 0.05)

    alone = evaluate(mails, MailNB(), Policy(), "safe")[0]
    assert (report.all_labels.confusion, report.all_labels.one_minus_auc_pct) == (
        alone.confusion,
        alone.one_minus_auc_pct,
    )
    assert report.labels < 0.12 * 1500
    assert report.asked.one_minus_auc_pct < 0.8 * report.random.one_minus_auc_pct
    assert report.asked_and_silence.one_minus_auc_pct < 0.8 * report.random.one_minus_auc_pct


def test_the_command_prints_all_four_as_a_table_or_json(tmp_path):
    for number, item in enumerate(synthetic_mails(80, seed=2)):
        (tmp_path / item.label).mkdir(exist_ok=True)
        (tmp_path / item.label / f"{number:04d}.txt").write_bytes(item.value)

    def run(*options):
        return CliRunner().invoke(command, [str(tmp_path), *options])

    table, fields = run("--ask", "10%", "--limit", "60"), json.loads(run("--ask", "0.1", "--json").stdout)
    names = ["all labels", "asked for", "asked for, others as predicted", "at random"]
    assert [line[:32].strip() for line in table.stdout.splitlines()[1:5]] == names
    assert table.stdout.splitlines()[1].split()[2:4] == ["60", "100.0"]
    assert fields["share"] == 0.1 and fields["labels"] < fields["all_labels"]["n"] == 80
    number = {"all_labels": 80, "asked_and_silence": fields["labels_with_silence"]}
    for line, kind in zip(run("--ask", "10%").stdout.splitlines()[1:5], FIGURES, strict=True):
        labels, figures = number.get(kind, fields["labels"]), fields[kind]
        shown = [str(labels), f"{labels / 0.8:.1f}", "%", share_percentage(figures["accuracy"])]
        shown += [percentage(figures["one_minus_auc_pct"], 4), percentage(figures["lam_pct"])]
        assert line[32:].split() == shown
    assert "More than 0.4%: up to 8 labels" in run("--ask", "0.4%").stdout
    for wrong in ("0", "101%", "ten", "nan"):
        assert "give a share above 0" in run("--ask", wrong).output
    with pytest.raises(UserError, match="--ask"):
        raise run("--ask", "10%", "--delay", "3").exception


def test_the_command_refuses_standard_input_which_cannot_be_read_again():
    with pytest.raises(UserError, match="--delay, --flip, --starter, half_life, max_features or standard input"):
        CliRunner().invoke(command, ["-", "--ask", "10%"], catch_exceptions=False, input="{}")


@pytest.mark.slow
@pytest.mark.parametrize(("name", "shuffle"), [("enron1", None), ("spamassassin", 0)])
def test_a_tenth_of_the_labels_of_real_mail_ranks_within_the_limits(real_mail, name, shuffle):
    from consumers.ingest.formats import open_source

    mails = list(open_source(real_mail(name), shuffle=shuffle))

    report = evaluate_asking(lambda: mails, MailNB, Policy(), "safe", 0.1)

    every, drawn = report.all_labels.one_minus_auc_pct, report.random.one_minus_auc_pct
    assert max(report.labels, report.labels_with_silence) < 0.105 * report.all_labels.n
    assert report.asked.one_minus_auc_pct < min(3 * every, drawn / 2.5)
    assert report.asked_and_silence.one_minus_auc_pct < 2.5 * every
