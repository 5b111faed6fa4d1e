import errno
import os
import random

import pytest

from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.ingest.formats.order import natural
from consumers.log.sqlite.log import SqliteLog
from consumers.records.schemas import TOPICS


def fill(root, files: dict[str, bytes]):
    for name, content in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return root


def mail(text: str) -> bytes:
    return f"Subject: {text}\n\n{text}\n".encode()


def test_all_classes_are_merged_in_natural_order(tmp_path):
    names = [
        "ham/2.txt",
        "ham/10.txt",
        "spam/1.txt",
        "spam/009.txt",
        "ham/3.b.txt",
        "spam/3.a.txt",
        "ham/11",
        "spam/11",
    ]
    source = open_source(fill(tmp_path, {name: mail(name) for name in names}))

    order = [
        "spam/1.txt",
        "ham/2.txt",
        "spam/3.a.txt",
        "ham/3.b.txt",
        "spam/009.txt",
        "ham/10.txt",
        "ham/11",
        "spam/11",
    ]
    assert [item.value for item in source] == [mail(name) for name in order]
    assert [item.label for item in source] == [name.split("/")[0] for name in order]
    assert (source.total, source.about) == (8, "folder with the classes ham, spam")


def test_a_shuffled_order_depends_on_the_seed_and_sorted_files_only(tmp_path):
    names = [f"{folder}/{number}" for folder in ("b-ham", "a-spam") for number in (10, 9, 1)]
    source = open_source(fill(tmp_path, {name: mail(name) for name in names}), shuffle=0)

    order = sorted(names)
    random.Random(0).shuffle(order)
    assert [item.value for item in source] == [mail(name) for name in order]
    assert list(source) == list(source)


def test_ids_are_the_message_ids_of_the_mails(tmp_path):
    fill(tmp_path, {"ham/1": b"Message-ID: <x@y>\n\nt", "ham/2": b"From me\nMessage-ID: <z@y>\n\nt", "spam/3": b"t"})

    ids = [item.id for item in open_source(tmp_path)]
    assert ids[:2] == ["x@y", "z@y"] and ids[2].startswith("sha256:")


def test_files_at_any_depth_below_a_class_are_read_except_hidden_ones(tmp_path):
    fill(
        tmp_path,
        {
            "ham/2001/1": b"a",
            "ham/cur/2": b"b",
            "ham/2001/tmp/3": b"c",
            "ham/.hidden": b"-",
            "ham/.git/3": b"-",
            ".trash/4": b"-",
            "README": b"-",
            "Junk": b"-",
        },
    )

    items = list(open_source(tmp_path))
    assert [item.value for item in items] == [b"a", b"b", b"c"]
    assert {item.label for item in items} == {"ham"}


def test_folders_are_classes_whatever_mail_programs_mean_by_their_names(tmp_path):
    for name, third in (("mail", "old/mbox"), ("old.mbox", "old/3")):
        root = fill(tmp_path / name, {"new/1": b"a", "old/2": b"b", third: b"c"})

        assert sorted(item.label for item in open_source(root)) == ["new", "old", "old"]


def test_sub_folders_of_kmail_are_read(tmp_path):
    below = ("work", "spam", ".spam.directory/old")
    places = ("inbox", *(f".inbox.directory/{place}" for place in below), "trash")
    source = open_source(fill(tmp_path, {f"{place}/cur/1:2,S": mail(place) for place in places}))
    assert {file.folder: file.label for file in source.files} == {
        "inbox": "ham", "inbox/work": "ham", "inbox/spam": "spam", "inbox/spam/old": "spam", "trash": None,
    }  # fmt: skip


