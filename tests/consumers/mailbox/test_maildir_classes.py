"""A followed Maildir whose folders are classes, `feed --follow --classes`."""

from __future__ import annotations

import os
from functools import partial

import pytest

from tests.consumers.mailbox.conftest import has_labels, new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]

UNSORTED = "INBOX=none,*=*"


def move(maildir, source: str, target: str) -> None:
    os.rename(maildir / source / "1.host", maildir / target / "1.host")


def test_a_move_teaches_the_class_of_the_new_folder_if_it_has_one(maildir, follow_maildir):
    name, raw = new_mail()
    for part in ("cur", "new", "tmp"):
        (maildir / ".R&AOk-sum&AOk-s" / part).mkdir(parents=True)
    deliver(maildir, "1.host", raw)
    following = follow_maildir(classes=UNSORTED)

    steps = [("new", ".Work/cur", "Work"), (".Work/cur", ".R&AOk-sum&AOk-s/cur", "Résumés")]
    steps += [(".R&AOk-sum&AOk-s/cur", "cur", None), ("cur", ".Junk/cur", "spam"), (".Junk/cur", ".Work/new", "Work")]
    labels = []
    for number, (source, target, label) in enumerate(steps):
        move(maildir, source, target)
        other, mail = new_mail()
        deliver(maildir, f"then-{number}.host", mail)
        following.wait_for(lambda other=other: other in following.mails())
        labels += [(name, label, SOURCE)] if label else []
        following.wait_for(partial(has_labels, following, len(labels)))

    assert following.labels() == labels
    assert following.mails().count(name) == 1


def test_a_restart_gives_the_labels_of_moves_since(maildir, follow_maildir):
    name, raw = new_mail()
    deliver(maildir / ".Junk", "1.host", raw)
    follow_maildir(classes=UNSORTED).close()
    move(maildir, ".Junk/new", ".Work/cur")

    assert follow_maildir(classes=UNSORTED).labels() == [(name, "Work", SOURCE)]


def test_folders_of_the_same_class_give_no_labels_to_moves_between_them(maildir, follow_maildir):
    name, raw = new_mail()
    deliver(maildir, "1.host", raw)
    follow_maildir(classes="Junk=spam,*=good").close()
    move(maildir, "new", ".Work/cur")
    follow_maildir(classes="Junk=spam,*=good").close()
    move(maildir, ".Work/cur", ".Junk/cur")

    assert follow_maildir(classes="Junk=spam,*=good").labels() == [(name, "spam", SOURCE)]


def test_with_labels_the_first_mails_have_the_classes_of_their_folders(maildir, follow_maildir):
    (work, work_raw), (spam, spam_raw), (_, raw) = new_mail(), new_mail("spam"), new_mail()
    deliver(maildir, "1.host", raw)
    deliver(maildir / ".Work", "2.host", work_raw)
    deliver(maildir / ".Junk", "3.host", spam_raw)

    labels = follow_maildir(labels=True, classes=UNSORTED).labels()

    assert sorted(labels) == sorted([(work, "Work", SOURCE), (spam, "spam", SOURCE)])


@pytest.mark.parametrize("rules, label", [("INBOX=none,*=*", None), ("Junk=spam,*=ham", "ham")])
def test_the_keyword_notjunk_is_a_label_only_if_a_folder_has_the_class_ham(maildir, follow_maildir, rules, label):
    name, raw = new_mail()
    (maildir / "dovecot-keywords").write_text("0 $NotJunk\n1 $Junk\n")
    deliver(maildir, "1.host", raw)
    following = follow_maildir(classes=rules)
    os.rename(maildir / "new/1.host", maildir / "cur/1.host:2,a")
    other, other_raw = new_mail()
    deliver(maildir, "2.host", other_raw)
    following.wait_for(lambda: other in following.mails())
    os.rename(maildir / "cur/1.host:2,a", maildir / "cur/1.host:2,b")
    wanted = [(name, "ham", SOURCE)] if label else []

    following.wait_for(lambda: following.labels() == [*wanted, (name, "spam", SOURCE)])


def test_a_folder_that_no_rule_names_may_be_created_later(maildir, follow_maildir, caplog):
    rules = "INBOX=none,Junk=spam,Work=work"
    name, raw = new_mail()
    deliver(maildir / ".Work", "1.host", raw)
    following = follow_maildir(classes=rules)
    for part in ("cur", "new", "tmp"):
        (maildir / ".Home" / part).mkdir(parents=True)
    move(maildir, ".Work/new", ".Home/cur")
    other, other_raw = new_mail()
    deliver(maildir / ".Home", "2.host", other_raw)
    following.wait_for(lambda: other in following.mails())
    move(maildir, ".Home/cur", ".Junk/cur")
    following.wait_for(partial(has_labels, following, 1))

    assert following.labels() == [(name, "spam", SOURCE)]
    assert caplog.text.count("no rule matches 'Home'; add one") == 1
