"""Numbers of a mail, for Gaussian models: sizes on a logarithmic scale, shares of kinds of characters."""

from __future__ import annotations

import math

from stream_nb.types import Mail


def mail_numbers(mail: Mail) -> dict[str, float]:
    """Return ten numbers of a mail's text; an empty mail has sizes and shares of 0.

    >>> from stream_nb.types import Part
    >>> mail_numbers(Mail((Part("", b"WIN $$$ now!"),)))["capitals"]
    0.25
    """
    text = b"\n".join(part.text for part in mail.parts)
    words = text.split()
    size = max(1, len(text))
    return {
        "log bytes": math.log1p(len(text)),
        "log words": math.log1p(len(words)),
        "log longest line": math.log1p(max(map(len, text.split(b"\n")))),
        "word length": sum(map(len, words)) / max(1, len(words)),
        "distinct words": len(set(words)) / max(1, len(words)),
        "capitals": sum(65 <= c <= 90 for c in text) / size,
        "digits": sum(48 <= c <= 57 for c in text) / size,
        "high bytes": sum(c >= 128 for c in text) / size,
        "exclamations": text.count(b"!") / size,
        "links": text.lower().count(b"http") / max(1, len(words)),
    }
