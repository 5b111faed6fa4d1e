"""The arrays that Python and the kernels share of style sheets."""

from __future__ import annotations

STYLE_PROPERTIES = 20
"""Properties of CSS that decide what can be seen (`kernels.css_properties`)."""

STYLE_ENTRIES = (2048, 3)
"""Shape of the hash table of the names in style sheets (`kernels.css_rules`): key, bit, first rule; at first all 0."""

STYLE_RULES = (1024, 3 + 2 * STYLE_PROPERTIES)
"""Shape of their rules: next rule, names wanted of an element and of those around it, values, ranks."""

STYLE_COUNTS = 4
"""How many names, bits and rules there are, and declarations read; at first all 0."""
