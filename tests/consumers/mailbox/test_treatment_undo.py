"""`--undo`: which mails it changes."""

from __future__ import annotations

from unittest.mock import Mock

import pytest

from consumers.mailbox.imap_errors import Refused
from consumers.mailbox.known_mail import KnownMail
from consumers.mailbox.treatment import undo


class Bench:
    """Known mails, those that are written, and a connection that changes nothing; `uids` are those in each folder."""

    def __init__(self, mails: dict[str, KnownMail], uids: dict[str, list[int]]) -> None:
        self.mails = mails
        self.written: dict[str, KnownMail] = {}
        self.connection = Mock()
        self.connection.uids_from = lambda first: uids[self.connection.select.call_args.args[0]]
        self._known = Mock(ours=lambda: dict(mails), put=mails.__setitem__, write=lambda: self.written.update(mails))

    def undo(self) -> int:
        return undo(self.connection, self._known, "INBOX", "Junk")


def test_only_what_is_still_where_we_left_it_is_undone():
    bench = Bench(
        {
            "moved": KnownMail("Junk", 1, moved=True),
            "moved, deleted": KnownMail("Junk", 2, moved=True),
            "moved, in another folder": KnownMail("Work", 1, moved=True),
            "never moved": KnownMail("INBOX", 3, going="Junk"),
            "marked": KnownMail("INBOX", 4, marked=True),
            "marked, deleted": KnownMail("INBOX", 5, marked=True),
            "marked, in another folder": KnownMail("Work", 4, marked=True),
        },
        {"Junk": [1, 3, 4], "INBOX": [1, 3, 4]},
    )
    before = dict(bench.mails)

    assert bench.undo() == 2

    assert [call.args for call in bench.connection.move.call_args_list] == [(1, "INBOX")]
    assert [call.args for call in bench.connection.settle.call_args_list] == [("INBOX",)]
    assert [call.args for call in bench.connection.mark.call_args_list] == [(4, False)]
    # Both are old, so that no later feed treats them again.
    changed = {
        "moved": KnownMail("Junk", 1, old=True, moved=True, going="INBOX"),
        "marked": KnownMail("INBOX", 4, old=True),
    }
    assert bench.mails == before | changed
    assert changed.items() <= bench.written.items()


def test_a_move_back_that_the_server_refuses_is_ours_still():
    bench = Bench({"moved": KnownMail("Junk", 1, moved=True)}, {"Junk": [1], "INBOX": []})
    before = []

    def refuse(*_) -> None:
        before.append(bench.written["moved"].going)
        raise Refused("full")

    bench.connection.move.side_effect = refuse
    with pytest.raises(Refused, match="full"):
        bench.undo()

    assert before == ["INBOX"]
    assert bench.written["moved"].going == "" and bench.written["moved"].moved
