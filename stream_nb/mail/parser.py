"""Raw bytes of a mail -> the parts a learner reads.

The parts are, in order: the value of each kept header under its own name; the names of the kept headers that occur,
under ``header-names``; subject and body under ``""``; and what a reader cannot see under ``hidden``: text that HTML
hides, and the words of a text/plain body that are missing from the HTML shown in its place. All have plain letters
(`normalization`).

Alternatives, measured test-then-train with MailNB as accuracy % / (1-AUC)% with the safe headers, printed by
`tests/benchmarks/mail_view.py` (with `--shuffle 0` for SpamAssassin's mails, sa):

| view                          | sa             | enron1         | enron2         | enron3         |
|-------------------------------|----------------|----------------|----------------|----------------|
| as it is                      | 98.91 / 0.0500 | 98.98 / 0.0640 | 99.32 / 0.0232 | 99.35 / 0.0224 |
| subject not in the body       | 98.91 / 0.0515 | 98.92 / 0.0899 | 99.39 / 0.0263 | 99.11 / 0.0520 |
| subject in the body only      | 98.92 / 0.0516 | 98.88 / 0.0806 | 99.32 / 0.0259 | 99.37 / 0.0236 |
| no names of headers           | 98.92 / 0.0500 | 99.11 / 0.0644 | 99.32 / 0.0232 | 99.33 / 0.0225 |
| hidden text in the body       | 98.89 / 0.0493 |                |                |                |
| hidden text left out          | 98.91 / 0.0508 |                |                |                |
| hosts of links as a part      | 98.96 / 0.0486 |                |                |                |

Enron has no HTML. Hidden text is kept apart although it decides little here (662 of 6,046 mails have some, often only
a title), because it may be written for filters, not for readers (`tests/benchmarks/attacks.py`). Hosts of links are
not a part of their own, because they are already words of the body.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable
from functools import partial
from itertools import compress
from typing import NamedTuple

from fast_mail_parser import PyLazyMail

from stream_nb.mail.alternatives import have_twins
from stream_nb.mail.fallback_parser import Plain, parse_slowly, to_text
from stream_nb.mail.headers import HEADER_NAMES, KeptFields
from stream_nb.mail.html import html_text, other_words
from stream_nb.mail.identification import message_id
from stream_nb.mail.limits import check_bytes, guarded, header_end, without_mbox_line
from stream_nb.mail.mime import is_text, parse
from stream_nb.mail.normalization import normalized, without_unseen
from stream_nb.mail.originator import originator
from stream_nb.mail.sanitize import display
from stream_nb.mail.transfer_encoding import with_plain_encodings
from stream_nb.types import Mail, Part

SAFE = (
    "subject from to cc reply-to content-type content-transfer-encoding mime-version x-mailer x-priority"
    " x-msmail-priority user-agent organization importance x-mimeole"
).split()
"""Headers that the sender writes. Use these to evaluate on an archive, where other headers reveal the class."""

KEEP = [*SAFE, *"received date message-id return-path sender references in-reply-to".split()]
"""SAFE and the headers that transport adds. Use these in a live filter, where ham and spam arrive the same way."""

MAX_TEXT_BYTES = 200_000
MAX_HTML_CHARS = 1_000_000
MAX_HIDDEN_BYTES = 20_000
MAX_ENCLOSED_MAILS = 5
_LOST = "\ufffd".encode()

_KEPT = {"safe": KeptFields(SAFE, ("sender", "list-id")), "keep": KeptFields(KEEP, ("list-id",))}
_WINDOWS_1252 = codecs.charmap_build(
    "".join(chr(at) if (char := bytes([at]).decode("cp1252", "replace")) == "\ufffd" else char for at in range(256))
)
_new_part: Callable[[tuple[str, bytes]], Part] = partial(tuple.__new__, Part)  # pyright: ignore[reportUnknownMemberType]
"""`Part._make` without a Python-level call per part."""


class ParsedMail(NamedTuple):
    """A mail for the learner; `subject` and `sender` are short and printable, but untrusted."""

    mail: Mail
    subject: str
    sender: str
    raw: bytes

    @property
    def message_id(self) -> str:
        """The message id (see `identification.message_id`)."""
        return message_id(self.raw)


def read_mail(raw: bytes, headers: str = "keep") -> ParsedMail:
    r"""Parse a raw mail (RFC 5322 with MIME, or nearly so).

    Any mail of 1 to 1,000,000 bytes can be read: if it cannot be parsed, it is read as plain text. The first 200,000
    bytes of its bodies are used. Raises MailError with the reason ``empty`` or ``oversized``, TypeError unless `raw` is
    bytes.

    Args:
        raw: The mail, 1 to 1,000,000 bytes.
        headers: ``keep`` for all headers that a live filter may read (`KEEP`), ``safe`` for only those that the sender
            writes (`SAFE`).

    >>> parsed = read_mail(b"Subject: hi\nFrom: Ann <ann@example.org>\n\nsee you at noon")
    >>> parsed.subject, parsed.sender
    ('hi', 'Ann <ann@example.org>')
    >>> for part in parsed.mail.parts:
    ...     print(part)
    Part(name='subject', text=b'hi')
    Part(name='from', text=b'Ann <ann@example.org>')
    Part(name='header-names', text=b'subject from')
    Part(name='', text=b'hi\nsee you at noon')
    """
    if headers not in _KEPT:
        raise ValueError(f"headers {headers!r} is not one of {', '.join(_KEPT)}")
    check_bytes(raw)
    return _read(raw, _KEPT[headers])


def _read(raw: bytes, kept: KeptFields) -> ParsedMail:
    safe, header = guarded(raw, kept)
    texts = header.texts
    fields = header.left.replace(b"?==?", b"?= =?")  # the parser needs spaces between encoded words
    left = with_plain_encodings(fields + safe[header.end :], len(fields))
    message, plain, htmls = parse(left, safe)
    if isinstance(message, Plain):
        texts = kept.decoded(message.headers)
    elif header.odd:
        decoded = kept.decoded(message.headers)
        if any(b"=?" in text or _LOST in text for text in decoded.values()):
            decoded = kept.decoded(parse_slowly(header.left).headers)
        texts |= decoded | {HEADER_NAMES: texts[HEADER_NAMES]}
    shown = _shown(texts, "subject"), _shown(texts, "from")
    if header.odd:
        texts = {name: text if text.isascii() else without_unseen(text.decode()) for name, text in texts.items()}
    body = _Body()
    if "subject" in texts:
        body.seen.append(texts["subject"])
    body.add(message, plain, htmls, left)
    sender = originator(texts)
    for name in kept.unlisted:
        texts.pop(name, None)
    texts[""] = b"\n".join(body.seen)
    if body.hidden:
        texts["hidden"] = b"\n".join(body.hidden)
    parts = tuple(map(_new_part, zip(texts, normalized([*texts.values()]), strict=True)))
    return ParsedMail(Mail(parts, originator=sender), *shown, raw)


def _shown(texts: dict[str, bytes], name: str) -> str:
    return display(texts[name].decode()) if name in texts else ""


class _Body:
    """Collects the text of a mail and of the first five mails enclosed in it; `room` is how many more bytes fit."""

    __slots__ = ("enclosed", "hidden", "hidden_room", "room", "seen")

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        self.hidden: list[bytes] = []
        self.enclosed = 0
        self.room = MAX_TEXT_BYTES
        self.hidden_room = MAX_HIDDEN_BYTES

    def add(self, message: PyLazyMail | Plain, plain: list[str], htmls: list[str], raw: bytes) -> None:
        twins = have_twins(raw) if plain and htmls and isinstance(message, PyLazyMail) else []
        if len(twins) != len(plain):
            twins = [False] * len(plain)
        for text, has_twin in zip(plain, twins, strict=True):
            if not has_twin:
                self._add_text(text)
        for html in htmls:
            self._add_html(html)
        if any(twins):
            self._add_replaced("\n".join(compress(plain, twins)))
        for attachment in message.attachments:
            kind = attachment.mimetype
            if kind.startswith("text/html"):
                self._add_html(to_text(attachment.content))
            elif kind == "message/rfc822":
                self._add_enclosed(attachment.content)
            elif is_text(kind):
                self._add_text(to_text(attachment.content))
        if not (plain or htmls or message.attachments):  # a multipart without its boundary, which readers show as text
            self._add_text(to_text(raw[header_end(raw) :]))

    def _add_enclosed(self, raw: bytes) -> None:
        if self.enclosed == MAX_ENCLOSED_MAILS or not without_mbox_line(raw).strip():
            return
        self.enclosed += 1
        safe, _ = guarded(raw)
        message, plain, htmls = parse(with_plain_encodings(safe), safe)
        for name, values in message.headers.items():
            if name.lower() in ("subject", "from"):
                self._add_text("\n".join(values))
        self.add(message, plain, htmls, safe)

    def _add_text(self, text: str) -> None:
        if self.room > 0:
            taken = _plain(text[: self.room])[: self.room]
            self.room -= len(taken)
            self.seen.append(taken)

    def _add_html(self, html: str) -> None:
        """Add the text of HTML; only visible text uses up `room`, so that hidden text cannot crowd it out."""
        if self.room > 0:
            text = html_text(_plain(html[:MAX_HTML_CHARS]))
            seen = text.seen[: self.room]
            self.room -= len(seen)
            self.seen.append(seen)
            self._hide(text.hidden)

    def _hide(self, text: bytes) -> None:
        if text and self.hidden_room > 0:
            self.hidden.append(text[: self.hidden_room])
            self.hidden_room -= len(self.hidden[-1])

    def _add_replaced(self, text: str) -> None:
        """Add a text/plain body that HTML replaces: its words that the visible text lacks are hidden."""
        self._hide(other_words(_plain(text[:MAX_TEXT_BYTES]), b"\n".join(self.seen)))


def _plain(text: str) -> bytes:
    """Encode text as UTF-8, without the characters that a reader does not see, and with plain spaces.

    The parser decodes text without a declared charset as Windows-1252. If its bytes are valid UTF-8, this decodes them
    again. Trying the first non-ASCII run alone is enough to rule that out for most texts.
    """
    if "\0" in text:
        text = text.replace("\0", "")
    try:
        return text.encode("ascii")
    except UnicodeEncodeError as error:
        run = text[error.start : error.end]
    try:
        _redecoded(run)
        text = _redecoded(text)
    except UnicodeError:
        pass
    return without_unseen(text)


def _redecoded(text: str) -> str:
    return codecs.charmap_encode(text, "strict", _WINDOWS_1252)[0].decode()
