"""Wrongly nested elements, and where words end, also compared with real Chromium.

Otherwise a sender could hide text from the reader, not from the filter, with an element that the filter takes for
closed, and split a word for only one of the two.
"""

from __future__ import annotations

import random

import pytest

from stream_nb.mail.html import html_text

H = "style=visibility:hidden"
HIDDEN = {
    f"<p><b {H}>a</p>b": "ab",  # what another end tag closes is opened again
    f"<p><b {H}>a</p>b</b>c": "ab",
    f"<p><b {H}>a</p><p>b</b>c": "ab",
    f"<p><span {H}>a</p>b": "a",
    f"<b><p {H}></b>a</p>b": "a",  # the paragraph stays open
    f"<b {H}><p>a</b>b": "a",
    f"<b {H}><i><p>a</b>b</i>c": "a",
    f"<b><i {H}><p>a</b>b</i>c": "ab",
    f"<b {H}><span><p>a</b>b": "a",
    f"<span {H}><div></span>a</div>b": "ab",  # the end tag has no effect
    f"<a {H}>a<a>b": "a",
    f"<nobr {H}>a<nobr>b": "a",
    f"<table><tr><td><b {H}>a</td><td>b</table>c": "a",  # nor is it opened again outside of its cell
    f"<b {H}><table><tr><td>a</table>b": "ab",
    f"<table><b {H}><tr><td>a</table>b": "b",
    f"<td {H}>a": "",  # there is no table
    f"<table {H}><table>a": "",
    f"<table><tr><td><table {H}>a</table>b": "",  # what is in no cell is before the table
    f"<h1 {H}>a<h2>b": "a",
    f"<ul><li {H}><div>a<li>b": "a",
    f"<ul><li {H}><center>a<li>b": "ab",
    f"<dl><dt {H}>a<dd>b": "a",
    f"<b {H}></b {H}><b>a": "",
    f"<b {H}><b {H}><b {H}><b {H}><p>a</b></b></b>b</b></b>c": "abc",  # four alike count as three
    f"<b {H}>a</i></p>b</u>c": "abc",
}
WORDS = {
    "a<blockquote>b</blockquote>c": ["a", "b", "c"],
    "a<span style=display:block>b</span>c": ["a", "b", "c"],
    "a<div style=display:inline>b</div>c": ["abc"],
    "a<div style='display:inline flow'>b<section style=display:inline-block>c</section></div>d": ["abcd"],
    "a<div style=display:none>x</div>b": ["ab"],
    "a<p style=display:revert>b</p>c": ["a", "b", "c"],
    "a</div>b</span>c": ["abc"],
    "a</p>b</br>c": ["a", "b", "c"],
    "<b>a<i>b<div>c</div></b>d</i>e": ["ab", "c", "de"],
    "<font><p>a</font>b": ["ab"],
    "<summary>a</summary>b<optgroup>c": ["a", "b", "c"],
    "a<td>b": ["ab"],
}
SEEN = """() => {
    const hidden = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const text = texts.currentNode
        if (getComputedStyle(text.parentElement).visibility === "hidden") hidden.push(text.data)
    }
    const words = (text) => text.split(/\\s+/).filter(Boolean)
    return [words(hidden.join(" ")).sort(), words(document.body.innerText)]
}"""


def hidden(html: str) -> list[str]:
    return sorted(html_text(html.encode()).hidden.decode().split())


@pytest.mark.parametrize("html", HIDDEN)
def test_text_is_hidden_by_the_elements_around_it(html):
    assert "".join(hidden(html)) == HIDDEN[html]


@pytest.mark.parametrize("html", WORDS)
def test_a_word_ends_where_a_box_begins_or_ends(html):
    assert html_text(html.encode()).seen.decode().split() == WORDS[html]


def random_document(rng: random.Random) -> str:
    """Start tags, end tags in any order, and words."""
    names = "b i font a u em nobr span label div p blockquote center h2 ul li table tr td".split()
    parts, opened = ["<!doctype html><style>.x{visibility:hidden}</style>"], ["div"]
    for n in range(rng.choice((6, 12, 20))):
        kind = rng.random()
        if kind < 0.35:
            parts.append(f" w{n} ")
        elif kind < 0.7:
            opened.append(rng.choice(names))
            parts.append(f"<{opened[-1]}{rng.choice(('', '', '', ' class=x', f' {H}'))}>")
        else:
            parts.append(f"</{rng.choice((opened[-1], rng.choice(opened), rng.choice(names)))}>")
    return "".join(parts)


def test_text_is_hidden_and_words_end_as_in_chromium(chromium):
    rng = random.Random(1)
    documents = [random_document(rng) for _ in range(200)]
    context = chromium.new_context()
    page = context.new_page()
    shown = {}
    for html in [*HIDDEN, *WORDS, *documents]:
        page.set_content(html)
        shown[html] = page.evaluate(SEEN)
    context.close()

    assert {html: "".join(sorted("".join(shown[html][0]))) for html in HIDDEN} == HIDDEN
    assert {html: hidden(html) for html in documents} == {html: shown[html][0] for html in documents}
    assert {html: html_text(html.encode()).seen.decode().split() for html in WORDS} == {
        html: shown[html][1] for html in WORDS
    }
