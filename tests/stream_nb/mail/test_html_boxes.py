"""The boxes, form controls and attributes of HTML that show their text, and those that hide it."""

import random

import pytest

from stream_nb.mail.html import html_text


@pytest.mark.parametrize(
    "html",
    [
        "<input style='display:none' value=hid>shown", "<style>.x{opacity:0}</style><input class=x value=hid>shown",
        "<div style='text-indent:-9999px'>hid<b>hid<br>shown</b>shown<table><td>shown</table></div>",
        "<div style='text-indent:-9999px'><p>hid<p>hid<br>shown", "<b style='text-indent:-9999px'>shown",
        "<b style='height:0;width:0;overflow:hidden;transform:scale(0)'>shown",
        "<b style='float:left;height:0;overflow:hidden'>hid</b>shown",
        "<b style='display:block;transform:scale(0)'>hid</b>shown",
        "<b style='position:absolute;width:0;overflow:hidden'>hid</b>shown<i style='display:inline'>shown",
        "<b style='display:inline-block;width:0;overflow:hidden'>hid</b>shown",
        "<div style='display:flex'><b style='width:0;overflow:hidden'>hid</b><b>shown</b></div>",
        "<p style='display:inline-grid'><b style='display:inline;height:0;overflow:hidden'>hid</b>shown",
        "<p style='display:flex'><b><i style='width:0;overflow:hidden'>shown</i></b>",
        "<table style='height:0;overflow:hidden'><tr><td style='height:0;width:0;overflow:hidden'>shown</table>",
        "<table><td style='max-width:0;overflow:hidden'>hid<td style='display:block;height:0;overflow:hidden'>hid",
        "<table><caption style='height:0;overflow:hidden'>hid</caption><caption style='height:0'>shown</table>",
        "<div style='color:white;font-size:0'>hid<button>shown</button><textarea>shown</textarea>",
        "<div style='color:white'><input value=shown><input style='color:#eee' value=hid></div>",
        "<style type=text/plain>p{opacity:0}</style><p>shown", "<style type=TEXT/CSS>p{opacity:0}</style><p>hid",
        "<datalist>hid</datalist><template>hid</template><rp>hid</rp>shown",
        "<video>shown</video><audio>shown</audio><progress>shown</progress><meter>shown</meter><dialog>shown",
        "<input hidden value=hid><input value=shown>", "<div hidden><input value=hid></div>shown",
        "<p style='font-size:0'><font size=2>shown</font><font size=+1 style='font-size:1px'>hid</font>hid",
        "<p style='font-size:0'><font size=x>hid</font><font size=' -2'>shown</font><b size=2>hid</b></p>",
        "<body bgcolor=black link=black><a href=u>hid</a><a style='color:white'>shown</a>",
        "<body link=white><a href=u>hid<font color=black>shown</font></a>", "<p link=white><a href=u>shown</a>",
        "<body bgcolor=#0000ee link=white><a href=u>shown</a>", "<mark style='color:yellow'>hid</mark>shown",
        "<p style='font-size:3px'><small>hid</small>shown</p><small><sub>shown</sub><sup style='font-size:1px'>hid",
        "<p style='font-size:3px'><b style='font-size:smaller'>hid</b><b style='font-size:larger'>shown</b>",
        "<p style='color:white'>hid<mark>shown</mark>hid</p><mark style='background:black'>hid</mark>",
    ],
)  # fmt: skip
def test_hidden_text_is_what_an_element_hides(html):
    text = html_text(html.encode())

    assert (b"shown" in text.hidden, b"hid" in text.seen) == (False, False)
    assert (b"shown" in text.seen, b"hid" in text.hidden) == ("shown" in html, "hid" in html.replace("hidden", ""))


@pytest.mark.parametrize(
    ("style", "fits"),
    [
        ("height:20px;overflow:hidden", False), ("max-height:2em;overflow-y:auto", True),
        ("height:99em;max-height:20px;overflow:hidden", False), ("height:20px", True),
        ("display:inline;height:20px;overflow:hidden", True), ("height:20em;overflow:hidden", True),
        ("height:20px;min-height:20em;overflow:hidden", True), ("display:table;height:20px;overflow:hidden", True),
        ("height:20px;overflow:hidden;padding-bottom:20em", True), ("font-size:5px;height:20px;overflow:hidden", True),
        ("height:40px;width:20px;overflow:visible clip", False), ("height:20px;overflow:hidden;height:auto", True),
    ],
)  # fmt: skip
def test_text_below_the_lower_edge_of_a_box_that_clips_is_hidden(style, fits):
    words = ["gr\u00fc\u00df", *(f"word{number}" for number in range(150))]

    text = html_text(f"<div style='{style}'><p>{'</p> <p>'.join(words)}</div>after".encode())

    seen = text.seen.decode().split()
    assert (seen[0], seen[-1]) == (words[0], "after")
    assert (len(seen) == 152, text.hidden == b"") == (fits, fits)


