"""The fields at the start of a mail -> texts, and the lines left to a MIME parser (see `stream_nb.mail.headers`).

A field is a name of printable ASCII, a colon and a value; a line that begins with a space or tab continues the line
before. Spaces and tabs before the colon are obsolete (RFC 5322, 4.5), but servers and mail programs accept them; here
only if nothing but fields follows up to a blank line, because a text that follows the header at once may have a line
like ``fyi : ...``. The first pass lists the fields, the second writes them. For a given list of names, the time is
linear in their length.
"""

# pyright: basic

import numpy as np

from stream_nb.kernels.cpu import trailing_zeros
from stream_nb.kernels.jit import borrowing, inlined, kernel
from stream_nb.kernels.swar import FIRST, REST, TOP, each, eight_until, find, lower, same_bytes

SEPARATOR = 0xFF  # occurs in no text, because a field with non-ASCII bytes is odd
PLAIN, ODD = 1, 2
LONGEST_NAME = 31
_EIGHT, _BYTE = np.uint64(8), np.uint64(0xFF)
_CONTENT = np.frombuffer(b"content-", "<u8")[0].astype(np.uint64)
_COLONS, _FROM_MARK, _FROM_DELETE = each(ord(":")), each(0x80 - 33), each(0x80 - 127)
_SHORTEST_FIELD = len(b"a:\n")
_START, _NAME_END, _VALUE, _END, _NEXT, _LEFT = range(6)


@inlined
def _row(mail, start, length, end, eight, names):
    """Return the row of `names` with the name of the field at `start`, or -1; `eight` are its first bytes in lower
    case."""
    head = eight << _EIGHT | np.uint64(length)
    found = -1
    for row in range(names.shape[0] if length <= LONGEST_NAME else 0):
        if names[row, 0] == head:
            same = True
            for k in range(1, (length >> 3) + 1):
                at = 8 * k - 1
                same &= names[row, k] == lower(eight_until(mail, start + at, end)) & FIRST[min(length - at, 8)]
            if same:
                found = row
                break
    return found


@kernel
def _is_odd(value):
    """Return whether a value has non-ASCII bytes, or may have an encoded word."""
    high, marks = np.uint8(0), False
    for i in range(len(value)):
        high |= value[i]
    after = value[1:]
    for i in range(len(after)):
        marks |= (after[i] == 63) & (value[i] == 61)
    return marks or high >= 128


@inlined
def _copy(source, out, n):
    room = out[n:]
    for k in range(len(source)):
        room[k] = source[k]
    return n + len(source)


@inlined
def _unfold(mail, i, end, out, n):
    """Append a value as one line, without the white space that its lines start with; return the new length."""
    while end > i and mail[end - 1] == 13:
        end -= 1
    while True:
        while i < end and (mail[i] == 32 or (9 <= mail[i] <= 13 and mail[i] != 10)):
            i += 1
        line = i
        i = find(mail, line, end, 10)
        last = i - 1 if line < i < end and mail[i - 1] == 13 else i
        n = _copy(mail[line:last], out, n)
        if i >= end:
            break
        out[n] = 32
        n += 1
        i += 1
    return n


@inlined
def _colon(mail, i, end, obsolete):
    """Return the index of the colon after the field name at `i`, or -1 if there is no name, or it is a URL's scheme.
    Spaces and tabs may stand before the colon if `obsolete`."""
    start = i
    while i < end:
        eight = eight_until(mail, i, end)
        low = eight & REST
        name = (low + _FROM_MARK) & ~(low + _FROM_DELETE) & ((low ^ _COLONS) + REST) & ~eight
        others = ~name & TOP
        i += trailing_zeros(others) >> 3
        if others != 0:
            break
    named = i > start
    while obsolete and i < end and (mail[i] == 32 or mail[i] == 9):
        i += 1
    if not named or i == end or mail[i] != 58 or (i + 2 < end and mail[i + 1] == 47 and mail[i + 2] == 47):
        i = -1
    return i


@borrowing
def _end_of_field(mail, i, end):
    """Return the index of the line break after the value at `i` and the lines that continue it, or `end`."""
    i = find(mail, i, end, 10)
    while i + 1 < end and (mail[i + 1] == 32 or mail[i + 1] == 9):
        i = find(mail, i + 1, end, 10)
    return i


