"""The id of a mail: its Message-ID header, else a hash of its content."""

from email.message import EmailMessage

import pytest

from stream_nb.mail import message_id, read_mail

HASHED = "sha256:"


@pytest.mark.parametrize(
    "raw",
    [
        b"Message-ID: <a@b.example>\n\nx",
        b"Subject: s\r\nMESSAGE-Id:<a@b.example>\r\n\r\nx",
        b"From me Monday\nSubject: s\nMessage-id:\n <a@b.example>\n\nx",
        b"message-id: a@b.example \n",
        b"Message-ID: <a@b.example>\nMessage-ID: <second@b.example>\n\nx",
    ],
)
def test_the_message_id_is_that_of_the_header(raw):
    assert message_id(raw) == "a@b.example"
    assert read_mail(raw).message_id == "a@b.example"


@pytest.mark.parametrize(
    "raw",
    [
        b"Subject: s\n\nMessage-ID: <in.the.body@b.example>\n",
        b"Message-ID: <>\n\nx",
        b"Message-ID:   \n\nx",
        b"Message-ID: <" + b"a" * 999 + b">\n\nx",
        b"Message-ID: <\xff@b>\n\nx",
        b"Message-ID: <a\x07b>\n\nx",
        "Message-ID: <a\u202eb>\n\nx".encode(),
        b"In-Reply-Message-ID: <a@b>\n\nx",
        b"no header at all",
        b"",
    ],
)
def test_without_a_valid_message_id_the_id_is_a_hash_of_the_content(raw):
    assert message_id(raw).startswith(HASHED)
    assert len(message_id(raw)) == len(HASHED) + 32


def test_the_hash_ignores_the_line_of_an_mbox():
    assert message_id(b"From me Monday\nSubject: s\n\nx") == message_id(b"Subject: s\n\nx")
    assert message_id(b"Subject: s\n\nx") != message_id(b"Subject: s\n\ny")


@pytest.mark.parametrize("mail", ["Subject: s\n\nx", bytearray(b"Subject: s\n\nx"), EmailMessage(), None])
@pytest.mark.parametrize("read", [message_id, read_mail])
def test_a_mail_that_is_not_bytes_is_refused_with_the_way_to_get_bytes(read, mail):
    with pytest.raises(TypeError, match=f"^a mail of type {type(mail).__name__}: give bytes, "):
        read(mail)
