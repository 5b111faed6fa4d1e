"""Makes text from strangers safe to show."""

from __future__ import annotations

import unicodedata

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
MARK_RUN = 4

ROW_SUBJECT_CHARS = 200
ROW_SENDER_CHARS = 100
"""Most characters of a subject and of a sender in a list of mails."""


def show_safely(text: str, limit: int) -> str:
    """Return at most `limit` characters, none of them hidden: controls, direction marks etc. become ``⟨U+202E⟩``.

    At most `MARK_RUN` combining marks in a row are kept, so that they cannot cover the lines above.

    Args:
        text: Any text; if it is cut, the last character is ``…``.
        limit: The most characters to show, 1 or more; a character that is shown by its number counts once.

    >>> show_safely("exe.\u202egpj", 20)
    'exe.⟨U+202E⟩gpj'
    >>> show_safely("a\\tb" + "c" * 100, 10)
    'a bcccccc…'
    """
    if text.isascii() and text.isprintable():  # nothing to replace, as in most mail
        return text if len(text) <= limit else text[: limit - 1] + "…"
    shown: list[str] = []
    marks = 0
    for character in text[: limit * 2]:
        category = unicodedata.category(character)
        marks = marks + 1 if category in ("Mn", "Me") else 0
        if marks > MARK_RUN:
            continue
        if character in "\t\r\n":
            shown.append(" ")
        elif category in INVISIBLE:
            shown.append(f"⟨U+{ord(character):04X}⟩")
        else:
            shown.append(character)
        if len(shown) > limit:
            break
    if len(shown) > limit or len(text) > limit * 2:
        return "".join(shown[: limit - 1]) + "…"
    return "".join(shown)
