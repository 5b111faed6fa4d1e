"""The class that an explanation is about, and the terms that decide for it."""

from __future__ import annotations

import itertools
import random

import pytest

from consumers.explain.deciding import explained_class, flip_terms
from stream_nb.types import Evidence, Score, Term

THREE = {"spam": 0.4, "work": 0.9, "family": -2.0}


@pytest.mark.parametrize(
    ("scores", "label", "decided", "about"),
    [
        ({}, None, None, None),
        ({"work": 1.0, "family": 0.0}, "work", "work", "work"),  # no mail is positive yet
        ({"spam": 1.0, "work": 2.0}, "work", "work", "spam"),
        (THREE, "work", "work", "work"),
        (THREE, "work", "spam", "spam"),  # the threshold is below 0
        (THREE, "work", "unsure", "spam"),
        ({**THREE, "spam": 1.5}, "spam", "work", "spam"),  # the threshold is above 1.5 - 0.9
        ({**THREE, "spam": 1.5}, "spam", "spam", "spam"),
    ],
)
def test_of_three_classes_the_decided_one_is_explained(scores, label, decided, about):
    assert explained_class(Score(label, 0.0, 0.5, scores, 1, 0), decided, "spam") == about


def test_the_flip_terms_are_the_fewest_without_which_the_score_is_on_the_other_side():
    draw = random.Random(1)
    for _ in range(200):
        terms = tuple(Term(str(n), "word", draw.choice([-2.0, -1.0, 0.5, 1.0, 3.0]), {}) for n in range(6))
        distance = sum(term.weight for term in terms) + draw.choice([-2.3, -0.3, 0.3, 2.3])

        def changes(found: tuple[Term, ...], distance: float = distance) -> bool:
            return (distance - sum(term.weight for term in found)) * distance < 0

        enough = [found for n in range(7) for found in itertools.combinations(terms, n) if changes(found)]
        flip = flip_terms(Evidence(distance + 0.7, 0.0, terms, label="spam", rival="ham"), "spam", 0.7)
        assert len(flip) == (len(enough[0]) if enough else 0)
        assert not enough or changes(tuple(term for term in terms if term.text in flip))


@pytest.mark.parametrize(
    ("label", "rival", "threshold", "flip"),
    [
        ("spam", "work", 1.5, ["a"]),
        ("spam", "work", -2.0, []),
        ("work", "spam", 1.5, []),
        ("work", "spam", -2.0, ["a"]),
        ("work", "family", 1.5, ["a", "b"]),
    ],
)
def test_the_threshold_applies_to_the_positive_class_only(label, rival, threshold, flip):
    terms = (Term("a", "word", 2.0, {}), Term("b", "word", 1.5, {}))
    assert flip_terms(Evidence(3.5, 0.0, terms, label=label, rival=rival), "spam", threshold) == flip


def test_without_a_second_class_nothing_decides():
    assert flip_terms(Evidence(0.0, 0.0, ()), "spam", 0.0) == []
