"""What the new features of a mail, which no label has counted, say about its class."""

# pyright: basic

import math

from stream_nb.kernels.jit import inlined
from stream_nb.kernels.layout import UNIT, MailTotal

_MOST_NEW = 3.0  # times the expected number


@inlined
def novelty_term(totals, kind, c, scale):
    """Return `scale` times the log ratio of the share of new features in class c to that in all other classes."""
    met, new = totals[c, MailTotal.WORDS_MET + 2 * kind], totals[c, MailTotal.NEW_WORDS + 2 * kind]
    met_rest, new_rest = -met, -new
    for d in range(totals.shape[0]):
        met_rest += totals[d, MailTotal.WORDS_MET + 2 * kind]
        new_rest += totals[d, MailTotal.NEW_WORDS + 2 * kind]
    own = (float(max(new, 0)) / UNIT + 1.0) / (float(max(met, 0)) / UNIT + 2.0)
    rest = (float(max(new_rest, 0)) / UNIT + 1.0) / (float(max(met_rest, 0)) / UNIT + 2.0)
    return scale * math.log(own / rest)


@inlined
def counting_new(known, new, totals):
    """Return how much a mail's new features count, 0 to 1: min(1, 3 (k u / (1 - u)) / n)^2.

    If a share u of all features so far was new, u / (1 - u) new features are expected per known one. Let k and n be the
    weights of a mail's known and new features. If n is more than three times the expected number, the mail is in
    another language or not text, which says nothing about its class (`python -m tests.benchmarks.unknown_text`).
    Without the square, twice as much ham with 95 % new words is lost.
    """
    if new <= 0.0:
        return 1.0
    all_met, all_new = 0, 0
    for c in range(totals.shape[0]):
        all_met += totals[c, MailTotal.WORDS_MET] + totals[c, MailTotal.PAIRS_MET]
        all_new += totals[c, MailTotal.NEW_WORDS] + totals[c, MailTotal.NEW_PAIRS]
    expected = (float(max(all_new, 0)) / UNIT + 1.0) / (float(max(all_met - all_new, 0)) / UNIT + 1.0)
    share = min(_MOST_NEW * known * expected / new, 1.0)
    return share * share
