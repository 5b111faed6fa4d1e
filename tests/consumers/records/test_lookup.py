"""Commands find a mail by its id with or without angle brackets, and report an unknown id."""

import time
from types import SimpleNamespace

import msgspec
import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.lookup import ID_BY_CONTENT, find_mail, id_variants
from consumers.records.replay import read_labels
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.settings import Settings
from tests.support.memory_log import new_log
from tests.support.worker_run import run_worker


def mail(key, text=b"Subject: lunch\n\nat noon"):
    return ProducerRecord(EMAILS, key, text)


def label(name, called, source="ann"):
    return ProducerRecord(LABELS, name.encode(), encode(LabelRecord(name, called, source, 1.0)))


@pytest.fixture
def log():
    return new_log(3)


@pytest.fixture
def disk(tmp_path, monkeypatch):
    monkeypatch.setenv("STREAM_NB_LOG", f"sqlite:{tmp_path}")
    with open_log(Settings(log=f"sqlite:{tmp_path}")) as log:
        log.create_topics(TOPICS, 1)
        yield log


def run(*arguments):
    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)
    assert result.exit_code == 0
    return result


@pytest.mark.parametrize("key", ["a@b", "<a@b>"])
@pytest.mark.parametrize("given", ["a@b", "<a@b>", " <a@b> "])
def test_brackets_are_optional_in_the_query_and_on_the_log(log, key, given):
    log.append([mail(b"other"), mail(key.encode()), mail(b"third")])
    waiting = find_mail(log, given)
    run_worker(log)

    scored = find_mail(log, given)
    assert scored._replace(prediction=None) == waiting and scored.prediction.id == key
    assert waiting.id == key
    assert log.read_at(TopicPartition(EMAILS, waiting.place.partition), waiting.place.offset).key == key.encode()


def test_a_prediction_that_no_worker_wrote_is_not_the_mails(log):
    """Any producer with the right to write to the topic can write one."""
    log.append([mail(b"a@b")])
    run_worker(log)
    log.append([mail(b"c@d")])
    scored, unscored = find_mail(log, "a@b"), find_mail(log, "c@d")
    for found in (scored, unscored):
        foreign = msgspec.structs.replace(scored.prediction, id=found.id, next_offset=9)
        log.append([ProducerRecord(PREDICTIONS, b"foreign", encode(foreign), 0)])

    assert (find_mail(log, "a@b"), find_mail(log, "c@d")) == (scored, unscored)


def test_an_exact_match_takes_precedence_over_one_without_brackets(log):
    log.append([mail(b"a@b"), mail(b"<a@b>")])

    assert [find_mail(log, given).id for given in ("a@b", "<a@b>")] == ["a@b", "<a@b>"]
    assert id_variants("<a>") == ("<a>", "a") and id_variants(" <a> ") == (" <a> ", "a", "<a>")


def test_an_unknown_id_is_not_found_and_foreign_records_are_skipped(log):
    log.append(
        [
            ProducerRecord(PREDICTIONS, b"x", b"{"),
            ProducerRecord(EMAILS, b"\xff", b"?"),
            mail(None, b"Message-ID: <k@l>\n\nt"),
        ]
    )

    assert find_mail(log, "a@b") is None
    assert find_mail(log, "k@l").id == "k@l"


def test_with_latest_only_the_latest_mails_are_searched(log):
    log.append([mail(b"%d" % number) for number in range(300)])
    run_worker(log)

    assert find_mail(log, "0") is not None
    assert find_mail(log, "0", latest=30) is None
    assert find_mail(log, "299", latest=30) is not None


@pytest.mark.parametrize(("key", "given"), [("a@b", "<a@b>"), ("<a@b>", "a@b")])
def test_label_uses_the_id_on_the_log(disk, key, given):
    disk.append([mail(key.encode())])

    result = run("label", given, "spam")

    assert [record.id for _, record in read_labels(disk)] == [key]
    assert result.stdout == f"{key}: spam, from user\n"
    assert result.stderr == ""


def test_a_label_for_an_unknown_mail_is_written_and_reported(disk):
    disk.append([mail(b"a@b")])

    result = run("label", "<a@c>", "spam")

    assert [record.id for _, record in read_labels(disk)] == ["a@c"]
    assert "no mail 'a@c' is among the latest" in result.stderr and ID_BY_CONTENT in result.stderr
    assert "waits for it" in result.stderr


def test_escape_characters_in_ids_and_sources_are_not_printed(disk):
    disk.append([mail(b"a\x07\x1b[31m")])

    result = run("label", "a\x07\x1b[31m", "spam", "--source", "b\x07")

    assert [record.id for _, record in read_labels(disk)] == ["a\x07\x1b[31m"]
    assert "\x07" not in result.stdout + result.stderr and "\x1b" not in result.stdout


