"""Letters in disguise -> the letters they stand for."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_nb import Part
from stream_nb.mail import read_mail
from stream_nb.mail.normalization import normalized


def wide(text: str) -> str:
    """ASCII letters, digits and punctuation as characters of full width."""
    return "".join(chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character for character in text)


def bold(text: str) -> str:
    """Small letters as those of Unicode's bold mathematical alphabet."""
    return "".join(chr(0x1D41A + ord(letter) - ord("a")) for letter in text)


def plain(text: str) -> str:
    (part,) = normalized([Part("subject", text.encode())])
    assert part.name == "subject"
    return part.text.decode()


@pytest.mark.parametrize(
    ("written", "read"),
    [
        ("f r e e", "free"),
        ("buy v.i.a.g.r.a!", "buy viagra!"),
        ("F*R*E*E o-f-f-e-r", "FREE offer"),
        ("l i k e  t h i s,  i t  i s  a  t e s t", "like  this,  it  is  a  test"),
        ("l i k e t h i s", "likethis"),
        ("o r d e r  4 2", "order  42"),
        ("t h i s\ni s", "this\nis"),
        (wide("free 42"), "free 42"),
        (wide("F R E E"), "FREE"),
        (bold("free") + " offer", "free offer"),
    ],
)
def test_a_word_is_read_as_a_person_reads_it(written, read):
    assert plain(written) == read
    assert plain(f"see\n{written}\nhere") == f"see\n{read}\nhere"


@pytest.mark.parametrize(
    "text",
    [
        "",
        "I saw a man",
        "F.C.C. and U S A",
        "J. R. R. T. Tolkien",
        "w, x, y, z",
        "a\nb\nc\nd",
        "a b.c-d",
        "1 2 3 4 5 and 1.2.3.4",
        "n_o_n_e ña b c d é",
        "你好" + wide(",") + "世界" + wide("!"),
        "naïve Straße",
    ],
)
def test_other_text_stays(text):
    parts = [Part("", text.encode())]
    assert normalized(parts) is parts or normalized(parts) == parts


def test_the_parts_of_a_mail_are_normalized():
    raw = f"Subject: {wide('free')}\nContent-Type: text/html; charset=utf-8\n\n<p>v i&nbsp;a g r a &#65347;ash</p>"
    parsed = read_mail(raw.encode())

    texts = {part.name: part.text.split() for part in parsed.mail.parts}
    assert texts["subject"] == [b"free"]
    assert texts[""] == [b"free", b"viagra", b"cash"]
    assert parsed.subject == wide("free")  # as the sender wrote it


LETTERS = st.text(st.sampled_from("aB4 .-_\nß" + wide("z") + bold("z")), max_size=40)


@given(LETTERS)
def test_only_separators_go_and_letters_are_folded(text):
    found = plain(text)
    folded = "".join(unicodedata.normalize("NFKC", c) if c in wide("z") + bold("z") else c for c in text)
    remaining = iter(folded)
    assert all(c in remaining for c in found)
    assert [c for c in found if c.isalnum()] == [c for c in folded if c.isalnum()]


@given(LETTERS)
def test_what_is_normalized_stays(text):
    assert plain(plain(text)) == plain(text)


def test_bytes_that_are_no_text_stay():
    damaged = b"\xff\xef\xbd \xf0\x9d"
    assert normalized([Part("", damaged + wide("a").encode())]) == [Part("", damaged + b"a")]
