"""The fields at the start of a mail -> texts, and the lines left to a MIME parser (see `stream_nb.mail.headers`).

A field is a name of printable ASCII, a colon and a value; lines that begin with a space or tab belong to the line
before. Two passes: the first lists the fields, the second writes them. The work is linear in their length,
for a given list of names.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.jit import inlined, kernel

SEPARATOR = 0xFF  # in no text: one with bytes beyond ASCII is odd
PLAIN, ODD = 1, 2
_CONTENT = np.frombuffer(b"content-", dtype=np.uint8)
_SHORTEST_FIELD = len(b"a:\n")
_START, _VALUE, _END, _NEXT, _LEFT = range(5)


@inlined
def _lower(byte):
    return byte + 32 if 65 <= byte <= 90 else byte


@kernel
def _begins(mail, start, name, length):
    for k in range(length):
        if _lower(mail[start + k]) != name[k]:
            return False
    return True


@inlined
def _row(mail, start, length, names):
    """Which of `names` the field at `start` has, or -1."""
    found = -1
    for row in range(names.shape[0]):
        if names[row, 0] == length and _begins(mail, start, names[row, 1:], length):
            found = row
            break
    return found


@kernel
def _same(mail, one, other, length):
    for k in range(length):
        if mail[one + k] != mail[other + k]:
            return False
    return True


@inlined
def _line_end(mail, i, end):
    while i < end and mail[i] != 10:
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
def _unfold(mail, i, end, out, n):
    """Append a value on one line, each of its lines without the white space it starts with; the new length."""
    while end > i and mail[end - 1] == 13:
        end -= 1
    while True:
        while i < end and (mail[i] == 32 or (9 <= mail[i] <= 13 and mail[i] != 10)):
            i += 1
        line = i
        i = _line_end(mail, line, end)
        last = i - 1 if line < i < end and mail[i - 1] == 13 else i
        n = _copy(mail[line:last], out, n)
        if i >= end:
            break
        out[n] = 32
        n += 1
        i += 1
    return n


@inlined
def _colon(mail, i, end):
    """Index of the colon after the field name at `i`, or -1: no name is there, or it is a URL's scheme."""
    start = i
    while i < end and 33 <= mail[i] <= 126 and mail[i] != 58:
        i += 1
    if i == start or i == end or mail[i] != 58 or (i + 2 < end and mail[i + 1] == 47 and mail[i + 2] == 47):
        i = -1
    return i


@kernel
def _list_fields(mail, names, present, first, order):
    """List the kept and the Content-* fields (see the columns above), with the first of each kept name.

    `order` gets the names as they come. Returns the list, its length, how many names there are, and where
    the fields end.
    """
    fields = np.empty((mail.shape[0] // _SHORTEST_FIELD + 1, 5), np.int64)
    last = np.empty(names.shape[0], np.int64)
    end = mail.shape[0]
    n = 0
    n_names = 0
    for row in range(names.shape[0]):
        present[row] = 0
    i = 0
    while i < end:
        start = i
        colon = _colon(mail, i, end)
        if colon < 0:
            break
        length = colon - start
        row = _row(mail, start, length, names)
        left = length > 8 and _begins(mail, start, _CONTENT, 8)
        i = _line_end(mail, colon + 1, end)
        while i + 1 < end and (mail[i + 1] == 32 or mail[i + 1] == 9):
            i = _line_end(mail, i + 1, end)
        if row >= 0 or left:
            fields[n, _START] = start
            fields[n, _VALUE] = colon + 1
            fields[n, _END] = i
            fields[n, _NEXT] = -1
            fields[n, _LEFT] = -1 if left else row
            n += 1
        if row >= 0:
            if present[row] == 0:
                present[row] = PLAIN
                first[row] = n - 1
                order[n_names] = row
                n_names += 1
            else:
                if not _same(mail, start, fields[first[row], _START], length):
                    present[row] = ODD
                fields[last[row], _NEXT] = n - 1
            last[row] = n - 1
            if _is_odd(mail[colon + 1 : i]):
                present[row] = ODD
        i += 1
    return fields, n, n_names, min(i, end)


@kernel
def read_fields(mail, most, names, out):
    """Read the fields in the first `most` bytes of a mail; a row of `names` is a length and a kept name in lower case.

    `out` gets, in this order: a byte for each name that says whether it is there (0, PLAIN, or ODD when a
    value has bytes beyond ASCII or an encoded word, or when the name is spelled in two ways, which a parser
    keeps apart), and a PLAIN more for the last text; the text of each name that is there (none for an odd one) in
    the order of `names`, each followed by SEPARATOR; these names in the order of the mail; the lines of the odd
    fields and of all Content-* fields. Returns where the fields end, where in `out` the texts end, and where all
    ends. `out` needs twice the room of what is read, and 32 bytes a name and one.
    """
    mail = mail[:most]
    first = np.empty(names.shape[0], np.int64)
    order = np.empty(names.shape[0], np.int64)
    present = out[: names.shape[0]]
    fields, n_fields, n_names, end = _list_fields(mail, names, present, first, order)
    n = names.shape[0]
    out[n] = PLAIN
    n += 1
    for row in range(names.shape[0]):
        if present[row] == PLAIN:
            at = first[row]
            while True:
                n = _unfold(mail, fields[at, _VALUE], fields[at, _END], out, n)
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
        for k in range(1, name[0] + 1):
            out[n] = 95 if name[k] == 45 else name[k]
            n += 1
    end_of_texts = n
    for at in range(n_fields):
        row = fields[at, _LEFT]
        if row < 0 or present[row] == ODD:
            n = _copy(mail[fields[at, _START] : min(fields[at, _END] + 1, end)], out, n)
    return end, end_of_texts, n
