"""Which elements a selector selects, also compared with real Chromium.

A selector that is understood in only one of the two would let a sender hide text from the reader, not from the filter,
or the other way round.
"""

from __future__ import annotations

import pytest

from stream_nb.mail.html import html_text

DOCUMENT = (
    "<!doctype html><html lang=en><head><style>{}{{visibility:hidden}}</style></head><body id=top>"
    "<div class='one two' title='one two'><p>a</p><p title=One>b</p><br><p title='one-x'>c<b>d</b></p></div>"
    "<table align=Center><tr><td>e</td><td title=twone>f</td></tr><tr><td>g<i id=deep title>h</i></td></tr></table>"
    "<ul><li>i<li class=one>j<li>k<hr><a href='#'>l</a><a>m</a></ul>"
)
SELECTED = {
    "p": "abcd", "p, i": "abcdh", "*": "abcdefghijklm", "div p": "abcd", ".one.two p": "abcd", "li.one": "j",
    "[title]": "abcdfh", "p[title]": "bcd", "[title=One]": "b", "[title='one']": "", "[TITLE = \"one\" i]": "b",
    "[title=on\\65-x]": "cd", "[title~=two]": "abcd", "[title|=one]": "cd", "[title^='one']": "abcd",
    "[title$=one]": "f", "[title*='e t']": "abcd", "[title*='']": "", "[title='']": "h", "[align=center]": "efgh",
    "[class]": "abcdj", "[class=one]": "j", "[id$=p]": "abcdefghijklm", "[href]": "l", "[title=one-x][title] b": "d",
    "div > b": "", "p > b": "d", "div>p>b": "d", "table > tr": "", "table > tbody > tr": "efgh", "body > p": "",
    "html > body > ul": "ijklm", "head + body li": "ijklm", "p + p": "b", "p ~ p": "bcd", "br + p": "cd",
    "p ~ p > b": "d", "div + table td + td": "f", "li + li": "jklm", "hr ~ a + a": "m", ".two .one": "", "i td": "",
    "p:not([title])": "a", "td:not([title], :first-child)": "", "li:not(.one)": "iklm", "p:not(*)": "",
    ":is(p, td):first-child": "aegh", ":is(div, ul) > :is(p, li) + :where(p, li)": "bjklm", "p:is()": "",
    "p:is(#x)": "",
    "a:link": "l", "a:not(:link)": "m", "a:hover": "", "a:not(:hover)": "lm", ":root": "abcdefghijklm", "p:root": "",
    ":root > p": "", "p:first-child": "a", "li:nth-child(odd)": "iklm", "li:nth-child(2n)": "j", "p:nth-child( -n+2 )":
    "ab", "p:nth-child(4)": "cd", "tr:nth-child(n+2)": "gh", "p::before": "", "p:x": "", "p, p:x": "", "p, > b": "",
    "p, [title=1]": "", "p, a||b": "", "p, .": "", "p:first-child:not(.x)": "a", "p, div p:not(.x": "", "p, *p": "",
}  # fmt: skip
OTHERS = [
    "div *", "p+p", "[class ='one' ]", "[class='one", "[class=one", "[class='one']x", "[*|title]", "p[title i]",
    "[title=1a]", "[title='one' I]", "[title='one' x]", ".one:not(p):not(b)",
    "p:not(:first-child):not(:nth-child(2))", "*|p", "p|b", ":where(.one, [title])",
    ":not(:root):not(body) > :not(p)", "li:nth-child(+3)", "p:not()", "li:nth-child(3n-1)", "li:nth-child(-n)",
    "li:nth-child(x)", ":is(.two) > p", "p:not(p, :x)", ".two > p:first-child + p", ".two > :first-child ~ p ~ p",
    "table.one ~ ul", "td:first-child > i#deep[title]", "ul:nth-child(3) > li:nth-child(even)", "p >",
    "p*", ".one*", "p > > b",
    "p/**/b", "p /**/ b", "p[title]b", "p [title]", "[title]~[title]", "ul li:not(.one) a:not([href])",
    "[title=o\\6e e]", "[class~='one two']", "[lang|=en] p", "html:first-child p", "head + body > :first-child",
]  # fmt: skip
LETTERS_HIDDEN = """() => {
    const hidden = [], texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (texts.nextNode()) {
        const text = texts.currentNode
        if (getComputedStyle(text.parentElement).visibility === "hidden") hidden.push(text.data)
    }
    return hidden.sort().join("")
}"""


def hidden(html: str) -> str:
    """The letters that the filter takes for hidden."""
    return "".join(sorted(html_text(html.encode()).hidden.decode().replace("#", "").split()))


@pytest.mark.parametrize("selector", SELECTED)
def test_a_selector_selects_elements(selector):
    assert hidden(DOCUMENT.format(selector)) == SELECTED[selector]


def test_selectors_select_the_elements_that_chromium_selects(chromium):
    context = chromium.new_context()
    page = context.new_page()
    found = {}
    for selector in [*SELECTED, *OTHERS]:
        page.set_content(DOCUMENT.format(selector))
        found[selector] = page.evaluate(LETTERS_HIDDEN)
    context.close()
    assert {selector: hidden(DOCUMENT.format(selector)) for selector in found} == found


@pytest.mark.parametrize(
    "html",
    [
        "<style>p:first-child{visibility:hidden}</style><p>a<p>",
        "<html><style>p:first-child{visibility:hidden}</style><body><p>a<p>",
        "<style>body > p{visibility:hidden}</style><p>a",
        "<style>html > body > table > tbody > tr > td{visibility:hidden}</style><table><td>a</table>",
        "<style>td > table td{visibility:hidden}</style><table><tr><td><table><tr><td>a</table></table>",
        "<style>html{visibility:hidden}</style>a",
        "<style>html.a, #b{visibility:hidden}</style><html class=a><body id=b>a",
        "<style>#b{visibility:hidden}</style><p><body id=b>a",
        "<style>.a > .b{visibility:hidden}</style><div class=a></div><div class=a><p class=b>a",
        "<style>b{visibility:hidden}:where(#x){visibility:visible}</style><b id=x>a",
        "<style>b:not(#y){visibility:hidden}b.x.x{visibility:visible}</style><b class=x>a",
        "<style>[x=b]{visibility:hidden}[x=a]{visibility:visible}</style><b x=b x=a>a",
        "<style>[x=b]{visibility:hidden}</style><b class='" + "c " * 99 + "' x='b'>a",
    ],
)
def test_the_letter_is_hidden(html):
    assert hidden(html) == "a"
