"""A letter as raw bytes: plain, HTML or both, in several transfer encodings and charsets, with attachments."""

from __future__ import annotations

import base64
import html
import quopri
from random import Random

from .messages import Letter

_CHARSETS = ("utf-8", "utf-8", "utf-8", "iso-8859-1", "windows-1252", "iso-8859-15", "koi8-r", "utf-16")
_DAYS = "Mon Tue Wed Thu Fri Sat Sun".split()
_MAILERS = ("Mutt/2.2", "Thunderbird 128", "Apple Mail (2.3)", "KMail/5", "The Bat! (v2)", "", "", "")


def enclose(letter: Letter, number: int, draw: Random) -> bytes:
    """The raw mail, with a Message-ID of its own; `number` is its place in the stream, and sets its date."""
    kind, encoding, body = _content(letter, draw)
    host = letter.sender.rpartition("@")[2].rstrip(">")
    minutes = number * 7
    fields = [
        ("Received", f"from mx.{host} by mail.home.example with ESMTP id {draw.getrandbits(32):08x}"),
        ("Date", f"{_DAYS[minutes // 1440 % 7]}, {minutes // 1440 % 28 + 1} Jun 2026 {_clock(minutes)} +0000"),
        ("From", letter.sender),
        ("To", f"{letter.mailing_list}@lists.example" if letter.mailing_list else "me@home.example"),
        ("Subject", _encoded_word(letter.subject, draw)),
        ("Message-ID", f"<{number}.{draw.getrandbits(40):x}@{host}>"),
        ("X-Mailer", draw.choice(_MAILERS)),
        ("List-Id", f"<{letter.mailing_list}.lists.example>" if letter.mailing_list else ""),
        ("Precedence", "list" if letter.mailing_list else ""),
        ("MIME-Version", "1.0"),
        ("Content-Type", kind),
        ("Content-Transfer-Encoding", encoding),
    ]
    head = "".join(f"{name}: {value}\n" for name, value in fields if value)
    return head.encode() + b"\n" + body


def _content(letter: Letter, draw: Random) -> tuple[str, str, bytes]:
    """Content type, transfer encoding and body."""
    plain = _part("plain", _plain(letter), draw)
    dice = draw.random()
    if letter.html:
        hypertext = _part("html", _html(letter, draw), draw)
        if dice < 0.4:
            return hypertext
        plain = _multipart("alternative", [plain, hypertext], draw)
    if draw.random() < 0.1:
        return _multipart("mixed", [plain, _attachment(letter, draw)], draw)
    return plain


def _plain(letter: Letter) -> str:
    return "\n\n".join(filter(None, (*letter.lines[:-1], letter.link, letter.lines[-1]))) + "\n"


def _html(letter: Letter, draw: Random) -> str:
    lines = [html.escape(line).replace("\n", "<br>") for line in letter.lines]
    if letter.label == "spam" and draw.random() < 0.3:
        lines = [_broken_up(line, draw) for line in lines]
    words = draw.choice(("Click here", "Read more", "Open", "Details"))
    link = f'<a href="{letter.link}">{words}</a>' if letter.link else ""
    hidden = f'<div style="display:none">{html.escape(letter.subject)}</div>' if draw.random() < 0.1 else ""
    paragraphs = "".join(f"<p>{line}</p>\n" for line in lines)
    return f"<html><head><style>p {{margin: 4px}}</style></head><body>{hidden}{paragraphs}{link}</body></html>\n"


def _broken_up(line: str, draw: Random) -> str:
    """Words broken by comments and empty tags, which a reader does not see."""
    words = line.split(" ")
    at = draw.randrange(len(words))
    if words[at].isalpha() and len(words[at]) > 3:
        words[at] = words[at][:2] + draw.choice(("<!-- x -->", "<b></b>", "<i></i>")) + words[at][2:]
    return " ".join(words)


def _part(kind: str, text: str, draw: Random) -> tuple[str, str, bytes]:
    if text.isascii() and draw.random() < 0.6:
        return f"text/{kind}; charset=us-ascii", "7bit", text.encode()
    charset = draw.choice(_CHARSETS)
    try:
        content = text.encode(charset)
    except UnicodeEncodeError:
        charset, content = "utf-8", text.encode()
    dice = draw.random()
    if charset == "utf-16" or dice < 0.3:
        return f"text/{kind}; charset={charset}", "base64", base64.encodebytes(content)
    if dice < 0.9:
        return f'text/{kind}; charset="{charset}"', "quoted-printable", quopri.encodestring(content)
    return f"text/{kind}", "8bit", content


def _attachment(letter: Letter, draw: Random) -> tuple[str, str, bytes]:
    dice = draw.random()
    if dice < 0.3:
        inner = f"From: {letter.sender}\nSubject: Fwd: {letter.subject}\n\n{letter.lines[0]}\n"
        return "message/rfc822", "8bit", inner.encode()
    if dice < 0.5:
        rows = "".join(f"{draw.randint(1, 99)};{draw.randint(100, 9999)}\n" for _ in range(8))
        return 'text/csv; name="table.csv"', "7bit", rows.encode()
    name = draw.choice(("scan.pdf", "photo.jpg", "invoice.pdf", "details.zip"))
    return f'application/octet-stream; name="{name}"', "base64", base64.encodebytes(draw.randbytes(600))


def _multipart(kind: str, parts: list[tuple[str, str, bytes]], draw: Random) -> tuple[str, str, bytes]:
    boundary = f"=_{draw.getrandbits(64):016x}"
    body = b"".join(
        f"--{boundary}\nContent-Type: {part}\n".encode()
        + (f"Content-Transfer-Encoding: {encoding}\n" if encoding else "").encode()
        + b"\n"
        + content
        + b"\n"
        for part, encoding, content in parts
    )
    return f'multipart/{kind}; boundary="{boundary}"', "", body + f"--{boundary}--\n".encode()


def _encoded_word(text: str, draw: Random) -> str:
    if text.isascii() and draw.random() < 0.95:
        return text
    return f"=?utf-8?B?{base64.b64encode(text.encode()).decode()}?="


def _clock(minutes: int) -> str:
    return f"{minutes // 60 % 24:02d}:{minutes % 60:02d}:00"
