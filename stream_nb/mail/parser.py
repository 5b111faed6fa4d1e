"""Raw bytes of a mail -> the parts a learner reads.

The parts are, in order: the value of each kept header under its own name; the names of the kept headers that occur,
under ``header-names``; subject and body under ``""``; and what a reader cannot see under ``hidden``: text that HTML
hides, the hosts of its links, and the words of a text/plain body that are missing from the HTML shown in its place.
All have plain letters (`normalization`).

Alternatives, measured test-then-train with MailNB as accuracy % / (1-AUC)% with the safe headers, printed by
`tests/benchmarks/mail_view.py` (with `--shuffle 0` for SpamAssassin's mails, sa):

| view                          | sa             | enron1         | enron2         | enron3         |
|-------------------------------|----------------|----------------|----------------|----------------|
| as it is                      | 98.88 / 0.0473 | 98.98 / 0.0640 | 99.32 / 0.0232 | 99.35 / 0.0224 |
| subject not in the body       | 98.89 / 0.0481 | 98.92 / 0.0899 | 99.39 / 0.0263 | 99.11 / 0.0520 |
| subject in the body only      | 98.89 / 0.0484 | 98.88 / 0.0806 | 99.32 / 0.0259 | 99.37 / 0.0236 |
| no names of headers           | 98.88 / 0.0470 | 99.11 / 0.0644 | 99.32 / 0.0232 | 99.33 / 0.0225 |
| hidden text in the body       | 98.91 / 0.0451 |                |                |                |
| hidden text left out          | 98.89 / 0.0489 |                |                |                |

Enron has no HTML. Hidden text is kept apart although it decides little here (a fifth of the mails have some, often only
a title or the hosts of links), because it may be written for filters, not for readers (`tests/benchmarks/attacks.py`).
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

from stream_nb.mail.body import Body
from stream_nb.mail.headers import KeptFields
from stream_nb.mail.identification import message_id
from stream_nb.mail.limits import check_bytes
from stream_nb.mail.mime import read_mime
from stream_nb.mail.normalization import normalized, without_unseen
from stream_nb.mail.originator import originator
from stream_nb.mail.sanitize import display
from stream_nb.types import Mail, Part

SAFE = (
    "subject from to cc reply-to content-type content-transfer-encoding mime-version x-mailer x-priority"
    " x-msmail-priority user-agent organization importance x-mimeole"
).split()
"""Headers that the sender writes. Use these to evaluate on an archive, where other headers reveal the class."""

KEEP = [*SAFE, *"received date message-id return-path sender references in-reply-to".split()]
"""SAFE and the headers that transport adds. Use these in a live filter, where ham and spam arrive the same way."""

_KEPT = {"safe": KeptFields(SAFE, ("sender", "list-id")), "keep": KeptFields(KEEP, ("list-id",))}
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
    read = read_mime(raw, kept)
    texts = read.texts
    shown = _shown(texts, "subject"), _shown(texts, "from")
    if read.decoded:
        texts = {name: text if text.isascii() else without_unseen(text.decode()) for name, text in texts.items()}
    body = Body()
    if "subject" in texts:
        body.seen.append(texts["subject"])
    body.add(read)
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
