"""What Python and the kernels share about character n-grams."""

GRAM = 1 << 24
"""Added to the part of a character n-gram in `token_spans`."""

SHORT_MAIL, LONG_MAIL = 60, 200
"""Words and pairs of a message up to which its n-grams count in full, and from which on it has none."""

MOST_GRAMS = 150
"""Distinct character n-grams of a message that count. With 400, messages of 400 characters gain two thirds as much."""

GRAM_MARK = ord("~")
"""What the text of a character n-gram begins with; no word but itself does."""

LONGEST_GRAM = 13
"""Bytes of the text of a character n-gram, at most, but for what all of its part begin with."""
