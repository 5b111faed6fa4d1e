"""Text of strangers, made fit to be shown."""

from __future__ import annotations

import unicodedata

INVISIBLE = {"Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"}
MARK_RUN = 4


def show_safely(text: str, limit: int) -> str:
    """At most `limit` characters in which nothing hides: controls, direction marks and the like become ``U+202E``.

    More than `MARK_RUN` combining marks in a row are left out, so that letters cannot climb over the lines above.

    >>> show_safely("exe.\u202egpj", 20)
    'exe.⟨U+202E⟩gpj'
    >>> show_safely("a\\tb" + "c" * 100, 10)
    'a bcccccc…'
    """
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
