"""Keywords in a Maildir, as Dovecot writes them."""

from __future__ import annotations

from consumers.mailbox.keywords import keyword_names
from tests.consumers.mailbox.conftest import new_mail
from tests.consumers.mailbox.test_maildir import SOURCE, follow_maildir, maildir

__all__ = ["follow_maildir", "maildir"]


def test_letters_are_read_from_the_file_of_dovecot(tmp_path):
    assert keyword_names(tmp_path) == {}
    (tmp_path / "dovecot-keywords").write_text("0 $Junk\n1 NonJunk\nx y\n99 z\n")
    assert keyword_names(tmp_path) == {"a": "$junk", "b": "nonjunk"}


def test_a_keyword_whose_name_is_written_after_its_letter_is_a_label(maildir, follow_maildir):
    name, raw = new_mail()
    (maildir / "cur" / "1.host:2,Sa").write_bytes(raw)
    following = follow_maildir()
    assert following.mails() == [name] and following.labels() == []

    (maildir / "dovecot-keywords").write_text("0 NonJunk\n")
    following.wait_for(lambda: following.labels() == [(name, "ham", SOURCE)])
