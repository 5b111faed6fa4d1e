"""Only the owner can read files that hold mail, or what was learned from it, whatever the umask."""

import errno
import os
import stat
import tempfile
from pathlib import Path
from unittest.mock import Mock

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import ProducerRecord
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS
from consumers.runtime.private_files import make_folder, open_new, replace, write
from consumers.studies import report, sample
from stream_nb import MultinomialNB


@pytest.fixture(autouse=True)
def umask():
    before = os.umask(0o000)
    yield
    os.umask(before)


@pytest.fixture(params=[0o000, 0o022, 0o777], ids=oct)
def any_umask(request, folder):
    os.umask(request.param)


@pytest.fixture
def folder(tmp_path):
    """A folder that others may read."""
    home = tmp_path / "home"
    home.mkdir()
    home.chmod(0o755)
    return home


def mode(path):
    return stat.S_IMODE(path.stat().st_mode)


def open_log(folder):
    """An open log with records in each file, and a group member."""
    log = SqliteLog(folder)
    log.create_topics(TOPICS, 1)
    log.append([ProducerRecord(topic, b"a", b"private", 0) for topic in (EMAILS, LABELS, PREDICTIONS, "monitor")])
    return log, log.join_group("workers", (EMAILS, LABELS), "here-0")


def test_a_log_and_the_folders_made_for_it_are_private(folder, any_umask):
    log, member = open_log(folder / "var" / "log")

    files = {path.name: mode(path) for path in (folder / "var" / "log").iterdir()}
    assert {"in.db", "in.db-wal", "in.db-shm", "out.db", "out.db-wal", "view.db-wal", "workers.lock"} <= set(files)
    assert set(files.values()) == {0o600}
    assert {mode(folder / "var"), mode(folder / "var" / "log")} == {0o700}
    assert mode(folder) == 0o755
    member.close()
    log.close()


def test_an_existing_folder_keeps_its_mode(folder):
    log, member = open_log(folder)

    assert mode(folder) == 0o755
    assert {mode(path) for path in folder.iterdir()} == {0o600}
    member.close()
    log.close()


@pytest.mark.parametrize("write", [write, replace])
def test_a_written_file_is_private_even_if_it_replaces_one_that_was_not(folder, any_umask, write):
    for path in (folder / "new", folder / "old"):
        if path.name == "old":
            path.write_bytes(b"something longer than what comes")
            path.chmod(0o644)
        write(path, b"words")
        assert (path.read_bytes(), mode(path)) == (b"words", 0o600)


@pytest.mark.parametrize(("replace", "error"), [(replace, OSError), (write, UserError)])
def test_a_file_that_cannot_be_replaced_is_unchanged_and_nothing_is_left_beside_it(folder, monkeypatch, replace, error):
    """The new content is written beside it, because the temporary files may be on another file system."""
    monkeypatch.setattr(tempfile, "tempdir", str(folder / "nowhere"))
    replace(folder / "file", b"old")
    written = []

    def fail(descriptor):
        written.append(os.fstat(descriptor).st_size)
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(os, "fsync", fail)
    for name in ("file", "new"):
        with pytest.raises(error, match="No space left"):
            replace(folder / name, b"new")
    assert written == [3, 3]
    assert [(path.name, path.read_bytes()) for path in folder.iterdir()] == [("file", b"old")]


def test_a_new_file_is_private_from_the_start(folder, monkeypatch):
    monkeypatch.setattr(os, "fchmod", lambda *_: None)
    open_new(folder / "new").close()
    assert mode(folder / "new") == 0o600


def test_a_folder_may_be_created_by_another_process_meanwhile(folder, monkeypatch):
    monkeypatch.setattr(Path, "is_dir", Mock(side_effect=[False, True, True]))
    make_folder(folder)


def test_a_link_to_a_file_stays_a_link(folder):
    (folder / "link").symlink_to(folder / "file")
    write(folder / "link", b"words")
    assert (folder / "file").read_bytes() == b"words"
    assert (folder / "link").is_symlink()


def test_a_device_keeps_its_mode():
    """A terminal of its own: a mistake must not change a device that others use."""
    ours, terminal = os.openpty()
    try:
        os.fchmod(terminal, 0o620)
        write(os.ttyname(terminal), b"words")
        assert (os.read(ours, 5), stat.S_IMODE(os.fstat(terminal).st_mode)) == (b"words", 0o620)
    finally:
        os.close(ours)
        os.close(terminal)


def test_a_report_is_private(folder):
    report.write(folder / "out.html", "title", [report.Section("words")])
    assert mode(folder / "out.html") == 0o600
    with pytest.raises(UserError, match="nowhere"):
        report.write(folder / "nowhere" / "out.html", "title", [])


def test_drawn_mails_are_private(folder, any_umask):
    truth = MultinomialNB()
    truth.learn_one("free money", "spam")
    sample.write_folder(truth, folder / "drawn", 1, seed=0)

    spam = folder / "drawn" / "spam"
    assert (mode(folder / "drawn"), mode(spam), *map(mode, spam.iterdir())) == (0o700, 0o700, 0o600)


def test_a_saved_model_is_private(folder):
    log, member = open_log(folder / "log")
    member.close()
    log.close()
    from consumers.log import open_log as open_again
    from consumers.settings import Settings, WorkerSettings
    from consumers.worker.worker import Worker

    settings = Settings(log=f"sqlite:{folder / 'log'}", worker=WorkerSettings(poll_s=0.001))
    with open_again(settings) as log:
        Worker(log, settings, "w-0").consumer.close()
    done = CliRunner().invoke(cli, ["save", str(folder / "model"), "--log", settings.log])

    assert done.exit_code == 0, done.output
    assert mode(folder / "model") == 0o600


def test_a_personal_report_and_filter_are_private(folder):
    for number, item in enumerate(synthetic_mails(40, seed=3)):
        place = folder / "mail" / item.label
        place.mkdir(parents=True, exist_ok=True)
        (place / f"{number}.eml").write_bytes(item.value)
    sizes = ["--train", "20", "--validate", "8", "--test", "8"]
    files = ["--out", str(folder / "out.html"), "--model", str(folder / "my.snb")]
    done = CliRunner().invoke(cli, ["personal", str(folder / "mail"), *sizes, *files])

    assert done.exit_code == 0, done.output
    assert mode(folder / "out.html") == mode(folder / "my.snb") == 0o600