@borrowing
def _leads_to_blank_line(mail, i, end):
    """Return whether all lines from `i` on are fields, also obsolete ones, up to a blank line, or to an `end` before
    that of the mail."""
    while i < end and mail[i] != 10 and not (mail[i] == 13 and i + 1 < end and mail[i + 1] == 10):
        colon = _colon(mail, i, end, True)
        if colon < 0:
            return False
        i = _end_of_field(mail, colon + 1, end) + 1
    return i < end or end < len(mail)


@kernel
def _list_fields(mail, end, names, present, first, order):
    """List the kept fields and the Content-* fields before `end`; fill `first` with the first field of each kept name.

    `order` gets the kept names in order of appearance. Returns the list (see the columns above), its length, the number
    of kept names found, and where the fields end.
    """
    fields = np.empty((end // _SHORTEST_FIELD + 1, 6), np.int64)
    last = np.empty(names.shape[0], np.int64)
    n = 0
    n_names = 0
    for row in range(names.shape[0]):
        present[row] = 0
    i = 0
    obsolete = False
    while i < end:
        start = i
        colon = _colon(mail, i, end, obsolete)
        if colon < 0 and not obsolete and _leads_to_blank_line(mail, i, end):
            obsolete = True
            colon = _colon(mail, i, end, True)
        if colon < 0:
            break
        name_end = colon
        while mail[name_end - 1] <= 32:
            name_end -= 1
        length = name_end - start
        eight = lower(eight_until(mail, start, end)) & FIRST[min(length, 8)]
        row = _row(mail, start, length, end, eight, names)
        left = length > 8 and eight == _CONTENT
        i = _end_of_field(mail, colon + 1, end)
        if row >= 0 or left:
            fields[n, _START] = start
            fields[n, _NAME_END] = name_end
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
                if not same_bytes(mail, start, fields[first[row], _START], length):
                    present[row] = ODD
                fields[last[row], _NEXT] = n - 1
            last[row] = n - 1
            if _is_odd(mail[colon + 1 : i]):
                present[row] = ODD
        i += 1
    return fields, n, n_names, min(i, end)


@kernel
def read_fields(mail, most, names, listed, out):
    """Read the fields in the first `most` bytes of a mail.

    A row of `names` (uint64[4]) is the length of a kept name in the lowest byte, then the bytes of the name in lower
    case, lowest first. ``header-names`` lists only the names of the first `listed` rows.

    `out` gets, in this order:
    - a byte for each name: 0 if it does not occur; ODD if a value has non-ASCII bytes or an encoded word, or if the
      name occurs in two spellings, which a parser keeps apart; else PLAIN. Then PLAIN once more, for ``header-names``;
    - the text of each name that occurs (empty if odd), in the order of `names`, each followed by SEPARATOR;
    - the text of ``header-names``, in the order of the mail;
    - the lines of the odd fields and of all Content-* fields.

    `out` must have twice the bytes that are read, and 32 for each name and for ``header-names``. Returns where the
    fields end in `mail`, where the texts end in `out`, how many bytes `out` has, and whether a name is odd.
    """
    first = np.empty(names.shape[0], np.int64)
    order = np.empty(names.shape[0], np.int64)
    present = out[: names.shape[0]]
    fields, n_fields, n_names, end = _list_fields(mail, min(len(mail), most), names, present, first, order)
    n = names.shape[0]
    out[n] = PLAIN
    n += 1
    odd = False
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
            odd |= present[row] == ODD
            out[n] = SEPARATOR
            n += 1
    start_of_names = n
    for at in range(n_names):
        row = order[at]
        if row < listed:
            if n > start_of_names:
                out[n] = 32
                n += 1
            for k in range(1, int(names[row, 0] & _BYTE) + 1):
                byte = names[row, k >> 3] >> np.uint64(8 * (k & 7)) & _BYTE
                out[n] = 95 if byte == 45 else byte
                n += 1
    end_of_texts = n
    for at in range(n_fields):
        row = fields[at, _LEFT]
        if row < 0 or present[row] == ODD:
            n = _copy(mail[fields[at, _START] : fields[at, _NAME_END]], out, n)
            n = _copy(mail[fields[at, _VALUE] - 1 : min(fields[at, _END] + 1, end)], out, n)
    return end, end_of_texts, n, odd
