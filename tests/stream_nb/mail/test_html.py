import importlib.util
from pathlib import Path

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb.kernels import html as html_kernel
from stream_nb.mail.html import html_text


def _neighbour(name):
    spec = importlib.util.spec_from_file_location(f"mail_{name}", Path(__file__).with_name(f"{name}.py"))
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


hostile, plain_kernel = _neighbour("hostile"), _neighbour("plain_kernel")
*_, PLAIN = plain_kernel.load_plain(
    *(f"stream_nb.kernels.{name}" for name in ("html_characters", "html_attributes", "html"))
)
READS_A_BYTE = 8


def split(module, data, size):
    """What `split_html` writes: (seen, hidden)."""
    seen, unseen = np.empty(size + 2, np.uint8), np.empty(size + 2, np.uint8)
    n_seen, n_unseen = module.split_html(data, seen, unseen)
    return seen[:n_seen].tobytes(), unseen[:n_unseen].tobytes()


def words(html: bytes) -> list[bytes]:
    return html_text(html).seen.split()


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        (b"vi<!-- x -->ag<b></b>ra", [b"viagra"]),
        (b"v<span style='color:red'>i</span>agra", [b"viagra"]),
        (b"<td>one</td><td>two</td>", [b"one", b"two"]),
        (b"one<br>two<br/>three<BR />four", [b"one", b"two", b"three", b"four"]),
        (b"<li>a<li>b", [b"a", b"b"]),
        (b"a<script>var x = '<b>no</b>';</script>b<style>p {}</style>c", [b"abc"]),
        (b"a<SCRIPT src=x.js>no</SCRIPT >b", [b"a", b"x.js", b"b"]),
        (b"a<script>no", [b"a"]),
        (b"a<!-- never closed", [b"a"]),
        (b"a<!-->b<!--->c<!-- x --!>d", [b"abcd"]),
        (b"a<!doctype html>b<?php c ?>d</ bogus>e", [b"abde"]),
        (b"a < b <3 c<", [b"a", b"<", b"b", b"<3", b"c<"]),
        (b"a<b", [b"a"]),
        (b'<a href="http://x.example/?a=1&amp;b=2">t</a>', [b"http://x.example/?a=1&b=2", b"t"]),
        (b"<img src=pic.gif alt=no><form action='go'>", [b"pic.gif", b"go"]),
        (b"<a title='>' HREF = x>t</a>", [b"x", b"t"]),
        (b"<a href=>t<a href=''>u", [b"tu"]),
        (b"<img src=data:image/gif;base64,AAAA>t", [b"t"]),
        (b'<a ="b>t">u', [b't">u']),
        (b"a<textareax>b</textareax>c<textarea>d", [b"abc", b"d"]),
        (b"<a hrefxxxxx=y actionsxx=z>t", [b"t"]),
        (b"&#00000000000000065;&#x000000000000041;&abcdefghijkl;", [b"AA&abcdefghijkl;"]),
        (b"<abcdefghi href=x>t</abcdefghi>", [b"x", b"t"]),
        (b"&lt;b&gt; &amp &eacute;&#233;&#xE9; &euro; &#128; &#8364", "<b> & ééé € € €".encode().split()),
        (b"a&nbsp;b&zwnj;c&shy;d&#8203;e&#xFEFF;f", [b"a", b"bcdef"]),
        (b"&bogus; &; &#; &#x; &", [b"&bogus;", b"&;", b"&#;", b"&#x;", b"&"]),
        (b"", []),
    ],
)
def test_a_reader_sees(html, seen):
    assert words(html) == seen


def test_numbers_that_are_no_characters_become_the_replacement_character():
    assert html_text(b"&#0;&#xD800;&#x110000;&#99999999;").seen == "\ufffd".encode() * 4


@pytest.mark.parametrize(
    "style",
    ["display:none", "DISPLAY : None;", "color:red; visibility: hidden", "font-size:0", "font-size: 0px"],
)
def test_text_that_style_hides_is_kept_apart(style):
    text = html_text(f"a<div style='{style}'>x<div>y</div>z</div>b".encode())

    assert (text.seen.split(), text.hidden.split()) == ([b"a", b"b"], [b"x", b"y", b"z"])


@pytest.mark.parametrize("style", ["font-size:0.5em", "font-size:09px", "display:block", "visibility:visible", ""])
def test_other_styles_hide_nothing(style):
    assert html_text(f"<div style='{style}'>x</div>".encode()).hidden == b""


def test_hiding_ends_where_the_element_ends():
    assert html_text(b"<p hidden>a<p>b").seen.split() == [b"b"]
    assert html_text(b"<img hidden>a").seen.split() == [b"a"]
    assert html_text(b"<div hidden>a<span hidden>b</span>c</div>d").hidden.split() == [b"abc"]
    assert html_text(b"<b hidden>a</b><i hidden>b</i>").hidden.split() == [b"a", b"b"]
    assert html_text(b"a<div hidden>b").hidden == b"b"


@pytest.mark.parametrize("name", hostile.HTML)
def test_work_is_linear_on_hostile_html(name):
    """Reads of the input, counted on the same code uncompiled."""
    html = hostile.HTML[name](2_000)
    counted = plain_kernel.Counted(html)

    split(PLAIN, counted, len(html))

    assert counted.reads <= READS_A_BYTE * len(html) + 100


HTML_LIKE = st.lists(
    st.sampled_from(
        [b"<", b">", b"<!--", b"-->", b"--!>", b"</", b"<p", b"<b>", b"</b>", b"<div hidden>", b"</div>", b"<script>",
         b"/", b"</script>", b"<a href=", b"'", b'"', b"=", b" ", b"style=", b"display:none", b"font-size:0", b"&",
         b"&#x", b"&#12", b"&lt", b"&lang", b"&ni", b";", b"\xc3\xa9", b"\xff", b"\0", b"x", b"hidden", b"<style",
         b"<br/>", b"<td"]
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
def test_compiled_and_plain_give_the_same_bits(html):
    """The plain run also checks every index, which the compiled one does not."""
    data = np.frombuffer(html, np.uint8)

    assert split(PLAIN, data, len(html)) == split(html_kernel, data, len(html))
    assert html_text(html) == split(PLAIN, data, len(html))