def test_a_new_class_is_written_and_reported(disk):
    disk.append([mail(b"a"), mail(b"b"), label("a", "spam"), label("b", "ham")])

    assert run("label", "a", "ham").stderr == ""
    result = run("label", "a", "sapm")

    assert [record.label for _, record in read_labels(disk)][-1] == "sapm"
    assert "'sapm' is a new class; existing: ham, spam" in result.stderr
    assert run("label", "a", "news", "--new-class").stderr == ""
    assert run("label", "a", "none").stderr == ""
    assert run("label", "a", "sapm").stderr == ""


def test_a_class_never_seen_is_kept_if_nobody_can_be_asked(disk, monkeypatch):
    """The caller may have closed standard input; Python then has no sys.stdin."""
    disk.append([mail(b"a"), label("a", "spam")])
    monkeypatch.setattr("consumers.cli.commands.label.sys", SimpleNamespace(stdin=None))

    assert "'ham' is a new class; existing: spam" in run("label", "a", "ham").stderr


@pytest.mark.parametrize("answer", ["y", "n"])
def test_on_a_terminal_a_new_class_is_created_only_if_that_is_confirmed(disk, monkeypatch, answer):
    disk.append([mail(b"a"), label("a", "spam")])
    monkeypatch.setattr("consumers.cli.commands.label.sys", SimpleNamespace(stdin=SimpleNamespace(isatty=lambda: True)))

    assert run("label", "a", "spam").stderr == ""
    result = CliRunner().invoke(cli, ["label", "a", "ham"], input=f"{answer}\n")

    assert "'ham' is a new class; existing: spam. Create it? [y/N]" in result.stderr
    assert "--new-class suppresses" not in result.stderr
    assert [record.label for _, record in read_labels(disk)][2:] == (["ham"] if answer == "y" else [])
    assert isinstance(result.exception, UserError) == (answer == "n")


def test_feed_reports_new_classes(disk, tmp_path):
    disk.append([mail(b"a"), label("a", "spam"), label("b", None)])
    for name in ("ham", "spma"):
        (tmp_path / "mails" / name).mkdir(parents=True)
        (tmp_path / "mails" / name / "1").write_bytes(b"Subject: x\n\n" + name.encode())

    result = run("feed", str(tmp_path / "mails"), "--labels")

    assert "new classes: ham, spma; existing: spam" in result.stderr
    assert "new classes" not in run("feed", str(tmp_path / "mails"), "--labels").stderr


def test_the_first_class_of_a_log_is_not_reported_as_new(disk):
    disk.append([mail(b"a")])

    assert run("label", "a", "spam").stderr == ""


def test_explain_and_forget_accept_brackets(disk):
    disk.append([mail(b"a@b"), label("a@b", "spam"), label("<a@b>", "spam", "bob")])
    run_worker(disk)

    shown = run("explain", "<a@b>").stdout
    assert shown.startswith("lunch\n") and "predicted unknown on arrival, with 0 labels learned" in shown
    assert "(0 weaker terms)" not in shown
    assert run("forget", "--message", "<a@b>").stdout.startswith("2 labels withdrawn")
    assert "no label of message '<a@c>' is on" in run("forget", "--message", "<a@c>").stderr
    assert "no label from source 'eve' is on" in run("forget", "--source", "eve").stderr


def test_forget_names_the_date_if_it_found_no_label(disk):
    disk.append([mail(b"a"), label("a", "spam", "bob")])

    late = run("forget", "--source", "bob", "--since", "2100-01-01")
    assert late.stdout == "0 labels withdrawn\n"  # nothing is left for a worker to unlearn
    assert "no label from source 'bob' since 2100-01-01 is on" in late.stderr
    assert run("forget", "--source", "bob").stdout.startswith("1 label withdrawn")


@pytest.fixture
def in_india(monkeypatch):
    monkeypatch.setenv("TZ", "IST-5:30")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


def test_forget_reads_a_time_as_local(disk, in_india):
    at_six = LabelRecord("a", "spam", "bob", 1_795_221_000.0)  # 2026-11-21T00:30 in Greenwich
    disk.append([mail(b"a"), ProducerRecord(LABELS, b"a", encode(at_six))])

    for later in ("2026-11-21T06:01", "2026-11-21T00:31Z"):
        assert run("forget", "--source", "bob", "--since", later).stdout.startswith("0 labels withdrawn")
    assert run("forget", "--source", "bob", "--since", "2026-11-21T06:00").stdout.startswith("1 label withdrawn")


def test_forget_withdraws_labels_with_any_timestamp(disk):
    vote = LabelRecord("a", "spam", "bob", -1.0)
    disk.append([mail(b"a"), ProducerRecord(LABELS, b"a", encode(vote))])

    assert run("forget", "--source", "bob").stdout.startswith("1 label withdrawn")


def test_withdrawing_a_label_is_confirmed(disk):
    disk.append([mail(b"a"), label("a", "spam")])

    assert run("label", "a", "none").stdout == "a: label withdrawn, from user\n"
