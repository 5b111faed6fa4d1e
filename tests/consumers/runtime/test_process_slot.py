"""A member's name is the same after a restart and never shared by two live processes of a group on a log."""

import errno
import fcntl
import os
import tempfile
from unittest.mock import Mock

import msgspec
import pytest

from consumers.errors import UserError
from consumers.runtime import process_slot
from consumers.runtime.process_slot import take_slot
from consumers.settings import KafkaSettings, Settings, WorkerSettings

HERE = Settings(log="sqlite:here")


@pytest.fixture(autouse=True)
def folder(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    monkeypatch.chdir(tmp_path)


def numbers(*settings):
    """The slot numbers of processes that start one after the other, with these settings, and all run."""
    slots = [take_slot(each, "workers") for each in settings]
    for slot in slots:
        slot.lock.close()
    return [slot.number for slot in slots]


def test_the_lowest_free_slot_is_taken():
    first, second = take_slot(HERE, "g/1"), take_slot(HERE, "g/1")
    other_group = take_slot(HERE, "g2")

    assert (first.member[-2:], second.member[-2:], other_group.member[-2:]) == ("-0", "-1", "-0")

    first.lock.close()
    again = take_slot(HERE, "g/1")
    assert again.member == first.member

    for slot in (second, other_group, again):
        slot.lock.close()


def test_no_more_slots_are_taken_than_a_machine_has(monkeypatch):
    monkeypatch.setattr(process_slot, "MAX_SLOTS", 2)
    slots = [take_slot(HERE, "g"), take_slot(HERE, "g")]
    with pytest.raises(UserError, match="all 2 worker slots of group 'g' on this machine are taken; stop some"):
        take_slot(HERE, "g")
    for slot in slots:
        slot.lock.close()


def test_the_folder_is_locked_so_that_systemd_does_not_delete_the_locks(tmp_path):
    for _ in range(2):
        take_slot(HERE, "g").lock.close()
    folder = os.open(tmp_path / f"stream-nb-{os.getuid()}", os.O_RDONLY)
    with pytest.raises(BlockingIOError):
        fcntl.flock(folder, fcntl.LOCK_EX | fcntl.LOCK_NB)  # as systemd-tmpfiles does
    fcntl.flock(folder, fcntl.LOCK_SH | fcntl.LOCK_NB)  # as other processes do
    os.close(folder)


def test_each_log_has_its_own_slots():
    kafka = Settings(log="kafka://a:9092,b:9092")
    prefixed = msgspec.structs.replace(kafka, kafka=KafkaSettings(prefix="mine."))
    assert numbers(HERE, Settings(log="sqlite:there"), kafka, prefixed, Settings(log="kafka://c:9092")) == [0] * 5


def test_all_spellings_of_a_log_share_its_slots(tmp_path):
    ways = ("sqlite:here", "sqlite:./here", f"sqlite:{tmp_path}/here", f"sqlite:{tmp_path}/{os.curdir}/here/")
    assert numbers(*(Settings(log=way) for way in ways)) == [0, 1, 2, 3]
    assert numbers(Settings(log="kafka://a:9092,b:9092"), Settings(log="kafka://b:9092,a:9092/")) == [0, 1]


def test_machines_with_the_same_host_name_have_different_member_names(tmp_path, monkeypatch):
    """Containers, for example, have the same host name but separate temporary folders."""
    first = take_slot(HERE, "g")
    other = tmp_path / "other"
    other.mkdir()
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(other))
    second = take_slot(HERE, "g")
    second.lock.close()
    again = take_slot(HERE, "g")

    assert first.member != second.member == again.member
    assert {first.number, second.number} == {0}
    first.lock.close()
    again.lock.close()


def test_a_damaged_machine_id_is_replaced(tmp_path):
    folder = tmp_path / f"stream-nb-{os.getuid()}"
    folder.mkdir()
    (folder / "instance").write_bytes(b"\xff" * 1000)
    first, second = take_slot(HERE, "g"), take_slot(HERE, "h")
    first.lock.close()
    second.lock.close()

    assert first.member == second.member


def test_the_machine_can_be_named_in_the_settings():
    slot = take_slot(msgspec.structs.replace(HERE, worker=WorkerSettings(machine="pod-3")), "g")
    slot.lock.close()

    assert slot.member == "pod-3-0"


def test_an_unwritable_temporary_folder_is_named(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path / "absent"))
    with pytest.raises(UserError, match=r"absent.*TMPDIR"):
        take_slot(HERE, "g")


@pytest.mark.parametrize("made", ["a folder of another user", "a folder that its group can write", "a link"])
def test_a_lock_folder_that_others_control_is_refused(tmp_path, monkeypatch, made):
    folder = tmp_path / f"stream-nb-{os.getuid()}"
    if made == "a link":
        (tmp_path / "elsewhere").mkdir()
        folder.symlink_to("elsewhere")
    else:
        folder.mkdir()
        folder.chmod(0o700 if made == "a folder of another user" else 0o770)
    if made == "a folder of another user":
        owner = os.getuid()
        monkeypatch.setattr(os, "getuid", lambda: owner + 1)
        folder.rename(tmp_path / f"stream-nb-{owner + 1}")
    with pytest.raises(UserError, match=r"another user.s.*TMPDIR"):
        take_slot(HERE, "g")


def test_a_machine_without_a_folder_that_can_be_written_is_told_of_tmpdir(monkeypatch):
    """As a container whose root is read-only."""
    missing = FileNotFoundError(errno.ENOENT, "No usable temporary directory found in ['/tmp']")
    monkeypatch.setattr(tempfile, "gettempdir", Mock(side_effect=missing))

    with pytest.raises(UserError, match=r"No usable temporary directory found in \['/tmp'\]; name .* with TMPDIR"):
        take_slot(HERE, "g")
