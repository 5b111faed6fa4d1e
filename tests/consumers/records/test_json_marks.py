"""JSON that producers write with a mistake is read as meant or quarantined, never scored as a raw mail."""

import json

import pytest

from consumers.errors import BadRecord
from consumers.records.messages import as_value, read_value
from consumers.records.schemas import decode_label

MAIL = json.dumps({"id": "x", "text": "win money"}).encode()
LABEL = json.dumps({"id": "x", "label": "spam", "source": "ann", "timestamp": 1.0}).encode()
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
SCHEMA = b"\0\0\0\0\x07"
AVRO = SCHEMA + b"\x02x\x12win money\0text"
MISTAKES = [SCHEMA + MAIL, AVRO, json.dumps(MAIL.decode()).encode(), b"[" + MAIL + b"]"]


def test_a_byte_order_mark_before_json_is_ignored():
    assert read_value(BYTE_ORDER_MARK + MAIL, "x", "safe") == read_value(MAIL, "x", "safe")
    assert decode_label(BYTE_ORDER_MARK + LABEL) == decode_label(LABEL)


@pytest.mark.parametrize("decode", [lambda value: read_value(value, "x", "safe"), decode_label])
@pytest.mark.parametrize(
    ("before", "after", "detail"),
    [
        (SCHEMA, b"", "begins with 00 00 00 00 07, as Avro, Protobuf or UTF-16 does: write JSON alone, in UTF-8"),
        (b"[", b"]", "Expected `object`, got `array`"),
    ],
)
def test_other_bytes_around_json_are_refused_with_the_reason(decode, before, after, detail):
    with pytest.raises(BadRecord, match=detail) as refused:
        decode(before + (LABEL if decode is decode_label else MAIL) + after)

    assert refused.value.reason == "bad-json"


@pytest.mark.parametrize("value", [None, b""])
def test_a_label_without_a_byte_is_empty_like_such_a_mail(value):
    for decode in (lambda value: read_value(value, "x", "safe"), decode_label):
        with pytest.raises(BadRecord) as refused:
            decode(value)
        assert refused.value.reason == "empty"


@pytest.mark.parametrize("value", [AVRO, SCHEMA, *(MAIL.decode().encode(f"utf-16{end}") for end in ("", "-be"))])
def test_other_formats_are_refused_and_not_read_as_raw_mails(value):
    with pytest.raises(BadRecord, match="write JSON alone, in UTF-8"):
        read_value(value, "x", "safe")


def test_json_that_was_encoded_twice_is_refused():
    with pytest.raises(BadRecord, match="Expected `object`, got `str`; expected"):
        read_value(json.dumps(MAIL.decode()).encode(), "x", "safe")


@pytest.mark.parametrize("raw", [MAIL, BYTE_ORDER_MARK + MAIL, *MISTAKES])
def test_a_raw_mail_that_begins_like_json_remains_a_raw_mail(raw):
    (part,) = (part for part in read_value(as_value(raw), "y", "safe").mail.parts if b"win money" in part.text)

    assert b"text" in part.text


@pytest.mark.parametrize(
    "raw",
    [b"\nSubject: win\n\n{money}", b"From:{ann}\n\nwin", b'"Subject": win\n\nmoney', b"[1]\n\nwin"],
)
def test_other_mails_are_read_as_they_are(raw):
    assert as_value(raw) == raw
    assert read_value(raw, "y", "safe").id == "y"
