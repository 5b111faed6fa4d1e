"""The shapes that pass between rooms, each named once."""

from __future__ import annotations

from typing import NamedTuple

Label = str
"""A class name; ``ham`` and ``spam`` are only the usual ones."""


class Part(NamedTuple):
    """One stretch of a mail's text.

    `name` keys the hash of its words, so that ``free`` in a subject and ``free`` in the body are two
    features; the body's name is ``""``. `text` is bytes, already decoded and free of markup.
    """

    name: str
    text: bytes


FeatureValue = float | str | bool
"""A named value of a message: a number, or a category (a string or a boolean)."""


class Mail(NamedTuple):
    """A mail as a learner reads it: its parts, in the order in which they count, words that come with their counts, and
    named numbers and categories, each name once.

    Counted words have no order and so no pairs. They are taken as they are, and are the words of a body; counts of 0
    or less are left out. `originator` is the address of the list or person that the mail comes from, "" where it is not
    known: labels of its mails are believed by what others have said of them.

    >>> Mail((Part("subject", b"hello"), Part("", b"see you at noon")))[0][0].name
    'subject'
    >>> Mail((), (("free", 100), ("lottery", 10))).words[0]
    ('free', 100)
    """

    parts: tuple[Part, ...]
    words: tuple[tuple[str, float], ...] = ()
    features: tuple[tuple[str, FeatureValue], ...] = ()
    originator: str = ""


class Score(NamedTuple):
    """What a model thinks of one mail, before its label is known.

    `label` is the class with the best score (None for a model without classes); `scores` holds one log-score a
    class, comparable within this mail only; `log_odds` is the positive class's score against the best other
    (0.0 while there is nothing to compare); `probability` is the calibrated probability of the positive class
    (of a `MailNB` against the best other alone, so of three classes or more it is not that of `predict_proba_one`);
    `known` and `unseen` count the distinct features the model had and had not met.
    """

    label: Label | None
    log_odds: float
    probability: float
    scores: dict[Label, float]
    known: int
    unseen: int


class OriginatorUpdate(NamedTuple):
    """What one label adds to the counts of the originator with the number `cell`: a label, `contradicting` (1 when it
    contradicted the model, else 0), and to the runs of contradicting labels of some classes `runs`."""

    cell: int
    contradicting: int
    runs: tuple[tuple[Label, int], ...]


class Update(NamedTuple):
    """Exactly what one label adds to a model, in integers, so that it can be taken back bit for bit.

    `weight` is the increment of every feature of the mail in 1/256 of a message (0 to 256); `tallies` are the
    integer increments of the model's scalar counters, in the order the model documents. `source` is who labelled.
    `taken` is what every feature of the mail loses in the class `rival`, in 1/256; below 0 it gains that much there.
    `corrects` is a source whose label of the mail this one shows to be wrong, which counts against it; "" for none.
    `originator` is what is added to the counts of the mail's originator; None where that is not known.
    """

    label: Label
    weight: int
    tallies: tuple[int, ...]
    source: str
    taken: int = 0
    rival: Label | None = None
    corrects: str = ""
    originator: OriginatorUpdate | None = None

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources whose labels and doubt it changes."""
        return (self.source, self.corrects) if self.corrects else (self.source,)


class Term(NamedTuple):
    """One feature's share of a mail's log-odds, with the counts behind it (in messages, one a class); of a number also
    mean and 1/N standard deviation in each class that has it."""

    text: str
    kind: str
    weight: float
    counts: dict[Label, float]
    normals: dict[Label, tuple[float, float]] | None = None


class Evidence(NamedTuple):
    """Why a mail scored as it did: `bias` plus the terms' weights is `log_odds`, to 1e-12. So much of it as `starter`
    there would not be without a starter."""

    log_odds: float
    bias: float
    terms: tuple[Term, ...]
    starter: float = 0.0


class LogLikelihood(NamedTuple):
    """log P(all messages and labels): `prior` (labels) plus one part a class (messages given the label) is
    `total`."""

    total: float
    prior: float
    classes: dict[Label, float]
