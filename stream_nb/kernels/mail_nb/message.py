"""All of `MailNB`'s kernels for one message in one call, without Python in between.

The arrays are in the workspace of the model, in which those of the message, the statistics and the table are nested
(`workspace.Workspace`). The rows of the table are an argument, because their type may widen.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.features.grams import scan_grams
from stream_nb.kernels.features.table import find_all, has_room, insert_all
from stream_nb.kernels.features.tokenize import scan_text
from stream_nb.kernels.jit import kernel
from stream_nb.kernels.layout import MailResult, MailUpdate, Size, Slot
from stream_nb.kernels.mail_nb.calibration import calibrate
from stream_nb.kernels.mail_nb.score import read_scores, score_rows
from stream_nb.kernels.mail_nb.update import add_update, grade_update
from stream_nb.kernels.workspace import array1d, array2d, nested


@kernel
def mail_score(text, parts, begin, n, pairs, grams, rows, workspace, lead, positive, fit):
    """Score a message: fill RESULT, and TERMS if that has rows. Returns how many features the message has.

    `n` is this number, or negative if the text is to be scanned, from `begin` on. Log-odds and probability are those of
    class number `positive`. If `fit`, the calibration is fitted again.
    """
    message, statistics = nested(workspace, Slot.MESSAGE), nested(workspace, Slot.STATISTICS)
    table = nested(statistics, Slot.TABLE)
    hashes, row_ids = array1d(message, Slot.HASHES, np.uint64), array1d(message, Slot.ROW_IDS, np.int64)
    token_spans, index = array2d(message, Slot.TOKEN_SPANS, np.int32), array1d(table, Slot.INDEX, np.uint32)
    if n < 0:
        n = scan_text(
            text, parts, array1d(message, Slot.HASH_MULTIPLIERS, np.uint64), pairs, hashes, token_spans,
            array1d(message, Slot.COUNTS, np.int64), array1d(message, Slot.DEDUP_INDEX, np.int32), begin, index, rows,
        )  # fmt: skip
        if grams:
            n = scan_grams(
                text, parts, array1d(message, Slot.HASH_MULTIPLIERS, np.uint64)[1], hashes, token_spans,
                array1d(message, Slot.DEDUP_INDEX, np.int32), begin, n,
            )  # fmt: skip
    find_all(hashes, n, index, rows, row_ids)
    totals, result = array2d(statistics, Slot.TOTALS, np.int64), array1d(workspace, Slot.RESULT, np.float64)
    sizes = array1d(table, Slot.SIZES, np.int64)
    settings, logs = array1d(workspace, Slot.SETTINGS, np.float64), array2d(workspace, Slot.LOGS, np.float64)
    terms = array2d(workspace, Slot.TERMS, np.float64)
    score_rows(
        row_ids, token_spans, n, rows, totals, 0.0, sizes[Size.LIVE], lead, positive, settings, logs, result, terms
    )
    if fit:
        result[MailResult.SLOPE], result[MailResult.SHIFT] = calibrate(totals, lead)
    read_scores(positive, totals.shape[0], lead, result)
    return n


@kernel
def mail_learn(text, parts, n, longest_prefix, rows, workspace, column, source, originator):
    """Grade the label `column` of the message scored last, and learn it. Returns False if it was only graded, because
    the table has no room or the class has no column (-1)."""
    totals = array2d(nested(workspace, Slot.STATISTICS), Slot.TOTALS, np.int64)
    result, settings = array1d(workspace, Slot.RESULT, np.float64), array1d(workspace, Slot.SETTINGS, np.float64)
    grade_update(result, column, totals, source, originator, settings, array1d(workspace, Slot.UPDATE, np.int64))
    return column >= 0 and learn_graded(text, parts, n, longest_prefix, rows, workspace, column, source)


@kernel
def learn_graded(text, parts, n, longest_prefix, rows, workspace, column, source):
    """Learn the label `column` that was graded last. Returns False, and learns nothing, if the table has no room."""
    message, statistics = nested(workspace, Slot.MESSAGE), nested(workspace, Slot.STATISTICS)
    table = nested(statistics, Slot.TABLE)
    totals, update = array2d(statistics, Slot.TOTALS, np.int64), array1d(workspace, Slot.UPDATE, np.int64)
    row_ids, sizes = array1d(message, Slot.ROW_IDS, np.int64), array1d(table, Slot.SIZES, np.int64)
    weight = max(update[MailUpdate.WEIGHT], abs(update[MailUpdate.TAKEN]))
    if weight != 0:
        index, arena = array1d(table, Slot.INDEX, np.uint32), array1d(table, Slot.ARENA, np.uint8)
        if not has_room(len(text), n, longest_prefix, weight, index, rows, arena, sizes):
            return False
        insert_all(
            array1d(message, Slot.HASHES, np.uint64), array2d(message, Slot.TOKEN_SPANS, np.int32), n, text, parts,
            array1d(message, Slot.PREFIXES, np.uint8), row_ids, index, rows, arena, sizes,
        )  # fmt: skip
    add_update(row_ids, n, column, 1, update, rows, sizes, totals, source)
    return True
