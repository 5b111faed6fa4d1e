import errno
import io
import os
import sys
from codecs import BOM_UTF8
from contextlib import nullcontext
from pathlib import Path
from types import SimpleNamespace

import pytest

from consumers.errors import UserError
from consumers.ingest.formats import open_source
from consumers.ingest.formats.table import Columns


@pytest.fixture
def stdin(monkeypatch):
    def give(content: bytes) -> None:
        monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BytesIO(content)))

    return give


@pytest.mark.parametrize("mark", [b"", BOM_UTF8], ids=["", "byte order mark"])
@pytest.mark.parametrize(
    ("content", "about", "values"),
    [
        (b"From a\nA: b\n\nx\n\nFrom b\nC: d\n", "mbox", [b"A: b\n\nx\n", b"C: d\n"]),
        (b' {"id": "1", "text": "t"}\n', "JSON lines", None),
        (b"Subject: s\n\nFrom here\n", "one mail", [b"Subject: s\n\nFrom here\n"]),
        (b"From: a\n\nx", "one mail", [b"From: a\n\nx"]),
        (b"\xff\xfd\x00", "one mail", [b"\xff\xfd\x00"]),
    ],
)
def test_the_format_is_recognised_by_the_first_line(stdin, tmp_path, content, about, values, mark):
    path = tmp_path / "file"
    path.write_bytes(mark + content)
    stdin(mark + content)

    for source in (open_source(path), open_source("-")):
        assert source.about == about
        items = list(source)
        assert values is None or [item.value for item in items] == values


def test_standard_input_can_be_shuffled(stdin):
    stdin(b"".join(b'{"id": "%d"}\n' % number for number in range(9)))

    ids = [item.id for item in open_source("-", shuffle=1)]
    assert ids != sorted(ids) == [str(number) for number in range(9)]


def test_a_file_can_be_read_twice_and_a_single_mail_has_total_1(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"A: b\n\nx")
    source = open_source(path)

    assert list(source) == list(source)
    assert source.total == 1


def test_input_without_line_ends_is_read_up_to_the_size_of_a_mail(monkeypatch):
    class Endless(io.RawIOBase):
        given = 0

        def readable(self):
            return True

        def readinto(self, buffer):
            self.given += len(buffer)
            assert self.given < 10_000_000, "read far beyond the largest mail"
            buffer[:] = b"x" * len(buffer)
            return len(buffer)

    monkeypatch.setattr(sys, "stdin", SimpleNamespace(buffer=io.BufferedReader(Endless())))

    (item,) = open_source("-")
    assert len(item.value) == 1_000_001


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"\x1f\x8b\x08", "is compressed; unpack it"),
        (b"\xfd7zXZ\x00", "is compressed"),
        (b"PK\x03\x04", "is compressed"),
        (b"!BDN", "is an Outlook file"),
        (b"PAR1\x15\x04", "is Parquet; convert it and give a folder"),
        (b"%PDF-1.4", "is a PDF or a picture; leave it out"),
        (b"SQLite format 3\0", "is a database; leave it out"),
        (b"\xff\xd8\xff\xe0\x00\x10JFIF", "is a PDF or a picture"),
        (b"mails/1.eml".ljust(257, b"\0") + b"ustar\0".ljust(255, b"\0") + b"A: b\n\nx\n", "is an archive; unpack it"),
        ("Subject: a\n\nb\n".encode("utf-16"), "is UTF-16; save it as UTF-8 and give a folder"),
    ],
)
def test_files_that_hold_no_readable_mail_are_refused(stdin, tmp_path, content, message):
    path = tmp_path / "mails.tar"
    path.write_bytes(content)
    stdin(content)

    for source in (path, "-"):
        with pytest.raises(UserError, match=message):
            open_source(source)


