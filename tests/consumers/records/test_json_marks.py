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
MISTAKES = [SCHEMA + MAIL, json.dumps(MAIL.decode()).encode(), b"[" + MAIL + b"]"]


def test_a_byte_order_mark_before_json_is_ignored():
    assert read_value(BYTE_ORDER_MARK + MAIL, "x", "safe") == read_value(MAIL, "x", "safe")
    assert decode_label(BYTE_ORDER_MARK + LABEL) == decode_label(LABEL)


@pytest.mark.parametrize("decode", [lambda value: read_value(value, "x", "safe"), decode_label])
@pytest.mark.parametrize(
    ("before", "after", "detail"),
    [
        (SCHEMA, b"", "5 bytes of a schema registry's serializer before the JSON: write the JSON alone"),
        (b"[", b"]", "Expected `object`, got `array`"),
    ],
)
def test_other_bytes_around_json_are_refused_with_the_reason(decode, before, after, detail):
    with pytest.raises(BadRecord, match=detail) as refused:
        decode(before + (LABEL if decode is decode_label else MAIL) + after)

    assert refused.value.reason == "bad-json"


def test_json_that_was_encoded_twice_is_refused():
    with pytest.raises(BadRecord, match="Expected `object`, got `str`; expected"):
        read_value(json.dumps(MAIL.decode()).encode(), "x", "safe")


@pytest.mark.parametrize("raw", [MAIL, BYTE_ORDER_MARK + MAIL, *MISTAKES])
def test_a_raw_mail_that_begins_like_json_remains_a_raw_mail(raw):
    (part,) = (part for part in read_value(as_value(raw), "y", "safe").mail.parts if b"win money" in part.text)

    assert b"text" in part.text


@pytest.mark.parametrize(
    "raw",
    [b"\0Subject: win\n\n{money}", b"\0\0\0\0\0", b"From:{ann}\n\nwin", b'"Subject": win\n\nmoney', b"[1]\n\nwin"],
)
def test_other_mails_are_read_as_they_are(raw):
    assert as_value(raw) == raw
    assert read_value(raw, "y", "safe").id == "y"
