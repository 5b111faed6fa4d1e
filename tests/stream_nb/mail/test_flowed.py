"""Lines that a mail program broke within a word are joined as RFC 3676 says, and no others."""

import pytest

from stream_nb.mail import read_mail
from stream_nb.mail.flowed import joined_lines

HEAD = b"Content-Type: text/plain; charset=utf-8; format=flowed; delsp=yes\n"


@pytest.mark.parametrize(
    ("text", "joined"),
    [
        ("via \ngra", "viagra"),
        ("via \r\ngra \r\nnow\r\n", "viagranow\n"),
        ("two  \nwords", "two words"),
        ("one\nline", "one\nline"),
        ("via \n gra", "viagra"),  # a stuffed space
        (">> a \n>> b \n> c \nd", ">>ab\n>c\nd"),  # another depth of quotes begins a paragraph
        ("a \n-- \nAnn", "a\n-- \nAnn"),
        ("> -- \n> Ann", ">-- \n>Ann"),
        ("end ", "end"),
        ("a \n\nb", "a\nb"),
        ("", ""),
    ],
)
def test_soft_line_breaks_are_joined(text, joined):
    assert joined_lines(text) == joined


@pytest.mark.parametrize("broken", [b"", b"\nContent-Transfer-Encoding: base64\n\n!"], ids=["fast parser", "fallback"])
def test_only_a_text_of_this_format_has_soft_line_breaks(broken):
    kinds = [HEAD, HEAD.replace(b"delsp=yes", b'DelSp="Yes"'), HEAD.replace(b"delsp=yes", b"delsp=no")]
    parts = [kind + b"\nvia \ngra" for kind in [*kinds, HEAD.replace(b"flowed", b"fixed"), b""]]
    raw = b"Content-Type: multipart/mixed; boundary=b\n\n--b\n" + b"\n--b\n".join(parts) + b"\n--b" + broken

    words = dict(read_mail(raw).mail.parts)[""].split()

    assert words[:8] == [b"viagra", b"viagra", *[b"via", b"gra"] * 3]


def test_the_words_that_an_alternative_in_html_lacks_are_those_of_the_joined_text():
    texts = HEAD + b"\nvia \ngra now\n--b\nContent-Type: text/html\n\nviagra\n--b--\n"
    raw = b"Content-Type: multipart/alternative; boundary=b\n\n--b\n" + texts

    assert dict(read_mail(raw).mail.parts)["hidden"].split() == [b"now"]
