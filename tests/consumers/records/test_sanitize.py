"""Text from mails is shown without hidden characters."""

from __future__ import annotations

import string

import pytest
from hypothesis import given
from hypothesis import strategies as st

from consumers.records.sanitize import INVISIBLE, MARK_RUN, show_safely


@given(st.text())
def test_invisible_characters_are_shown_by_number(text):
    import unicodedata

    shown = show_safely(text, 50)
    assert len(shown) <= 50 or "⟨U+" in shown
    assert not [c for c in shown if unicodedata.category(c) in INVISIBLE]


@given(st.text(string.ascii_letters + " äß漢", max_size=50))
def test_plain_text_is_unchanged(text):
    assert show_safely(text, 50) == text


@pytest.mark.parametrize("mark", ["\u0301", "\u20dd"], ids=["above", "around"])
def test_few_combining_marks_in_a_row_are_kept(mark):
    kept = mark * MARK_RUN
    assert show_safely(f"a{kept}{mark}b{kept}{mark * 9}", 50) == f"a{kept}b{kept}"


@pytest.mark.parametrize("length", [1, 2, 19, 20, 21, 40, 41, 100])
@pytest.mark.parametrize("character", ["x", "\u202e"], ids=["shown", "by number"])
def test_a_text_above_the_limit_is_cut_and_ends_with_an_ellipsis(length, character):
    shown = show_safely(character, 1)
    expected = shown * length if length <= 20 else shown * 19 + "…"
    assert show_safely(character * length, 20) == expected


def test_a_text_of_more_marks_than_are_read_ends_with_an_ellipsis():
    assert show_safely("a" + "\u0301" * 40 + "hidden", 20) == "a" + "\u0301" * MARK_RUN + "…"


def test_tabs_and_line_ends_are_blanks():
    assert show_safely("a\tb\r\nc", 20) == "a b  c"
