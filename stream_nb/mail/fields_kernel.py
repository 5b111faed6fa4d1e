"""A header block -> the texts of its kept fields, and the lines left to a MIME parser (compiled; see `fields`).

Two passes: the first lists the fields, the second writes them. The work is linear in the block, for a given
list of names.
"""

import numpy as np

from stream_nb.kernels.jit import inlined, kernel

SEPARATOR = 0xFF
PLAIN, ODD = 1, 2
_CONTENT = np.frombuffer(b"content-", dtype=np.uint8)
_SHORTEST_FIELD = len(b"a:\n")
_START, _VALUE, _END, _NEXT, _LEFT = range(5)


@inlined
def _lower(byte):
    return byte + 32 if 65 <= byte <= 90 else byte


@kernel
def _begins(head, start, name, length):
    for k in range(length):
        if _lower(head[start + k]) != name[k]:
            return False
    return True


@inlined
def _row(head, start, length, names):
    """Which of `names` the field at `start` has, or -1."""
    found = -1
    for row in range(names.shape[0]):
        if names[row, 0] == length and _begins(head, start, names[row, 1:], length):
            found = row
            break
    return found


@kernel
def _same(head, one, other, length):
    for k in range(length):
        if head[one + k] != head[other + k]:
            return False
    return True


@inlined
def _line_end(head, i, end):
    while i < end and head[i] != 10:
        i += 1
    return i


@kernel
def _is_odd(value):
    """Whether a value has bytes beyond ASCII or what may be an encoded word."""
    high = np.uint8(0)
    for byte in value:
        high |= byte
    marks = False
    after = value[1:]
    for i in range(after.shape[0]):
        marks |= (after[i] == 63) & (value[i] == 61)
    return marks or high >= 128


@inlined
def _copy(source, out, n):
    room = out[n:]
    for k in range(source.shape[0]):
        room[k] = source[k]
    return n + source.shape[0]


@inlined
def _unfold(head, i, end, out, n):
    """Append a value on one line, each of its lines without the white space it starts with; the new length."""
    while end > i and head[end - 1] == 13:
        end -= 1
    while True:
        while i < end and (head[i] == 32 or (9 <= head[i] <= 13 and head[i] != 10)):
            i += 1
        line = i
        i = _line_end(head, line, end)
        last = i - 1 if line < i < end and head[i - 1] == 13 else i
        n = _copy(head[line:last], out, n)
        if i >= end:
            break
        out[n] = 32
        n += 1
        i += 1
    return n


@kernel
def read_fields(head, names, out, present):
    """Read a block of whole fields; `names` holds the kept names, each row a length and lower-case bytes.

    `present` says of each name whether it is there: 0, PLAIN, or ODD when a value has bytes beyond ASCII or
    an encoded word, or when the name is spelled in two ways, which a parser keeps apart. `out` gets the text of
    each name that is there (none for an odd one) in the order of `names`, each followed by SEPARATOR; then
    these names in the order of the mail; and behind that the lines of the odd fields and of all Content-*
    fields. Returns the length of the texts and of all. `out` needs twice the room of `head`, and 32 bytes a name.
    """
    rows = names.shape[0]
    end = head.shape[0]
    fields = np.empty((end // _SHORTEST_FIELD + 1, 5), np.int64)
    first = np.empty(rows, np.int64)
    last = np.empty(rows, np.int64)
    order = np.empty(rows, np.int64)
    n_fields = 0
    n_names = 0
    for row in range(rows):
        present[row] = 0
    i = 0
    while i < end:
        start = i
        while i < end and head[i] != 58:
            i += 1
        length = i - start
        row = _row(head, start, length, names)
        left = length > 8 and _begins(head, start, _CONTENT, 8)
        value = i + 1
        i = _line_end(head, value, end)
        while i + 1 < end and (head[i + 1] == 32 or head[i + 1] == 9):
            i = _line_end(head, i + 1, end)
        if row >= 0:
            if present[row] == 0:
                present[row] = PLAIN
                first[row] = n_fields
                order[n_names] = row
                n_names += 1
            else:
                if not _same(head, start, fields[first[row], _START], length):
                    present[row] = ODD
                fields[last[row], _NEXT] = n_fields
            last[row] = n_fields
            if _is_odd(head[value:i]):
                present[row] = ODD
        if row >= 0 or left:
            fields[n_fields, _START] = start
            fields[n_fields, _VALUE] = value
            fields[n_fields, _END] = i
            fields[n_fields, _NEXT] = -1
            fields[n_fields, _LEFT] = -1 if left else row
            n_fields += 1
        i += 1
    n = 0
    for row in range(rows):
        if present[row] == PLAIN:
            at = first[row]
            while True:
                n = _unfold(head, fields[at, _VALUE], fields[at, _END], out, n)
                at = fields[at, _NEXT]
                if at < 0:
                    break
                out[n] = 10
                n += 1
        if present[row] != 0:
            out[n] = SEPARATOR
            n += 1
    for at in range(n_names):
        if at > 0:
            out[n] = 32
            n += 1
        name = names[order[at]]
        for k in range(name[0]):
            out[n] = 95 if name[1 + k] == 45 else name[1 + k]
            n += 1
    texts = n
    for at in range(n_fields):
        row = fields[at, _LEFT]
        if row < 0 or present[row] == ODD:
            n = _copy(head[fields[at, _START] : min(fields[at, _END] + 1, end)], out, n)
    return texts, n
