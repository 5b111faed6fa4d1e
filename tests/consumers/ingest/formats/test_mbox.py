import mailbox
import tracemalloc
from codecs import BOM_UTF8
from io import BytesIO

import pytest

from consumers.ingest.formats import open_source
from consumers.ingest.formats.mbox import mail_at, mail_spans, mails_in, split_mbox


def split(text: bytes) -> list[bytes]:
    return list(split_mbox(text.splitlines(keepends=True)))


@pytest.mark.parametrize(
    ("text", "mails"),
    [
        (b"From a\nA: b\n\nx\n\nFrom b\nC: d\n\ny\n", [b"A: b\n\nx\n", b"C: d\n\ny\n"]),
        (b"From a\r\nA: b\r\n\r\nx\r\n\r\nFrom b\r\nC: d\r\n", [b"A: b\r\n\r\nx\r\n", b"C: d\r\n"]),
        (b"From a\nA: b\n\nx\nFrom here on\n", [b"A: b\n\nx\nFrom here on\n"]),
        (b"From a\nA: b\n\nx\nFrom b 10:30:00 2024\nC: d\n", [b"A: b\n\nx\nFrom b 10:30:00 2024\nC: d\n"]),
        (b"From a\nA: b\n\n>From x\n>>From y\n> From z\n", [b"A: b\n\nFrom x\n>From y\n> From z\n"]),
        (b"From a\nA: b\n\nx", [b"A: b\n\nx"]),
        (b"From a\nA: b\n\nFrom c\nD: e\n", [b"A: b\n", b"D: e\n"]),
        (b"From a\n\nFrom b 10:30:00 2024\n", [b"\n", b""]),
        (b"From a\nA: b\n\nFrom now on, x\ny\n\nFrom c\nD: e\n", [b"A: b\n\nFrom now on, x\ny\n", b"D: e\n"]),
        (b"From a\nA: b\n\nx\n\nFrom Ann\n", [b"A: b\n\nx\n\nFrom Ann\n"]),
        (b"From a\nA: b\n\nFrom Ann:\n\nFrom Bob:\n", [b"A: b\n\nFrom Ann:\n\nFrom Bob:\n"]),
        (b"From a\r\nA: b\r\n\r\nFrom \r\n\r\nFrom \r\nC: d\r\n", [b"A: b\r\n", b"\r\n", b"C: d\r\n"]),
        (b"From a\nA: b\n\nFrom - Mon Jan 01 00:00:00 2024\nx\n", [b"A: b\n", b"x\n"]),
        (b"From a\nA: b\n\nFrom b\n>From c remote from d\nE: f\n", [b"A: b\n", b"From c remote from d\nE: f\n"]),
        (b"", []),
        (b"no mbox\n", [b"no mbox\n"]),
    ],
)
def test_mails_are_split_and_unquoted(text, mails):
    assert split(text) == mails


def test_deleted_mails_are_in_no_list():
    deleted = b"From a\nX-Mozilla-Status: 0009\nA: b\n\nx\n\n"

    assert mails_in(deleted + b"From b\nC: d\n") == [b"C: d\n"]
    assert mails_in(b"From b\nC: d\n") == [b"From b\nC: d\n"]


def test_a_mail_with_a_mailbox_in_its_text_is_one_mail():
    mail = b"A: b\n\nFrom a 10:30:00 2024\nC: d\n\nFrom b 10:30:00 2024\nE: f\n"
    assert mails_in(mail) == [mail]


def test_a_mail_read_by_its_span_is_the_mail_that_was_split():
    text = b"From a\nA: b\n\nFrom now on\nx\n\nFrom c\nD: e\n\nx\n\nFrom Ann\n"

    spans = mail_spans(BytesIO(text))
    assert [mail_at(BytesIO(text), span, "box") for span in spans] == split(text)


def test_mboxes_written_by_the_standard_library_are_read_back(tmp_path):
    box = mailbox.mbox(tmp_path / "box")
    texts = [f"Subject: {number}\n\nFrom the start\n\nFrom {number} again\n" + "\n" * number for number in range(3)]
    for text in texts:
        box.add(text)
    box.close()

    source = open_source(tmp_path / "box")
    assert [item.value.decode() for item in source] == texts
    assert (source.about, source.total) == ("mbox", None)
    assert sorted(item.value.decode() for item in open_source(tmp_path / "box", shuffle=1)) == texts


def test_a_huge_mail_is_read_in_bounded_memory():
    lines = (b"%d".ljust(999, b"x") % number + b"\n" for number in range(20_000))

    tracemalloc.start()
    try:
        (mail,) = split_mbox(lines)
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()

    assert len(mail) == 1_000_001
    assert peak < 5_000_000


def test_the_mails_of_mboxes_in_a_folder_are_found_after_a_byte_order_mark(tmp_path):
    for name in (b"ham", b"spam"):
        (tmp_path / f"{name.decode()}.mbox").write_bytes(BOM_UTF8 + b"From a\nA: %b\n\nFrom b\nB: %b\n" % (name, name))

    found = [(item.label, item.value) for item in open_source(tmp_path)]

    assert sorted(found) == [("ham", b"A: ham\n"), ("ham", b"B: ham\n"), ("spam", b"A: spam\n"), ("spam", b"B: spam\n")]
