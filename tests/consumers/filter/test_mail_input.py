"""Reading the mails of a command; `test_classify.py` tests its inputs by what the commands say of them."""

import sys

import pytest

from consumers.errors import UserError
from consumers.filter.mail_input import SMALL_BYTES, is_small, read_mails, read_one

MAIL = b"Subject: hi\n\nhello\n"


def test_a_file_is_read_although_standard_input_is_closed(tmp_path, monkeypatch):
    path = tmp_path / "a.eml"
    path.write_bytes(MAIL)
    monkeypatch.setattr(sys, "stdin", None)
    assert [*read_mails((str(path),), print)] == [(str(path), MAIL)]
    assert read_one((str(path),)) == MAIL
    with pytest.raises(UserError, match="cannot read standard input: it is closed"):
        read_one(())


def test_the_compiler_is_worth_loading_for_a_large_mail_and_for_several():
    assert is_small([]) and is_small([("a", bytes(SMALL_BYTES))])
    assert not is_small([("a", bytes(SMALL_BYTES + 1))]) and not is_small([("a", MAIL), ("b", MAIL)])
