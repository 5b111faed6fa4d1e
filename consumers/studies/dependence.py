"""The naive assumption, tested: P(a, b | y) against P(a | y) P(b | y) for the common words. Row Q11; note 004."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

from .corpus import Labelled, word_set
from .report import Section

_CRITICAL = 10.83
"""Chi-square with one degree of freedom exceeds this with chance 0.001."""


def study(mails: Sequence[Labelled], words: int = 120, shown: int = 12) -> Section:
    """Count in how many mails of a class each pair of its most common words (in under 90 % of them) occurs together."""
    tables, summary = [], []
    for label in sorted({str(label) for _, label in mails}):
        sets = [set(word_set(mail)) for mail, y in mails if str(y) == label]
        n = len(sets)
        common = Counter(itertools.chain.from_iterable(sets)).most_common()
        kept = [word for word, count in common if 5 <= count <= 0.9 * n][:words]
        single = {word: sum(word in s for s in sets) for word in kept}
        ordered = set(kept)
        pairs: Counter = Counter()
        for s in sets:
            pairs.update(itertools.combinations(sorted(s & ordered), 2))
        rows = [
            (a, b, *_compare(pairs[a, b], single[a], single[b], n)) for a, b in itertools.combinations(sorted(kept), 2)
        ]
        dependent = sum(row[-1] > _CRITICAL for row in rows)
        summary.append((label, n, len(rows), dependent / len(rows) if rows else 0.0))
        rows.sort(key=lambda row: (-row[-1], row[:2]))
        head = (f"word in {label}", "word", "P(a, b | y)", "P(a | y) P(b | y)", "ratio", "chi-square")
        tables.append((head, rows[:shown]))
    return Section(
        "Are words independent given the class?",
        (
            "Naive Bayes multiplies P(a | y) by P(b | y) as if a told nothing about b. The table counts how many pairs "
            "of common words break that beyond chance (chi-square above 10.83, one pair in a thousand if all were "
            "independent). So the probabilities it gives are too sure; the ranking suffers far less, and damping the "
            "sum of evidence, as MailNB does, is the remedy.",
        ),
        ((("class", "mails", "pairs", "share of dependent pairs"), summary), *tables),
        (),
        {"summary": summary},
    )


def _compare(both: int, a: int, b: int, n: int) -> tuple[float, float, float, float]:
    """P(a, b), P(a) P(b), their ratio, and the chi-square of the 2 x 2 table."""
    joint, product = both / n, a * b / n**2
    determinant = both * n - a * b  # n11 n22 - n12 n21 of the table
    return joint, product, joint / product, n * (determinant / math.sqrt(a * b * (n - a) * (n - b))) ** 2
