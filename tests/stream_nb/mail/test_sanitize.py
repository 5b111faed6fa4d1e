"""Texts of mails are displayed as one printable line of limited length."""

import pytest

from stream_nb.mail.sanitize import MAX_DISPLAY_CHARS, display


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain", "plain"),
        (" folded\r\n\tline ", "folded   line"),
        ("bell\x07 null\0 escape\x1b[31m", "bell\ufffd null\ufffd escape\ufffd[31m"),
        ("a\u202egpj.exe", "a\ufffdgpj.exe"),
        ("\u2066isolated\u2069", "\ufffdisolated\ufffd"),
        ("zero\u200bwidth\ufeff", "zero\ufffdwidth\ufffd"),
        ("zero\u200cwidth in Latin", "zero\ufffdwidth in Latin"),
        ("क्\u200dष", "क्ष"),
        ("👨\u200d👩\u200d👧 at home", "👨👩👧 at home"),
        ("lone \udc80 surrogate", "lone \ufffd surrogate"),
        ("Grüße 中文 🎉", "Grüße 中文 🎉"),
        ("<script>", "<script>"),
        ("", ""),
    ],
)
def test_displayed_text_is_one_printable_line(text, shown):
    assert display(text) == shown
    assert display(text).isprintable()


def test_long_text_is_cut_with_an_ellipsis():
    assert display("x" * MAX_DISPLAY_CHARS) == "x" * MAX_DISPLAY_CHARS
    assert display("x" * (MAX_DISPLAY_CHARS + 1)) == "x" * (MAX_DISPLAY_CHARS - 1) + "…"
    assert len(display(" " * 10_000 + "x" * 10_000)) <= MAX_DISPLAY_CHARS
