"""Keywords in a Maildir, as Dovecot writes them."""

from __future__ import annotations

import os

from consumers.mailbox.keywords import keyword_names
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, deliver, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


def test_letters_are_read_from_the_file_of_dovecot(tmp_path):
    assert keyword_names(tmp_path) == {}
    lines = "0 $Junk", "1 NonJunk", "x y", "99 z", "² z", "2", "3 caf\udce9 au lait", "25 last", "26 z"
    (tmp_path / "dovecot-keywords").write_text("\n".join(lines), "utf-8", "surrogateescape")
    assert keyword_names(tmp_path) == {"a": "$junk", "b": "nonjunk", "d": "caf\ufffd au lait", "z": "last"}


def test_a_file_of_keywords_that_cannot_be_read_names_none(tmp_path):
    (tmp_path / "dovecot-keywords").mkdir()
    assert keyword_names(tmp_path) == {}


def test_each_mail_program_has_keywords_of_its_own(maildir, follow_maildir):
    """Keywords take precedence over folders."""
    expected = []
    for label, folder, keywords in (
        ("spam", maildir, ("$Junk", "Junk")),
        ("ham", maildir / ".Junk", ("$NotJunk", "NotJunk", "NonJunk")),
    ):
        (folder / "dovecot-keywords").write_text("".join(f"{number} {word}\n" for number, word in enumerate(keywords)))
        for letter in "abc"[: len(keywords)]:
            name, raw = new_mail()
            (folder / "cur" / f"{letter}.host:2,S{letter}").write_bytes(raw)
            expected.append((name, label, SOURCE))

    assert sorted(follow_maildir(labels=True).labels()) == sorted(expected)


def test_a_keyword_whose_name_is_written_after_its_letter_is_a_label(maildir, follow_maildir):
    name, raw = new_mail()
    (maildir / "cur" / "1.host:2,Sa").write_bytes(raw)
    os.utime(maildir / "cur", (1e9, 1e9))  # a folder that changed long ago is not listed again
    following = follow_maildir()
    assert following.mails() == [name] and following.labels() == []

    (maildir / "dovecot-keywords").write_text("0 NonJunk\n")
    following.wait_for(lambda: following.labels() == [(name, "ham", SOURCE)])


def test_a_keyword_that_moves_with_its_mail_is_no_label_again(maildir, follow_maildir):
    """A phone moves a mail out of the junk folder but leaves its keyword; the owner then files the mail."""
    (name, raw), (other, other_raw) = new_mail(), new_mail()
    for folder in ("", ".Junk", ".Work"):
        (maildir / folder / "dovecot-keywords").write_text("0 $Junk\n")
    deliver(maildir, "1.host", raw)
    following = follow_maildir()
    os.rename(maildir / "new/1.host", maildir / "cur/1.host:2,Sa")
    following.wait_for(lambda: following.labels() == [(name, "spam", SOURCE)])
    os.rename(maildir / "cur/1.host:2,Sa", maildir / ".Junk/cur/1.host:2,Sa")
    following.wait_for(lambda: following.labels()[1:] == [(name, "spam", SOURCE)])
    os.rename(maildir / ".Junk/cur/1.host:2,Sa", maildir / "cur/1.host:2,Sa")
    following.wait_for(lambda: following.labels()[2:] == [(name, "ham", SOURCE)])

    os.rename(maildir / "cur/1.host:2,Sa", maildir / ".Work/cur/1.host:2,Sa")
    deliver(maildir / ".Work", "2.host", other_raw)

    following.wait_for(lambda: other in following.mails())
    assert following.labels()[3:] == []
