"""Text of a mail that is shown to a person hides nothing."""

from __future__ import annotations

import string

from hypothesis import given
from hypothesis import strategies as st

from consumers.records.sanitize import INVISIBLE, show_safely


@given(st.text())
def test_shown_text_hides_nothing(text):
    import unicodedata

    shown = show_safely(text, 50)
    assert len(shown) <= 50 or "⟨U+" in shown
    assert not [c for c in shown if unicodedata.category(c) in INVISIBLE]


@given(st.text(string.ascii_letters + " äß漢", max_size=50))
def test_plain_text_is_shown_as_it_is(text):
    assert show_safely(text, 50) == text