def test_spam_folders_below_another_class_are_reported(tmp_path):
    """As of readpst and imap-backup, or of several corpora in one folder."""
    fill(tmp_path / "pst", {"Outlook/Inbox/1": b"a", "Outlook/Junk E-mail/2": b"b"})
    fill(tmp_path / "backup", {"INBOX.mbox": b"From a\nA: b\n" * 2, "[Gmail]/Spam.mbox": b"From b\n\n\nFrom c\nC: d\n"})
    fill(tmp_path / "known", {"ham/old/1": b"a", "spam/old/spam/2": b"b", "spam/junk/3": b"c"})

    for name, inner in (("pst", "Outlook/Junk E-mail"), ("backup", "[Gmail]/Spam.mbox"), ("known", "")):
        said: list[str] = []
        open_source(tmp_path / name, notify=said.append)
        open_source(tmp_path / name, notify=said.append, classes="*=mine")
        lines = [line for line in said if "part of the folder above" in line]
        assert len(lines) == bool(inner)
        assert all(inner in line and str((tmp_path / name / inner).parent) in line for line in lines)


def test_mails_removed_by_mh_are_left_out(tmp_path):
    names = ("inbox/1", "inbox/,2", "spam/1", "spam/,1")
    assert open_source(fill(tmp_path, {name: mail(name) for name in names})).total == 2


@pytest.mark.parametrize("junk", ["Junk", ".Junk"])
def test_an_empty_spam_folder_still_tells_that_the_others_hold_ham(tmp_path, junk):
    (tmp_path / "folders" / junk).mkdir(parents=True)
    (tmp_path / "folders" / ".git").mkdir()
    fill(tmp_path / "folders", {"Inbox/1": b"a", "Sent/2": b"b"})
    mbox = b"From me\nA: b\n\n"
    fill(tmp_path / "mboxes", {"Inbox": mbox, "Inbox.msf": b"x", "Sent": mbox, "Sent.msf": b"x"})
    fill(tmp_path / "mboxes", {"Junk": b"", "Junk.msf": b"x"})

    for name in ("folders", "mboxes"):
        said: list[str] = []
        source = open_source(tmp_path / name, notify=said.append)
        assert source.about == "folder with the classes ham"
        assert [item.label for item in source] == ["ham", None]
        assert any("no mail" in line and "Junk" in line for line in said) and ".git" not in str(said)
        assert {item.label for item in open_source(tmp_path / name, classes="Inbox=in,Sent=out")} == {"in", "out"}


@pytest.mark.parametrize("names", [("Inbox", "Junk"), ("ann/Inbox", "ann/Junk", "ann/Inbox.msf", "ann/Junk.msf")])
def test_an_empty_spam_mbox_still_tells_that_the_others_hold_ham(tmp_path, names):
    root = fill(tmp_path, {name: b"From me\nA: b\n\n" * 2 if name.endswith("Inbox") else b"" for name in names})
    assert [item.label for item in open_source(root)] == ["ham", "ham"]
    fill(tmp_path, {"Junk.mbox": b"From you\nC: d\n\n"})  # beside an empty one of the same name
    assert sorted(item.label for item in open_source(root)) == ["ham", "ham", "spam"]


def test_mails_without_classes_have_no_label(tmp_path):
    files = {"10": b"From me\nA: b\n", "11.junk": b"From you\nC: d\n", "9": b"a"}
    source = open_source(fill(tmp_path, files), notify=pytest.fail)

    assert source.about == "folder of mails without classes"
    assert [item.value for item in source] == [b"a", b"From me\nA: b\n", b"From you\nC: d\n"]
    assert {item.label for item in source} == {None}
    with pytest.raises(UserError, match="names the classes of sub-folders"):
        open_source(tmp_path, classes="*=ham")


def test_enron_files_without_a_blank_line_are_raw_mail(tmp_path):
    from stream_nb.mail import read_mail

    fill(tmp_path, {"ham/1": b"Subject: hello there\nthe first line\nre : the second\n"})

    parsed = read_mail(next(iter(open_source(tmp_path))).value)
    assert parsed.subject == "hello there"
    assert dict(parsed.mail.parts)[""] == b"hello there\nthe first line\nre : the second\n"


