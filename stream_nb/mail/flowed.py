"""Lines that are broken within a paragraph, perhaps within a word (``format=flowed; delsp=yes``).

Without ``delsp=yes`` a soft line break leaves a space, which separates words as a line break does; such text is read as
it is. Source: RFC 3676.
"""

from __future__ import annotations

_SIGNATURE = "-- "


def joined_lines(text: str) -> str:
    r"""Return a text with its paragraphs on one line each, in time linear in its length.

    A line that ends with a space goes on in the next line of the same depth of quotes, without that space.

    >>> joined_lines("> via \n> gra\n> now \n-- \nAnn")
    '>viagra\n>now\n-- \nAnn'
    """
    pieces: list[str] = []
    open_depth = -1  # of the line before, if it goes on
    for line in text.split("\n"):
        unquoted = line.lstrip(">")
        depth = len(line) - len(unquoted)
        content = unquoted.removeprefix(" ").removesuffix("\r")
        goes_on = content.endswith(" ") and content != _SIGNATURE
        if depth != open_depth or content == _SIGNATURE:
            pieces += ["\n" * bool(pieces), ">" * depth]
        pieces.append(content[:-1] if goes_on else content)
        open_depth = depth if goes_on else -1
    return "".join(pieces)
