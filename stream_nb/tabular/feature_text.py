"""Feature values formatted for people."""

from __future__ import annotations

import math
from typing import Any

import numpy as np


def value_text(value: Any) -> str:
    """Format a feature's value: booleans as in JSON, floats with 6 significant digits, or from 100,000 to below 10^15
    with up to 2 decimals.

    >>> value_text(True), value_text(12041.0), value_text("html"), value_text(1000002.27), value_text(1e300)
    ('true', '12,041', 'html', '1,000,002.27', '1e+300')
    """
    if isinstance(value, bool | np.bool_):
        return "true" if value else "false"
    if not isinstance(value, float):
        return str(value)
    return f"{value:,.2f}".rstrip("0").rstrip(".") if 1e5 <= abs(value) < 1e15 else f"{value:,.6g}"


def normal_text(mean: float, std: float) -> str:
    """Format a mean and a standard deviation, with enough digits to distinguish means that differ by a small fraction
    of the deviation.

    >>> normal_text(1000002.14, 1.157), normal_text(13500.0, 6012.0), normal_text(-0.0352, 1e-9)
    ('1,000,002.1 ± 1.157', '13,500 ± 6,012', '-0.0352 ± 1e-09')
    """
    digits = 4
    if mean and std:
        digits = min(max(digits, 2 + math.ceil(math.log10(abs(mean)) - math.log10(std))), 12)
    return f"{_rounded(mean, digits)} ± {_rounded(std, 4)}"


def _rounded(value: float, digits: int) -> str:
    """Format a number with `digits` significant digits, and with all digits before the decimal point."""
    if not 1e-4 <= abs(value) < 1e15:
        return f"{value:.{digits}g}"
    text = f"{value:,.{max(digits - 1 - math.floor(math.log10(abs(value))), 0)}f}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def feature_text(name: object, value: Any) -> str:
    """Format a feature's name and value.

    >>> feature_text("size", 12041.0)
    'size 12,041'
    """
    return f"{name} {value_text(value)}"
