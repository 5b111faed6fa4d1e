"""Many messages in one call: the kernels of one message in the same order, without Python in between.

It calls kernels of other files; their code is part of the key of its compile cache (`jit.fingerprint`).
"""

import numpy as np

from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.recipe import recipe_grade, recipe_learn, recipe_score
from stream_nb.kernels.scan import scan_text
from stream_nb.kernels.table import find_all, insert_all


def _made(code):
    @kernel
    def learn_batch(
        start, text, parts, firsts, columns, source, most, before, no_terms,
        alphabet, pairs, room, hashes, spans, times, seen, prefixes, longest_prefix, rows,
        index, keys, counts, names, arena, sizes, tallies, lead, settings, logs, scores, met, lesson,
    ):  # fmt: skip
        """Score each message from `start` on, then learn it; returns how many are done.

        Message m has the rows firsts[m] to firsts[m + 1] of `parts`, and class columns[m]; -1 only scores it.
        before[m] becomes its scores. `source` holds labels and doubt of the labels' source. Stops early before a
        message for which the table has no room, and after one with which it holds more than `most` features.
        """
        code  # noqa: B018
        total = firsts.shape[0] - 1
        for m in range(start, total):
            begin = 0
            if firsts[m] > 0:
                begin = np.int64(parts[firsts[m] - 1, 0])
            own = parts[firsts[m] : firsts[m + 1]]
            n = scan_text(text, own, alphabet, pairs, room, hashes, spans, times, seen, begin)
            end = begin
            if own.shape[0] > 0:
                end = np.int64(own[own.shape[0] - 1, 0])
            used = sizes[0] + n
            letters = sizes[2] + end - begin + n * (1 + longest_prefix)
            if used > keys.shape[0] or used * 5 > index.shape[0] * 4 or letters > arena.shape[0]:
                return m
            find_all(hashes, n, index, keys, counts, rows)
            recipe_score(rows, spans, n, counts, tallies, sizes[1], lead, settings, logs, scores, met, no_terms)
            before[m] = scores
            if columns[m] < 0:
                continue
            recipe_grade(scores, met, columns[m], tallies, source[0], source[1], settings, lesson)
            if lesson[0] != 0:
                insert_all(hashes, spans, n, text, own, prefixes, rows, index, keys, names, arena, sizes)
            recipe_learn(rows, n, columns[m], 1, lesson, counts, sizes, tallies)
            source[0] += lesson[9]
            source[1] += lesson[10]
            if sizes[1] > most:
                return m + 1
        return total

    return learn_batch


learn_batch = _made(fingerprint(scan_text, find_all, recipe_score, recipe_grade, insert_all, recipe_learn))