def test_text_that_looks_like_json_stays_raw_mail(tmp_path):
    item = next(iter(open_source(fill(tmp_path, {"ham/1": b"{not json"}))))

    assert item.value == b"\n{not json"


def test_a_large_file_is_read_up_to_one_byte_above_the_limit_of_a_worker(tmp_path):
    item = next(iter(open_source(fill(tmp_path, {"ham/1": b"a: b\n\n" + b"x" * 3_000_000}))))

    assert len(item.value) == 1_000_001


@pytest.mark.parametrize("files", [{}, {"ham/.hidden": b"x"}, {".hidden": b"x"}])
def test_a_folder_without_mail_is_refused(tmp_path, files):
    with pytest.raises(UserError, match="holds no mail; expected mails"):
        open_source(fill(tmp_path, files))


def test_outlook_files_and_archives_are_left_out(tmp_path):
    (tmp_path / "spam").mkdir()
    (tmp_path / "spam" / "1.msg").write_bytes(b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(500))
    (tmp_path / "spam" / "2.zip").write_bytes(b"PK\x03\x04" + bytes(500))
    (tmp_path / "spam" / "3.eml").write_bytes(b"Subject: a\n\n")
    notes = []

    assert [item.value for item in open_source(tmp_path, notify=notes.append)] == [b"Subject: a\n\n"]
    assert len(notes) == 1 and "2 files hold no mail and are left out: " in notes[0]


def test_a_log_below_the_folder_is_no_mail(tmp_path):
    """By default the log is in var/log, below the working directory."""
    with SqliteLog(tmp_path / "var" / "log") as log:
        log.create_topics(TOPICS, 1)
        fill(tmp_path, {"1.eml": b"Subject: a\n\n"})
        assert list((tmp_path / "var" / "log").glob("*-wal"))
        assert [item.value for item in open_source(tmp_path)] == [b"Subject: a\n\n"]


def test_tables_and_json_are_no_mail(tmp_path):
    """Data sets have such files beside or in place of mails."""
    fill(tmp_path / "mails", {"ham/1": b"a", "spam/2": b"b", "spam/labels.csv": b"file,label\n", "spam/3.JSON": b"{}"})
    fill(tmp_path / "kaggle", {"sms/spam.csv": b"v1,v2\nham,see you\n", "README": b""})
    notes = []

    assert [item.value for item in open_source(tmp_path / "mails", notify=notes.append)] == [b"a", b"b"]
    assert notes == ["2 files hold no mail and are left out: spam/3.JSON, spam/labels.csv"]
    with pytest.raises(UserError, match=r"to read a table, give its path: .*/kaggle/sms/spam\.csv$"):
        open_source(tmp_path / "kaggle")


def test_a_file_that_disappears_is_named(tmp_path):
    source = open_source(fill(tmp_path, {"ham/1": b"x"}))
    (tmp_path / "ham" / "1").unlink()

    with pytest.raises(UserError, match=r"ham/1: No such file or directory; check"):
        list(source)


def test_natural_order():
    names = ["a10", "a9", "a09", "10", "9", "a", "1.2", "1.10", ""]

    assert sorted(names, key=natural) == ["", "1.2", "1.10", "9", "10", "a", "a09", "a9", "a10"]


def test_a_sub_folder_that_cannot_be_listed_is_refused(tmp_path, monkeypatch):
    """Else its mail would be missing, and a note would say that it holds none."""
    scandir = os.scandir

    def deny(path):
        if str(path).endswith("spam"):
            raise PermissionError(errno.EACCES, "Permission denied", str(path))
        return scandir(path)

    monkeypatch.setattr(os, "scandir", deny)
    with pytest.raises(UserError, match=r"cannot read .*/spam: Permission denied; check the path and its permissions"):
        open_source(fill(tmp_path, {"ham/1.txt": mail("a"), "spam/1.txt": mail("b")}))
