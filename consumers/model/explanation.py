"""The explainer's answers: plain values, ready for JSON. Every text in them is safe to show."""

from __future__ import annotations

from typing import TypedDict

from stream_nb.kernels.layout import UNIT
from stream_nb.types import Label, Mail, Term, Update

from ..records.sanitize import show_safely
from ..records.values import bounded
from .ledger import Entry

TERM_CHARS = 60
SOURCE_CHARS = 60
PREVIEW_CHARS = 700


class ClassNormal(TypedDict):
    """Mean and 1/N standard deviation of a number in a class."""

    mean: float
    std: float


class TermWeight(TypedDict):
    """One feature: what it adds to the log-odds, and in how many mails' worth of learning each class has it; `normals`
    of a number, in each class that has it ({} for other features)."""

    text: str
    kind: str
    weight: float
    counts: dict[Label, float]
    normals: dict[Label, ClassNormal]


class WeakerTerms(TypedDict):
    """The terms that are not listed one by one: how many, and the sum of their weights."""

    terms: int
    weight: float


class LearnedUpdate(TypedDict):
    """What the model has learned from a mail; `weight` is 0 to 1 mails."""

    label: Label
    weight: float
    source: str


class Vote(TypedDict):
    """A label that a source gave (None: none), at a time in seconds since 1970."""

    source: str
    label: Label | None
    timestamp: float


class Explanation(TypedDict):
    """Why a mail scores as it does under the model of now.

    `log_odds` are those of the class `about` against the best other one: of the positive class, or, while no mail has
    been labelled so, of the best (None: there is no class). `bias`, the weights of `terms` (strongest first) and that
    of `rest` add up to them; `starter` is how much of them comes from a starter, 0 without one. `flip` are the fewest
    terms without which the mail would be on the other side of the threshold; empty when no terms are enough.
    `if_labelled` is `log_odds` after each label that may be given. `votes` are the labels that sources gave, the one
    that counts last.
    """

    subject: str
    sender: str
    id: str
    preview: str
    log_odds: float
    probability: float
    classes: list[Label]
    positive: Label
    about: Label | None
    bias: float
    starter: float
    terms: list[TermWeight]
    rest: WeakerTerms
    flip: list[str]
    if_labelled: dict[Label, float]
    update: LearnedUpdate | None
    votes: list[Vote]
    labels_learned: int


class MailScore(TypedDict):
    """The log-odds of a mail under the model of now."""

    log_odds: float


class RisingWord(TypedDict):
    """A word in a share `before` of the older labelled mails and `now` of the newer ones (0 to 1); see
    `stream_nb.mail_nb.trending.Rise`."""

    text: str
    z: float
    before: float
    now: float
    label: Label


class RisingWords(TypedDict):
    """Words that became more frequent in `mails` newer mails; the log took the label of the oldest at `since` (seconds
    since 1970)."""

    words: list[RisingWord]
    mails: int
    since: float | None


class WordLists(TypedDict):
    """The strongest words of each class, in `text` (bodies and subjects) and other `headers`, and the rising ones."""

    text: dict[Label, list[TermWeight]]
    headers: dict[Label, list[TermWeight]]
    rising: RisingWords


class CoursePoint(TypedDict):
    """A word's weight for the positive class after one update, and when the log took its label (seconds since 1970)."""

    timestamp: float
    weight: float


class WordInfo(TermWeight):
    """A word that the model knows: P(word | class) of each class, its plain weight for each class as in the lists of
    words, and how its weight for the positive class has changed. `weight` is what it adds to the log-odds of a
    mail with it alone, which are those of the class `about`, as in an `Explanation`."""

    about: Label | None
    probabilities: dict[Label, float]
    weights: dict[Label, float]
    course: list[CoursePoint]


class WordAnswer(TypedDict):
    """What the model knows of a word, in bodies and in subjects; `found` is empty for an unknown one."""

    word: str
    found: list[WordInfo]
    classes: list[Label]


class SmoothingPoint(TypedDict):
    """The share of mails labelled rightly at a smoothing; None when there is no mail."""

    smoothing: float
    accuracy: float | None


class SmoothingCurve(TypedDict):
    """Accuracy on the last `mails` labelled mails by smoothing; `in_use` is the model's own, None where it has none."""

    mails: int
    in_use: float | None
    grid: list[SmoothingPoint]


def term_weight(term: Term) -> TermWeight:
    """A term, safe to show."""
    text = show_safely(term.text, TERM_CHARS)
    normals: dict[Label, ClassNormal] = {
        label: {"mean": mean, "std": std} for label, (mean, std) in (term.normals or {}).items()
    }
    return {
        "text": text,
        "kind": term.kind,
        "weight": bounded(term.weight),
        "counts": term.counts,
        "normals": normals,
    }


def learned_update(update: Update | None) -> LearnedUpdate | None:
    """An update, safe to show."""
    if update is None:
        return None
    source = show_safely(update.source, SOURCE_CHARS)
    return {"label": update.label, "weight": update.weight / UNIT, "source": source}


def votes(entry: Entry | None) -> list[Vote]:
    """The votes of a ledger's entry, safe to show; [] without an entry."""
    return [
        {"source": show_safely(vote.source, SOURCE_CHARS), "label": vote.label, "timestamp": vote.timestamp}
        for vote in (entry.votes if entry is not None else ())
    ]


def flip_terms(terms: tuple[Term, ...], distance: float) -> list[str]:
    """The fewest terms without which a score would be on the other side of the threshold; [] when none are enough.

    Args:
        terms: All terms of the score.
        distance: The score less the threshold, in log-odds, from -inf to inf.

    Returns:
        The texts of the terms, the strongest first; they are not yet safe to show.
    """
    side = 1.0 if distance > 0 else -1.0
    flip: list[str] = []
    for term in sorted(terms, key=lambda term: -side * term.weight):
        if side * distance <= 0 or side * term.weight <= 0:
            break
        distance -= term.weight
        flip.append(term.text)
    return flip if side * distance <= 0 else []


def preview(mail: Mail) -> str:
    """The beginning of a mail's body, the plain text first, safe to show."""
    parts = sorted(mail.parts, key=lambda part: part.name != "")[:3]
    text = b" ".join(part.text[:PREVIEW_CHARS] for part in parts if part.name in ("", "html"))
    return show_safely(text[: 2 * PREVIEW_CHARS].decode("utf-8", "replace"), PREVIEW_CHARS)
