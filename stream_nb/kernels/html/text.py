"""What begins at a byte of an HTML document, and text between markup (compiled)."""

# pyright: basic

from stream_nb.kernels.html.characters import POP_DIRECTION, RIGHT_TO_LEFT, character, reverse, write_character
from stream_nb.kernels.jit import borrowing

TEXT, START, END, COMMENT, OTHER = range(5)
"""What begins at a byte: text, a start tag, an end tag, a comment, or other markup, which has no text."""


@borrowing
def kind_at(data, i, end):
    """Return what begins at `i`."""
    following = int(data[i + 1]) if data[i] == 60 and i + 1 < end else 0
    if following == 33:
        return COMMENT if i + 3 < end and data[i + 2] == 45 and data[i + 3] == 45 else OTHER
    if following == 63:
        return OTHER
    if following != 47:
        return START if 97 <= (following | 32) <= 122 else TEXT
    letter = int(data[i + 2]) if i + 2 < end else 0
    return END if 97 <= (letter | 32) <= 122 else OTHER


@borrowing
def count_characters(out, first, end):
    """Return how many characters of UTF-8 take room in a line; of blanks beside each other, at most one does."""
    count, after_blank = 0, True
    for k in range(first, end):
        blank = out[k] <= 32
        count += int(out[k] & 0xC0 != 0x80 and not (blank and after_blank))
        after_blank = blank
    return count


@borrowing
def write_text(data, i, end, only_blank, out, n, last):
    """Append text up to the next markup or the length `last`, or only white space; return the index after it, and the
    new length. A character is not divided.

    What a character reference reverses is written in the order in which it is shown."""
    first = -1
    while i < end and (n < last or data[i] & 0xC0 == 0x80) and not (only_blank and data[i] > 32):
        byte = data[i]
        if byte == 60 and kind_at(data, i, end) != TEXT:
            break
        point = -1
        if byte == 38:
            point, i = character(data, i, end, False)
        else:
            i += 1
        if point == RIGHT_TO_LEFT or point == POP_DIRECTION:
            reverse(out, first, n)
            first = n if point == RIGHT_TO_LEFT else -1
        elif point >= 0:
            n = write_character(out, n, point)
        else:
            out[n] = byte
            n += 1
    reverse(out, first, n)
    return i, n
