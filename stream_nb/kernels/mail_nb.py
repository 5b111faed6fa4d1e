"""The kernels of one message in a row, and of many messages in one call, without Python in between.

The arrays are in a `workspace.Workspace`, in the places named here; the rows of the table are an argument, since their
type may widen. They call kernels of other files, whose code is part of the key of their compile cache
(`jit.fingerprint`).
"""

import numpy as np

from stream_nb.kernels.calibration import calibrate
from stream_nb.kernels.jit import fingerprint, kernel
from stream_nb.kernels.mail_nb_score import (
    BINS_FROM,
    SHIFT,
    SLOPE,
    add_update,
    grade_update,
    read_scores,
    score_rows,
)
from stream_nb.kernels.table import LIVE, find_all, has_room, insert_all
from stream_nb.kernels.tokenize import scan_text
from stream_nb.kernels.workspace import array1d, array2d

AT_HASH_MULTIPLIERS, AT_HASHES, AT_TOKEN_SPANS, AT_COUNTS, AT_DEDUP_INDEX, AT_PREFIXES, AT_ROW_IDS = range(7)
AT_INDEX, AT_ARENA, AT_SIZES = range(7, 10)
AT_TALLIES, AT_POOLED, AT_SETTINGS, AT_LOGS, AT_RESULT, AT_TERMS, AT_UPDATE = range(10, 17)
PLACES = (
    *(np.uint64, np.uint64, np.int32, np.int64, np.int32, np.uint8, np.int64),
    *(np.uint32, np.uint8, np.int64),
    *(np.int64, np.int64, np.float64, np.float64, np.float64, np.float64, np.int64),
)


def _made(code):
    @kernel
    def mail_score(text, parts, begin, n, pairs, rows, places, lead, positive, fit):
        """Find what a message is about the class number `positive`; returns how many features it has.

        They are `n`, unless it is less than 0: then the text is scanned from `begin` on. With `fit` the calibration is
        made anew. What is found lies at AT_RESULT (see `mail_nb_score`), and at AT_TERMS if that has rows.
        """
        code  # noqa: B018
        hashes, row_ids = array1d(places, AT_HASHES, np.uint64), array1d(places, AT_ROW_IDS, np.int64)
        token_spans = array2d(places, AT_TOKEN_SPANS, np.int32)
        index = array1d(places, AT_INDEX, np.uint32)
        if n < 0:
            n = scan_text(
                text, parts, array1d(places, AT_HASH_MULTIPLIERS, np.uint64), pairs, hashes, token_spans,
                array1d(places, AT_COUNTS, np.int64), array1d(places, AT_DEDUP_INDEX, np.int32), begin, index, rows,
            )  # fmt: skip
        find_all(hashes, n, index, rows, row_ids)
        tallies, out = array2d(places, AT_TALLIES, np.int64), array1d(places, AT_RESULT, np.float64)
        sizes, pooled = array1d(places, AT_SIZES, np.int64), array1d(places, AT_POOLED, np.int64)
        settings, logs = array1d(places, AT_SETTINGS, np.float64), array1d(places, AT_LOGS, np.float64)
        terms = array2d(places, AT_TERMS, np.float64)
        score_rows(row_ids, token_spans, n, rows, tallies, sizes[LIVE], lead, pooled, settings, logs, out, terms)
        if fit:
            out[SLOPE], out[SHIFT] = calibrate(tallies, BINS_FROM, lead)
        read_scores(positive, tallies.shape[0], lead, out)
        return n

    @kernel
    def mail_learn(text, parts, n, longest_prefix, rows, places, column, source):
        """Grade the label `column` of the message scored last, and learn it; False when it is only graded, since the
        table has no room or the class no column (-1)."""
        code  # noqa: B018
        tallies, update = array2d(places, AT_TALLIES, np.int64), array1d(places, AT_UPDATE, np.int64)
        out, settings = array1d(places, AT_RESULT, np.float64), array1d(places, AT_SETTINGS, np.float64)
        row_ids, sizes = array1d(places, AT_ROW_IDS, np.int64), array1d(places, AT_SIZES, np.int64)
        grade_update(out, column, tallies, source, settings, update)
        if column < 0:
            return False
        if update[0] != 0:
            index, arena = array1d(places, AT_INDEX, np.uint32), array1d(places, AT_ARENA, np.uint8)
            if not has_room(n, len(text) + n * (1 + longest_prefix), update[0], index, rows, arena, sizes):
                return False
            insert_all(
                array1d(places, AT_HASHES, np.uint64), array2d(places, AT_TOKEN_SPANS, np.int32), n, text, parts,
                array1d(places, AT_PREFIXES, np.uint8), row_ids, index, rows, arena, sizes,
            )  # fmt: skip
        pooled = array1d(places, AT_POOLED, np.int64)
        add_update(row_ids, n, column, 1, update, rows, sizes, tallies, source, pooled)
        return True

    return mail_score, mail_learn


mail_score, mail_learn = _made(fingerprint(array1d, scan_text, find_all, score_rows, calibrate))


def _made_of_both(code):
    @kernel
    def mail_score_then_learn(
        start, text, parts, firsts, columns, outs, most, pairs, longest_prefix, rows, places, lead, positive, fit,
        source,
    ):  # fmt: skip
        """Score each message from `start` on, then learn it; returns how many are done.

        Message m has the rows firsts[m] to firsts[m + 1] of `parts`, and class columns[m]; -1 is only scored.
        outs[m] becomes what was found. Stops before learning a message for which the table has no room, and after
        one with which it holds more than `most` features.
        """
        code  # noqa: B018
        out, sizes = array1d(places, AT_RESULT, np.float64), array1d(places, AT_SIZES, np.int64)
        total = firsts.shape[0] - 1
        for m in range(start, total):
            begin = 0
            if firsts[m] > 0:
                begin = np.int64(parts[firsts[m] - 1, 0])
            own = parts[firsts[m] : firsts[m + 1]]
            n = mail_score(text, own, begin, -1, pairs, rows, places, lead, positive, fit)
            fit = False  # later log-odds need no calibration, and without learning it stays
            outs[m] = out
            if columns[m] < 0:
                continue
            if not mail_learn(text, own, n, longest_prefix, rows, places, columns[m], source):
                return m
            if sizes[LIVE] > most:
                return m + 1
        return total

    return mail_score_then_learn


# The other two are globals: in a closure they would be part of the key of the cache, and are new in each process.
mail_score_then_learn = _made_of_both(
    fingerprint(array1d, scan_text, find_all, score_rows, calibrate, mail_score, mail_learn)
)
