"""SQLite's errors name the file and what to do; a backup is a complete log."""

import errno
import os
import re
import resource
import shutil
import threading
from pathlib import Path
from types import SimpleNamespace

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import ConsumerError, LogDamaged, LogUnavailable, UserError
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite.file import FOREIGN, READ_ONLY
from consumers.log.sqlite.log import SqliteLog
from consumers.log.sqlite.store import NAMES
from consumers.records.replay import read_all
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS, LabelRecord, encode
from consumers.settings import Settings, WorkerSettings
from consumers.worker.worker import Worker

MAILS = 300
PAGE = 4096


@pytest.fixture
def folder(tmp_path):
    """The folder of a closed log with `MAILS` mails."""
    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(EMAILS, b"id-%d" % n, b"x" * 2000, 0) for n in range(MAILS)])
    return tmp_path / "log"


def no_header(data: bytes) -> bytes:
    return b"this is no database" * 100


def cut(data: bytes) -> bytes:
    return data[: len(data) // 2]


def cut_within_a_page(data: bytes) -> bytes:
    return data[: len(data) // 3 // PAGE * PAGE + 100]


def overwritten(data: bytes) -> bytes:
    return data[:PAGE] + b"\xff" * (len(data) - PAGE)


@pytest.mark.parametrize("damage", [no_header, cut, cut_within_a_page, overwritten])
def test_the_error_for_a_damaged_file_names_it_and_says_what_to_do(folder, damage):
    path = folder / "in.db"
    path.write_bytes(damage(path.read_bytes()))

    with pytest.raises(LogDamaged, match=r"in\.db is damaged.*stream-nb backup"), SqliteLog(folder) as log:
        read_all_mails(log)


def copied_over(folder: Path) -> None:
    folder.rename(folder.with_name("before"))
    shutil.copytree(folder.with_name("before"), folder)


@pytest.mark.parametrize("take_away", [lambda folder: folder.rename(folder.with_name("moved")), copied_over])
def test_reads_and_writes_are_refused_after_the_folder_was_moved_or_replaced(folder, take_away):
    record = ProducerRecord(EMAILS, b"late", b"x", 0)
    with SqliteLog(folder) as log:
        take_away(folder)

        with pytest.raises(LogUnavailable, match=r"in\.db was moved, deleted or replaced .* put it back, or stop"):
            log.append([record])
        with pytest.raises(LogUnavailable, match=r"in\.db was moved"):
            log.read({TopicPartition(EMAILS, 0): 0})
        with pytest.raises(LogUnavailable, match=r"in\.db was moved"):
            log.end_offset(TopicPartition(EMAILS, 0))


def test_a_folder_that_is_moved_back_is_used_again(folder):
    with SqliteLog(folder) as log:
        folder.rename(folder.with_name("moved"))
        folder.with_name("moved").rename(folder)

        log.append([ProducerRecord(EMAILS, b"late", b"x", 0)])

        assert len(read_all_mails(log)) == MAILS + 1


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("command", ["report", "verify", "sources", "save", "backup"])
def test_commands_on_a_damaged_log_end_without_a_traceback(folder, tmp_path, name, command):
    path = folder / f"{name}.db"
    path.write_bytes(overwritten(path.read_bytes()))
    target = [str(tmp_path / "to")] if command in ("save", "backup") else []

    result = CliRunner().invoke(cli, [command, *target, "--log", f"sqlite:{folder}"])

    # a command that does not read the damaged part may succeed
    assert result.exception is None or isinstance(result.exception, ConsumerError | SystemExit), result.exception
    if command == "backup":
        assert isinstance(result.exception, LogDamaged)


def read_all_mails(log: SqliteLog) -> list[bytes | None]:
    return [record.value for record in log.scan(TopicPartition(EMAILS, 0))]


def test_a_copy_of_a_log_in_use_is_complete(tmp_path):
    """Copies made while mails arrive and a worker runs can be verified, and a worker continues on them."""
    settings = Settings(worker=WorkerSettings(poll_s=0.001, poll_records=7))
    stop = threading.Event()

    def feed() -> None:
        with SqliteLog(tmp_path / "log") as log:
            number = 0
            while not stop.is_set():
                name = f"m{number}".encode()
                label = LabelRecord(name.decode(), "spam" if number % 2 else "ham", "ann", 0.0)
                log.append([ProducerRecord(EMAILS, name, b"Subject: a%d\n\nb%d" % (number, number % 7))])
                log.append([ProducerRecord(LABELS, name, encode(label))])
                number += 1

    def work() -> None:
        with SqliteLog(tmp_path / "log") as log:
            worker = Worker(log, settings, "w-0")
            worker.run(stop)

    with SqliteLog(tmp_path / "log") as log:
        log.create_topics(TOPICS, 1)
        threads = [threading.Thread(target=target) for target in (feed, work)]
        for thread in threads:
            thread.start()
        try:
            for number in range(5):
                while log.end_offset(TopicPartition(PREDICTIONS, 0)) < 20 * (number + 1):
                    assert all(thread.is_alive() for thread in threads)
                log.copy(tmp_path / str(number))
        finally:
            stop.set()
            for thread in threads:
                thread.join()

    for number in range(5):
        with SqliteLog(tmp_path / str(number)) as copy:
            found = verify(copy, settings)
            assert found.mails >= 20 and found.differences == []
            worker = Worker(copy, settings, "w-0")
            while copy.end_offset(TopicPartition(PREDICTIONS, 0)) < copy.end_offset(TopicPartition(EMAILS, 0)):
                worker.step()
            worker.consumer.close()
            scored = {record.key for record in read_all(copy, PREDICTIONS)}
            assert scored == {record.key for record in read_all(copy, EMAILS)}
            assert verify(copy, settings).differences == []
        assert all((path.stat().st_mode & 0o777) == 0o600 for path in (tmp_path / str(number)).glob("*.db*"))


def test_a_copy_goes_only_to_a_new_or_empty_folder(folder, tmp_path):
    with SqliteLog(folder) as log:
        with pytest.raises(UserError, match="not an empty folder"):
            log.copy(folder)
        (tmp_path / "file").touch()
        with pytest.raises(UserError, match=re.escape(str(tmp_path / "file"))):
            log.copy(tmp_path / "file")
        with pytest.raises(UserError, match="File name too long; name a folder"):
            log.copy(tmp_path / ("x" * 300))
        (tmp_path / "link").symlink_to(folder)
        for inside in (folder / "copy", folder / "deep" / "copy", tmp_path / "link" / "copy"):
            with pytest.raises(UserError, match=f"{re.escape(str(inside))} is inside the log"):
                log.copy(inside)
        assert not (folder / "deep").exists()
        log.copy(tmp_path / "deep" / "copy")
    with SqliteLog(tmp_path / "deep" / "copy") as copy:
        assert len(read_all_mails(copy)) == MAILS


def test_copying_a_damaged_log_is_an_error(folder, tmp_path):
    path = folder / "in.db"
    data = path.read_bytes()
    middle = len(data) // PAGE // 2 * PAGE
    path.write_bytes(data[:middle] + b"\xff" * PAGE + data[middle + PAGE :])

    with pytest.raises(LogDamaged), SqliteLog(folder) as log:
        log.copy(tmp_path / "copy")


def test_a_copy_that_does_not_fit_names_the_copy_and_what_to_do(folder, tmp_path):
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    with SqliteLog(folder) as log:
        try:
            resource.setrlimit(resource.RLIMIT_FSIZE, (MAILS * 1000, hard))
            with pytest.raises(LogUnavailable) as caught:
                log.copy(tmp_path / "copy")
        finally:
            resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        assert len(read_all_mails(log)) == MAILS

    text = str(caught.value)
    assert text.startswith(f"{tmp_path / 'copy' / 'in.db'}: ") and str(folder) not in text
    assert text.endswith(f"; this copy is incomplete: remove {tmp_path / 'copy'}, and make room or name another folder")


def test_the_backup_command_copies_the_log(folder, tmp_path):
    result = CliRunner().invoke(cli, ["backup", str(tmp_path / "copy"), "--log", f"sqlite:{folder}"])
    assert (result.exit_code, "keep it private" in result.stdout) == (0, True)
    with SqliteLog(tmp_path / "copy", create=False) as copy:
        assert len(read_all_mails(copy)) == MAILS


def test_loading_a_missing_file_creates_no_log(tmp_path):
    result = CliRunner().invoke(cli, ["load", str(tmp_path / "absent"), "--log", f"sqlite:{tmp_path / 'log'}"])
    assert "absent: No such file" in str(result.exception)
    assert not (tmp_path / "log").exists()


@pytest.mark.parametrize("folder", ["kafka://127.0.0.1:9092", "sqlite:copy"])
def test_backup_refuses_the_address_of_a_log(tmp_path, monkeypatch, folder):
    """Otherwise the copy would be in a folder of that name, where nobody expects it."""
    monkeypatch.chdir(tmp_path)
    SqliteLog(tmp_path / "log").close()

    result = CliRunner().invoke(cli, ["backup", folder, "--log", f"sqlite:{tmp_path / 'log'}"])

    assert "name a new folder" in str(result.exception)
    assert [path.name for path in tmp_path.iterdir()] == ["log"]


@pytest.mark.parametrize(("flags", "hint"), [(0, FOREIGN), (os.ST_RDONLY, READ_ONLY)])
def test_files_that_cannot_be_written_are_reported_with_what_to_do(folder, monkeypatch, flags, hint):
    """As after `stream-nb load` by root, before the services run as a user of their own; root itself may open all."""
    monkeypatch.setattr("os.statvfs", lambda path: SimpleNamespace(f_flag=flags))

    def refuse(path: Path) -> None:
        raise PermissionError(errno.EACCES, "Permission denied", str(path))

    monkeypatch.setattr("consumers.log.sqlite.file.make_file", refuse)
    with pytest.raises(LogUnavailable) as refused:
        SqliteLog(folder)

    written = "or name one that can be written, such as a copy"
    assert str(refused.value) == f"sqlite:{folder}: in.db: Permission denied; {hint}, {written}"
