"""The Bernoulli model in one call: find the words of a message, score it, and read the verdict (see `textbook`)."""

import math

from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.table import COUNT, LIVE, USED, find_all
from stream_nb.kernels.textbook import COMPUTED, JOINT, KNOWN, MESSAGE, MESSAGES, textbook_read, tidy_histogram

_ONE = 256.0


@kernel
def absent_sums(histograms, totals, live, smoothing, memo, out, absent):
    """absent[c] = sum over the vocabulary of log(1 - P(word | c)), how many words are left out of it, then what of
    this does not depend on other classes: the sum over the words of the class, how many they are, and as of when.

    A word that cannot be absent (smoothing 0, in every message) is left out.
    """
    mask = memo.shape[0] - 1
    for c in range(totals.shape[0]):
        messages = totals[c, MESSAGES]
        if absent[c, 4] != histograms[c, 0, 1]:
            total = 0.0
            certain, own, empty = 0, 0, 0
            for k in range(1, histograms[c, 0, 0] + 1):
                words = histograms[c, k, 1]
                if words == 0:
                    empty += 1
                    continue
                own += words
                rest = messages - histograms[c, k, 0]
                value = float(rest) / _ONE + smoothing
                if value > 0.0:
                    slot = ((rest << 4) ^ (rest >> 8)) & mask
                    if memo[slot, 0] != rest:
                        memo[slot, 0] = rest
                        memo[slot, 1] = math.log(value)
                        out[COMPUTED] += 1
                    total += float(words) * memo[slot, 1]
                else:
                    certain += words
            absent[c, 1], absent[c, 2], absent[c, 3], absent[c, 4] = certain, total, own, histograms[c, 0, 1]
            if 2 * empty > histograms[c, 0, 0]:
                tidy_histogram(histograms[c])
        total = absent[c, 2]
        count = float(messages) / _ONE
        if count + smoothing > 0.0:
            total += (live - absent[c, 3]) * math.log(count + smoothing)
            total -= (live - absent[c, 1]) * math.log(count + 2.0 * smoothing)
        absent[c, 0] = total


@kernel
def bernoulli_score(rows, n, cells, sizes, totals, smoothing, memo, absent, out, terms):
    """out[JOINT + c] = absent[c, 0] + sum over the words met of log P(word | c) - log(1 - P(word | c)), and what `out`
    knows of words; terms[i, c] too, if it has rows.

    With smoothing 0 a word that stands in every message of a class has no chance to be absent: the second logarithm is
    left out here as it is in absent[c, 0], and a message that lacks such a word has no chance.
    """
    some_empty = sizes[USED] > sizes[LIVE]  # rows without any count, as words never met
    mask = memo.shape[0] - 1
    explain = terms.shape[0] > 0
    known, computed = 0, 0
    for c in range(totals.shape[0]):
        messages = totals[c, MESSAGES]
        own = COUNT + 2 * c + MESSAGE
        total, known, everywhere = 0.0, 0, 0
        for i in range(n):
            row = rows[i]
            if row < 0:
                continue
            if some_empty:
                counted = 0
                for column in range(COUNT, cells.shape[1]):
                    counted |= cells[row, column]
                if counted == 0:
                    continue
            known += 1
            with_word = max(int(cells[row, own]), 0)
            without = messages - with_word
            certain = float(without) / _ONE + smoothing <= 0.0
            term = 0.0
            for side in range(1 if certain else 2):
                units = without if side else with_word
                slot = ((units << 4) ^ (units >> 8)) & mask
                if memo[slot, 0] != units:
                    value = float(units) / _ONE + smoothing
                    memo[slot, 0] = units
                    memo[slot, 1] = math.log(value) if value > 0.0 else -math.inf
                    computed += 1
                term = term - memo[slot, 1] if side else memo[slot, 1]
            if certain:
                everywhere += 1
                term -= math.log(float(messages) / _ONE)
            total += term
            if explain:
                terms[i, c] = term
        out[JOINT + c] = total + (absent[c, 0] if absent[c, 1] == everywhere else -math.inf)
    out[KNOWN] = known
    out[COMPUTED] += computed


def _made(code):
    @kernel
    def bernoulli_look(
        hashes, n, rows, find, index, cells, sizes, totals, smoothing, memo, histograms, absent, prior, positive, out,
        terms,
    ):  # fmt: skip
        """Fill `out` for the message read; with `find`, its rows are not known yet."""
        code  # noqa: B018
        if find:
            find_all(hashes, n, index, cells, rows)
        absent_sums(histograms, totals, sizes[LIVE], smoothing, memo, out, absent)
        bernoulli_score(rows, n, cells, sizes, totals, smoothing, memo, absent, out, terms)
        textbook_read(totals, prior, positive, out)

    return bernoulli_look


bernoulli_look = _made(fingerprint(find_all, textbook_read))