def test_a_file_named_as_a_table_that_is_none_is_to_be_a_table(tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes("a,label\n1,x\n".encode("utf-16"))
    with pytest.raises(UserError, match=r"is UTF-16; save it as UTF-8 and give CSV with a header row, or JSON lines$"):
        open_source(path)


def test_a_table_without_column_names_is_no_mail(tmp_path):
    """Like the SMS Spam Collection of UCI, which has no suffix, either."""
    path = tmp_path / "SMS messages"
    path.write_bytes(b"ham\tGo, and: see\nspam\tFree entry\n")
    with pytest.raises(UserError, match=rf"looks like a table without .*; cat '{path}'\) > '{path}'.tsv$"):
        open_source(path)

    for mail in (b"ham\tone line\n\nspam\ttext\n", b"Hello\nham\ttext\n", b"To: a\tb\nX:\tc\n\nhello\n"):
        path.write_bytes(mail)
        assert open_source(path).about == "one mail"


def test_user_errors_are_reported(tmp_path, stdin, monkeypatch):
    with pytest.raises(UserError, match="nowhere does not exist; expected a folder with"):
        open_source(tmp_path / "nowhere")
    with pytest.raises(UserError, match="the path is empty; expected a folder with"):
        open_source("")
    (tmp_path / "file").write_bytes(b"A: b\n\n")
    with pytest.raises(UserError, match=r"--classes names the classes of folders or of an index, and .*file has none"):
        open_source(tmp_path / "file", classes="*=ham")
    (tmp_path / "t.csv").write_bytes(b"a,b\n1,2\n")
    with pytest.raises(UserError, match=r"--classes names the classes of folders or of an index, and .*t.csv has none"):
        open_source(tmp_path / "t.csv", classes="*=ham")
    stdin(b"A: b\n\n")
    with pytest.raises(UserError, match=r"--classes names .*, and standard input has none"):
        open_source("-", classes="*=ham")
    stdin(b"")
    with pytest.raises(UserError, match="standard input is empty"):
        open_source("-")
    monkeypatch.setattr(sys, "stdin", None)
    with pytest.raises(UserError, match="standard input: it is closed"):
        open_source("-")
    with pytest.raises(UserError, match="cannot read"):
        open_source("x" * 5_000)


@pytest.mark.parametrize(
    "address", ["smtp://127.0.0.1:2424", "IMAP://ann:secret@mail.example.org/INBOX", "KAFKA://ann:secret@x:9"]
)
def test_the_error_for_an_unknown_address_names_those_that_are_read(address):
    with pytest.raises(
        UserError, match=rf"^{address.partition(':')[0]}://... does not exist; .*sqlite:.*kafka:.*lmtp:.*, imap:"
    ) as info:
        open_source(address)
    assert "secret" not in str(info.value)


@pytest.mark.parametrize("columns", [None, Columns("A")])
def test_a_file_whose_reading_fails_is_named(tmp_path, monkeypatch, columns):
    def fail(size: int) -> bytes:
        raise OSError(errno.EIO, "Input/output error")

    path = tmp_path / "file"
    path.write_bytes(b"From a\nA: b\n\nx\n")
    monkeypatch.setattr(Path, "open", lambda self, mode: nullcontext(SimpleNamespace(read=fail)))
    with pytest.raises(UserError, match=r"cannot read .*file: Input/output error; check the path"):
        open_source(path, columns=columns)


def test_a_pipe_is_refused_because_it_cannot_be_read_twice(tmp_path):
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with open(os.open(pipe, os.O_RDWR), "wb") as stream:  # else a reader would wait for a writer for ever
        stream.write(b"From a\nA: b\n\nx\n\nFrom b\nC: d\n")
        stream.flush()
        with pytest.raises(UserError, match="pipe is neither a file nor a folder; to read a pipe, give - and pipe it"):
            open_source(pipe)


@pytest.mark.parametrize("suffix", [".json", ".jsonl", ".NDJSON"])
@pytest.mark.parametrize("columns", [None, Columns("label")])
def test_a_file_named_json_is_not_read_as_a_mail(tmp_path, suffix, columns):
    path = tmp_path / f"records{suffix}"
    path.write_bytes(b'[{"id": "a", "label": "A"},\n {"id": "b", "label": "B"}]\n')
    with pytest.raises(UserError, match=rf"records{suffix} line 1: .*; expected (an|one) object"):
        list(open_source(path, columns=columns))


def test_a_table_may_begin_with_a_byte_order_mark(stdin, tmp_path):
    content = BOM_UTF8 + b"sep=;\nkind;text\nham;lunch\n"
    (tmp_path / "t.csv").write_bytes(content)
    stdin(content)

    for path in (tmp_path / "t.csv", "-"):
        assert [item.label for item in open_source(path, columns=Columns("kind", ("text",)))] == ["ham"]


@pytest.mark.parametrize("columns", [None, Columns("label")])
def test_json_lines_may_begin_with_a_byte_order_mark(tmp_path, columns):
    path = tmp_path / "records"
    path.write_bytes(b'\xef\xbb\xbf{"text": "a", "label": "A"}\n{"text": "b", "label": "B"}\n')
    assert [item.label for item in open_source(path, columns=columns)] == ["A", "B"]


def test_a_table_is_recognised_by_its_name_in_any_case(tmp_path):
    (tmp_path / "MAILS.CSV").write_bytes(b"label,text\nham,lunch\n")
    assert [item.label for item in open_source(tmp_path / "MAILS.CSV")] == ["ham"]
