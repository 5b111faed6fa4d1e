"""The strangest mails: perplexity under the unigram language model of each class, and p(x).

Source: Jurafsky and Martin, Speech and Language Processing (2nd edition, 2009), section 4.4.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence
from typing import NamedTuple

from stream_nb import MultinomialNB
from stream_nb.types import Mail

from ..records.values import Label
from .charts import Point, line_chart
from .corpus import Labelled, classes_of, word_counts
from .report import Section
from .titles import title_of

_WINDOW = 50
_SHOWN = 10


class _Novelty(NamedTuple):
    """A mail, numbered from 1: number of words, share of new ones, bits per word, perplexity by class."""

    number: int
    mail: Mail
    label: Label
    words: int
    new: float
    bits: float
    perplexity: dict[Label, float]


def study(mails: Sequence[Labelled], smoothing: float = 0.1) -> Section:
    """Measure each mail with the model of the mails before it, then learn it.

    Novelty is -log2 p(x) divided by the number of words, in bits per word. An unknown word has the probability of a
    count of 0. `smoothing` is lambda, above 0.
    """
    model = MultinomialNB(smoothing=smoothing, unseen="smooth")
    measured: list[_Novelty] = []
    curves: dict[str, list[Point]] = {label: [] for label in classes_of(mails)}
    latest: dict[str, deque[float]] = {label: deque(maxlen=_WINDOW) for label in curves}
    for number, (mail, label) in enumerate(mails, 1):
        x = word_counts(mail)
        words = sum(x.values())
        if words and len(model.classes) == len(curves):
            score = model.score(x)
            bits = -model.log_likelihood_one(x) / words / math.log(2)
            new = score.unseen / len(x)
            measured.append(_Novelty(number, mail, label, words, new, bits, model.perplexity(x)))
            latest[label].append(bits)
            curves[label].append((number, math.fsum(latest[label]) / len(latest[label])))
        model.learn_one(x, label)
    second_half = [one for one in measured if one.number > len(mails) // 2 and one.words >= 10]
    ranked = sorted(second_half, key=lambda one: -one.bits)
    strangest, plainest = ranked[:_SHOWN], ranked[_SHOWN:][-3:][::-1]
    rows = [
        (one.number, title_of(one.mail), one.label, one.words, one.new, one.bits, *one.perplexity.values())
        for one in strangest + plainest
    ]
    head = ("mail", "subject", "class", "words", "share of new words", "bits per word")
    return Section(
        "The strangest mails",
        (
            f"{len(mails):,} mails, lambda {smoothing:g}; each is measured with the model of the mails before it. The "
            f"table has the strangest mails ({len(strangest)}) of the second half with ten words or more, then the "
            f"most ordinary ones ({len(plainest)}). Novelty, in bits per word, is minus the logarithm of p(x), over "
            "all classes, divided by the number of words. Perplexity is the number of equally likely words that would "
            "be as hard to predict as the mail's known words are for the class's model: low for a typical mail.",
            f"In the picture each point is the mean of the last {_WINDOW} mails of a class. It tends to fall while "
            "the vocabulary is learned, and rises when mails bring new words.",
        ),
        (((*head, *(f"perplexity in {label}" for label in model.classes)), rows),),
        (line_chart(curves, "mails so far (number)", "novelty (bits per word)"),),
        {"rows": rows, "novelty": [(one.number, one.label, one.bits) for one in measured]},
    )
