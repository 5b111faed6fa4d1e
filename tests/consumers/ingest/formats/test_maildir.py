import pytest

from consumers.errors import UserError
from consumers.ingest.formats import folder, open_source, walk


def maildir(root, **mails: bytes):
    for part in ("cur", "new", "tmp"):
        (root / part).mkdir(parents=True, exist_ok=True)
    for name, content in mails.items():
        part, _, file = name.partition("_")
        (root / part / file).write_bytes(content)
    return root


def test_cur_and_new_are_read_in_order_of_arrival_and_tmp_is_not(tmp_path):
    maildir(tmp_path, cur_90=b"a", new_100=b"b", tmp_1=b"-", **{"cur_.hidden": b"-"})

    source = open_source(tmp_path)
    assert [(item.value, item.label) for item in source] == [(b"a", None), (b"b", None)]
    assert source.total == 2


def test_classes_called_new_and_old_are_no_maildir(tmp_path):
    for name in ("new", "old"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "1.eml").write_bytes(b"Subject: a\n\n")

    assert sorted(item.label for item in open_source(tmp_path)) == ["new", "old"]


def test_compressed_mails_are_refused(tmp_path):
    maildir(tmp_path, cur_90=b"Subject: a\n\n")
    maildir(tmp_path / ".Junk", cur_91=b"\x1f\x8b\x08\x00\x00")

    with pytest.raises(UserError, match=r"91 is compressed; unpack it, or read the mailbox with imap://"):
        open_source(tmp_path)


@pytest.mark.parametrize("folder", [".Junk", "Junk"])
def test_folders_are_classes(tmp_path, folder):
    maildir(tmp_path, cur_1=b"a", cur_3=b"c")
    maildir(tmp_path / folder, cur_2=b"b")
    (tmp_path / "dovecot").mkdir()
    (tmp_path / "dovecot-uidlist").write_bytes(b"3 V1 N4\n")

    assert [item.label for item in open_source(tmp_path)] == ["ham", "spam", "ham"]
    assert [item.label for item in open_source(tmp_path, classes="Junk=spam,*=ham")] == ["ham", "spam", "ham"]
    assert len({item.value for item in open_source(tmp_path, shuffle=1)}) == 3


def test_folder_names_are_decoded(tmp_path):
    maildir(tmp_path, cur_1=b"a")
    maildir(tmp_path / ".Courrier ind&AOk-sirable", cur_2=b"b")
    maildir(tmp_path / ".Entw&APw-rfe", cur_3=b"c")
    said: list[str] = []

    source = open_source(tmp_path, notify=said.append)

    assert source.about == "Maildir with the folders INBOX, Courrier indésirable, Entwürfe"
    assert [item.label for item in source] == ["ham", "spam", None]
    assert said[0].startswith("the mails in Entwürfe have no label")
    assert [item.label for item in open_source(tmp_path, classes="Courrier*irable=spam,*=ham")] == [
        "ham",
        "spam",
        "ham",
    ]


def test_folders_of_the_same_name_and_folders_within_folders_are_read(tmp_path):
    """Dovecot (LAYOUT=fs) and mbsync keep folders within folders; after a migration a folder may be there twice."""
    places = (".", "INBOX", ".Junk", "Junk", "Junk/2019", "Archive/2019", ".Archive.2019")
    for number, place in enumerate(places):
        maildir(tmp_path / place, **{f"cur_{number}": b"mail"})
    (tmp_path / "Lists").symlink_to(maildir(tmp_path.parent / f"{tmp_path.name}-lists", cur_7=b"mail"))
    (tmp_path / "Lists" / "here").symlink_to(tmp_path)

    assert [(file.folder, file.label) for file in open_source(tmp_path).files] == [
        ("INBOX", "ham"),
        ("INBOX", "ham"),
        ("Junk", "spam"),
        ("Junk", "spam"),
        ("Junk/2019", "spam"),
        ("Archive/2019", "ham"),
        ("Archive.2019", "ham"),
        ("Lists", "ham"),
    ]


