"""The mails of a log, read like those of a folder."""

import json
import uuid

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import LogUnavailable, UserError
from consumers.ingest.log_mails import open_log_mails
from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.records.schemas import EMAILS, LABELS, QUARANTINE, TOO_MANY_CLASSES, QuarantineRecord, encode
from consumers.settings import load_settings
from tests.support.worker_run import label, run_worker, short_mail


def mails_of(topics, shuffle=None):
    """Id and label of each mail."""
    return [(item.id, item.label) for item in open_log_mails(lambda: MemoryLog(topics), "memory", shuffle)]


def append(topics, *records):
    MemoryLog(topics).append(records)


def test_each_mail_has_the_label_that_counts_now(topics):
    append(topics, *(short_mail(name, "words") for name in "abcd"))
    append(topics, label("a", "spam"), label("b", "spam"), label("b", "ham"), label("c", "ham"), label("c", None))
    append(topics, label("d", "spam", source="silence"), label("no-such-mail", "ham"))

    assert sorted(mails_of(topics)) == [("a", "spam"), ("b", "ham"), ("c", None), ("d", None)]


def test_a_mail_that_was_fed_twice_is_read_once_with_its_first_content(topics):
    append(topics, short_mail("a", "first"), label("a", "spam"), short_mail("a", "second"))

    (item,) = open_log_mails(lambda: MemoryLog(topics), "memory")

    assert item.value.endswith(b"first")


def test_a_mail_that_was_mended_and_written_again_is_read_as_the_worker_scored_it(topics):
    for value in (b'{"id": "a", "text": "win', b'{"id": "a", "text": "mended"}', b'{"id": "a", "text": "again"}'):
        append(topics, ProducerRecord(EMAILS, b"a", value, 0))
    append(topics, label("a", "spam"))
    run_worker(MemoryLog(topics))

    (item,) = open_log_mails(lambda: MemoryLog(topics), "memory")

    assert item.value == b'{"id": "a", "text": "mended"}'


def test_labels_that_a_worker_refused_do_not_count(topics):
    """As in `report_log`: the same log gives the same mails."""
    append(topics, short_mail("c", "x"), ProducerRecord(LABELS, b"c", label("c", "ham").value, 0))
    append(topics, ProducerRecord(LABELS, b"c", label("c", "third").value, 0))
    refused = QuarantineRecord(TOO_MANY_CLASSES, "", LABELS, 0, 1, 0.0)
    append(topics, ProducerRecord(QUARANTINE, None, encode(refused), 0))

    assert mails_of(topics) == [("c", "ham")]


def test_partitions_are_merged_by_time_and_keep_their_own_order(topics):
    at = {"a": (0, 10.0), "b": (0, 5.0), "c": (0, 30.0), "d": (1, 7.0), "e": (1, 20.0), "f": (1, 40.0)}
    for name, (partition, timestamp) in at.items():
        append(topics, ProducerRecord(EMAILS, name.encode(), b"\n\nwords", partition, timestamp))

    assert "".join(name for name, _ in mails_of(topics)) == "dabecf"
    assert sorted(mails_of(topics, shuffle=1)) == sorted(mails_of(topics))
    assert mails_of(topics, shuffle=1) == mails_of(topics, shuffle=1) != mails_of(topics)


def test_a_mail_without_a_key_has_the_id_that_a_worker_finds(topics):
    append(topics, ProducerRecord(EMAILS, None, b"Message-ID: <m@example.org>\n\nhi", 0), label("m@example.org", "ham"))
    append(topics, ProducerRecord(EMAILS, None, b'{"id": "j", "text": "hi"}', 0), label("j", "spam"))

    assert mails_of(topics) == [("m@example.org", "ham"), ("j", "spam")]


def test_records_that_are_no_mail_are_left_out(topics):
    append(topics, ProducerRecord(EMAILS, b"empty", b""), ProducerRecord(EMAILS, b"tombstone", None))
    append(topics, ProducerRecord(EMAILS, b"\xff", b"\n\nhi"), ProducerRecord(EMAILS, None, b'{"id": "x', 0))
    append(topics, short_mail("a", "hi"))

    assert mails_of(topics) == [("a", None)]


def test_mails_that_arrive_later_are_read_by_the_next_iteration_with_the_labels_of_before(topics):
    append(topics, short_mail("a", "hi"), label("a", "ham"))
    source = open_log_mails(lambda: MemoryLog(topics), "memory")
    append(topics, short_mail("b", "hi"), label("b", "ham"), label("a", "spam"))

    assert sorted((item.id, item.label) for item in source) == [("a", "ham"), ("b", None)]


def test_a_log_without_labels_says_so_where_they_are_needed(topics):
    append(topics, short_mail("a", "hi"))
    with pytest.raises(UserError, match=r"no mail on sqlite:x has a label; label some, or feed mail with --labels"):
        open_log_mails(lambda: MemoryLog(topics), "sqlite:x").need_labels()


