"""Disguised letters are replaced by the letters that they stand for."""

from __future__ import annotations

import re
import unicodedata

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_nb.kernels.mail import disguises
from stream_nb.mail import read_mail
from stream_nb.mail.normalization import _UNSEEN, normalized
from tests.stream_nb.mail import plain_kernel

*_, PLAIN = plain_kernel.load_plain(*(f"stream_nb.kernels.{name}" for name in ("cpu", "swar", "mail.disguises")))
WORD = rb"0-9A-Za-z_\x80-\xff"
PASSAGE = re.compile(rb"(?<![" + WORD + rb"])[0-9A-Za-z](?:[^" + WORD + rb"]{1,8}[0-9A-Za-z](?![" + WORD + rb"]))+")
SPACED = re.compile(rb"[A-Za-z]([^" + WORD + rb"\r\n])[A-Za-z]\1[A-Za-z]\1[A-Za-z]")
READS_A_BYTE = 16


def full_width(text: str) -> str:
    """ASCII letters, digits and punctuation as full-width characters."""
    return "".join(chr(ord(character) + 0xFEE0) if "!" <= character <= "~" else character for character in text)


def bold(text: str) -> str:
    """Lower-case letters as those of Unicode's bold mathematical alphabet."""
    return "".join(chr(0x1D41A + ord(letter) - ord("a")) for letter in text)


def normalized_text(text: str) -> str:
    (joined_text,) = normalized([text.encode()])
    return joined_text.decode()


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
        (full_width("free 42"), "free 42"),
        (full_width("F R E E"), "FREE"),
        (bold("free") + " offer", "free offer"),
    ],
)
def test_disguised_words_are_normalized(written, read):
    assert normalized_text(written) == read
    assert normalized_text(f"see\n{written}\nhere") == f"see\n{read}\nhere"


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
        "你好" + full_width(",") + "世界" + full_width("!"),
        "naïve Straße",
    ],
)
def test_other_text_is_not_changed(text):
    assert normalized([text.encode()]) == [text.encode()]


def test_the_parts_of_a_mail_are_normalized():
    raw = (
        f"Subject: {full_width('free')}\nContent-Type: text/html; charset=utf-8\n\n<p>v i&nbsp;a g r a &#65347;ash</p>"
    )
    parsed = read_mail(raw.encode())

    texts = {part.name: part.text.split() for part in parsed.mail.parts}
    assert texts["subject"] == [b"free"]
    assert texts[""] == [b"free", b"viagra", b"cash"]
    assert parsed.subject == full_width("free")  # as the sender wrote it


LETTERS = st.text(st.sampled_from("aB4 .-_\nß" + full_width("z") + bold("z")), max_size=40)


@given(LETTERS)
def test_normalization_only_removes_separators_and_folds_letters(text):
    joined_text = normalized_text(text)
    folded = "".join(unicodedata.normalize("NFKC", c) if c in full_width("z") + bold("z") else c for c in text)
    remaining = iter(folded)
    assert all(c in remaining for c in joined_text)
    assert [c for c in joined_text if c.isalnum()] == [c for c in folded if c.isalnum()]


@given(LETTERS)
def test_normalizing_twice_changes_nothing_more(text):
    assert normalized_text(normalized_text(text)) == normalized_text(text)


def test_invalid_bytes_are_kept():
    damaged = b"\xff\xef\xbd \xf0\x9d"
    assert normalized([damaged + full_width("a").encode()]) == [damaged + b"a"]


def joined(module, text) -> bytes:
    out = np.empty(len(text), np.uint8)
    return out[: module.join_letters(text, out)].tobytes()


def joined_by_expressions(text: bytes) -> bytes:
    """Spaced letters joined by regular expressions."""

    def join(passage: re.Match[bytes]) -> bytes:
        separators = b"".join(SPACED.findall(passage[0]))
        return re.sub(rb"(?<=\w)[" + re.escape(separators) + rb"](?=\w)", b"", passage[0]) if separators else passage[0]

    return PASSAGE.sub(join, text)


SPACED_LETTERS = st.lists(
    st.sampled_from([b"a", b"B", b"7", b" ", b" ", b".", b"-", b"\n", b"_", b"ab", b"\xc3\xa9", b"a b c d", b" " * 8]),
    max_size=30,
).map(b"".join)


@given(SPACED_LETTERS | st.binary(max_size=40))
@example(b"a b c d" + b" " * 8 + b"e-f" + b" " * 9 + b"g h")
@example(b"a b c d-e-f-g-h x y")
@example(b"a\rb\rc\rd")
def test_joined_letters_equal_those_of_regular_expressions_compiled_or_not(text):
    assert joined(disguises, text) == joined(PLAIN, text) == joined_by_expressions(text)
    assert normalized([text]) == [joined_by_expressions(text)]
    assert [disguises.has_disguise(text), disguises.has_unseen(text)] == [
        PLAIN.has_disguise(text),
        PLAIN.has_unseen(text),
    ]


@pytest.mark.parametrize(
    "part", [b"a ", b"a        ", b"ab ", b"a b c d", b"a b c d word ", b"        a", b"\n", b"word"]
)
def test_the_work_on_spaced_letters_is_linear(part):
    """The uncompiled code counts its reads of the text."""
    text = part * 500
    counting_text = plain_kernel.Counted(text)

    joined(PLAIN, counting_text)

    assert counting_text.reads <= READS_A_BYTE * len(text) + 100


def test_invisible_characters_are_detected():
    noticed = [chr(point) for point in range(0x80, 0x10000) if not 0xD800 <= point < 0xE000]
    noticed = [character for character in noticed if disguises.has_unseen(f"a{character}b".encode())]

    assert sorted(noticed) == sorted(["\u00a0", *_UNSEEN])
    assert all(disguises.has_unseen(character.encode()) for character in noticed)
