"""The explainer's answers: plain values, ready for JSON. All texts in them are safe to show."""

from __future__ import annotations

from typing import TypedDict

from stream_nb.kernels.layout import UNIT
from stream_nb.types import Mail, Term

from ..model.ledger import Entry
from ..records.sanitize import show_safely
from ..records.sources import SHOWN_SOURCE_CHARS
from ..records.values import Label, bounded

TERM_CHARS = 60
PREVIEW_CHARS = 700


class ClassNormal(TypedDict):
    """Mean and 1/N standard deviation of a number in a class."""

    mean: float
    std: float


class TermWeight(TypedDict):
    """One feature: `weight` is what it adds to the log-odds, `counts` its count in each class, in mails; `normals` are
    a number's mean and deviation in each class that has it ({} for other features)."""

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
    """What the model has learned from a mail; `weight` is in mails, 0 to 1. If `capped`, it is nothing, because the
    source gave more labels than it may in an hour."""

    label: Label
    weight: float
    source: str
    capped: bool


class Vote(TypedDict):
    """The label of one source (None: "no label"); `timestamp` is in seconds since 1970."""

    source: str
    label: Label | None
    timestamp: float


class Explanation(TypedDict):
    """Why a mail has its score under the current model.

    `log_odds` are those of the class `about` (see `explained_class`) against the best other class, `rival`. `bias`, the
    weights of `terms` (strongest first) and the weight of `rest` add up to `log_odds`; `starter` is how much of them
    comes from a starter, 0 without one. `flip` is the smallest set of terms without which the mail would be decided
    otherwise; empty if no set is enough. `if_labelled` is `log_odds` after each possible label. `votes` are the labels
    by source; the last one counts.
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
    rival: Label | None
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
    """The log-odds of a mail under the current model."""

    log_odds: float


class RisingWord(TypedDict):
    """A word that is in a share `before` of the older labelled mails and `now` of the newer ones (0 to 1); see
    `stream_nb.mail_nb.trending.Rise`."""

    text: str
    before: float
    now: float
    label: Label


class RisingWords(TypedDict):
    """Words that became more frequent in the `mails` newer mails; the label of the oldest of them was appended at
    `since` (seconds since 1970)."""

    words: list[RisingWord]
    mails: int
    since: float | None


class WordLists(TypedDict):
    """The strongest words of each class, in `text` (bodies and subjects) and other `headers`, and the rising ones."""

    text: dict[Label, list[TermWeight]]
    headers: dict[Label, list[TermWeight]]
    rising: RisingWords


class CoursePoint(TypedDict):
    """A word's weight for the positive class after one update, and when its label was appended (seconds since 1970)."""

    timestamp: float
    weight: float


class WordInfo(TermWeight):
    """A word that the model knows: its occurrences in each class ({} if the model counts only the mails with it),
    P(word | class) for each class, its weight for each class as in the word lists, and the course of its weight for the
    positive class. `weight` is what it adds to the log-odds of a mail of this word alone; these are the log-odds of the
    class `about`, as in an `Explanation`."""

    about: Label | None
    occurrences: dict[Label, float]
    probabilities: dict[Label, float]
    weights: dict[Label, float]
    course: list[CoursePoint]


class WordAnswer(TypedDict):
    """What the model knows about a word, in bodies and in subjects; `found` is empty for an unknown word."""

    word: str
    found: list[WordInfo]
    classes: list[Label]


class SmoothingPoint(TypedDict):
    """The share of mails classified correctly with a smoothing; None if there are no mails."""

    smoothing: float
    accuracy: float | None


class SmoothingCurve(TypedDict):
    """Accuracy on the last `mails` labelled mails by smoothing; `in_use` is the model's own, None if it has none."""

    mails: int
    in_use: float | None
    grid: list[SmoothingPoint]


def term_weight(term: Term) -> TermWeight:
    """Convert a term, safe to show."""
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


def learned_update(entry: Entry | None) -> LearnedUpdate | None:
    """The update of a ledger entry, safe to show; None if there is none."""
    if entry is None or entry.update is None:
        return None
    update, source = entry.update, show_safely(entry.update.source, SHOWN_SOURCE_CHARS)
    return {"label": update.label, "weight": update.weight / UNIT, "source": source, "capped": not entry.teaches}


def votes(entry: Entry | None) -> list[Vote]:
    """The votes of a ledger entry, safe to show; [] without an entry."""
    return [
        {"source": show_safely(vote.source, SHOWN_SOURCE_CHARS), "label": vote.label, "timestamp": vote.timestamp}
        for vote in (entry.votes if entry is not None else ())
    ]


def preview(mail: Mail) -> str:
    """The beginning of a mail's body, safe to show."""
    body = b"".join(part.text for part in mail.parts if part.name == "")
    start = body[: 4 * (PREVIEW_CHARS + 1)]  # a character has up to four bytes; one more shows that the body goes on
    return show_safely(start.decode("utf-8", "replace"), PREVIEW_CHARS)
