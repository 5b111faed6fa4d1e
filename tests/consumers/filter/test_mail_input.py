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


@pytest.mark.parametrize("end", [b"\n", b"\r\n"])
def test_an_mbox_is_several_mails_and_a_mail_with_such_a_line_is_one(tmp_path, end):
    line, path = b"From a@b Thu Jan  1 00:00:00 1970\n", tmp_path / "mails"
    for content, names in ((line + MAIL + b"\n" + line + MAIL, ["#1", "#2"]), (MAIL + b"\n" + line, [""])):
        path.write_bytes(content.replace(b"\n", end))
        assert [name for name, _ in read_mails((str(path),), print)] == [f"{path}{name}" for name in names]


@pytest.mark.parametrize(("names", "folders"), [(("home", "work"), {"home": "home", "work": "work"}), (("home",), {})])
def test_the_classes_of_the_folders_in_a_path_are_told_if_there_are_several(tmp_path, names, folders):
    for name in names:
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.eml").write_bytes(MAIL)
    notices, opened = [], []
    mails = [*read_mails((str(tmp_path),), notices.append, lambda *path: opened.append(path))]
    assert (len(mails), notices, opened) == (len(names), [], [(str(tmp_path), folders)])


def test_the_compiler_is_worth_loading_for_a_large_mail_and_for_several():
    assert is_small([]) and is_small([("a", bytes(SMALL_BYTES))])
    assert not is_small([("a", bytes(SMALL_BYTES + 1))]) and not is_small([("a", MAIL), ("b", MAIL)])
