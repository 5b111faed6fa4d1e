"""Word-level queries that work for every model of the log; a model without words returns nothing."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence

from stream_nb import MailNB, MultinomialNB
from stream_nb.mail_nb import reliability, vocabulary
from stream_nb.mail_nb.reliability import Reliability
from stream_nb.mail_nb.trending import Rise, rising
from stream_nb.mail_nb.view import StarterSums
from stream_nb.posterior import margin
from stream_nb.text.base import TextNB
from stream_nb.types import Mail, Part, Term, Update

from ..records.values import Label, bounded
from .stream_model import StreamModel
from .textbook import TextbookModel


def word_part(model: StreamModel) -> MailNB | TextNB | None:
    """The part of a model that counts words; None if there is none."""
    if isinstance(model, TextbookModel):
        return model.words
    return model if isinstance(model, MailNB) else None


def strongest(model: StreamModel, n: int, keep: Callable[[str], bool]) -> dict[Label, tuple[Term, ...]]:
    """The `n` words (0 or more) with the highest weights for each class, strongest first, of those whose text `keep`
    accepts; none for a model without words."""
    match word_part(model):
        case MailNB() as words:
            return vocabulary.strongest_by_class(words, n, keep)
        case TextNB() as words:
            return words.strongest_by_class(n, keep)
        case None:
            return dict.fromkeys(model.classes, ())


def word_term(model: StreamModel, feature: str) -> Term | None:
    """The word of a `feature`, as for `message_of`, with its weight for the positive class; None for one never
    learned."""
    words = word_part(model)
    if words is None or not words.classes:
        return None
    x, first = message_of(feature), words.classes[0]
    if isinstance(words, TextNB) and len(words.classes) == 1:  # there is no evidence, because there is no other class
        terms = tuple(words.terms(x, first, first))
    else:
        terms = words.evidence(x).terms
    # A word that was never learned has a term, too, because new words are more frequent in some classes than in others.
    return terms[0] if terms and any(terms[0].counts.values()) else None


def as_known(model: StreamModel, typed: str) -> str:
    """A `typed` word, such as ``Free`` or ``Subject:Free``, for `word_term`. Words of mails are in lower case, those of
    JSON as they were sent."""
    return typed if word_term(model, typed) is not None else typed.lower()


def word_class(model: StreamModel, feature: str) -> Label | None:
    """The class to which the weight of `word_term` for this `feature` refers: the positive class or, while no mail has
    that label, the best class of a mail of that word alone; None if no class or no word has been learned."""
    words = word_part(model)
    if words is None:
        return None
    return words.positive if words.positive in words.classes else words.score(message_of(feature)).label


def known_features(model: StreamModel) -> int:
    """The number of words, word pairs, named numbers and categories that a model knows, without those of a starter."""
    return model.features + (model.statistics.named if isinstance(model, MailNB) else 0)


def occurrences(model: StreamModel, term: Term) -> dict[Label, float]:
    """How often a word occurs in each class, for a term from `word_term`; {} if the model counts only mails with it."""
    words = word_part(model)
    if not isinstance(words, MultinomialNB) or words.presence:
        return {}
    view = words.statistics
    counts = view.counts(view.find(message_of(term.text))[:1])[0].tolist()
    return dict(zip(view.classes, counts, strict=True))


def word_probabilities(model: StreamModel, term: Term) -> dict[Label, float]:
    """P(word | class) for each class, for a term from `word_term`."""
    match word_part(model):
        case MailNB() as words:
            return vocabulary.word_probabilities(words, term, with_starter=True)
        case TextNB() as words:
            return words.word_probabilities(message_of(term.text))
        case None:
            return {}


def class_weights(model: StreamModel, term: Term) -> dict[Label, float]:
    """The weights for each class, as in `strongest`, of a term from `word_term`."""
    match word_part(model):
        case MailNB() as words:
            return vocabulary.class_weights(words, term, with_starter=True)
        case TextNB() as words:
            logs = {label: _log(chance) for label, chance in words.word_probabilities(message_of(term.text)).items()}
            return {label: bounded(margin(logs, label)) for label in logs}
        case None:
            return {}


def weight_course(
    model: StreamModel, feature: str, updates: Sequence[tuple[float, Mail, Update]]
) -> list[tuple[float, float]]:
    """The course of the weight of a `feature`, as for `message_of`, for the positive class: (time, weight after that
    update).

    Only the mail model supports it (see `vocabulary.weight_course`): [] for other models, and before the first mail of
    that class. The `updates` are the latest that were learned, oldest first: time in seconds since 1970, mail, update.
    """
    if not isinstance(model, MailNB) or model.positive not in model.classes:
        return []
    return vocabulary.weight_course(model, message_of(feature), model.positive, updates)


def rises(model: StreamModel, old: Sequence[Mail], new: Sequence[tuple[Mail, Label]]) -> list[Rise]:
    """The words that became more frequent from the older mails to the newer ones."""
    words = word_part(model)
    return rising(words, old, new) if words is not None else []


def reliabilities(model: StreamModel) -> dict[str, Reliability]:
    """The learned reliability of each source of labels; {} for a textbook model."""
    return reliability.reliabilities(model) if isinstance(model, MailNB) else {}


def reliabilities_of(model: StreamModel, sources: Iterable[str]) -> dict[str, Reliability] | None:
    """The learned reliability of those `sources` of which the model has labels; None for a textbook model, which does
    not count labels by source."""
    if not isinstance(model, MailNB):
        return None
    found = {name: reliability.reliability(model, name) for name in sources}
    return {name: known for name, known in found.items() if known is not None}


def starter_of(model: StreamModel) -> StarterSums | None:
    """The starter of a model; None without one."""
    return model.statistics.starter if isinstance(model, MailNB) else None


def _log(chance: float) -> float:
    return math.log(chance) if chance > 0.0 else -math.inf


def message_of(feature: str) -> Mail | list[str]:
    """A message of one word: ``free`` as `feature` in a body, ``subject:free`` in a subject."""
    part, colon, word = feature.partition(":")
    return Mail((Part(part, word.encode()),)) if colon else [feature]
