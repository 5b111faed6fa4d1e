"""A followed Maildir, written by Dovecot and by the tests."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest

from consumers.mailbox.maildir import MaildirFollower
from consumers.mailbox.maildir_folders import MaildirFolders
from consumers.records.heartbeat import FEED
from tests.consumers.mailbox.conftest import Following, new_mail
from tests.support.stage_states import stage_states

SOURCE = "user"


class FollowingMaildir(Following):
    """A MaildirFollower that runs in a thread."""

    def _run(self, url: str, options: dict) -> None:
        try:
            with self.open() as log:
                folders = MaildirFolders(Path(url), options.pop("classes", None))
                MaildirFollower(log, folders, self.settings, **options).run(self._stop, self._ready.set)
        except BaseException as error:
            self.errors.append(error)
            self._ready.set()


@pytest.fixture
def maildir(tmp_path):
    """A Maildir with the folders Junk, Trash and Work."""
    for folder in ("", ".Junk", ".Trash", ".Work"):
        for part in ("cur", "new", "tmp"):
            (tmp_path / "mail" / folder / part).mkdir(parents=True)
    return tmp_path / "mail"


@pytest.fixture
def follow_maildir(maildir, settings):
    started: list[FollowingMaildir] = []

    def start(root: Path = maildir, **options) -> FollowingMaildir:
        started.append(FollowingMaildir(str(root), settings, **options))
        return started[-1]

    yield start
    for one in started:
        one.close()


def deliver(folder: Path, name: str, raw: bytes) -> None:
    """Deliver a mail as an MTA does: write it to tmp, then rename it."""
    (folder / "tmp" / name).write_bytes(raw)
    os.rename(folder / "tmp" / name, folder / "new" / name)


def test_existing_and_new_mails_are_on_the_log_once(maildir, follow_maildir):
    mails = [new_mail() for _ in range(6)]
    for number, (_, raw) in enumerate(mails[:3]):
        deliver(maildir, f"{number}.host", raw)
    following = follow_maildir()
    assert following.mails() == [name for name, _ in mails[:3]]

    for number, (_, raw) in enumerate(mails[3:], 3):
        deliver(maildir / ".Work" if number == 4 else maildir, f"{number}.host", raw)
    os.rename(maildir / "new" / "0.host", maildir / "cur" / "0.host:2,S")

    following.wait_for(lambda: len(following.mails()) >= 6)
    assert sorted(following.mails()) == sorted(name for name, _ in mails)
    assert following.labels() == []


def test_moves_into_and_out_of_junk_are_labels_and_moves_to_trash_are_not(maildir, follow_maildir):
    name, raw = new_mail()
    deliver(maildir, "1.host", raw)
    following = follow_maildir()

    for number, (source, target) in enumerate(
        [("new", ".Junk/cur"), (".Junk/cur", "cur"), ("cur", ".Work/cur"), (".Work/cur", ".Junk/cur")]
    ):
        os.rename(maildir / source / "1.host", maildir / target / "1.host")
        wanted = ["spam", "ham", "ham", "spam"][: number + 1]
        wanted = wanted if number < 2 else ["spam", "ham"] + ["spam"] * (number - 2)
        other, mail = new_mail()
        deliver(maildir, f"then-{number}.host", mail)
        following.wait_for(lambda other=other: other in following.mails())
        following.wait_for(lambda wanted=wanted: following.labels() == [(name, label, SOURCE) for label in wanted])
    os.rename(maildir / ".Junk/cur" / "1.host", maildir / ".Trash/cur" / "1.host")
    last, raw = new_mail()
    deliver(maildir, "last.host", raw)

    following.wait_for(lambda: last in following.mails())
    assert len(following.labels()) == 3
    assert following.mails().count(name) == 1


def test_with_labels_the_mails_already_there_are_labelled_by_folder(maildir, follow_maildir):
    (ham, ham_raw), (spam, spam_raw) = new_mail("ham"), new_mail("spam")
    deliver(maildir, "1.host", ham_raw)
    deliver(maildir / ".Junk", "2.host", spam_raw)

    assert sorted(follow_maildir(labels=True).labels()) == sorted([(ham, "ham", SOURCE), (spam, "spam", SOURCE)])


def test_the_folders_are_read_evenly_at_the_start(maildir, follow_maildir):
    """A learner that sees all mails of one class before the first of another loses three times as much ham later."""
    for number, folder in enumerate([maildir] * 6 + [maildir / ".Junk"] * 3 + [maildir / ".Work"] * 3):
        deliver(folder, f"{number}.host", new_mail()[1])

    labels = [label for _, label, _ in follow_maildir(labels=True).labels()]

    assert [labels[start : start + 4].count("spam") for start in (0, 4, 8)] == [1, 1, 1]


def test_a_restart_loses_nothing_and_repeats_nothing(maildir, follow_maildir):
    (first, first_raw), (second, second_raw) = new_mail(), new_mail()
    deliver(maildir, "1.host", first_raw)
    follow_maildir().close()

    os.rename(maildir / "new" / "1.host", maildir / ".Junk" / "cur" / "renamed.host:2,S")
    deliver(maildir, "2.host", second_raw)
    following = follow_maildir()

    assert sorted(following.mails()) == sorted([first, second])
    assert following.labels() == [(first, "spam", SOURCE)]
    following.close()
    assert len(follow_maildir().mails()) == 2


def test_a_restart_gives_no_label_to_a_mail_in_two_folders(maildir, follow_maildir):
    (spam, raw), (other, other_raw) = new_mail("spam"), new_mail("spam")
    deliver(maildir, "1.host", raw)
    deliver(maildir, "2.host", other_raw)
    following = follow_maildir()
    deliver(maildir / ".Junk", "3.host", raw)
    following.wait_for(lambda: following.labels() == [(spam, "spam", SOURCE)])
    following.close()

    for _ in range(3):
        following = follow_maildir()
        assert len(following.labels()) == 1
        following.close()
    os.rename(maildir / "new" / "2.host", maildir / ".Junk" / "cur" / "2.host:2,S")

    assert follow_maildir().labels()[1:] == [(other, "spam", SOURCE)]


def test_many_mails_moved_while_stopped_list_their_old_folder_a_few_times_only(maildir, follow_maildir, monkeypatch):
    """One listing per moved mail took minutes for 5,000 of 20,000 mails."""
    for number in range(40):
        deliver(maildir, f"{number}.host", new_mail()[1])
    follow_maildir().close()
    for number in range(40):
        target = maildir / (".Junk" if number % 2 else ".Work") / "cur" / f"{number}.host:2,S"
        os.rename(maildir / "new" / f"{number}.host", target)
    for part in maildir.rglob("*"):
        os.utime(part, (1e9, 1e9))  # the last changes were long ago
    listed: list[Path] = []
    listdir = os.listdir
    monkeypatch.setattr(os, "listdir", lambda path: listed.append(path) or listdir(path))

    following = follow_maildir()
    following.close()

    assert [label for _, label, _ in following.labels()] == ["spam"] * 20
    assert listed.count(maildir / "new") <= 3


def test_junk_keywords_set_by_mail_programs_are_labels(dovecot, follow_maildir):
    (first, raw), (second, second_raw) = new_mail(), new_mail()
    dovecot.put("INBOX", raw)
    dovecot.put("INBOX", second_raw)
    following = follow_maildir(dovecot.mails / "ann")

    dovecot.imap.select("INBOX")
    dovecot.imap.store("1", "+FLAGS", "($Junk)")
    following.wait_for(lambda: following.labels() == [(first, "spam", SOURCE)])
    dovecot.imap.store("1", "-FLAGS", "($Junk)")
    dovecot.imap.store("1", "+FLAGS", "($NotJunk)")
    dovecot.imap.store("2", "+FLAGS", "(\\Seen NonJunk)")
    following.wait_for(lambda: len(following.labels()) >= 3)
    dovecot.imap.unselect()

    # the folder may be read after both changes; they then come in the order of the file names
    assert sorted(following.labels()[1:]) == sorted([(first, "ham", SOURCE), (second, "ham", SOURCE)])
    assert sorted(following.mails()) == sorted([first, second])


def test_a_mail_linked_into_a_new_folder_counts_as_moved_once_the_old_link_is_gone(maildir, follow_maildir):
    """Dovecot moves a mail by linking it into the new folder, and unlinks the old file later."""
    name, raw = new_mail()
    deliver(maildir, "1.host", raw)
    following = follow_maildir()
    for part in ("cur", "new", "tmp"):
        (maildir / ".Spam" / part).mkdir(parents=True)
    os.link(maildir / "new/1.host", maildir / ".Spam/cur/2.host:2,")
    (maildir / ".Spam/cur/3.host:2,").write_bytes(new_mail()[1])
    os.utime(maildir / ".Spam/cur", (1e9, 1e9))  # a folder that changed long ago is not listed again
    time.sleep(1.0)

    os.unlink(maildir / "new/1.host")

    following.wait_for(lambda: following.labels() == [(name, "spam", SOURCE)])


def test_moves_by_dovecot_are_labels(dovecot, follow_maildir):
    name, raw = new_mail()
    dovecot.put("INBOX", raw)
    following = follow_maildir(dovecot.mails / "ann")

    dovecot.move("INBOX", "Junk")
    following.wait_for(lambda: following.labels() == [(name, "spam", SOURCE)])
    dovecot.move("Junk", "INBOX")
    following.wait_for(lambda: following.labels()[1:] == [(name, "ham", SOURCE)])

    assert following.mails() == [name]


def test_a_followed_maildir_sends_heartbeats_with_its_state(maildir, follow_maildir):
    following = follow_maildir()
    address = str(maildir)[-55:]
    with following.open() as log:
        following.wait_for(lambda: stage_states(log, FEED) == {address: "running"})
        following.close()
        assert stage_states(log, FEED) == {address: "stopped"}
