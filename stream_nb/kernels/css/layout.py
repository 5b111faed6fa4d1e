"""The arrays for style sheets that Python and the kernels share."""

from __future__ import annotations

STYLE_PROPERTIES = 42
"""The number of CSS properties that decide what is visible (`css.properties`)."""

STYLE_ENTRIES = (2048, 8)
"""Shape of the hash table of names in style sheets (`css.names`); initially all 0."""

STYLE_RULES = (1024, 6 + 2 * STYLE_PROPERTIES)
"""Shape of the rules (`css.rules`): six columns that say which elements they select, values, ranks."""

STYLE_COUNTS = 5
"""The number of names, their bits, the bits of rules, rules, and declaration blocks read so far; initially all 0."""
