"""The strongest words of each class, and the words that are becoming more frequent, safe to show."""

from __future__ import annotations

from collections.abc import Sequence

from ..model.stream_model import StreamModel
from ..model.words import rises, strongest
from ..records.sanitize import show_safely
from ..records.values import Label
from .explanation import TERM_CHARS, RisingWord, TermWeight, WordLists, term_weight
from .last_learned import LearnedMail

SHOWN_WORDS = 25
LISTED_MAILS = 400
"""Number of labelled mails compared for rising words: the newer half with the older half."""


def word_lists(model: StreamModel, labelled: Sequence[LearnedMail]) -> WordLists:
    """The strongest words of bodies and of headers by class, and the words that are more frequent in the newer half of
    `labelled` (mails, oldest first) than in the older half."""
    older, newer = labelled[: len(labelled) // 2], labelled[len(labelled) // 2 :]
    risen = rises(model, [each.mail for each in older], [(each.mail, each.label) for each in newer])
    words: list[RisingWord] = [
        {"text": show_safely(rise.text, TERM_CHARS), "before": rise.before, "now": rise.now, "label": rise.label}
        for rise in risen
    ]
    return {
        "text": _strongest(model, in_text=True),
        "headers": _strongest(model, in_text=False),
        "rising": {"words": words, "mails": len(newer), "since": newer[0].timestamp if newer else None},
    }


def _strongest(model: StreamModel, in_text: bool) -> dict[Label, list[TermWeight]]:
    """The strongest words of each class: those of bodies and subjects, or those of other headers."""
    words = strongest(model, SHOWN_WORDS, lambda text: _is_text(text) == in_text)
    return {label: [term_weight(term) for term in terms] for label, terms in words.items()}


def _is_text(feature: str) -> bool:
    """Whether a word is from a body or a subject, not from another header."""
    name, colon, _ = feature.partition(":")
    return not colon or name in ("subject", "hidden")
