"""The arrays for style sheets that Python and the kernels share."""

from __future__ import annotations

STYLE_PROPERTIES = 22
"""The number of CSS properties that decide what is visible (`kernels.css_properties`)."""

STYLE_ENTRIES = (2048, 3)
"""Shape of the hash table of names in style sheets (`kernels.css_rules`): key, bit, first rule; initially all 0."""

STYLE_RULES = (1024, 3 + 2 * STYLE_PROPERTIES)
"""Shape of the rules: next rule, names required of the element and of its ancestors, values, ranks."""

STYLE_COUNTS = 4
"""The number of names, bits, rules, and declaration blocks read so far; initially all 0."""
