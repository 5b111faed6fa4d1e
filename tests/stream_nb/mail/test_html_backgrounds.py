"""Text on gradients, and text that a gradient colours."""

import pytest

from stream_nb.mail.html import html_text


@pytest.mark.parametrize(
    ("style", "shown"),
    [
        ("color:white;background:linear-gradient(135deg,#667eea 0%,#764ba2 100%)", True),
        ("color:white;background:linear-gradient(rgba(0,0,0,.6),#000),url(x.png)", True),
        ("color:white;background:linear-gradient(red,blue) no-repeat 0 50%/cover", True),
        ("color:white;background:-webkit-gradient(linear,0 0,100% 0,from(#111),to(rgb(0 9 9)))", True),
        ("color:white;background-image:linear-gradient(red,blue);background-image:black", True),
        ("color:white;background-color:white;background-image:linear-gradient(#111,#222)", True),
        ("color:white;background:linear-gradient(#111,#222);background-color:white", True),
        ("color:white;background:linear-gradient(#111,#222);background:none", False),
        ("color:white;background:#000 linear-gradient(#fff,#fff)", False),
        ("color:white;background:#000 linear-gradient(#fff 99%,#000)", False),
        ("color:white;background:linear-gradient(#0000,#0000),linear-gradient(#fff,#fff) #000", False),
        ("color:red;background:linear-gradient(currentcolor,#fff)", False),
        ("color:white;background:linear-gradient(#111,#222) 0 0/1px no-repeat", False),
        ("color:white;background:linear-gradient(#111,#222) 999px 0 no-repeat", False),
        ("color:white;background-image:linear-gradient(#111,#222);background-size:0;background-position:0", False),
        ("background:linear-gradient(#fff,tan)", True),
        ("background:linear-gradient(#fff,#111)", False),
        ("background:none,linear-gradient(#000)", False),
        ("background:black,", True),
        ("color:transparent;background:linear-gradient(red,blue);-webkit-background-clip:text", True),
        ("-webkit-text-fill-color:transparent;background:red;background-clip:text", True),
        ("color:transparent;background:linear-gradient(#fff,#fff);background-clip:text", False),
        ("color:transparent;background-clip:text;background:red", False),
    ],
)
def test_text_is_shown_if_it_differs_from_each_colour_behind_it(style, shown):
    text = html_text(f'<div style="{style}"><p>word</div>'.encode())

    assert (b"word" in text.seen, b"word" in text.hidden) == (shown, not shown)


@pytest.mark.parametrize(
    ("style", "blending", "shown"),
    [
        ("background:white", "lighten screen plus-lighter color-dodge color-burn overlay soft-light hue color", False),
        ("background:white", "normal darken multiply hard-light luminosity lighter x", True),
        ("background:black;color:white", "darken multiply color-dodge color-burn overlay soft-light saturation", False),
        ("background:black;color:white", "normal lighten screen hard-light difference", True),
        ("background:white", "difference exclusion", False), ("color:white", "difference exclusion", True),
        ("background:red;color:white", "lighten multiply", True),
    ],
)  # fmt: skip
def test_text_is_hidden_if_blending_leaves_what_is_below_it_as_it_is(style, blending, shown):
    for mode in blending.split():
        text = html_text(f'<div style="{style}"><p style="mix-blend-mode:{mode}">word</div>'.encode())
        assert (mode, b"word" in text.seen) == (mode, shown)
