"""Mbox files in a folder: one per class, one per folder, and Thunderbird's tree."""

import mailbox
import re

import pytest
from click.testing import CliRunner

from consumers.cli.main import cli
from consumers.errors import UserError
from consumers.ingest.formats import open_source


def box(path, *texts: str):
    path.parent.mkdir(parents=True, exist_ok=True)
    found = mailbox.mbox(path)
    for text in texts:
        found.add(f"Subject: {text}\n\n{text}\n\nFrom the middle of {text}\n")
    found.close()
    return path


def subjects(source) -> list[tuple[str, str | None]]:
    return [(item.value.split(b"\n")[0].removeprefix(b"Subject: ").decode(), item.label) for item in source]


def texts(name: str, count: int) -> list[str]:
    return [f"{name} {number}" for number in range(count)]


def test_each_mbox_is_a_class_named_after_its_file(tmp_path):
    box(tmp_path / "ham.mbox", *texts("ham", 4))
    box(tmp_path / "spam.mbox", *texts("spam", 2))

    source = open_source(tmp_path)

    assert subjects(source) == [
        ("ham 0", "ham"),
        ("spam 0", "spam"),
        ("ham 1", "ham"),
        ("ham 2", "ham"),
        ("spam 1", "spam"),
        ("ham 3", "ham"),
    ]
    assert (source.total, source.about) == (6, "folder with the classes ham, spam")
    assert list(source) == list(source)
    assert sorted(subjects(open_source(tmp_path, shuffle=1))) == sorted(subjects(source))
    assert subjects(open_source(tmp_path, shuffle=1)) != subjects(source)


def test_mails_of_an_mbox_in_a_folder_equal_those_of_the_mbox_alone(tmp_path):
    path = box(tmp_path / "work.mbox", *texts("a", 3))

    assert [item.value for item in open_source(tmp_path)] == [item.value for item in open_source(path)]
    assert [item.id for item in open_source(tmp_path)] == [item.id for item in open_source(path)]


def test_an_mbox_may_be_next_to_single_mails_in_a_class_folder(tmp_path):
    box(tmp_path / "ham" / "2001" / "archive", *texts("old", 2))
    (tmp_path / "ham" / "7.eml").write_bytes(b"Subject: single\n\nx")
    (tmp_path / "Bulk").mkdir()
    (tmp_path / "Bulk" / "8").write_bytes(b"From a@b Thu Aug 22 12:36:23 2002\nSubject: one\n\nx")

    one, *others = sorted(subjects(open_source(tmp_path)))

    assert one == ("From a@b Thu Aug 22 12:36:23 2002", "spam")
    assert others == [("old 0", "ham"), ("old 1", "ham"), ("single", "ham")]


def test_a_thunderbird_folder_is_read(tmp_path):
    box(tmp_path / "Inbox", *texts("in", 3))
    box(tmp_path / "Junk", "junk 0")
    box(tmp_path / "Sent", "sent 0")
    box(tmp_path / "Archives.sbd" / "2019", *texts("old", 2))
    (tmp_path / "Drafts").touch()
    for name in ("Inbox", "Junk", "Sent", "Drafts", "Archives", "Archives.sbd/2019"):
        (tmp_path / f"{name}.msf").write_bytes(b'// <!-- <mdb:mork:z v="1.4"/> -->\n')
    (tmp_path / "msgFilterRules.dat").write_bytes(b'version="9"\n')
    notes = []

    source = open_source(tmp_path, notify=notes.append)

    assert sorted(subjects(source)) == [
        ("in 0", "ham"),
        ("in 1", "ham"),
        ("in 2", "ham"),
        ("junk 0", "spam"),
        ("old 0", "ham"),
        ("old 1", "ham"),
        ("sent 0", None),
    ]
    assert [re.split("[;:]", note)[0] for note in notes] == [
        "the mails in Sent have no label",
        "1 file holds no mail and is left out",
    ]
    ruled = open_source(tmp_path, classes="Junk=spam,*=ham", notify=notes.append)
    assert {label for _, label in subjects(ruled)} == {"ham", "spam"}


def test_each_mbox_of_a_thunderbird_profile_is_named_by_its_path(tmp_path):
    for place in ("pop.example.org/Inbox", "Local Folders/Junk", "imap/[Gmail].sbd/Spam", "imap/INBOX"):
        box(tmp_path / place, place)
        (tmp_path / f"{place}.msf").touch()

    assert dict(subjects(open_source(tmp_path))) == {
        "pop.example.org/Inbox": "ham",
        "Local Folders/Junk": "spam",
        "imap/[Gmail].sbd/Spam": "spam",
        "imap/INBOX": "ham",
    }


def test_mboxes_of_a_class_are_read_in_order_of_their_names(tmp_path):
    box(tmp_path / "ham" / "2010.mbox", "c", "d")
    box(tmp_path / "ham" / "2009.mbox", "a", "b")
    box(tmp_path / "spam" / "all", "x", "y")

    assert [subject for subject, _ in subjects(open_source(tmp_path))] == ["a", "x", "b", "c", "y", "d"]


