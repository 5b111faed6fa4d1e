"""The inputs of the command `learn`."""

from __future__ import annotations

import os

import pytest


@pytest.mark.parametrize("options", [(), ("--spam", "--ham"), ("--spam", "--forget"), ("--ham", "--as", "work")])
def test_learn_takes_exactly_one_label(cli, options):
    status, _, err = cli("learn", *options, stdin=b"Subject: hi\n\nhello")

    assert status == 2 and "--forget" in err


def test_learn_names_empty_input(cli, model, tmp_path):
    assert "standard input is empty" in cli("learn", "--ham", "--model", model)[2]
    (tmp_path / "bare.eml").touch()
    assert f"{tmp_path / 'bare.eml'} is empty" in cli("learn", "--ham", "--model", model, tmp_path / "bare.eml")[2]


def test_learn_labels_nothing_if_one_of_its_paths_is_no_mail(cli, monkeypatch, tmp_path):
    good, table, missing, empty = (tmp_path / name for name in ("good.eml", "table.csv", "missing.eml", "empty"))
    empty.mkdir()
    good.write_bytes(b"Subject: hi\n\nhello\n")
    table.write_text("text,label\nlunch,ham\n")
    learned: list[bytes] = []
    monkeypatch.setattr(
        "consumers.filter.client.FilterClient.learn", lambda self, raw, label, source: learned.append(raw) or True
    )

    assert cli("learn", "--spam", good, good)[:2] == (0, b"2 mails learned as spam\n")
    read, write = os.pipe()  # as of a shell's <(...), which can be read only once
    os.write(write, b"Subject: piped\n\nx\n")
    os.close(write)
    assert cli("learn", "--spam", f"/dev/fd/{read}", good)[:2] == (0, b"2 mails learned as spam\n")
    os.close(read)
    assert learned[-2] == b"Subject: piped\n\nx\n"
    learned.clear()
    for bad in (table, missing, empty):
        status, out, err = cli("learn", "--spam", good, good, bad)
        assert (status, out, learned) == (2, b"", []) and str(bad) in err


def test_learn_says_that_a_name_is_a_new_class_of_the_model(cli, tmp_path):
    """A typing error would make a class that nobody wants."""

    def said(subject: str, *label: str) -> str:
        mail = b"Subject: %s\n\nhello\n" % subject.encode()
        status, _, err = cli("learn", *label, "--model", tmp_path / "kept.snb", stdin=mail)
        assert status == 0
        return err

    assert [said("a", "--as", "ham"), said("b", "--spam"), said("c", "--as", "ham")] == [""] * 3
    assert "'hma' is a new class of" in said("d", "--as", "hma")
    assert said("e", "--as", "hma") == ""
