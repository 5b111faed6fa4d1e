"""The text of a mail's body: what a reader sees, and what is hidden."""

from __future__ import annotations

import codecs
import re
from itertools import compress
from operator import not_

from fast_mail_parser import PyLazyMail

from stream_nb.mail.alternatives import have_twins
from stream_nb.mail.fallback_parser import in_charset, to_text
from stream_nb.mail.headers import KeptFields
from stream_nb.mail.html import html_text, other_words
from stream_nb.mail.limits import header_end, without_mbox_line
from stream_nb.mail.mime import MimeMail, attached_texts, read_mime
from stream_nb.mail.normalization import without_unseen

MAX_TEXT_BYTES = 200_000
MAX_HTML_CHARS = 1_000_000
MAX_HIDDEN_BYTES = 20_000
MAX_ENCLOSED_MAILS = 5

_ENCLOSED_FIELDS = ("from", "subject")
_OF_ENCLOSED = KeptFields(_ENCLOSED_FIELDS)
_FOLD = re.compile(r"\r?\n[ \t]")
"""Where a long line of a calendar goes on, perhaps within a word (RFC 5545, 3.1)."""
_WINDOWS_1252 = codecs.charmap_build(
    "".join(chr(at) if (char := bytes([at]).decode("cp1252", "replace")) == "\ufffd" else char for at in range(256))
)


class Body:
    """Collects the text of a mail and of the first five mails enclosed in it; `room` is how many more bytes fit."""

    __slots__ = ("enclosed", "hidden", "hidden_room", "room", "seen")

    def __init__(self) -> None:
        self.seen: list[bytes] = []
        self.hidden: list[bytes] = []
        self.enclosed = 0
        self.room = MAX_TEXT_BYTES
        self.hidden_room = MAX_HIDDEN_BYTES

    def add(self, mail: MimeMail) -> None:
        """Add the bodies and the attached texts of a mail."""
        plain, htmls, replaced = _shown(mail)
        for text in plain:
            self._add_text(text)
        for html in htmls:
            self._add_html(html)
        if replaced:
            self._hide(other_words(b"\n".join(replaced), b"\n".join(self.seen)))
        for kind, content, charset in attached_texts(mail):
            if kind == "mail":
                self._add_enclosed(content)
            elif kind == "html":
                self._add_html(in_charset(content, charset))
            elif kind == "calendar":
                self._add_text(_FOLD.sub("", in_charset(content, charset)).replace("\\n", "\n"))
            else:
                self._add_text(in_charset(content, charset))
        if not (mail.plain or mail.htmls or mail.message.attachments):  # without its boundary: readers show it as text
            self._add_text(to_text(mail.raw[header_end(mail.raw) :]))

    def _add_enclosed(self, raw: bytes) -> None:
        if self.enclosed == MAX_ENCLOSED_MAILS or not without_mbox_line(raw).strip():
            return
        self.enclosed += 1
        mail = read_mime(raw, _OF_ENCLOSED)
        for name in _ENCLOSED_FIELDS:
            if name in mail.texts:
                self._add_text(mail.texts[name].decode())
        self.add(mail)

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


def _shown(mail: MimeMail) -> tuple[list[str], list[str], list[bytes]]:
    """Return the bodies in plain text and in HTML that a reader sees, and the texts of those that HTML replaces, whose
    words that the visible text lacks are hidden."""
    plain, htmls = mail.plain, mail.htmls
    if htmls and len(plain) + len(htmls) > 1 and isinstance(mail.message, PyLazyMail):
        twins, html_twins = have_twins(mail.raw)
        if (len(twins), len(html_twins)) == (len(plain), len(htmls)):
            replaced = [_plain(text[:MAX_TEXT_BYTES]) for text in compress(plain, twins)]
            replaced += [html_text(_plain(html[:MAX_HTML_CHARS])).seen for html in compress(htmls, html_twins)]
            return [*compress(plain, map(not_, twins))], [*compress(htmls, map(not_, html_twins))], replaced
    return plain, htmls, []


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
