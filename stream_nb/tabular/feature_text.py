"""Named values as people read them."""

from __future__ import annotations

from typing import Any

import numpy as np


def value_text(value: Any) -> str:
    """A value of a feature: booleans as JSON has them, numbers of any size short.

    >>> value_text(True), value_text(12041.0), value_text("html")
    ('true', '12,041', 'html')
    """
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    return f"{value:,.6g}" if isinstance(value, float) else str(value)


def feature_text(name: object, value: Any) -> str:
    """A feature with its value.

    >>> feature_text("size", 12041.0)
    'size 12,041'
    """
    return f"{name} {value_text(value)}"
