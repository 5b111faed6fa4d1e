"""The kernels of one message in a row, and of many messages in one call, without Python in between.

They call kernels of other files, whose code is part of the key of their compile cache (`jit.fingerprint`).
"""

import numpy as np

from stream_nb.kernels.calibration import calibrate
from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.recipe import (
    BINS_FROM,
    SHIFT,
    SLOPE,
    recipe_grade,
    recipe_learn,
    recipe_read,
    recipe_score,
)
from stream_nb.kernels.scan import scan_text
from stream_nb.kernels.table import LIVE, find_all, has_room, insert_all


def _made(code):
    @kernel
    def look(
        hashes, spans, n, rows, index, cells, sizes, tallies, lead, positive, pooled, settings, logs, fit, out, terms
    ):  # fmt: skip
        """Find the features read and fill `out` (see `recipe`) about the class number `positive`; with `fit` the
        calibration is made anew."""
        code  # noqa: B018
        find_all(hashes, n, index, cells, rows)
        recipe_score(rows, spans, n, cells, tallies, sizes[LIVE], lead, pooled, settings, logs, out, terms)
        if fit:
            out[SLOPE], out[SHIFT] = calibrate(tallies, BINS_FROM, lead)
        recipe_read(positive, tallies.shape[0], lead, out)

    @kernel
    def teach(
        hashes, spans, n, text, parts, prefixes, longest_prefix, rows, index, cells, arena, sizes,
        column, tallies, settings, source, pooled, out, lesson,
    ):  # fmt: skip
        """Grade the label `column` of the message looked at, and learn it; False when it is only graded, since the
        table has no room or the class no column (-1)."""
        code  # noqa: B018
        recipe_grade(out, column, tallies, source, settings, lesson)
        if column < 0:
            return False
        if lesson[0] != 0:
            if not has_room(n, len(text) + n * (1 + longest_prefix), lesson[0], index, cells, arena, sizes):
                return False
            insert_all(hashes, spans, n, text, parts, prefixes, rows, index, cells, arena, sizes)
        recipe_learn(rows, n, column, 1, lesson, cells, sizes, tallies, source, pooled)
        return True

    return look, teach


look, teach = _made(fingerprint(scan_text, find_all, recipe_score, calibrate))


def _made_of_both(code):
    @kernel
    def look_and_teach(
        start, text, parts, firsts, columns, outs, most,
        alphabet, pairs, room, hashes, spans, times, seen, prefixes, longest_prefix, rows,
        index, cells, arena, sizes, tallies, lead, positive, settings, logs, fit, source, pooled, out, terms, lesson,
    ):  # fmt: skip
        """Look at each message from `start` on, then learn it; returns how many are done.

        Message m has the rows firsts[m] to firsts[m + 1] of `parts`, and class columns[m]; -1 only looks at it.
        outs[m] becomes what was found. Stops before learning a message for which the table has no room, and after
        one with which it holds more than `most` features.
        """
        code  # noqa: B018
        total = firsts.shape[0] - 1
        for m in range(start, total):
            begin = 0
            if firsts[m] > 0:
                begin = np.int64(parts[firsts[m] - 1, 0])
            own = parts[firsts[m] : firsts[m + 1]]
            n = scan_text(text, own, alphabet, pairs, room, hashes, spans, times, seen, begin)
            look(
                hashes, spans, n, rows, index, cells, sizes, tallies, lead, positive, pooled, settings, logs, fit,
                out, terms,
            )  # fmt: skip
            fit = False  # later log-odds need no calibration, and without learning it stays
            outs[m] = out
            if columns[m] < 0:
                continue
            if not teach(
                hashes, spans, n, text, own, prefixes, longest_prefix, rows, index, cells, arena, sizes,
                columns[m], tallies, settings, source, pooled, out, lesson,
            ):  # fmt: skip
                return m
            if sizes[LIVE] > most:
                return m + 1
        return total

    return look_and_teach


# `look` and `teach` are globals: in a closure they would be part of the key of the cache, and are new in each process.
look_and_teach = _made_of_both(fingerprint(scan_text, find_all, recipe_score, calibrate, look, teach))
