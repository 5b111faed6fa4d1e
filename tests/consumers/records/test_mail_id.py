"""Ids and header fields of unusual, generated and real mails."""

import hashlib
import re

import pytest

from consumers.filter.headers import header_of, with_fields
from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from consumers.records.mail_id import ID_HEADER, carried_id, content_hash, new_id, repeatable_id

ODD = [
    b"",
    b"\n",
    b"no header at all",
    b"no header\nFrom: a@b\n\nhello",
    b"\r\n\r\nbody first",
    b"Subject: only a header",
    b"Subject: only a header\n",
    b"Subject: folded\n\tand folded\r\n again\n\nbody\nX-Stream-NB: in the body\n",
    b"From ann@example.org Mon Jan  1 00:00:00 2024\nSubject: mbox\n\nhello",
    b"X-Stream-NB: a\n b\nX-Stream-NB-Words: c\nSubject: forged\n\nhello",
    b"Subject: \xff\xfe\x00 bytes\n\n\x00\x80\n",
    b"From: a\rb\n\nhello",
    b"message-id :<a@b>\nDATE: now\n\n.\n",
    b"From: a@b\nTo: all" + b",\n all@example.org" * 3_000 + b"\nDate: now\n\nhello",  # the parser reads 32 kB of it
    b"From: a@b\nX-Long: " + b"a" * 31_950 + b"\nDate: now\n\nhello",
    b"From: a@b\nX-Long: " + b"a" * 40_000,
]
MAIL = b"From: Ann <a@b>\r\nSubject: hi\r\nMESSAGE-ID: <1@b>\r\nDate: Mon,\r\n  1 Jan\r\n\r\nhello you\r\n"
FORGED = re.compile(rb"^x-stream-nb[\w-]*[ \t]*:.*\n?(?:[ \t].*\n?)*", re.IGNORECASE | re.MULTILINE)


def mails(real_mail):
    yield from ODD
    yield from (item.value for item in synthetic_mails(200, seed=1))
    if real_mail is not None:
        yield from (item.value for item in open_source(real_mail("spamassassin")))


@pytest.mark.parametrize("kind", ["made", "real_mail"])
def test_delivery_does_not_change_the_content_hash(kind, request):
    for raw in mails(request.getfixturevalue(kind) if kind == "real_mail" else None):
        mail = raw[raw.find(b"\n") + 1 :] if raw.startswith(b"From ") else raw
        if b"\n\n" not in mail and b"\n\r\n" not in mail:
            continue
        unix = mail.replace(b"\r\n", b"\n")
        delivered = b"Return-Path: <x@y>\r\nReceived: from a\r\n\tby b\r\n" + unix.replace(b"\n", b"\r\n") + b"\r\n"

        assert content_hash(delivered) == content_hash(mail)
        assert content_hash(b"From ann Mon Jan  1\n" + mail) == content_hash(mail)
        assert content_hash(mail + b"more") != content_hash(mail)


@pytest.mark.parametrize("kind", ["made", "real_mail"])
def test_fields_are_added_on_top_replace_forged_ones_and_nothing_else_changes(kind, request):
    for raw in mails(request.getfixturevalue(kind) if kind == "real_mail" else None):
        message_id = new_id(raw)
        mail = with_fields(raw, [(ID_HEADER, message_id), ("X-Stream-NB", "spam")])

        assert carried_id(mail) == message_id
        start = raw.find(b"\n") + 1 if raw.startswith(b"From ") else 0
        head = header_of(mail)
        assert mail.endswith(raw[len(header_of(raw)) :])
        assert raw[:start] + FORGED.sub(b"", head[start:]) == raw[:start] + FORGED.sub(b"", header_of(raw)[start:])
        assert with_fields(mail, [(ID_HEADER, message_id), ("X-Stream-NB", "spam")]) == mail


def test_a_mail_keeps_its_id_in_later_versions():
    """Its label may come after an upgrade, and find it by this id."""
    content = hashlib.sha256(b"date:Mon,1Jan\nfrom:Ann<a@b>\nmessage-id:<1@b>\n\nhelloyou").hexdigest()[:32]
    unix = MAIL.replace(b"\r\n", b"\n")
    nonce = hashlib.sha256(unix).hexdigest()[:16]

    assert repeatable_id(MAIL) == repeatable_id(unix) == f"{content}.{nonce}"
    assert new_id(MAIL).startswith(f"{content}.")


@pytest.mark.parametrize("part", [b"Ann", b"1@b", b"1 Jan", b"hello"])
def test_mails_that_differ_in_sender_date_message_id_or_text_are_told_apart(part):
    assert content_hash(MAIL.replace(part, b"other")) != content_hash(MAIL)


def test_an_id_is_found_in_any_case_of_its_field_and_only_there():
    """Programs in Go write each word of a field's name with one capital letter."""
    message_id = new_id(MAIL)
    quoted = f"Subject: {ID_HEADER}: {new_id(MAIL)}\r\n".encode()

    assert carried_id(quoted + b"X-Stream-Nb-Id: " + message_id.encode() + b"\r\n" + MAIL) == message_id
    assert carried_id(quoted + MAIL) is None


def test_equal_mails_get_different_new_ids():
    assert new_id(b"Subject: a\n\nb") != new_id(b"Subject: a\n\nb")


@pytest.mark.parametrize("field", [b"X-TUID: G6S1aPcRHvII\r\n", b"x-offlineimap: 12-host-v7.3\r\n"])
def test_a_copy_by_a_program_that_syncs_mailboxes_has_the_same_id(field):
    mail = b"From ann Mon Jan  1\r\nFrom: a@b\r\nSubject: hi\r\n\r\nhello\r\n" + field

    assert repeatable_id(mail.replace(b"Subject", field + b"Subject")) == repeatable_id(mail)
    assert repeatable_id(mail.replace(b"From:", field + b"From:")) == repeatable_id(mail)
    assert repeatable_id(mail) != repeatable_id(mail.removesuffix(field)), "in the body it is text"
