"""What Python and the kernels share about character n-grams."""

GRAM = 1 << 24
"""Added to the part of a character n-gram in `token_spans`."""

MOST_GRAMS = 400
"""Distinct character n-grams of a message that count. With 2,000, which cost more, SpamAssassin is ranked worse."""

GRAM_MARK = ord("~")
"""What the text of a character n-gram begins with; no word but itself does."""

LONGEST_GRAM = 13
"""Bytes of the text of a character n-gram, at most, but for what all of its part begin with."""
