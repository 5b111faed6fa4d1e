"""Where CSS values, blocks and strings end (compiled). Source: W3C, CSS Syntax Module Level 3, 5 Parsing."""

# pyright: basic

from stream_nb.kernels.css.syntax import is_blank, key, read_name, skip_blank
from stream_nb.kernels.jit import borrowing

_URL = key("url")
_MOST_OPEN = 30


@borrowing
def skip_string(css, i, end):
    """Return the index after the string that begins at `i`; a line break ends it, too."""
    quote = css[i]
    i += 1
    while i < end and css[i] != quote and css[i] != 10:
        i += 2 if css[i] == 92 else 1
    return min(i + 1, end)


@borrowing
def skip_token(css, i, end):
    """Return the index after the string, comment, escaped character, ``url(...)``, name or other byte at `i`."""
    byte = int(css[i])
    if byte == 92:
        return min(i + 2, end)
    if byte == 34 or byte == 39:
        return skip_string(css, i, end)
    if byte == 47 and i + 1 < end and css[i + 1] == 42:
        return skip_blank(css, i, end)
    name, after = read_name(css, i, end)
    if name == _URL and after < end and css[after] == 40:
        first = after + 1
        while first < end and is_blank(css[first]):
            first += 1
        if first < end and css[first] != 34 and css[first] != 39:
            while first < end and css[first] != 41:
                first += 2 if css[first] == 92 else 1
            return min(first + 1, end)
    return max(after, i + 1)


@borrowing
def end_of_value(css, i, end, in_rule, may_be_rule):
    """Return (index of the semicolon or, in a rule, of the brace that ends a value, index of its first ``!``).

    If it may be a nested rule, it also ends after a block in braces.
    """
    opened, depth, mark = 0, 0, end  # two bits for each open bracket, the innermost in the lowest
    while i < end:
        byte = int(css[i])
        closes = 1 if byte == 41 else 2 if byte == 93 else 3 if byte == 125 else 0
        if closes > 0 and depth > 0:
            if depth > _MOST_OPEN or opened & 3 == closes:
                opened = opened >> 2 if depth <= _MOST_OPEN else opened
                depth -= 1
                if may_be_rule and depth == 0 and closes == 3:
                    return i + 1, i + 1
        elif closes == 3 and in_rule:
            return i, min(mark, i)
        elif byte == 59 and depth == 0:
            return i, min(mark, i)
        elif byte == 33 and depth == 0:
            mark = min(mark, i)
        opens = 1 if byte == 40 else 2 if byte == 91 else 3 if byte == 123 else 0
        if opens > 0:
            depth += 1
            if depth <= _MOST_OPEN:
                opened = opened << 2 | opens
        i = skip_token(css, i, end)
    return end, min(mark, end)


@borrowing
def skip_prelude(css, i, end, is_statement):
    """Return the index of the brace that begins the block of a rule, or of the semicolon of a statement; or `end`."""
    while i < end and css[i] != 123 and not (is_statement and css[i] == 59):
        i = skip_token(css, i, end)
    return i


@borrowing
def skip_block(css, i, end):
    """Return the index after the block whose bracket is at `i`, if there is one before `end`."""
    opens = int(css[i]) if i < end else 0
    closes = opens + 1 if opens == 40 else opens + 2
    depth = 0
    while i < end:
        byte = int(css[i])
        i = skip_token(css, i, end)
        depth += int(byte == opens) - int(byte == closes)
        if depth == 0:
            return i
    return end
