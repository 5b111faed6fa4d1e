"""Which mail is strangest: perplexity under each class's language model, and p(x). Rows M11, M12; notes 003 and 004."""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Sequence

from stream_nb import MultinomialNB
from stream_nb.mail.sanitize import display

from .charts import line_chart
from .corpus import Labelled, classes_of, word_counts
from .report import Section

_WINDOW = 50
_SHOWN = 10


def study(mails: Sequence[Labelled], smoothing: float = 0.1) -> Section:
    """Test-then-train: each mail's words are weighed by the models of the mails before it.

    Novelty is -log2 p(x) a word: how many bits a word costs who knows all mails before. A word never met has the
    chance of a count of 0.
    """
    model = MultinomialNB(smoothing=smoothing, unseen="smooth")
    found: list[tuple] = []
    curves: dict[str, list[tuple[float, float]]] = {label: [] for label in classes_of(mails)}
    latest: dict[str, deque[float]] = {label: deque(maxlen=_WINDOW) for label in curves}
    for number, (mail, label, _) in enumerate(mails, 1):
        x = word_counts(mail)
        words = sum(x.values())
        if words and len(model.classes) == len(curves):
            score = model.score(x)
            bits = -model.log_likelihood_one(x) / words / math.log(2)
            found.append((number, mail, str(label), words, score.unseen / len(x), bits, model.perplexity(x)))
            latest[str(label)].append(bits)
            curves[str(label)].append((number, math.fsum(latest[str(label)]) / len(latest[str(label)])))
        model.learn_one(x, label)
    second_half = [row for row in found if row[0] > len(mails) // 2 and row[3] >= 10]
    strangest = sorted(second_half, key=lambda row: -row[5])[:_SHOWN]
    plainest = sorted(second_half, key=lambda row: row[5])[:3]
    rows = [(row[0], _subject(row[1]), *row[2:6], *row[6].values()) for row in strangest + plainest]
    head = ("mail", "subject", "class", "words", "share of words new", "bits a word")
    return Section(
        "The strangest mails",
        (
            f"{len(mails):,} mails, lambda {smoothing:g}; each is weighed by what was learned before it. The table "
            f"has the {len(strangest)} strangest of the second half with ten words or more, then the {len(plainest)} "
            "plainest. Bits a word is novelty: minus the logarithm of p(x), all classes together, by its length. "
            "Perplexity is among how many equally likely words a class's model hesitates, over the words it knows: "
            "the lower, the more at home.",
            f"In the picture each point is the mean of the last {_WINDOW} mails of a class. As the vocabulary is "
            "learned it tends to fall; a rise says that words have come which the mails before had not.",
        ),
        (((*head, *(f"perplexity in {label}" for label in model.classes)), rows),),
        (line_chart(curves, "mails so far (number)", "novelty (bits a word)"),),
        {"rows": rows, "found": [(row[0], row[2], row[5]) for row in found]},
    )


def _subject(mail) -> str:
    for part in mail.parts:
        if part.name == "subject":
            return display(part.text.decode("utf-8", "replace"))[:60]
    return "(none)"
