"""How spread out the words of a class are: the entropy of P(word | class).

Source: Shannon, A mathematical theory of communication (1948), section 6.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

from stream_nb import MultinomialNB

from .charts import Point, line_chart
from .corpus import Labelled, classes_of, word_counts
from .report import Section

_POINTS = 40
_SHOWN_WORDS = 12
_WORD_CHARS = 40


def study(mails: Sequence[Labelled], smoothing: float = 0.0) -> Section:
    """Show each class's entropy while the mails are learned, and finally its most probable words, truncated.

    `smoothing` is lambda, 0 or more.
    """
    model = MultinomialNB(smoothing=smoothing)
    curves: dict[str, list[Point]] = {label: [] for label in classes_of(mails)}
    step = max(1, len(mails) // _POINTS)
    for number, (mail, label) in enumerate(mails, 1):
        model.learn_one(word_counts(mail), label)
        if number % step == 0 or number == len(mails):
            for known in model.classes:
                curves[known].append((number, model.class_entropy(known)))
    messages = {label: sum(mail.label == label for mail in mails) for label in curves}
    rows: list[tuple[str, int, float, float, str]] = []
    for label in curves:
        bits = model.class_entropy(label)
        top = ", ".join(word[:_WORD_CHARS] for word, share in model.top_words(label, _SHOWN_WORDS) if share)
        rows.append((label, messages[label], bits, 2.0**bits, top))
    narrow, *_, spread = sorted(rows, key=lambda row: row[2])
    equal = math.isclose(narrow[2], spread[2])
    compared = "all classes are equally spread out" if equal else f"{spread[0]} is more spread out than {narrow[0]}"
    return Section(
        "Entropy of the words of a class",
        (
            f"{len(mails):,} mails, {model.words:,} distinct words, lambda {smoothing:g}. Entropy is the mean "
            "information of a word drawn from the class, in bits; 2 to the power of the entropy is the number of "
            "equally likely words with the same mean. One expects that spam uses few words often, and other mail many "
            f"words seldom. Here {compared}. Entropy grows with the number of mails: compare classes with similar "
            "numbers of mails.",
        ),
        ((("class", "mails", "entropy (bits)", "2^entropy (words)", "most probable words"), rows),),
        (line_chart(curves, "mails so far (number)", "entropy of P(word | class) (bits)"),),
        {"rows": [row[:4] for row in rows]},
    )
