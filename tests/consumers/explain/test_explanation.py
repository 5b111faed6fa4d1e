"""The beginning of a mail, its label and the terms that decide, as an explanation shows them."""

from __future__ import annotations

import itertools
import random

import pytest

from consumers.explain.explanation import PREVIEW_CHARS, flip_terms, learned_update, preview, votes
from consumers.model.ledger import Entry, LabelVote
from stream_nb.types import Mail, Part, Term, Update


@pytest.mark.parametrize("character", ["a", "é", "日", "😀"])
@pytest.mark.parametrize("more", [0, 1, 5_000])
def test_the_preview_is_the_beginning_of_the_body_and_shows_that_it_goes_on(character, more):
    body = character * (PREVIEW_CHARS + more)
    mail = Mail((Part("subject", b"hello"), Part("", body.encode()), Part("hidden", b"secret")))

    assert preview(mail) == (body if not more else f"{character * (PREVIEW_CHARS - 1)}…")


def test_a_mail_of_numbers_has_an_empty_preview():
    assert preview(Mail((), features=(("size", 1.0),))) == ""


def test_the_flip_terms_are_the_fewest_without_which_the_score_is_on_the_other_side():
    draw = random.Random(1)
    for _ in range(200):
        terms = tuple(Term(str(n), "word", draw.choice([-2.0, -1.0, 0.5, 1.0, 3.0]), {}) for n in range(6))
        distance = sum(term.weight for term in terms) + draw.choice([-2.3, -0.3, 0.3, 2.3])

        def changes(found: tuple[Term, ...], distance: float = distance) -> bool:
            return (distance - sum(term.weight for term in found)) * distance < 0

        enough = [found for n in range(7) for found in itertools.combinations(terms, n) if changes(found)]
        flip = flip_terms(terms, distance)
        assert len(flip) == (len(enough[0]) if enough else 0)
        assert not enough or changes(tuple(term for term in terms if term.text in flip))


def test_what_was_learned_and_the_votes_are_shown_in_mails_and_with_safe_names():
    entry = Entry("a", 1, 0.0, (LabelVote("a\u202e", "ham", 5.0),), Update("ham", 128, (), "a\u202e"))
    assert votes(None) == [] and learned_update(None) is None
    assert votes(entry) == [{"source": "a⟨U+202E⟩", "label": "ham", "timestamp": 5.0}]
    assert learned_update(entry.update) == {"label": "ham", "weight": 0.5, "source": "a⟨U+202E⟩"}
