"""The types that packages pass to each other."""

from __future__ import annotations

from typing import Any, NamedTuple

Label = str | bool | int | float
"""A class name, as it is given to a model: text, a bool or a number. ``ham`` and ``spam`` are only the usual ones.
Equal names are one class: 1, 1.0 and True are the same."""

ClassName = Any
"""A class name, as a model returns it: the `Label` that was learned. It is `Any` because a type checker cannot know
whether that was text, a bool or a number."""


class Part(NamedTuple):
    """A section of a mail's text, such as its subject or body.

    `name` goes into the hash of each word, so that ``free`` in a subject and ``free`` in the body are two
    features; the body's name is ``""``. `text` is bytes, already decoded and free of markup.
    """

    name: str
    text: bytes


FeatureValue = float | str | bool
"""The value of a named feature: a number, or a category (a string or a boolean)."""


class Mail(NamedTuple):
    """A mail as a model reads it: text in parts, words with counts, and named features, each name at most once.

    `parts` are read in order. `words` are (word, count) pairs: they are used as body words without normalisation, form
    no pairs because they have no order, and are ignored if the count is 0 or less. `originator` is the address of the
    list or person that sent the mail, "" if unknown: `MailNB` weighs labels of an originator's mails by earlier ones.

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
    """A model's prediction for one mail.

    Args:
        label: The class with the highest score; None for a model without classes.
        log_odds: The positive class's score minus the highest other score; 0.0 if there is nothing to compare.
        probability: Calibrated probability of the positive class. `MailNB` compares it with the best other class alone,
            so with three or more classes it differs from `predict_proba_one`.
        scores: Log-score of each class; comparable within one mail only.
        known: Number of distinct features that the model had seen.
        unseen: Number of distinct features that it had not seen.
    """

    label: ClassName | None
    log_odds: float
    probability: float
    scores: dict[ClassName, float]
    known: int
    unseen: int


class OriginatorUpdate(NamedTuple):
    """What one label adds to the counts of originator number `cell`: one label, `contradicting` (1 if the label
    contradicted the model, else 0), and `runs`, the change in each class's run of contradicting labels."""

    cell: int
    contradicting: int
    runs: tuple[tuple[ClassName, int], ...]


class Update(NamedTuple):
    """What one label adds to a model, in integers, so that it can be reverted bit for bit.

    Args:
        label: The class.
        weight: Increment of each of the mail's features in that class, 0 to 256, in 1/256 of a message.
        tallies: Increments of the model's scalar counters, laid out as documented in `MailNB.grade`.
        source: Who gave the label.
        taken: Decrement of each of the mail's features in class `rival`, in 1/256 of a message; negative to increment.
        rival: The class that `taken` applies to.
        corrects: A source whose earlier label of this mail was wrong, which counts against it; "" for none.
        originator: What is added to the counts of the mail's originator; None if it is unknown.
    """

    label: ClassName
    weight: int
    tallies: tuple[int, ...]
    source: str
    taken: int = 0
    rival: ClassName | None = None
    corrects: str = ""
    originator: OriginatorUpdate | None = None

    @property
    def classes(self) -> tuple[ClassName, ...]:
        """The classes whose counts this update changes."""
        rival = () if self.rival is None else (self.rival,)
        runs = () if self.originator is None else (label for label, _ in self.originator.runs)
        return (self.label, *rival, *runs)

    @property
    def sources(self) -> tuple[str, ...]:
        """The sources whose counts of labels and doubt this update changes."""
        return (self.source,) if self.corrects in ("", self.source) else (self.source, self.corrects)


class Term(NamedTuple):
    """One feature's contribution to a mail's log-odds, and the feature's count in each class, in messages.

    For a numeric feature, `normals` has the mean and the population (1/N) standard deviation in each class that has
    values.
    """

    text: str
    kind: str
    weight: float
    counts: dict[ClassName, float]
    normals: dict[ClassName, tuple[float, float]] | None = None


class Evidence(NamedTuple):
    """Why a mail scored as it did: `bias` plus the terms' weights equals `log_odds`, those of class `label` against the
    best other class, `rival`, to within 1e-12. `starter` is the portion of `log_odds` that a starter contributed."""

    log_odds: float
    bias: float
    terms: tuple[Term, ...]
    starter: float = 0.0
    label: ClassName | None = None
    rival: ClassName | None = None


class LogLikelihood(NamedTuple):
    """log P(all messages and labels). `total` is `prior`, the log-likelihood of the labels, plus `classes`, the
    log-likelihood of each class's messages given their label."""

    total: float
    prior: float
    classes: dict[ClassName, float]