def test_an_mbox_named_so_may_have_a_single_mail(tmp_path):
    for name in ("ham", "spam"):
        (tmp_path / f"{name}.mbox").write_bytes(b"From a\nSubject: x\n\nx\n")
    assert {(item.value, item.label) for item in open_source(tmp_path)} == {
        (b"Subject: x\n\nx\n", "ham"),
        (b"Subject: x\n\nx\n", "spam"),
    }
    (tmp_path / "Junk").write_bytes(b"From a\nSubject: y\n\ny\n")
    assert sorted(str(item.label) for item in open_source(tmp_path)) == ["ham", "spam", "spam"]


def test_single_mails_with_a_from_line_are_not_mboxes(tmp_path):
    for number in range(3):
        (tmp_path / f"{number}.eml").write_bytes(b"From a@b Thu\nSubject: %d\n\nx" % number)

    assert [item.label for item in open_source(tmp_path)] == [None, None, None]


@pytest.mark.parametrize("name", [".Junk", "JUNK", "spam", "Bulk"])
def test_folder_names_that_mean_spam_are_recognised(tmp_path, name):
    box(tmp_path / name / "mails", "cheap", "pills")
    box(tmp_path / "work" / "mails", "lunch", "noon")

    box(tmp_path / "work" / ".Junk" / "mails", "hidden")

    assert {label for _, label in subjects(open_source(tmp_path))} == {"spam", "ham"}
    assert open_source(tmp_path).total == 4


def test_if_there_is_a_junk_folder_trash_has_no_class(tmp_path):
    for name in ("Inbox", "Junk", "Trash"):
        box(tmp_path / name / "mails", *texts(name, 2))
    notes = []

    found = subjects(open_source(tmp_path, notify=notes.append))

    assert {label for subject, label in found if subject.startswith("Trash")} == {None}
    assert {label for subject, label in found if subject.startswith("Inbox")} == {"ham"}
    assert notes[0].startswith("the mails in Trash have no label")
    ruled = subjects(open_source(tmp_path, classes="Junk=spam,*=ham"))
    assert {label for _, label in ruled} == {"ham", "spam"}


def test_if_there_is_a_folder_ham_folder_names_are_classes(tmp_path):
    for name in ("ham", "spam", "news"):
        box(tmp_path / name / "mails", *texts(name, 2))

    assert {label for _, label in subjects(open_source(tmp_path))} == {"ham", "spam", "news"}


def test_files_and_folders_without_mail_are_reported(tmp_path):
    box(tmp_path / "ham.mbox", *texts("ham", 2))
    for name in ("spam.mbox", "work/1", "work/2", "work/3", "work/4", "README"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"read me\n" if name == "README" else b"")
    (tmp_path / "travel").mkdir()
    notes = []

    source = open_source(tmp_path, notify=notes.append)

    assert source.total == 2
    assert notes == [
        "5 files hold no mail and are left out: spam.mbox, work/1, work/2, ...",
        "2 folders hold no mail: travel, work",
        "1 file without a class is left out: README",
    ]


def test_a_rule_that_matches_no_folder_is_reported(tmp_path):
    box(tmp_path / "Inbox", *texts("in", 2))
    notes = []

    list(open_source(tmp_path, classes="junk*=spam,*=ham", notify=notes.append))

    assert notes == ["--classes: the rule junk*=spam applies to no folder; there are Inbox"]
    with pytest.raises(UserError, match="no rule matches 'Inbox'"):
        open_source(tmp_path, classes="junk*=spam")


def test_an_empty_file_is_not_a_mail(tmp_path):
    (tmp_path / "spam.mbox").touch()

    with pytest.raises(UserError, match=r"spam\.mbox is empty; expected a folder"):
        open_source(tmp_path / "spam.mbox")
    with pytest.raises(UserError, match="holds no mail"):
        open_source(tmp_path)


def test_a_large_mail_in_an_mbox_is_read_up_to_one_byte_above_the_limit(tmp_path):
    (tmp_path / "a.mbox").write_bytes(b"From a\nA: b\n\n" + b">From x\n" * 400_000 + b"\nFrom b\nC: d\n\ny\n")

    huge, small = open_source(tmp_path)

    assert len(huge.value) == 1_000_001 and huge.value.startswith(b"A: b\n\nFrom x\n")
    assert small.value == b"C: d\n\ny\n"


def test_an_mbox_that_changes_while_it_is_read_is_named(tmp_path):
    box(tmp_path / "ham.mbox", *texts("ham", 3))
    source = open_source(tmp_path)
    (tmp_path / "ham.mbox").write_bytes(b"")

    with pytest.raises(UserError, match=r"ham\.mbox changed while it was read; close the mail program"):
        list(source)


@pytest.mark.parametrize(
    "arguments",
    [
        ["feed", "mail"],
        ["evaluate", "mail"],
        ["study", "picture", "mail"],
        ["personal", "mail", "--train", "20", "--validate", "10", "--test", "10"],
    ],
)
def test_commands_report_files_without_mail(tmp_path, monkeypatch, arguments):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STREAM_NB_LOG", f"sqlite:{tmp_path / 'log'}")
    for name in ("ham", "spam"):
        box(tmp_path / "mail" / f"{name}.mbox", *texts(name, 20))
    (tmp_path / "mail" / "more.mbox").touch()

    result = CliRunner().invoke(cli, arguments, catch_exceptions=False)

    assert result.exit_code == 0
    assert "note: 1 file holds no mail and is left out: more.mbox\n" in result.stderr
