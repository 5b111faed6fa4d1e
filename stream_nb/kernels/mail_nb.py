"""The kernels of one message in a row, and of many messages in one call, without Python in between.

What they work on lies on a desk (`workspace.Desk`), in the places named here; the cells of the table come as they are,
since their type may widen. They call kernels of other files, whose code is part of the key of their compile cache
(`jit.fingerprint`).
"""

import numpy as np

from stream_nb.kernels.calibration import calibrate
from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.mail_nb_score import (
    BINS_FROM,
    SHIFT,
    SLOPE,
    recipe_grade,
    recipe_learn,
    recipe_read,
    recipe_score,
)
from stream_nb.kernels.table import LIVE, find_all, has_room, insert_all
from stream_nb.kernels.tokenize import scan_text
from stream_nb.kernels.workspace import line_at, sheet_at

AT_FACTORS, AT_HASHES, AT_SPANS, AT_TIMES, AT_SEEN, AT_PREFIXES, AT_ROWS = range(7)
AT_INDEX, AT_ARENA, AT_SIZES = range(7, 10)
AT_TALLIES, AT_POOLED, AT_SETTINGS, AT_LOGS, AT_FOUND, AT_TERMS, AT_LESSON = range(10, 17)
PLACES = (
    *(np.uint64, np.uint64, np.int32, np.int64, np.int32, np.uint8, np.int64),
    *(np.uint32, np.uint8, np.int64),
    *(np.int64, np.int64, np.float64, np.float64, np.float64, np.float64, np.int64),
)


def _made(code):
    @kernel
    def look(text, parts, begin, n, pairs, cells, places, lead, positive, fit):
        """Find what a message is about the class number `positive`; returns how many features it has.

        They are `n`, unless it is less than 0: then the text is scanned from `begin` on. With `fit` the calibration is
        made anew. What is found lies at AT_FOUND (see `mail_nb_score`), and at AT_TERMS if that has rows.
        """
        code  # noqa: B018
        hashes, rows = line_at(places, AT_HASHES, np.uint64), line_at(places, AT_ROWS, np.int64)
        spans = sheet_at(places, AT_SPANS, np.int32)
        index = line_at(places, AT_INDEX, np.uint32)
        if n < 0:
            n = scan_text(
                text, parts, line_at(places, AT_FACTORS, np.uint64), pairs, hashes, spans,
                line_at(places, AT_TIMES, np.int64), line_at(places, AT_SEEN, np.int32), begin, index, cells,
            )  # fmt: skip
        find_all(hashes, n, index, cells, rows)
        tallies, out = sheet_at(places, AT_TALLIES, np.int64), line_at(places, AT_FOUND, np.float64)
        sizes, pooled = line_at(places, AT_SIZES, np.int64), line_at(places, AT_POOLED, np.int64)
        settings, logs = line_at(places, AT_SETTINGS, np.float64), line_at(places, AT_LOGS, np.float64)
        terms = sheet_at(places, AT_TERMS, np.float64)
        recipe_score(rows, spans, n, cells, tallies, sizes[LIVE], lead, pooled, settings, logs, out, terms)
        if fit:
            out[SLOPE], out[SHIFT] = calibrate(tallies, BINS_FROM, lead)
        recipe_read(positive, tallies.shape[0], lead, out)
        return n

    @kernel
    def teach(text, parts, n, longest_prefix, cells, places, column, source):
        """Grade the label `column` of the message looked at, and learn it; False when it is only graded, since the
        table has no room or the class no column (-1)."""
        code  # noqa: B018
        tallies, lesson = sheet_at(places, AT_TALLIES, np.int64), line_at(places, AT_LESSON, np.int64)
        out, settings = line_at(places, AT_FOUND, np.float64), line_at(places, AT_SETTINGS, np.float64)
        rows, sizes = line_at(places, AT_ROWS, np.int64), line_at(places, AT_SIZES, np.int64)
        recipe_grade(out, column, tallies, source, settings, lesson)
        if column < 0:
            return False
        if lesson[0] != 0:
            index, arena = line_at(places, AT_INDEX, np.uint32), line_at(places, AT_ARENA, np.uint8)
            if not has_room(n, len(text) + n * (1 + longest_prefix), lesson[0], index, cells, arena, sizes):
                return False
            insert_all(
                line_at(places, AT_HASHES, np.uint64), sheet_at(places, AT_SPANS, np.int32), n, text, parts,
                line_at(places, AT_PREFIXES, np.uint8), rows, index, cells, arena, sizes,
            )  # fmt: skip
        pooled = line_at(places, AT_POOLED, np.int64)
        recipe_learn(rows, n, column, 1, lesson, cells, sizes, tallies, source, pooled)
        return True

    return look, teach


look, teach = _made(fingerprint(line_at, scan_text, find_all, recipe_score, calibrate))


def _made_of_both(code):
    @kernel
    def look_and_teach(
        start, text, parts, firsts, columns, outs, most, pairs, longest_prefix, cells, places, lead, positive, fit,
        source,
    ):  # fmt: skip
        """Look at each message from `start` on, then learn it; returns how many are done.

        Message m has the rows firsts[m] to firsts[m + 1] of `parts`, and class columns[m]; -1 only looks at it.
        outs[m] becomes what was found. Stops before learning a message for which the table has no room, and after
        one with which it holds more than `most` features.
        """
        code  # noqa: B018
        out, sizes = line_at(places, AT_FOUND, np.float64), line_at(places, AT_SIZES, np.int64)
        total = firsts.shape[0] - 1
        for m in range(start, total):
            begin = 0
            if firsts[m] > 0:
                begin = np.int64(parts[firsts[m] - 1, 0])
            own = parts[firsts[m] : firsts[m + 1]]
            n = look(text, own, begin, -1, pairs, cells, places, lead, positive, fit)
            fit = False  # later log-odds need no calibration, and without learning it stays
            outs[m] = out
            if columns[m] < 0:
                continue
            if not teach(text, own, n, longest_prefix, cells, places, columns[m], source):
                return m
            if sizes[LIVE] > most:
                return m + 1
        return total

    return look_and_teach


# `look` and `teach` are globals: in a closure they would be part of the key of the cache, and are new in each process.
look_and_teach = _made_of_both(fingerprint(line_at, scan_text, find_all, recipe_score, calibrate, look, teach))
