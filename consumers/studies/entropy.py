"""How spread out the words of a class are: the entropy of P(word | class). Row L5; note 004 ("How human solves the
problem?")."""

from __future__ import annotations

from collections.abc import Sequence

from stream_nb import MultinomialNB

from .charts import line_chart
from .corpus import Labelled, classes_of, word_counts
from .report import Section

_POINTS = 40


def study(mails: Sequence[Labelled], smoothing: float = 0.0, shown: int = 12) -> Section:
    """Learn the words of the mails; show each class's entropy as they come, and at the end its words of most weight."""
    model = MultinomialNB(smoothing=smoothing)
    curves: dict[str, list[tuple[float, float]]] = {label: [] for label in classes_of(mails)}
    step = max(1, len(mails) // _POINTS)
    for number, (mail, label, _) in enumerate(mails, 1):
        model.learn_one(word_counts(mail), label)
        if number % step == 0 or number == len(mails):
            for known in model.classes:
                curves[str(known)].append((number, model.class_entropy(known)))
    messages = {label: sum(str(mail.label) == label for mail in mails) for label in curves}
    rows = [
        (label, messages[label], bits, 2.0**bits, ", ".join(word for word, _ in model.top_words(label, shown)))
        for label, bits in ((label, model.class_entropy(label)) for label in curves)
    ]
    spread = max(rows, key=lambda row: row[2])[0]
    narrow = min(rows, key=lambda row: row[2])[0]
    return Section(
        "Entropy of the words of a class",
        (
            f"{len(mails):,} mails, {model.words:,} distinct words, lambda {smoothing:g}. Entropy is the mean number "
            "of bits that a word drawn from the class tells; 2 to its power is how many equally likely words would "
            f"tell as much. The notes expect spam to use few words much and ham many words little. Here {spread} is "
            f"more spread out than {narrow}. Entropy grows with the mails seen: compare classes at like numbers of "
            "mails.",
        ),
        ((("class", "mails", "entropy (bits)", "2^entropy (words)", "most probable words"), rows),),
        (line_chart(curves, "mails so far (number)", "entropy of P(word | class) (bits)"),),
        {"rows": [row[:4] for row in rows]},
    )