@pytest.mark.parametrize("word", ["till", "заказ", "订单已发货", "ขอบคุณ"])
def test_text_that_just_fits_is_seen_in_any_script_and_however_it_is_indented(word):
    line = (word + " ") * (300 // (4 * len(word) + 4))  # of letters that are 4 px wide

    for style in ("height:46px;overflow:hidden;width:300px", "white-space:nowrap;overflow:hidden;width:300px"):
        html = f"<div style='font:12px Arial;{style}'>\n{' ' * 99}{line}"
        assert html_text(html.encode()).hidden == b""


def test_a_box_within_a_box_shows_no_more_than_that_one_and_leaves_it_less():
    row = "<div style='height:1em;overflow:hidden'>" + "word " * 40 + "</div>"

    text = html_text(f"<div style='height:2em;overflow:hidden'>{row * 9}</div>shown<p>{row}".encode())

    assert 90 < text.seen.count(b"word") < 160
    assert b"shown" in text.seen


def test_a_character_at_the_lower_edge_is_not_divided():
    rng = random.Random(1)
    for _ in range(99):
        text = "".join(rng.choice("a\u00fc\u4e00\U0001f600 ") for _ in range(999))
        seen, hidden = html_text(f"<div style='height:9px;overflow:hidden;width:99px'>{text}".encode())
        assert (seen.decode() + hidden.decode()).replace(" ", "") == text.replace(" ", "")


@pytest.mark.parametrize(
    ("style", "inner", "fits"),
    [
        ("white-space:nowrap;overflow:hidden;width:99px", "%s", False),
        ("overflow:hidden;max-width:99px", "<p style='white-space:nowrap'>%s", False),
        ("white-space:nowrap;overflow:hidden;width:99px", "<p style='white-space:normal'>%s", True),
        ("white-space:nowrap;width:99px", "%s", True), ("overflow:hidden;width:99px", "%s", True),
        ("white-space:pre-wrap;overflow:hidden;width:99px", "%s", True),
        ("white-space:nowrap;overflow:hidden", "%s", False),
        ("white-space:nowrap;overflow:hidden;width:99px", "<b style='white-space:x'>%s", False),
        ("white-space:nowrap;overflow:hidden;display:inline;width:99px", "%s", True),
        ("white-space:nowrap;overflow:hidden;width:700px",
         "<p style='white-space:normal;height:20px;overflow:hidden;width:99px'>%s", False),
        ("height:20px;overflow:hidden;width:99px",
         "<section style='white-space:nowrap;overflow:hidden;width:700px'><p style='white-space:normal'>%s", False),
    ],
)  # fmt: skip
def test_the_rest_of_a_line_that_does_not_wrap_is_cut_off(style, inner, fits):
    html = f"<div style='{style}'>{inner % ('first' + ' word' * 99 + ' last<br>second')}</div><br>after"

    seen = html_text(html.encode()).seen.split()

    assert (b"first" in seen, b"last" in seen, b"after" in seen) == (True, fits, True)
    assert b"second" in seen or "height" in html


@pytest.mark.parametrize(("style", "hides"), [("", True), ("white-space:normal", False), ("overflow:visible", False)])
def test_an_indent_hides_the_text_that_it_moves_out_of_a_box(style, hides):
    html = f"<div style='white-space:nowrap;overflow:hidden;text-indent:100%;{style}'>word<br>second</div>"

    seen = html_text(html.encode()).seen.split()

    assert seen == ([b"second"] if hides else [b"word", b"second"])


@pytest.mark.parametrize(
    "html",
    [
        "<div style='overflow:hidden;line-height:0'>hid<p>hid<b style='line-height:1'>shown</b></div>shown",
        "<div style='overflow:hidden;line-height:1px'><p style='line-height:normal'>shown<p>hid</div>",
        "<div style='overflow:hidden;font:12px/0 Arial'>hid</div><div style='overflow:hidden;font:12px Arial'>shown",
        "<div style='overflow:hidden;font-size:0;line-height:1'>hid<p style='font-size:9px'>shown</div>",
        "<div style='overflow:hidden;font-size:0;line-height:1em'>hid<p style='font-size:9px'>hid</div>",
        "<div style='overflow:hidden;font-size:0;line-height:100%'><p style='font:9px a'>shown</div>",
        "<p style='line-height:0'>shown</p><b style='overflow:hidden;line-height:0'>shown</b>",
        "<p style='overflow:hidden;line-height:0;height:9px'>shown",
        "<p style='overflow:hidden;line-height:0;padding:9px'>shown",
        "<p style='overflow:hidden'>shown<b style='line-height:0'>shown</b>",
        "<p style='overflow:hidden;line-height:-1'>shown<p style='overflow:hidden;line-height:1deg'>shown",
        "<div style='overflow:hidden;height:20px;line-height:99px'>hid</div>",
        "<p style='height:20px;line-height:99px'>shown",
        "<div style='overflow:hidden;height:40px;line-height:40px'>shown</div>",
    ],
)  # fmt: skip
def test_lines_of_no_height_are_hidden_in_a_box_that_clips_and_so_is_a_line_whose_letters_are_below_it(html):
    text = html_text(html.encode())

    assert (b"shown" in text.hidden, b"hid" in text.seen) == (False, False)


@pytest.mark.parametrize(
    ("around", "style", "shown"),
    [
        ("overflow:hidden", "margin-left:100%", False), ("overflow:hidden", "padding-left:100%", False),
        ("overflow:hidden", "position:relative;left:900px", False), ("overflow:hidden", "left:100%", True),
        ("overflow:hidden", "margin-left:50%", True), ("", "margin-left:100%", True), ("", "padding-left:100%", True),
        ("", "overflow:hidden;padding-left:100%", False), ("display:inline;overflow:hidden", "margin-left:100%", True),
        ("overflow:visible clip", "margin-left:100%", True),
    ],
)  # fmt: skip
def test_text_that_is_moved_out_of_a_box_that_clips_is_hidden(around, style, shown):
    seen, _ = html_text(f"<div style='{around}'><div style='{style}'>word</div></div>".encode())

    assert (b"word" in seen) == shown