def test_an_empty_junk_folder_still_tells_that_the_inbox_is_ham(tmp_path):
    maildir(tmp_path, cur_1=b"a")
    maildir(tmp_path / ".Trash", cur_2=b"b")
    maildir(tmp_path / ".Junk")
    assert [item.label for item in open_source(tmp_path)] == ["ham", None]
    assert [item.label for item in open_source(tmp_path, classes="INBOX=work,Trash=old")] == ["work", "old"]


def test_label_gives_all_mails_of_a_maildir_one_class(tmp_path):
    assert [i.label for i in open_source(maildir(tmp_path, new_1=b"a"), classes="*=ham")] == ["ham"]


def test_an_empty_maildir_is_refused(tmp_path):
    with pytest.raises(UserError, match=r"Maildir .* holds no mail"):
        open_source(maildir(tmp_path))


def test_mails_that_a_mail_program_marks_moves_or_deletes_meanwhile_keep_back_no_others(tmp_path):
    maildir(tmp_path, new_1=b"a", new_2=b"b", cur_3=b"c", cur_4=b"d", cur_5=b"e")
    items = iter(open_source(tmp_path))

    assert next(items).value == b"a"
    (tmp_path / "new" / "2").rename(tmp_path / "cur" / "2:2,")
    (tmp_path / "cur" / "3").unlink()
    (tmp_path / "cur" / "4").rename(tmp_path / "cur" / "4:2,S")
    assert next(items).value == b"b"
    (tmp_path / "cur" / "4:2,S").rename(tmp_path / "cur" / "4:2,FS")

    assert [item.value for item in items] == [b"d", b"e"]


def test_maildirs_below_a_folder_are_read_like_one(tmp_path, monkeypatch):
    """As of mbsync and OfflineIMAP; their mails are renamed and moved meanwhile, too."""
    maildir(tmp_path / "Inbox", cur_1=b"a", new_2=b"b", cur_3=b"c", tmp_4=b"half of it")
    maildir(tmp_path / "Junk", cur_5=b"e", cur_6=b"f")

    def found(root):
        yield from walk.mail_files(root)
        (tmp_path / "Junk" / "cur" / "6").rename(tmp_path / "Junk" / "cur" / "6:2,S")

    monkeypatch.setattr(folder, "mail_files", found)
    items = iter(open_source(tmp_path))

    assert next(items).value == b"a"
    (tmp_path / "Inbox" / "new" / "2").rename(tmp_path / "Inbox" / "cur" / "2:2,S")
    (tmp_path / "Inbox" / "cur" / "3").unlink()
    assert [(item.value, item.label) for item in items] == [(b"b", "ham"), (b"e", "spam"), (b"f", "spam")]


def test_the_folders_of_several_users_maildirs_are_read(tmp_path):
    """A mail server's folder of a domain; the names of their folders begin with a point."""
    for place in ("ann", "ann/.Junk", "bob/Maildir", "bob/Maildir/.Junk.2019", ".eve"):
        maildir(tmp_path / place, cur_1=b"mail")
    (tmp_path / "ann" / ".sieve").mkdir()
    (tmp_path / "ann" / ".sieve" / "filters").write_text("no mail")

    assert [(file.folder, file.label) for file in open_source(tmp_path).files] == [
        (".eve", "ham"),
        ("ann", "ham"),
        ("ann/.Junk", "spam"),
        ("bob/Maildir", "ham"),
        ("bob/Maildir/.Junk.2019", "spam"),
    ]


def test_another_file_that_is_gone_is_named(tmp_path):
    for path in (tmp_path / "ham" / "1", tmp_path / "spam" / "cur" / "2"):
        path.parent.mkdir(parents=True)
        path.write_text("mail")
    source = open_source(tmp_path)
    (tmp_path / "spam" / "cur" / "2").unlink()

    with pytest.raises(UserError, match=r"cannot read .*/spam/cur/2: No such file or directory"):
        list(source)
