"""A feed of a Maildir that is stopped before it has read all mails for the first time."""

from __future__ import annotations

import threading

from consumers.mailbox.maildir import MaildirFollower
from consumers.records.replay import read_all
from consumers.records.schemas import EMAILS
from consumers.records.setup import open_ready_log
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


def test_the_mails_that_were_not_read_get_their_labels_after_a_restart(maildir, settings, follow_maildir):
    stop, expected = threading.Event(), []
    for number in range(3):
        name, raw = new_mail()
        deliver(maildir, f"{number}.host", raw)
        expected.append((name, "ham", SOURCE))
    with open_ready_log(settings, print) as log:
        follower = MaildirFollower(log, maildir, settings, labels=True)
        arrive = follower.known_mails.arrive
        follower.known_mails.arrive = lambda *args, **kwargs: stop.set() or arrive(*args, **kwargs)
        follower.run(stop)
        assert [record.key.decode() for record in read_all(log, EMAILS)] == [expected[0][0]]

    assert follow_maildir(labels=True).labels() == expected
