"""`--on-spam`: moves or flags spam, only with --apply; --undo reverts it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from types import SimpleNamespace

import pytest

from consumers.log.base import ProducerRecord
from consumers.mailbox.connection import ImapConnection
from consumers.mailbox.known_mail import KnownMail
from consumers.mailbox.known_mails import KnownMails
from consumers.mailbox.treatment import Treatment
from consumers.records.replay import read_all
from consumers.records.schemas import FEEDS, PREDICTIONS, PredictionRecord, encode
from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter
from tests.consumers.mailbox.conftest import Following, labels_since, new_mail, undo
from tests.support.memory_log import new_log


def test_predictions_on_added_partitions_are_awaited(monkeypatch):
    log = new_log(2)
    monkeypatch.setattr(log, "partitions", lambda topic: 1)
    treatment = Treatment(log, SimpleNamespace(read_to=None), "INBOX", "Junk", "move", False, print)
    log.append([ProducerRecord(PREDICTIONS, b"m", b"{}", 1)])
    assert not treatment.waits()

    monkeypatch.setattr(log, "partitions", lambda topic: 2)

    assert treatment.waits()


def test_a_prediction_may_come_before_its_mail_is_delivered():
    log = new_log()
    there: dict[str, KnownMail] = {}
    treatment = Treatment(log, SimpleNamespace(read_to=None, find=there.get), "INBOX", "Junk", "move", False, print)
    for number, name in enumerate(("late", "straight-to-junk")):
        sure = PredictionRecord(name, "spam", 9.0, 1.0, "spam", 0.0, 9, {}, 1, 0, "emails", 0, number + 1, 1.0, 1.0)
        log.append([ProducerRecord(PREDICTIONS, name.encode(), encode(sure), 0)])

    assert treatment.due() == []
    there["straight-to-junk"] = KnownMail("Junk", 1)
    assert treatment.due() == []
    there.update({"late": KnownMail("INBOX", 1), "straight-to-junk": KnownMail("INBOX", 2)})

    assert treatment.due() == ["late"], "a mail that its owner takes out of the junk folder is not moved back"


def test_without_apply_the_moves_are_only_printed(dovecot, follow, trained):
    following = follow(settings=trained, act="move")
    dovecot.put("INBOX", new_mail("spam")[1])
    dovecot.put("INBOX", new_mail("ham")[1])

    following.wait_for(lambda: len(following.notices) >= 1)
    assert following.notices[0].startswith("would be moved to Junk: ")
    assert dovecot.count("INBOX") == 2


def test_spam_is_moved_and_moved_back_by_undo_without_labels(dovecot, follow, trained):
    (_, old), (_, spam), (ham_id, ham) = new_mail("spam"), new_mail("spam"), new_mail("ham")
    dovecot.put("INBOX", old)
    following = follow(settings=trained, act="move", apply=True)
    before = len(following.labels())

    dovecot.put("INBOX", spam)
    dovecot.put("INBOX", ham)
    following.wait_for(lambda: dovecot.count("Junk") == 1)
    following.wait_for(lambda: ham_id in following.mails())
    assert dovecot.count("INBOX") == 2, "ham, and mail that was there before, is not moved"
    following.close()
    assert [line.split(":")[0] for line in following.notices if "moved" in line] == ["moved to Junk"]
    assert undo(dovecot, following) == 1
    assert (dovecot.count("INBOX"), dovecot.count("Junk")) == (3, 0)
    again = follow(settings=trained, act="move", apply=True)
    next_id, raw = new_mail("ham")
    dovecot.put("INBOX", raw)
    again.wait_for(lambda: next_id in again.mails())

    assert labels_since(again, before) == []
    assert dovecot.count("INBOX") == 4, "mail that undo moved back is not moved again"
    assert undo(dovecot, again) == 0


def test_a_mail_that_its_owner_takes_out_of_junk_is_labelled_ham(dovecot, follow, trained):
    following = follow(settings=trained, act="move", apply=True)
    before = len(following.labels())
    name, spam = new_mail("spam")
    dovecot.put("INBOX", spam)
    following.wait_for(lambda: dovecot.count("Junk") == 1)

    dovecot.move("Junk", "INBOX")
    following.wait_for(lambda: len(labels_since(following, before)) >= 1)

    assert labels_since(following, before) == [(name, "ham", "ann")]
    assert dovecot.count("INBOX") == 1
    following.close()
    assert undo(dovecot, following) == 0


def test_a_mail_that_its_owner_moves_to_junk_after_undo_is_labelled_spam(dovecot, follow, trained):
    following = follow(settings=trained, act="move", apply=True)
    before = len(following.labels())
    name, spam = new_mail("spam")
    dovecot.put("INBOX", spam)
    following.wait_for(lambda: dovecot.count("Junk") == 1)
    following.close()
    assert undo(dovecot, following) == 1

    dovecot.move("INBOX", "Junk")

    again = follow(settings=trained)
    again.wait_for(lambda: labels_since(again, before) == [(name, "spam", "ann")])


def test_undo_finds_a_mail_that_the_feed_moved_just_before_its_end(dovecot, follow, trained, monkeypatch):
    following = follow(settings=trained, act="move", apply=True)
    move = ImapConnection.move
    monkeypatch.setattr(ImapConnection, "move", lambda *arguments: following._stop.set() or move(*arguments))
    dovecot.put("INBOX", new_mail("spam")[1])
    following._thread.join(PATIENCE_S)
    assert dovecot.count("Junk") == 1

    assert undo(dovecot, following) == 1
    assert (dovecot.count("INBOX"), dovecot.count("Junk")) == (1, 0)
    assert "$StreamNBMoving" not in str(dovecot.flags())


def test_spam_is_flagged_and_undo_removes_the_flag(dovecot, follow, trained):
    following = follow(settings=trained, act="flag", apply=True)
    dovecot.put("INBOX", new_mail("spam")[1])
    following.wait_for(lambda: any("$Junk" in flags for flags in dovecot.flags()))
    following.close()
    assert [line.split(":")[0] for line in following.notices if "flagged" in line] == ["flagged as junk"]

    assert undo(dovecot, following) == 1
    assert not any("$Junk" in flags for flags in dovecot.flags())
    assert undo(dovecot, following) == 0


@pytest.mark.parametrize("act", ["move", "flag"])
def test_what_undo_reverted_is_not_done_again_by_a_feed_that_had_not_recorded_it(
    dovecot, follow, trained, monkeypatch, act
):
    """It ended after it had treated the mail, and reads the prediction again."""

    def treated() -> int:
        return dovecot.count("Junk") if act == "move" else sum("$Junk" in flags for flags in dovecot.flags())

    def read_to(following: Following) -> int:
        with following.open() as log:
            found = [record.value for record in read_all(log, FEEDS) if record.key.endswith(b" predictions")]
        return json.loads(found[-1])["0"] if found else -1

    reach = KnownMails.reach_predictions
    with monkeypatch.context() as patch:
        patch.setattr(KnownMails, "reach_predictions", lambda known, to: known.read_to is None and reach(known, to))
        following = follow(settings=trained, act=act, apply=True)
        following.wait_for(lambda: read_to(following) >= 0)
        dovecot.put("INBOX", new_mail("spam")[1])
        following.wait_for(lambda: treated() == 1)
        following.close()
    before = read_to(following)
    assert undo(dovecot, following) == 1
    assert treated() == 0

    again = follow(settings=trained, act=act, apply=True)
    dovecot.put("INBOX", new_mail("spam")[1])
    again.wait_for(lambda: read_to(again) == before + 2)
    again.close()

    assert treated() == 1
    assert len(again.notices) == 1


def test_the_command_continues_after_kills(dovecot, trained, mail_filter):
    environment = {**os.environ, "STREAM_NB_LOG": trained.log, "STREAM_NB_IMAP_PASSWORD": "secret"}
    command = [sys.executable, "-m", "consumers", "feed", f"imap://ann@127.0.0.1:{dovecot.port}/INBOX"]
    mails = [new_mail("spam" if number % 2 else "ham") for number in range(12)]
    for number, (_, raw) in enumerate(mails):
        dovecot.put("INBOX", raw)
        if number % 4 == 3:
            process = subprocess.Popen([*command, "--on-spam", "move", "--apply"], env=environment)
            if number == 7:
                time.sleep(0.5)  # killed at an arbitrary point
            else:
                _wait(process, lambda seen=number: known(mail_filter, mails[: seen + 1]))
            process.send_signal(signal.SIGKILL)
            process.wait(PATIENCE_S)
    with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None and "following INBOX" in process.stderr.readline()
        process.send_signal(signal.SIGINT)
        assert process.wait(PATIENCE_S) == 0
    assert known(mail_filter, mails)

    assert all(label.source != "ann" or label.id not in dict(mails) for label in mail_filter.labels())
    assert dovecot.count("INBOX") + dovecot.count("Junk") == len(mails)
    done = subprocess.run([*command, "--undo"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and "moved back" in done.stderr
    assert (dovecot.count("INBOX"), dovecot.count("Junk")) == (len(mails), 0)


def known(server: RunningFilter, mails) -> bool:
    return {name for name, _ in mails} <= set(server.emails())


def _wait(process: subprocess.Popen, there) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while not there():
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.1)