def invoke(*arguments):
    return CliRunner().invoke(cli, list(map(str, arguments)), catch_exceptions=True)


@pytest.fixture
def labelled_log(tmp_path):
    """The address of a log with 60 mails, each labelled five mails later, which a worker has read."""
    address = f"sqlite:{tmp_path / 'own'}"
    path = tmp_path / "mails.jsonl"
    lines = [
        {"id": f"h{n}", "text": f"lunch at noon {n % 7}", "label": "ham"}
        if n % 3
        else {"id": f"s{n}", "text": f"win money {n % 7}", "label": "spam"}
        for n in range(60)
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    fed = invoke("feed", path, "--labels", "--label-delay", 5, "--log", address)
    assert fed.exit_code == 0, fed.output
    with open_log(settings_of(address)) as log:
        run_worker(log)
    return address


def mails_at(address):
    """The mails at the address of a log, without their times."""
    mails = open_log_mails(lambda: open_log(settings_of(address)), address)
    return [(mail.id, mail.value, mail.label) for mail in mails]


def settings_of(address):
    return load_settings(None, {}, address)


def test_the_settings_in_force_give_the_figures_of_the_report(labelled_log):
    """What was scored live and what is scored again agree, because each label is learned when it came. So with other
    settings a difference is theirs alone."""
    evaluated = invoke("evaluate", labelled_log, "--json")
    reported = invoke("report", "--log", labelled_log, "--json")
    assert evaluated.exit_code == reported.exit_code == 0, evaluated.output + reported.output
    again, live = json.loads(evaluated.stdout), json.loads(reported.stdout)
    assert again | {"mails_per_s": None} == live
    assert live["unscored"] == 6


def test_a_log_is_fed_to_another_log_with_its_labels(labelled_log, tmp_path):
    other = f"sqlite:{tmp_path / 'other'}"
    fed = invoke("feed", labelled_log, "--labels", "--log", other)
    assert fed.exit_code == 0, fed.output
    assert "60 mails and 60 labels are on" in fed.output
    assert mails_at(other) == mails_at(labelled_log)


def test_mails_of_four_partitions_of_kafka_come_in_the_order_in_which_they_were_fed(kafka, labelled_log, monkeypatch):
    monkeypatch.setenv("STREAM_NB_KAFKA_PREFIX", f"{uuid.uuid4().hex}.")
    address = f"kafka://{kafka.bootstrap}"
    fed = invoke("feed", labelled_log, "--labels", "--log", address)
    assert fed.exit_code == 0, fed.output
    evaluated, again = (invoke("evaluate", where, "--delay", 0, "--json") for where in (labelled_log, address))
    assert evaluated.exit_code == again.exit_code == 0, evaluated.output + again.output
    assert json.loads(again.stdout) | {"mails_per_s": 0} == json.loads(evaluated.stdout) | {"mails_per_s": 0}


def test_other_commands_that_read_labelled_mail_read_a_log(labelled_log, tmp_path):
    for arguments, said in (
        (("starter", labelled_log, "--out", tmp_path / "s.snb"), "of 60 mails (40 ham, 20 spam)"),
        (("export", "-", "--mails", labelled_log), f"60 labelled mails (log) at {labelled_log}."),
        (
            ("personal", labelled_log, "--out", tmp_path / "p.html", "--model", tmp_path / "p.snb"),
            f"60 labelled mails (log) at {labelled_log}.",
        ),
    ):
        ran = invoke(*arguments)
        assert ran.exit_code == 0, ran.output
        assert said in ran.output


def test_a_log_that_does_not_exist_is_refused_and_not_created(tmp_path):
    ran = invoke("evaluate", f"sqlite:{tmp_path / 'none'}")
    assert isinstance(ran.exception, LogUnavailable)
    assert not (tmp_path / "none").exists()


def test_a_log_is_not_fed_to_itself(labelled_log, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    for spelling in (labelled_log, "sqlite:own", "sqlite:./own/"):
        ran = invoke("feed", spelling, "--log", labelled_log)
        assert isinstance(ran.exception, UserError)
        assert "is the log to write to; name another one with --log" in str(ran.exception)


def test_options_for_folders_and_tables_are_refused(labelled_log):
    for option in (("--classes", "*=ham"), ("--label-column", "x")):
        ran = invoke("evaluate", labelled_log, *option)
        assert isinstance(ran.exception, UserError)
        assert "the mails of a log have labels" in str(ran.exception)


def test_the_folder_of_a_log_is_refused_with_its_address(labelled_log):
    folder = labelled_log.removeprefix("sqlite:")
    ran = invoke("evaluate", folder)
    assert isinstance(ran.exception, UserError)
    assert str(ran.exception) == f"{folder} holds a log; to read its mails, give its address: {labelled_log}"
