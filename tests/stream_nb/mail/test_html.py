"""The text of HTML that a reader sees and the text that is hidden, in time linear in its size."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb import kernels
from stream_nb.kernels.css.layout import STYLE_COUNTS, STYLE_ENTRIES, STYLE_RULES
from stream_nb.mail.html import html_text
from tests.stream_nb.mail import hostile, plain_kernel

KERNELS = (
    "cpu swar css.syntax html.characters css.blocks css.math css.colours css.properties css.boxes css.fonts"
    " css.backgrounds css.values css.declarations css.media css.names css.conditions css.rules css.selectors css.sheets"
    " html.boxes html.style html.traits html.elements html.tags html.sheets html.opening html.formatting html.text"
    " html.split"
).split()
LOADED = plain_kernel.load_plain(*(f"stream_nb.kernels.{name}" for name in KERNELS))
MODULES = dict(zip(KERNELS, LOADED, strict=True))
PLAIN = SimpleNamespace(read_styles=MODULES["html.sheets"].read_styles, split_html=MODULES["html.split"].split_html)
READS_A_BYTE = 16
READS_A_BYTE_OF_STYLES = 14


def split(module, data, size):
    """The bytes that `split_html` writes: (seen, hidden)."""
    out = np.empty(2 * size + 4, np.uint8)
    entries, rules = np.zeros(STYLE_ENTRIES, np.int64), np.empty(STYLE_RULES, np.int64)
    module.read_styles(data, entries, rules, np.zeros(STYLE_COUNTS, np.int64))
    n_seen, n_unseen = module.split_html(data, entries, rules, out)
    return out[:n_seen].tobytes(), out[size + 2 :][:n_unseen].tobytes()


def seen_words(html: bytes) -> list[bytes]:
    return html_text(html).seen.split()


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        (b"vi<!-- x -->ag<b></b>ra", [b"viagra"]),
        (b"v<span style='color:red'>i</span>agra", [b"viagra"]),
        (b"<table><td>one</td><td>two</td></table>", [b"one", b"two"]),
        (b"one<br>two<br/>three<BR />four", [b"one", b"two", b"three", b"four"]),
        (b"<li>a<li>b", [b"a", b"b"]),
        (b"a<script>var x = '<b>no</b>';</script>b<style>p {}</style>c", [b"abc"]),
        (b"a<SCRIPT src=x.js>no</SCRIPT >b", [b"ab"]),
        (b"a<script>no", [b"a"]),
        (b"a<!-- never closed", [b"a"]),
        (b"a<!-->b<!--->c<!-- x --!>d", [b"abcd"]),
        (b"a<!doctype html>b<?php c ?>d</ bogus>e", [b"abde"]),
        (b"a < b <3 c<", [b"a", b"<", b"b", b"<3", b"c<"]),
        (b"a<b", [b"a"]),
        (b'<a href="http://x.example/?a=1&amp;b=2">t</a>', [b"t"]),
        (b"<img src=pic.gif alt=no><form action='go'>", []),
        (b"<a title='>' HREF = x>t</a>", [b"t"]),
        (b"<a href=>t<a href=''>u", [b"tu"]),
        (b"<img src=data:image/gif;base64,AAAA>t", [b"t"]),
        (b'<a ="b>t">u', [b't">u']),
        (b"a<textareax>b</textareax>c<textarea>d", [b"abc", b"d"]),
        (b"x<input type=submit value='Buy &amp; win'>y", [b"x", b"Buy", b"&", b"win", b"y"]),
        (b"<input value=a><input type=RESET value=b><input type='' value=c>", [b"a", b"b", b"c"]),
        (b"<input type=hidden value=a><input type=&#104;idden value=b><input type=checkbox value=c>", []),
        (b"<a hrefxxxxx=y actionsxx=z>t", [b"t"]),
        (b"&#00000000000000065;&#x000000000000041;&abcdefghijkl;", [b"AA&abcdefghijkl;"]),
        (b"<abcdefghi hidden href=x>t</abcdefghi>u", [b"u"]),
        (b"&lt;b&gt; &amp &eacute;&#233;&#xE9; &euro; &#128; &#8364", "<b> & ééé € € €".encode().split()),
        (b"a&nbsp;b&zwnj;c&shy;d&#8203;e&#xFEFF;f", [b"a", b"bcdef"]),
        (b"&bogus; &; &#; &#x; &", [b"&bogus;", b"&;", b"&#;", b"&#x;", b"&"]),
        (b"", []),
    ],
)
def test_the_text_that_a_reader_sees(html, seen):
    assert seen_words(html) == seen


@pytest.mark.parametrize(
    "html",
    [
        "<font color=white>hid</font>shown", "<font color=FFFFFF>hid</font>shown",
        "<font color=#fefefe>hid</font>shown", "<font color=#fff>hid</font>shown", "<font color=fff>shown",
        "<font color=fffffg>hid</font>shown", "<font color=whitex>shown", "<font color=''>shown",
        "<font color=zzffffffzzffffffzzffffff>hid</font>shown",
        "<div bgcolor=black>shown<font color=white>hid</font></div>",
        "<p color=white>shown<font text=white>shown</font>", "<table><tr bgcolor=black><td>hid<font color=white>shown",
        "<a href=u style='color:inherit;background:#00e'>shown</a>",
        "<body bgcolor=black text=#ffffff>shown<font color=000001>hid</font>", "<title>hid <b></title>shown",
        "<table><td background=x.png><font color=white>hid", "<body background=x.png bgcolor=black text=white>shown",
        "<p style='color:white;background-image:url(x);background-color:white'>hid",
        "<p hidden style='display:block'>shown",
        "<div style='color:white'>hid<a href=u>shown</a>hid</div>", "<font color='red;display:none'>shown",
        "<div style='visibility:hidden'>hid<b style='visibility:visible'>shown</b></div>",
        "<div style='font-size:0'>hid<span style='font-size:12px'>shown</span></div>",
        "<div style='display:none'>hid<b style='display:block'>hid</b></div>shown",
        "<div style='opacity:.2'>shown<b style='opacity:.2'>hid</b></div>",
        "<div style='height:50px'>shown<div style='height:1%;overflow:hidden'>hid</div></div>",
        "<div style='height:50px'><b><div style='max-height:0%;overflow:hidden'>hid</div></b>shown</div>",
        "<div style='height:50px'><div><div style='height:1%;overflow:hidden'>shown</div></div></div>",
        "<div style='height:500px'><div style='height:9%;overflow:hidden'>shown</div></div>",
        "<div style='height:50%'><div style='height:1%;overflow:hidden'>shown</div></div>",
        "<div style='height:auto'><div style='height:1%;overflow:hidden'>shown</div></div>",
        "<div style='height:90px'><div style='height:10%'><p style='height:5%;overflow:hidden'>hid</div></div>shown",
        "<style>.x{display:none}</style><p class='a X'>hid</p>shown",
        "<p id=q>hid</p>shown<style>#q{opacity:0}</style>",
        "<style><!-- p{color:#fff} --></style><p>hid</p><b>shown</b>", "<style>*{color:#fff}</style>hid<b>hid</b>",
        "<style>body{color:#fff}</style>hid",
        "<style>body .x,td > i{display:none}</style><p class=x>hid</p>shown<i>shown</i>",
        "<style>div p.x.y{display:none}</style><p class='x y'>shown<div><p class='y x'>hid<p class=x>shown</div>",
        "<style>@media (max-width:480px){.x{display:none}}</style><p class=x>shown",
        "<style>@media print{.x{display:none}}@media screen{.y{display:none}}</style><p class=x>shown<p class=y>hid",
        "<style>@font-face{src:x}@import 'y';.x{display:none}</style><p class=x>hid",
        "<style media=print>p{color:#fff}</style><p>shown",
        "<style>.x{display:none}.x{display:block}</style><p class=x>shown",
        "<style>#q{display:block}.x{display:none}</style><p class=x id=q>shown<p class=x>hid",
        "<style>.x{display:none!important}</style><p class=x style='display:block'>hid",
        "<style>p:hover,p:empty,p::before{display:none}</style><p>shown<p x=1>shown", "<p hidden>hid<div>shown</div>",
        "<div hidden><table><tr><td>hid</div>hid</td></tr></table>hid</div>shown",
        "<ul><li hidden>hid<ul><li>hid</ul>hid<li>shown</ul>",
        "<table hidden>shown<tr>shown<td>hid<td>hid</table>shown",
        "<table><tr><td hidden>hid<td>shown<tr hidden><td>hid<tr><td>shown</table>",
        "<dl><dt hidden>hid<dd>shown</dl>", "<template>hid</template>shown", "<h1 hidden>hid</h2>shown",
        "</div></p>shown",
        "<select><option hidden>hid<option>shown</select>", "<noframes>hid<p></noframes>shown",
        "<b hidden>hid</body></b>shown",
        "<table><thead hidden><tr><td>hid<tbody><tr><td>shown</table>", "<img style='display:none'>shown",
        "<p\vhidden>shown", "<style>.x{display:none}</style><p class='a\vx'>shown",
    ],
)  # fmt: skip
def test_hidden_text_is_what_a_browser_hides(html):
    text = html_text(html.encode())

    assert (b"shown" in text.hidden, b"hid" in text.seen) == (False, False)
    assert (b"shown" in text.seen, b"hid" in text.hidden) == ("shown" in html, "hid" in html.replace("hidden", ""))


def test_text_after_a_hidden_element_is_seen():
    assert html_text(b"<p hidden>a<p>b").seen.split() == [b"b"]
    assert html_text(b"<img hidden>a").seen.split() == [b"a"]
    assert html_text(b"<div hidden>a<span hidden>b</span>c</div>d").hidden.split() == [b"abc"]
    assert html_text(b"<b hidden>a</b><i hidden>b</i>").hidden.split() == [b"a", b"b"]
    assert html_text(b"a<div hidden>b").hidden == b"b"


def test_a_block_ends_a_word_unless_it_is_not_displayed():
    dark = b"<body bgcolor=black>"  # white space between elements is black on black: it is hidden
    assert html_text(dark + b"<p><font color=white>a</font></p><p><font color=white>b").seen.split() == [b"a", b"b"]
    assert html_text(dark + b"<font color=white>a</font><br><font color=white>b").seen.split() == [b"a", b"b"]
    assert html_text(b"a<font color=white><p>x</font>b").seen.split() == [b"a", b"b"]
    assert html_text(b"a<div style='visibility:hidden'>x</div>b").seen.split() == [b"a", b"b"]
    assert html_text(b"a<div style='width:0;overflow:hidden'>x</div>b").seen.split() == [b"a", b"b"]
    assert html_text(b"a<div style='display:none'>x</div>b").seen == b"ab"
    assert html_text(b"a<div hidden>x<p>y</p><br>z</div>b").seen == b"ab"
    assert html_text(b"<p>a<div hidden>x</div>b").seen.split() == [b"a", b"b"]  # the div ends the paragraph
    assert html_text(b"a<div hidden>x<p>y</p><br>z</div>b").hidden.split() == [b"x", b"y", b"z"]


@pytest.mark.parametrize("name", hostile.HTML)
def test_the_work_on_hostile_html_is_linear(name):
    """The uncompiled code counts its reads of the input."""
    html = hostile.HTML[name](2_000)
    counting_bytes = plain_kernel.Counted(html)

    split(PLAIN, counting_bytes, len(html))

    assert counting_bytes.reads <= READS_A_BYTE * len(html) + 100


@pytest.mark.parametrize("name", hostile.CSS)
def test_the_work_on_hostile_style_sheets_is_linear(name):
    css = hostile.CSS[name](2_000)
    counting_bytes = plain_kernel.Counted(css)
    entries, rules = np.zeros(STYLE_ENTRIES, np.int64), np.empty(STYLE_RULES, np.int64)

    MODULES["css.sheets"].read_sheet(counting_bytes, 0, len(css), entries, rules, np.zeros(STYLE_COUNTS, np.int64))

    assert counting_bytes.reads <= READS_A_BYTE_OF_STYLES * len(css) + 100


def test_the_number_of_rules_tried_for_an_element_is_limited():
    """Rules beyond the limit have no effect, also if they would hide the element."""
    sheet = b"".join(b".n%d b{color:red}" % i for i in range(60)) + b"b{display:none}"

    text = html_text(b"<style>" + sheet + b"</style><b>shown</b>")

    assert text.seen.split() == [b"shown"]


@pytest.mark.parametrize("name", hostile.HTML)
def test_twice_the_hostile_html_takes_twice_the_steps(name):
    """Each step is a line of the uncompiled code."""
    small, large = (steps(hostile.HTML[name](size)) for size in (150, 300))

    assert large <= 2.3 * small


def steps(html):
    """The number of lines that the uncompiled code runs."""
    count = 0

    def trace(frame, event, argument):
        nonlocal count
        count += event == "line"
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        split(PLAIN, html, len(html))
    finally:
        sys.settrace(before)
    return count


HTML_LIKE = st.lists(
    st.sampled_from(
        [b"<", b">", b"<!--", b"-->", b"--!>", b"</", b"<p", b"<b>", b"</b>", b"<div hidden>", b"</div>", b"<script>",
         b"/", b"</script>", b"<a href=", b"'", b'"', b"=", b" ", b"style=", b"display:none", b"font-size:0", b"&",
         b"&#x", b"&#12", b"&lt", b"&lang", b"&ni", b";", b"\xc3\xa9", b"\xff", b"\0", b"x", b"hidden", b"<style",
         b"<br/>", b"<td", b"<style>", b"p{", b"}", b".x,", b"color:", b"white", b"#fff", b"rgb(", b"class=x",
         b"@media",
         b"</style>", b"<font color=", b"<table>", b"</p>", b"!important", b"\\", b"/*", b"*/", b"margin:-", b"calc(",
         b"url(", b"{", b"[", b"]", b")", b",", b"1px", b"font:", b"background:", b"transform:scale(",
         b"clip-path:circle(", b"@supports", b"color=", b"all:unset", b"clip:rect(", b"text-shadow:0 0 ",
         b"<style>*{color:#fff}", b":not(", b":is(", b">", b"~", b"+",
         b"[class", b"=", b"^=", b"*=", b":first-child", b":nth-child(", b"2n+1", b"<tr>", b"<body class=x>", b"b"]
    )
    | st.binary(max_size=4),
    max_size=40,
).map(b"".join)  # fmt: skip


@given(HTML_LIKE)
@example(b"<p" * 100)
@example(b"<zzzzzzzz hidden=x zzzzzzzz=y>&zzzzzzzz;")
@example(b"&ni" * 100)
@example(b"<p hidden>" * 100)
@example(b"<a href=x" * 100)
def test_compiled_and_uncompiled_splitting_give_the_same_bytes(html):
    """The uncompiled code also checks each index, which the compiled one does not."""
    assert split(PLAIN, html, len(html)) == split(kernels, html, len(html))
    assert html_text(html) == split(PLAIN, html, len(html))
