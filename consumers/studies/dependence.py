"""The naive assumption, tested: P(a, b | y) against P(a | y) P(b | y).

Source: Domingos and Pazzani, On the optimality of the simple Bayesian classifier under zero-one loss (1997).
"""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Sequence

from ..errors import UserError
from ..records.number_text import percent
from .charts import Line, line_chart
from .corpus import Labelled, classes_of, word_set
from .report import Section, Table

_CRITICAL = 10.83
"""Chi-square with one degree of freedom exceeds this with chance 0.001."""
_MOST_WORDS = 120
"""Of these per class all pairs are counted."""
_SHOWN_PAIRS = 12
_DOTS = 400


def study(mails: Sequence[Labelled], words: str | None = None) -> Section:
    """Count the mails of each class in which a pair of words occurs together, for all pairs.

    Args:
        words: Two or more words, separated by commas; None for the most common words of each class that occur in at
            least 5 and at most 90 % of its mails.

    Raises:
        UserError: Fewer than two words are named, or no mail has one of them.
    """
    chosen = None if words is None else _named(words, mails)
    tables: list[Table] = []
    summary: list[tuple[str, int, int, float]] = []
    series: dict[str, Line] = {}
    for label in classes_of(mails):
        sets = [set(word_set(mail)) for mail, y in mails if y == label]
        rows = _pairs(sets, chosen)
        dependent = sum(row[-1] > _CRITICAL for row in rows)
        summary.append((label, len(sets), len(rows), dependent / len(rows) if rows else 0.0))
        head = (f"word in {label}", "word", "P(a, b | y)", "P(a | y) P(b | y)", "ratio", "chi-square")
        tables.append((head, rows[:_SHOWN_PAIRS]))
        step = max(1, len(rows) // _DOTS)
        series[f"pairs in {label}"] = Line([(row[3], row[2]) for row in rows[::step]], dots=True)
    ends = [max((x for line in series.values() for x, _ in line.points), default=1.0)]
    starts = [min((x for line in series.values() for x, _ in line.points if x > 0), default=0.01)]
    series["independent"] = Line([(x, x) for x in starts + ends], dashed=True)
    return Section(
        "Are words independent given the class?",
        (
            "Naive Bayes multiplies P(a | y) by P(b | y), as if word a said nothing about word b. The table counts the "
            f"pairs of words for which chance does not explain the difference (chi-square above {_CRITICAL}, which one "
            "pair in a thousand exceeds if all are independent): "
            + "; ".join(f"{percent(share, 1)} of {pairs:,} in {label}" for label, _, pairs, share in summary)
            + ". In the picture, pairs on the dashed line are independent; those above it occur together more often.",
            "Dependent words count their common evidence twice, so the probabilities are too close to 0 and 1. The "
            "ranking of mails suffers far less. MailNB damps the sum of evidence for this reason.",
        ),
        ((("class", "mails", "pairs", "share of dependent pairs"), summary), *tables),
        (
            line_chart(
                series,
                "P(a | y) P(b | y) (share of the class's mails)",
                "P(a, b | y) (share of the class's mails)",
                log_x=True,
                log_y=True,
            ),
        ),
        {"summary": summary},
    )


def _named(words: str, mails: Sequence[Labelled]) -> list[str]:
    """The words between the commas, in lower case, each once."""
    chosen = list(dict.fromkeys(word.strip().lower() for word in words.split(",") if word.strip()))
    if len(chosen) < 2:
        raise UserError(
            f"--words {words}: name two or more words, separated by commas; write a header's word as subject:free"
        )
    known = {word for mail in mails for word in word_set(mail.mail)}
    missing = [word for word in chosen if word not in known]
    if missing:
        raise UserError(f"--words {words}: no mail has {', '.join(missing)}")
    return chosen


def _pairs(sets: Sequence[set[str]], chosen: list[str] | None) -> list[tuple[str, str, float, float, float, float]]:
    """Each pair of the words `chosen` (None: the most common ones) and how they compare (`_compare`), the most
    dependent pair first; `sets` are the words of each mail of a class."""
    n = len(sets)
    common = Counter(itertools.chain.from_iterable(sets))
    if chosen is None:
        ranked = sorted(common.items(), key=lambda item: (-item[1], item[0]))  # ties in an order that repeats
        kept = [word for word, count in ranked if 5 <= count <= 0.9 * n][:_MOST_WORDS]
    else:
        kept = [word for word in chosen if 0 < common[word] < n]
    together: Counter[tuple[str, str]] = Counter()
    for words_of_mail in sets:
        together.update(itertools.combinations(sorted(words_of_mail.intersection(kept)), 2))
    pairs = itertools.combinations(sorted(kept), 2)
    rows = [(a, b, *_compare(together[a, b], common[a], common[b], n)) for a, b in pairs]
    return sorted(rows, key=lambda row: (-row[-1], row[:2]))


def _compare(both: int, a: int, b: int, n: int) -> tuple[float, float, float, float]:
    """P(a, b), P(a) P(b), their ratio, and the chi-square of the 2 x 2 table."""
    joint, product = both / n, a * b / n**2
    determinant = both * n - a * b  # n11 n22 - n12 n21 of the table
    return joint, product, joint / product, n * (determinant / math.sqrt(a * b * (n - a) * (n - b))) ** 2
