"""Score and learn many messages with `MailNB` in one call, without Python in between."""

# pyright: basic

import numpy as np

from stream_nb.kernels.features.changes import sum_update
from stream_nb.kernels.features.table import has_rows
from stream_nb.kernels.jit import inlined, kernel
from stream_nb.kernels.layout import BINS, MailUpdate, OriginatorCount, Size, Slot
from stream_nb.kernels.mail_nb.message import learn_graded, mail_score
from stream_nb.kernels.mail_nb.update import grade_update
from stream_nb.kernels.workspace import array1d, array2d, nested


@inlined
def _has_sum_room(n, update, sum_columns, sum_index, sum_rows, sum_sizes):
    """Return whether the sums have room for `n` more features, and a column for the rival of the update."""
    weight, rival = max(update[MailUpdate.WEIGHT], abs(update[MailUpdate.TAKEN])), update[MailUpdate.RIVAL]
    return (rival < 0 or sum_columns[rival] >= 0) and has_rows(n, weight, sum_index, sum_rows, sum_sizes)


@inlined
def _count_label(originator, column, update):
    """Count a label of class `column` for the originator of its message: it ends the runs of other classes, and extends
    that of its own if it contradicts the model."""
    contradicts = np.int64(update[MailUpdate.BIN] < BINS // 2)
    originator[OriginatorCount.LABELS] += 1
    originator[OriginatorCount.CONTRADICTING] += contradicts
    for c in range(originator.shape[0] - OriginatorCount.RUNS):
        if c != column:
            originator[OriginatorCount.RUNS + c] = 0
    originator[OriginatorCount.RUNS + column] += contradicts


@kernel
def mail_score_then_learn(
    start, text, parts, firsts, columns, results, updates, fit_each, most, pairs, grams, longest_prefix, rows,
    workspace, lead, positive, sources, source_ids, originators, originator_ids, runs, sum_columns, sum_rows,
    sum_workspace,
):  # fmt: skip
    """Score each message from `start` on, then learn it; return how many messages are done.

    Message m has rows firsts[m] to firsts[m + 1] - 1 of `parts`, the label of class columns[m] (-1: it is only scored)
    by source source_ids[m], and originator originator_ids[m] (-1: unknown). results[m] gets its RESULT, updates[m] its
    UPDATE, runs[m] the runs of its originator before the label. `sources` (int64[:, 2]) and `originators`
    (int64[:, RUNS + classes]) are changed. If `fit_each`, the calibration is fitted again after each label; otherwise
    probabilities are right only until the first one.

    Column c of the model is column sum_columns[c] (-1: none yet) of the sums, to which each update is added; if
    `sum_columns` is empty, there are no sums.

    Stops before learning a message for which the table or the sums have no room or no column, and after learning one if
    the table then holds more than `most` features.
    """
    message, statistics = nested(workspace, Slot.MESSAGE), nested(workspace, Slot.STATISTICS)
    table = nested(statistics, Slot.TABLE)
    hashes, token_spans = array1d(message, Slot.HASHES, np.uint64), array2d(message, Slot.TOKEN_SPANS, np.int32)
    row_ids, arena = array1d(message, Slot.ROW_IDS, np.int64), array1d(table, Slot.ARENA, np.uint8)
    sizes, totals = array1d(table, Slot.SIZES, np.int64), array2d(statistics, Slot.TOTALS, np.int64)
    result, settings = array1d(workspace, Slot.RESULT, np.float64), array1d(workspace, Slot.SETTINGS, np.float64)
    update = array1d(workspace, Slot.UPDATE, np.int64)
    sum_index, sum_sizes = array1d(sum_workspace, Slot.INDEX, np.uint32), array1d(sum_workspace, Slot.SIZES, np.int64)
    total, summing = firsts.shape[0] - 1, sum_columns.shape[0] > 0
    unknown = np.zeros(0, np.int64)
    fit = True
    for m in range(start, total):
        begin = 0
        if firsts[m] > 0:
            begin = np.int64(parts[firsts[m] - 1, 0])
        own = parts[firsts[m] : firsts[m + 1]]
        n = mail_score(text, own, begin, -1, pairs, grams, rows, workspace, lead, positive, fit)
        fit = False
        results[m] = result
        column = columns[m]
        if column < 0:
            continue
        source = sources[source_ids[m]]
        originator = unknown
        if originator_ids[m] >= 0:
            originator = originators[originator_ids[m]]
        grade_update(result, column, totals, source, originator, settings, update)
        updates[m] = update
        if summing and not _has_sum_room(n, update, sum_columns, sum_index, sum_rows, sum_sizes):
            return m
        if not learn_graded(text, own, n, longest_prefix, rows, workspace, column, source):
            return m
        weight, taken, rival = update[MailUpdate.WEIGHT], update[MailUpdate.TAKEN], update[MailUpdate.RIVAL]
        if summing and (weight != 0 or taken != 0):
            sum_rival = sum_columns[rival] if rival >= 0 else np.int64(-1)
            sum_update(
                hashes, token_spans, n, row_ids, rows, arena, (column, sum_columns[column]), (rival, sum_rival),
                (weight, -taken), sum_index, sum_rows, sum_sizes,
            )  # fmt: skip
        if originator_ids[m] >= 0:
            runs[m] = originator[OriginatorCount.RUNS :]
            _count_label(originator, column, update)
        fit = fit_each
        if sizes[Size.LIVE] > most:
            return m + 1
    return total
