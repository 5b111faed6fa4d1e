"""Where a word goes on across tags, as a reader sees it."""

import pytest

from stream_nb.mail.html import html_text


@pytest.mark.parametrize(
    ("html", "seen"),
    [
        (b"vi<meta>ag<link>r<col><title></title>a", [b"viagra"]),
        (b"vi<object></object>ag<map><area></map>r<iframe></iframe>a", [b"viagra"]),
        (b"vi<a href=http://x.example>ag</a><b src=y>r</b>a is", [b"viagra", b"is"]),
        (b"vi<img src=x width=1 height=1>ag<img src=y width=0px>r<img>a", [b"viagra"]),
        (b"a<img src=x width=3>b<img src=y width=>c<img src=z>d<img width=20>e<img width=-1>f",
         [b"a", b"b", b"c", b"d", b"e", b"f"]),
        (b"a<img alt='b &amp; c'>d<img src=x alt=e>f<img src='' alt=g><img alt=hid width=1>",
         [b"a", b"b", b"&", b"c", b"d", b"f", b"g"]),
        (b"a<input value=b></input value=c>", [b"a", b"b"]),
        (b"<p style=display:flex><a>a</a><b>b</b>c<i style=display:inline-block>d<i>e</i></i></p>f",
         [b"a", b"b", b"c", b"de", b"f"]),
        (b"<style>p{display:inline-grid}</style><p>a<b>b</b><b>c</b>d</p>", [b"a", b"b", b"c", b"d"]),
    ],
)  # fmt: skip
def test_a_word_goes_on_where_it_does_for_a_reader(html, seen):
    assert html_text(html).seen.split() == seen


@pytest.mark.parametrize(
    ("target", "host"),
    [
        ("http://a.example/good?words", "a.example"), ("//a.example", "a.example"),
        ("ftp:\\\\a.example\\b", "a.example"), (" https:///a.example#b@c", "a.example"),
        ("http://b@a.example:80/", "a.example:80"), ("mailto:b@a.example?subject=c", "a.example"),
        ("http://a.example&#47;b", "a.example"),
        ("HTTP://a.example good words", "a.example"), ("good words", ""), ("/a//b", "b"), ("a.html?b=http://c", ""),
        ("cid:b@a.example", ""), ("data:a//b", ""), ("http://", ""), ("mailto:", ""), ("", ""), ("&#32;", ""),
    ],
)  # fmt: skip
def test_only_the_host_of_a_link_is_read_as_hidden_text(target, host):
    text = html_text(f"a<a href='{target}'>b</a>c".encode())

    assert (text.seen, text.hidden.split()) == (b"abc", host.encode().split())


def test_the_hosts_of_links_are_apart_from_hidden_words():
    html = b"<b hidden>a<a href=http://x.example>b</a></b><form action=//y.example><title>c</title>"
    assert html_text(html).hidden.split() == [b"a", b"x.example", b"b", b"y.example", b"c"]
