"""What Python and the kernels share about character n-grams."""

GRAM = 1 << 24
"""Added to the part number in `token_spans` of a character n-gram."""

SHORT_MAIL, LONG_MAIL = 60, 200
"""A message of up to SHORT_MAIL words and pairs counts its n-grams in full; from LONG_MAIL on it has none."""

MOST_GRAMS = 150
"""Maximum number of distinct n-grams per message. With 400, messages of 400 characters gain only two thirds as much."""

GRAM_MARK = ord("~")
"""The first byte of an n-gram's text; no text of a word begins with it, except "~" itself."""

LONGEST_GRAM = 13
"""The longest text of an n-gram in bytes, without the prefix of its part."""
