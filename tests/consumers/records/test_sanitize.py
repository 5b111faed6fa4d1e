"""Text from mails is shown without hidden characters."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from consumers.records.sanitize import INVISIBLE, show_safely


@given(st.text())
def test_invisible_characters_are_shown_by_number(text):
    import unicodedata

    shown = show_safely(text, 50)
    assert len(shown) <= 50 or "⟨U+" in shown
    assert not [c for c in shown if unicodedata.category(c) in INVISIBLE]


@given(st.text(string.ascii_letters + " äß漢", max_size=50))
def test_plain_text_is_unchanged(text):
    assert show_safely(text, 50) == text
