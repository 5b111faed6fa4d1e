"""`--on-spam`: which mails are due, by predictions on a log in memory, and what is on the log before each change."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog, Topics
from consumers.mailbox import treatment as module
from consumers.mailbox.imap_errors import Refused
from consumers.mailbox.known_mail import KnownMail
from consumers.mailbox.treatment import Act, Treatment
from consumers.records.schemas import PREDICTIONS, TOPICS, PredictionRecord, encode


class Bench:
    """A Treatment, its log of two partitions, the known mails, those that are written, its notices, and a connection
    that does nothing."""

    def __init__(self) -> None:
        self.log = MemoryLog(Topics())
        self.log.create_topics(TOPICS, 2)
        self.mails: dict[str, KnownMail] = {}
        self.written: dict[str, KnownMail] = {}
        self.connection, self.notices = Mock(), []

    def start(self, read_to: dict[int, int] | None = None, act: Act = "move", apply: bool = True) -> Treatment:
        known = Mock(read_to=read_to, find=self.mails.get, put=self.mails.__setitem__)
        known.write = lambda: self.written.update(self.mails)
        return Treatment(self.log, known, "INBOX", "Junk", act, apply, self.notices.append)

    def predict(self, name: str, partition: int = 0, label: str = "spam") -> None:
        """Append the prediction of a mail."""
        sure = PredictionRecord(name, label, 9.0, 1.0, "spam", 0.0, 9, {}, 1, 0, "emails", partition, 1, 1.0, 1.0)
        self.append(name, encode(sure), partition)

    def append(self, name: str, value: bytes, partition: int = 0) -> None:
        self.log.append([ProducerRecord(PREDICTIONS, name.encode(), value, partition)])


@pytest.fixture
def bench() -> Bench:
    return Bench()


def test_only_spam_that_is_new_in_the_mailbox_is_due(bench):
    treatment = bench.start()
    bench.mails |= {
        "new": KnownMail("INBOX", 1),
        "ham": KnownMail("INBOX", 2),
        "there before": KnownMail("INBOX", 3, old=True),
        "marked": KnownMail("INBOX", 4, marked=True),
        "in junk": KnownMail("Junk", 5),
        "on its way": KnownMail("INBOX", 0),
    }
    bench.append("damaged", b"{}")
    for name in bench.mails:
        bench.predict(name, label="ham" if name == "ham" else "spam")

    assert treatment.due() == ["new"]


def test_predictions_are_read_from_where_the_last_run_ended(bench):
    """In a partition that was added meanwhile, from its start; in a topic that has been recreated, from its end."""
    bench.mails |= {name: KnownMail("INBOX", 1) for name in ("before", "added", "after")}
    bench.predict("before", partition=0)
    bench.predict("added", partition=1)
    treatment = bench.start(read_to={0: 7})
    assert treatment.due() == ["added"]

    bench.predict("after", partition=0)
    assert treatment.due() == ["added", "after"]


def test_the_oldest_predictions_without_mails_are_forgotten(bench, monkeypatch):
    monkeypatch.setattr(module, "MOST_EXPECTED", 2)
    treatment = bench.start()
    for name in "abc":
        bench.predict(name)
    assert treatment.due() == []
    bench.mails |= {name: KnownMail("INBOX", 1) for name in "abc"}

    assert treatment.due() == ["b", "c"]


@pytest.mark.parametrize("act", ["move", "flag"])
@pytest.mark.parametrize(("pause", "due"), [(3600.0, []), (0.0, ["a"])])
def test_a_refused_mail_is_due_again_after_a_pause(bench, monkeypatch, act, pause, due):
    monkeypatch.setattr(module, "RETRY_S", pause)
    treatment = bench.start(act=act)
    bench.mails["a"] = KnownMail("INBOX", 1)
    bench.predict("a")
    bench.connection.move.side_effect = bench.connection.mark.side_effect = Refused("full")
    assert treatment.due() == ["a"]
    treatment.treat(bench.connection)
    assert treatment.due() == due
    assert bench.mails["a"] == KnownMail("INBOX", 1)
    assert bench.notices == []

    bench.connection.move.side_effect = bench.connection.mark.side_effect = None
    treatment.treat(bench.connection)
    assert treatment.due() == []
    assert len(bench.notices) == len(due)


@pytest.mark.parametrize("where", [None, KnownMail("Junk", 1)])
def test_a_mail_that_left_before_its_turn_is_not_touched(bench, where):
    treatment = bench.start()
    bench.mails["a"] = KnownMail("INBOX", 1)
    bench.predict("a")
    treatment.due()
    bench.mails["a"] = where

    treatment.treat(bench.connection)

    assert not bench.connection.move.called
    assert bench.notices == []


@pytest.mark.parametrize(
    ("act", "apply", "settled"), [("move", True, ["Junk"]), ("move", False, []), ("flag", True, [])]
)
def test_what_a_run_that_ended_during_a_move_left_behind_is_settled_once(bench, act, apply, settled):
    treatment = bench.start(act=act, apply=apply)
    for _ in range(2):
        treatment.treat(bench.connection)

    assert [call.args[0] for call in bench.connection.settle.call_args_list] == settled
    assert not bench.connection.select.called


def test_the_junk_folder_is_settled_after_a_move(bench):
    treatment = bench.start()
    treatment.treat(bench.connection)
    bench.mails["a"] = KnownMail("INBOX", 1)
    bench.predict("a")
    treatment.due()
    treatment.treat(bench.connection)

    assert bench.connection.settle.call_count == 2
    assert bench.mails["a"] == KnownMail("Junk", moved=True)
    assert len(bench.notices) == 1


@pytest.mark.parametrize(
    ("act", "written"),
    [("move", KnownMail("INBOX", 1, going="Junk")), ("flag", KnownMail("INBOX", 1, marked=True))],
)
def test_a_change_is_on_the_log_before_it_is_made(bench, act, written):
    """A flag also ends an earlier move that was broken off: if the owner now moves the mail, that is a label."""
    before = []
    bench.connection.move.side_effect = bench.connection.mark.side_effect = lambda *_: before.append(bench.written["a"])
    treatment = bench.start(act=act)
    bench.mails["a"] = KnownMail("INBOX", 1, going="Junk")
    bench.predict("a")
    treatment.due()

    treatment.treat(bench.connection)

    assert before == [written]


def test_a_move_is_on_the_log_before_the_next_is_made(bench):
    bench.connection.move.side_effect = [None, OSError("cut")]
    treatment = bench.start()
    bench.mails |= {name: KnownMail("INBOX", 1) for name in "ab"}
    bench.predict("a")
    bench.predict("b")
    treatment.due()

    with pytest.raises(OSError, match="cut"):
        treatment.treat(bench.connection)

    assert bench.written["a"] == KnownMail("Junk", moved=True)
