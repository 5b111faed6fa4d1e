"""Folders of an IMAP account as classes, `feed imap://... --classes`, on a real Dovecot."""

from __future__ import annotations

import shutil
from functools import partial

import pytest

from tests.consumers.mailbox.conftest import Following, has_labels, new_mail
from tests.support.imap_server import ANSWERS, serving


def test_with_rules_each_folder_is_followed_and_a_move_teaches_its_class(dovecot, follow):
    """A folder may be created later; trash is not read, and a folder without a class gives no label."""
    (name, raw), (old, old_raw) = new_mail(), new_mail()
    for folder in ("Work", "Lists"):
        dovecot.imap.create(folder)
    dovecot.put("Lists", old_raw)
    dovecot.put("Trash", new_mail()[1])
    following = follow(labels=True, classes="INBOX=none,*=*")
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: name in following.mails())
    dovecot.imap.create("Home")
    labels = [(old, "Lists", "ann")]
    for source, target in (("INBOX", "Work"), ("Work", "Home"), ("Home", "Junk"), ("Junk", "Work")):
        dovecot.move(source, target)
        dovecot.put("INBOX", new_mail()[1])  # a change in INBOX makes the follower read all folders
        labels.append((name, "spam" if target == "Junk" else target, "ann"))
        following.wait_for(partial(has_labels, following, len(labels)))
    dovecot.move("Work", "INBOX")
    last, raw = new_mail()
    dovecot.put("INBOX", raw)
    following.wait_for(lambda: last in following.mails())

    assert following.labels() == labels
    assert len(following.mails()) == len(set(following.mails())) == 7


def test_a_folder_that_no_rule_names_is_refused(dovecot, settings):
    dovecot.imap.create("Work")
    following = Following(f"imap://ann@127.0.0.1:{dovecot.port}", settings, ready=False, classes="INBOX=none")
    following.close()
    assert "no rule matches 'Work'" in str(following.errors)


@pytest.mark.parametrize("mailbox", ["INBOX", "INBOX.Work"])
def test_the_prefix_of_all_own_folders_is_no_part_of_a_class(settings, mailbox):
    """Courier, Cyrus and many hosters put all folders below INBOX; everything else may be in another namespace."""
    listed = [b'* LIST () "." %s\r\n' % name for name in (b"INBOX", b"INBOX.Junk", b"INBOX.Lists.dev", b"INBOX.Work")]
    spaces = b'* NAMESPACE (("INBOX." ".")) NIL (("" "."))\r\n'
    with serving(ANSWERS | {b"LIST": b"".join(listed), b"NAMESPACE": spaces}) as url:
        url = url.replace("INBOX", mailbox)
        following = Following(url, settings, labels=True, classes="INBOX=none,Work=job,*=*")
        following.close()

    assert following.classes == {"INBOX": "", "INBOX.Junk": "spam", "INBOX.Lists.dev": "Lists.dev", "INBOX.Work": "job"}


def test_a_folder_that_cannot_be_opened_keeps_back_no_other(dovecot, follow, caplog, monkeypatch):
    """It is refused between two batches of INBOX, which is then not selected any more."""
    monkeypatch.setattr("consumers.mailbox.reading.MAILS_A_FETCH", 1)
    dovecot.put("Junk", new_mail()[1])
    folder = dovecot.mails / "ann" / ".Junk"
    shutil.chown(folder, "root")
    folder.chmod(0)
    mails = [new_mail() for _ in range(3)]
    for _, raw in mails:
        dovecot.put("INBOX", raw)

    following = follow()

    assert following.mails() == [name for name, _ in mails]
    assert "cannot read the folder Junk: select failed:" in caplog.text
    assert "trying again in" not in caplog.text


@pytest.mark.parametrize("labels", [False, True])
def test_a_mail_that_is_in_two_folders_at_the_start_was_not_moved(dovecot, follow, labels):
    """Gmail shows each of a mail's labels as a folder."""
    name, raw = new_mail()
    dovecot.imap.create("Work")
    for folder in ("INBOX", "Work"):
        dovecot.put(folder, raw)

    following = follow(labels=labels, classes="INBOX=none,*=*")

    assert following.mails() == [name]
    assert following.labels() == [(name, "Work", "ann")] * labels
    dovecot.imap.create("Home")
    dovecot.move("Work", "Home")
    dovecot.put("INBOX", new_mail()[1])
    following.wait_for(lambda: following.labels()[-1:] == [(name, "Home", "ann")])
