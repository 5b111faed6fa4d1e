"""The beginning of a mail and its label, as an explanation shows them."""

from __future__ import annotations

import pytest

from consumers.explain.explanation import PREVIEW_CHARS, learned_update, preview, votes
from consumers.model.ledger import Entry, LabelVote
from stream_nb.types import Mail, Part, Update


@pytest.mark.parametrize("character", ["a", "é", "日", "😀"])
@pytest.mark.parametrize("more", [0, 1, 5_000])
def test_the_preview_is_the_beginning_of_the_body_and_shows_that_it_goes_on(character, more):
    body = character * (PREVIEW_CHARS + more)
    mail = Mail((Part("subject", b"hello"), Part("", body.encode()), Part("hidden", b"secret")))

    assert preview(mail) == (body if not more else f"{character * (PREVIEW_CHARS - 1)}…")


def test_a_mail_of_numbers_has_an_empty_preview():
    assert preview(Mail((), features=(("size", 1.0),))) == ""


def test_what_was_learned_and_the_votes_are_shown_in_mails_and_with_safe_names():
    entry = Entry("a", 1, 0.0, (LabelVote("a\u202e", "ham", 5.0),), Update("ham", 128, (), "a\u202e"))
    assert votes(None) == [] and learned_update(None) is None
    assert votes(entry) == [{"source": "a⟨U+202E⟩", "label": "ham", "timestamp": 5.0}]
    assert learned_update(entry) == {"label": "ham", "weight": 0.5, "source": "a⟨U+202E⟩", "capped": False}


def test_an_update_above_the_cap_of_its_source_is_no_sure_prediction():
    """Both have weight 0, but only the label of a sure prediction has been counted."""
    sure, capped = (Entry("a", 1, 0.0, (), Update("ham", 0, (counted,), "ann")) for counted in (256, 0))
    assert [learned_update(entry)["capped"] for entry in (sure, capped)] == [False, True]
