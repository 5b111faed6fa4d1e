"""Encodes a message: plain text, HTML or both, in several transfer encodings and charsets, with attachments."""

from __future__ import annotations

import base64
import html
import quopri
from random import Random
from typing import NamedTuple

from .messages import SyntheticMessage

_CHARSETS = ("utf-8", "utf-8", "utf-8", "iso-8859-1", "windows-1252", "iso-8859-15", "koi8-r", "utf-16")
_DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MAILERS = ("Mutt/2.2", "Thunderbird 128", "Apple Mail (2.3)", "KMail/5", "The Bat! (v2)", "", "", "")


class Entity(NamedTuple):
    """A MIME entity (RFC 2045): its Content-Type, its Content-Transfer-Encoding (empty: none) and its body."""

    content_type: str
    transfer_encoding: str
    body: bytes


def to_mime(message: SyntheticMessage, number: int, draw: Random) -> bytes:
    """The raw mail, with a unique Message-ID.

    Args:
        number: Its index in the stream, which determines its date.
        draw: Source of the random choices among the forms of MIME.
    """
    content_type, transfer_encoding, body = _entity(message, draw)
    host = message.sender.rpartition("@")[2].rstrip(">")
    minutes = number * 7
    fields = [
        ("Received", f"from mx.{host} by mail.home.example with ESMTP id {draw.getrandbits(32):08x}"),
        ("Date", f"{_DAYS[minutes // 1440 % 7]}, {minutes // 1440 % 28 + 1} Jun 2026 {_clock(minutes)} +0000"),
        ("From", message.sender),
        ("To", f"{message.list_name}@lists.example" if message.list_name else "me@home.example"),
        ("Subject", _encoded_word(message.subject, draw)),
        ("Message-ID", f"<{number}.{draw.getrandbits(40):x}@{host}>"),
        ("X-Mailer", draw.choice(_MAILERS)),
        ("List-Id", f"<{message.list_name}.lists.example>" if message.list_name else ""),
        ("Precedence", "list" if message.list_name else ""),
        ("MIME-Version", "1.0"),
        ("Content-Type", content_type),
        ("Content-Transfer-Encoding", transfer_encoding),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields if value)
    return head.encode() + b"\n" + body


def _entity(message: SyntheticMessage, draw: Random) -> Entity:
    """The whole content."""
    plain = _text_entity("plain", _plain(message), draw)
    dice = draw.random()
    if message.html:
        hypertext = _text_entity("html", _html(message, draw), draw)
        if dice < 0.4:
            return hypertext
        plain = _multipart("alternative", [plain, hypertext], draw)
    if draw.random() < 0.1:
        return _multipart("mixed", [plain, _attachment(message, draw)], draw)
    return plain


def _plain(message: SyntheticMessage) -> str:
    *text, closing = message.paragraphs
    return "\n\n".join(filter(None, (*text, message.link, closing))) + "\n"


def _html(message: SyntheticMessage, draw: Random) -> str:
    lines = [html.escape(text).replace("\n", "<br>") for text in message.paragraphs]
    if message.label == "spam" and draw.random() < 0.3:
        lines = [_broken_up(line, draw) for line in lines]
    words = draw.choice(("Click here", "Read more", "Open", "Details"))
    link = f'<a href="{message.link}">{words}</a>' if message.link else ""
    hidden = f'<div style="display:none">{html.escape(message.subject)}</div>' if draw.random() < 0.1 else ""
    paragraphs = "".join(f"<p>{line}</p>\n" for line in lines)
    return f"<html><head><style>p {{margin: 4px}}</style></head><body>{hidden}{paragraphs}{link}</body></html>\n"


def _broken_up(line: str, draw: Random) -> str:
    """The line with one word split by an HTML comment or an empty tag, which readers do not see."""
    words = line.split(" ")
    index = draw.randrange(len(words))
    if words[index].isalpha() and len(words[index]) > 3:
        words[index] = words[index][:2] + draw.choice(("<!-- x -->", "<b></b>", "<i></i>")) + words[index][2:]
    return " ".join(words)


def _text_entity(subtype: str, text: str, draw: Random) -> Entity:
    if text.isascii() and draw.random() < 0.6:
        return Entity(f"text/{subtype}; charset=us-ascii", "7bit", text.encode())
    charset = draw.choice(_CHARSETS)
    try:
        content = text.encode(charset)
    except UnicodeEncodeError:
        charset, content = "utf-8", text.encode()
    dice = draw.random()
    if charset == "utf-16" or dice < 0.3:
        return Entity(f"text/{subtype}; charset={charset}", "base64", base64.encodebytes(content))
    if dice < 0.9:
        return Entity(f'text/{subtype}; charset="{charset}"', "quoted-printable", quopri.encodestring(content))
    return Entity(f"text/{subtype}", "8bit", content)


def _attachment(message: SyntheticMessage, draw: Random) -> Entity:
    dice = draw.random()
    if dice < 0.3:
        inner = f"From: {message.sender}\nSubject: Fwd: {message.subject}\n\n{message.paragraphs[0]}\n"
        return Entity("message/rfc822", "8bit", inner.encode())
    if dice < 0.5:
        rows = "".join(f"{draw.randint(1, 99)};{draw.randint(100, 9999)}\n" for _ in range(8))
        return Entity('text/csv; name="table.csv"', "7bit", rows.encode())
    name = draw.choice(("scan.pdf", "photo.jpg", "invoice.pdf", "details.zip"))
    return Entity(f'application/octet-stream; name="{name}"', "base64", base64.encodebytes(draw.randbytes(600)))


def _multipart(subtype: str, parts: list[Entity], draw: Random) -> Entity:
    boundary = f"=_{draw.getrandbits(64):016x}"
    body = b"".join(
        f"--{boundary}\nContent-Type: {part.content_type}\n".encode()
        + (f"Content-Transfer-Encoding: {part.transfer_encoding}\n" if part.transfer_encoding else "").encode()
        + b"\n"
        + part.body
        + b"\n"
        for part in parts
    )
    return Entity(f'multipart/{subtype}; boundary="{boundary}"', "", body + f"--{boundary}--\n".encode())


def _encoded_word(text: str, draw: Random) -> str:
    if text.isascii() and draw.random() < 0.95:
        return text
    return f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}:00"
