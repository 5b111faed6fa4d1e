"""The text of a spam and words of ham in one HTML page, the words visible or hidden, for `benchmarks.attacks`."""

from __future__ import annotations

import math
from collections.abc import Callable

TURN = 10
"""Words of the spam between words of ham."""

STYLES = {
    "display: none": "display:none",
    "font size 0": "font-size:0",
    "white on white": "color:#ffffff",
    "nearly white on white": "background:#fff;color:rgb(250,252,251)",
    "1 px": "font-size:1px",
    "opacity 0": "opacity:0",
    "off the screen": "position:absolute;left:-9999px",
    "max-height 0": "max-height:0;overflow:hidden",
    "text-indent": "text-indent:-9999px",
    "letters on each other": "letter-spacing:-1em",
    "white on a picture": "background:url(https://pictures.example/sand.png);color:#fff",
    "white on a gradient": "background:linear-gradient(#fff,#eee);color:#fff",
    "beside a line that does not wrap": "white-space:nowrap;overflow:hidden;text-indent:100%",
    "lines of no height": "line-height:0;overflow:hidden",
    "padding": "padding-left:9999px",
    "blended into white": "mix-blend-mode:screen",
    "cut off after a line": "height:20px;overflow:hidden",
}


def _styled(style: str) -> Callable[[str, str], str]:
    return lambda spam, ham: f'<html><body><p>{spam}</p><div style="{style}">{ham}</div></body></html>'


TRICKS: dict[str, Callable[[str, str], str]] = {
    "in sight, for comparison": lambda spam, ham: f"<html><body><p>{spam}</p><p>{ham}</p></body></html>",
    **{name: _styled(style) for name, style in STYLES.items()},
    "style sheet": lambda spam, ham: (
        f"<style>td .k {{color: white}}</style><table><tr><td>{spam}<b class=k>{ham}</b></td></tr></table>"
    ),
    "white, inherited": lambda spam, ham: (
        f'<div style="color:white"><p style="color:black">{spam}</p><p>{ham}</p></div>'
    ),
    "title": lambda spam, ham: f"<html><head><title>{ham}</title></head><body><p>{spam}</p></body></html>",
    "target of a link": lambda spam, ham: (
        f'<html><body><p>{spam}</p><a href="http://host.example/?{"+".join(ham.split())}"></a></body></html>'
    ),
    "comment": lambda spam, ham: f"<html><body><!-- {ham} --><p>{spam}</p></body></html>",
}
PLAIN_PART = "other plain part"


def behind(spam: str, ham: list[str]) -> str:
    """The words after the spam."""
    return TRICKS["in sight, for comparison"](spam, " ".join(ham))


def before(spam: str, ham: list[str]) -> str:
    """The words before the spam."""
    return TRICKS["in sight, for comparison"](" ".join(ham), spam)


def in_turns(spam: str, ham: list[str]) -> str:
    """`TURN` words of the spam and as large a share of the others, in turns."""
    own = spam.split()
    turns = range(0, max(len(own), 1), TURN)
    share = math.ceil(len(ham) / len(turns))
    mixed = [own[k : k + TURN] + ham[share * turn : share * (turn + 1)] for turn, k in enumerate(turns)]
    return f"<html><body><p>{' '.join(word for words in mixed for word in words)}</p></body></html>"
