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
from stream_nb.mail.html import html_text
from stream_nb.mail.normalization import normalized, without_unseen
from tests.stream_nb.mail import plain_kernel

KERNELS = ("cpu", "swar", "css.syntax", "html.characters", "mail.disguises")
*_, PLAIN = plain_kernel.load_plain(*(f"stream_nb.kernels.{name}" for name in KERNELS))
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
        ("\U0001d450\u210e\U0001d452\U0001d44e\U0001d45d", "cheap"),  # Unicode has the italic h among other symbols
        ("\u24d5\u24e1\u24d4\u24d4", "free"),
        ("\U0001f135\U0001f161\U0001f174\U0001f134", "FREE"),  # letters in squares and circles, white and black
        ("ᵛⁱᵃᵍʳᵃ ₐₜ ⒱⒤⒜⒢⒭⒜ ⅴⅰagra", "viagra at viagra viagra"),  # noqa: RUF001
        ("ᴀ ᴠɪᴀɢʀᴀ ꜱᴘᴀm", "A VIAGRA SPAm"),  # noqa: RUF001
        ("p\u0430yp\u0430l \u0410\u0440\u0440l\u04351", "paypal Apple1"),  # Cyrillic
        ("\u03a1aypal \u0391m\u03b1z\u03bfn", "Paypal Amazon"),  # Greek
        (bold("p") + "\u0430ypal", "paypal"),
        ("Kpедит бeсплатно роcа", "Кредит бесплатно роса"),  # noqa: RUF001
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
        "5 m², 10⁵, CO₂, 20 €, ⅷ, ½, O\u02bbahu",
        "№ 5™, 30 ℃ ① 🆗 😀",
        "СОСА и есть, IP-адрес, SMSки, VIPов",  # noqa: RUF001
        "ΑΒΕ και μm, Δt, TGFβ",  # noqa: RUF001
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


@given(st.text(st.sampled_from("aVr4 аяЖαλ")))
def test_words_of_one_script_stay_and_no_letter_is_lost(text):
    new = normalized_text(text)
    for old_word, new_word in zip(re.findall("\\w+", text), re.findall("\\w+", new), strict=True):
        assert old_word == new_word or len({letter.isascii() for letter in old_word if letter.isalpha()}) == 2
    assert len(new) == len(text) and normalized_text(new) == new


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
@example(b"\xd0\x80o")
@example(b"a\xce\xb1")
def test_joined_letters_equal_those_of_regular_expressions_compiled_or_not(text):
    assert joined(disguises, text) == joined(PLAIN, text) == joined_by_expressions(text)
    assert disguises.mixes_scripts(text) or normalized([text]) == [joined_by_expressions(text)]
    for name in ("has_disguise", "may_have_unseen", "mixes_scripts"):
        assert getattr(disguises, name)(text) == getattr(PLAIN, name)(text)


@pytest.mark.parametrize(
    "part", [b"a ", b"a        ", b"ab ", b"a b c d", b"a b c d word ", b"        a", b"\n", b"word"]
)
def test_the_work_on_spaced_letters_is_linear(part):
    """The uncompiled code counts its reads of the text."""
    text = part * 500
    counting_text = plain_kernel.Counted(text)

    joined(PLAIN, counting_text)

    assert counting_text.reads <= READS_A_BYTE * len(text) + 100


SPACES = "\u3164\uffa0\u2800"  # fillers, and the Braille pattern without dots
UNSEEN = "\u0305\u034f\u0488\u0489\u115f\u1160\u180b\u180c\u180d\u180f" + "".join(
    map(chr, [*range(0x332, 0x340), *range(0x20DD, 0x20F1), *range(0xFE00, 0xFE10), *range(0xE0000, 0xE1000)])
)
VISIBLE_FORMATS = "\u0600\u0601\u0602\u0603\u0604\u0605\u06dd\u070f\u0890\u0891\u08e2\ufff9\ufffa\ufffb"
EVERY = [chr(point) for point in (*range(0xA0, 0xD800), *range(0xE000, 0x10000), 0x1F600, *range(0xE0000, 0xE1000))]


def as_seen(character):
    """What is seen of a character: a space, nothing, or itself."""
    kind = unicodedata.category(character)
    if character in SPACES or kind[0] == "Z":
        return " "
    is_format = kind == "Cf" and character not in VISIBLE_FORMATS
    return "" if is_format or character in UNSEEN or character == "\u2065" else character


def test_special_spaces_become_spaces_and_invisible_characters_are_removed():
    expected = [f"a{as_seen(character)}b" for character in EVERY]
    assert without_unseen("\n".join(f"a{character}b" for character in EVERY)).decode().split("\n") == expected
    html = "\n".join(f"a&#{ord(character)};b&#x202c;" for character in EVERY)
    assert html_text(html.encode()).seen.decode().split("\n") == expected
    assert all(
        disguises.may_have_unseen(f"{character} ".encode()) for character in EVERY if as_seen(character) != character
    )


@given(st.text(st.sampled_from("a\u00e9\u0301\u0336\u20ac\U0001f600\u00a0\u200b\ufe0f\U000e0041")))
def test_compiled_and_uncompiled_copying_gives_the_same_text(text):
    content, written = text.encode(), []
    for module in (disguises, PLAIN):
        out = np.empty(len(content), np.uint8)
        written.append(out[: module.copy_seen(content, out)].tobytes().decode())

    assert written == ["".join(map(as_seen, text))] * 2


def test_text_that_is_shown_from_right_to_left_is_read_as_it_is_shown():
    assert without_unseen("buy \u202eargaiv\u202c now") == b"buy viagra now"
    assert without_unseen("\u202eargaiv\nnow \u202eec<b>\u202eno") == b"viagra\nnow ce<b>on"
    assert without_unseen("\u202a+49 30\u202c") == b"+49 30"


@pytest.mark.parametrize("mark", "\u0305\u0332\u0336\u0338\u033e\u0488\u0489\u20dd\u20e3")
def test_lines_and_frames_that_adorn_letters_are_not_read(mark):
    assert without_unseen("".join(letter + mark for letter in "free offer")) == b"free offer"
