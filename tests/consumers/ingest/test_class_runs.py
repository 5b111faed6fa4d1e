"""Labels that come one class after another are noted; mixed ones, and few, are not."""

import pytest
from click.testing import CliRunner

from consumers.cli import demo_run
from consumers.cli.demo_run import Stages
from consumers.cli.main import cli
from consumers.ingest.class_runs import ClassRuns
from consumers.ingest.feeder import Item


@pytest.mark.parametrize(
    ("labels", "noted"),
    [
        (["a"] * 10 + [None] + ["a"] * 5 + ["b"] * 5, True),
        (["a"] * 10 + ["b"] * 9 + ["a"], False),
        (["a"] * 10 + ["b"] * 9, False),
        (["a"] * 50, False),
        ([None] * 50, False),
        ([], False),
    ],
)
def test_labels_that_come_class_by_class_are_noted(labels, noted):
    items = [Item(str(number), b"", label) for number, label in enumerate(labels)]
    runs = ClassRuns()
    assert list(runs.watch(items)) == items
    assert (runs.note is not None) == noted


def test_commands_that_learn_a_sorted_table_say_how_to_mix_it(tmp_path):
    table = tmp_path / "t.csv"
    table.write_text("x,label\n" + "".join(f"{x},{label}\n" for label in "ab" for x in range(10)))
    log = ("--log", f"sqlite:{tmp_path}")

    for arguments in (("evaluate", "--model", "gaussian"), ("feed", *log), ("feed", "--dry-run", *log)):
        command, *options = arguments
        for order, noted in (((), True), (("--shuffle", "0"), False)):
            ran = CliRunner().invoke(cli, [command, str(table), "--label-column", "label", *options, *order])
            assert ran.exit_code == 0, ran.output
            assert ("note: the mails come one class after another" in ran.stderr) == noted, arguments
    ran = CliRunner().invoke(cli, ["feed", str(table), *log])
    assert "note:" not in ran.stderr  # without labels the order teaches nothing


def test_mails_that_are_read_twice_for_a_half_life_are_noted_too(tmp_path, monkeypatch):
    table = tmp_path / "t.csv"
    table.write_text("x,label\n" + "".join(f"{x},{label}\n" for label in "ab" for x in range(10)))
    monkeypatch.setenv("STREAM_NB_LEARNER_HALF_LIFE", "64")
    ran = CliRunner().invoke(cli, ["evaluate", str(table), "--label-column", "label"])
    assert ran.exit_code == 0, ran.output
    assert "note: the mails come one class after another" in ran.stderr


def test_a_dry_run_reads_standard_input_once_and_notes_its_order():
    lines = "".join(f'{{"text": "{number}", "label": "{label}"}}\n' for label in "ab" for number in range(10))
    ran = CliRunner().invoke(cli, ["feed", "-", "--dry-run"], input=lines)
    assert ran.stdout.startswith("20 mails (JSON lines): 10 a, 10 b")
    assert "note: the mails come one class after another" in ran.stderr


def test_the_demo_of_a_sorted_table_says_which_command_mixes_it(tmp_path, monkeypatch):
    class NoStages(Stages):
        def __enter__(self):
            return self

        def __exit__(self, *_):
            pass

        def wait_for_page(self):
            return "http://page/"

        def wait_for_worker(self, log, show):
            pass

    table = tmp_path / "t.csv"
    table.write_text("text,label\n" + "".join(f"{x},{label}\n" for label in "ab" for x in range(10)))
    monkeypatch.setattr(demo_run, "Stages", NoStages)
    monkeypatch.setattr(demo_run, "play", lambda log, settings, items, *rest: float(len(list(items))))
    monkeypatch.setattr("consumers.runtime.shutdown.signal.signal", lambda *_: None)

    ran = CliRunner().invoke(cli, ["demo", str(table)])

    assert ran.exit_code == 0, ran.output
    assert "note: the mails come one class after another" in ran.stderr
    assert "`stream-nb evaluate PATH --shuffle 0` mixes them" in ran.stderr
