"""Line charts and histograms as SVG text, in a few lines; everything is escaped and nothing is loaded."""

from __future__ import annotations

import math
from collections.abc import Sequence
from html import escape

_COLOURS = ("#1f5fae", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#be123c")
_WIDTH, _HEIGHT = 640, 320
_LEFT, _RIGHT, _TOP, _BOTTOM = 64, 30, 14, 46

Point = tuple[float, float]


def line_chart(
    series: dict[str, Sequence[Point]],
    x_label: str,
    y_label: str,
    log_x: bool = False,
    bars: Sequence[tuple[float, float, float]] = (),
) -> str:
    """Return a chart of named lines over optional bars (from, to, height); points that are not finite are left out.

    `log_x` spreads x by powers of ten; it leaves out x of 0 and below.

    >>> line_chart({"a": [(1, 0.5), (10, 0.75)]}, "mails", "accuracy", log_x=True).count("<polyline")
    1
    """
    lines = {
        name: [(x, y) for x, y in points if math.isfinite(x) and math.isfinite(y) and (x > 0 or not log_x)]
        for name, points in series.items()
    }
    xs = [x for points in lines.values() for x, _ in points] + [x for bar in bars for x in bar[:2]] or [1.0, 10.0]
    ys = [y for points in lines.values() for _, y in points] + [bar[2] for bar in bars] + ([0.0] if bars else [])
    ys = ys or [0.0, 1.0]
    x_ticks = _powers(min(xs), max(xs)) if log_x else _ticks(min(xs), max(xs))
    y_ticks = _ticks(min(ys), max(ys))
    x_low, x_high = min(*xs, x_ticks[0]), max(*xs, x_ticks[-1])
    y_low, y_high = min(*ys, y_ticks[0]), max(*ys, y_ticks[-1])

    def across(x: float) -> float:
        scale = math.log if log_x else float
        return _LEFT + (_WIDTH - _LEFT - _RIGHT) * (scale(x) - scale(x_low)) / (scale(x_high) - scale(x_low))

    def up(y: float) -> float:
        return _HEIGHT - _BOTTOM - (_HEIGHT - _TOP - _BOTTOM) * (y - y_low) / (y_high - y_low)

    out = [
        f'<svg viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" aria-label="{escape(y_label)} against {escape(x_label)}">'
    ]
    for tick in y_ticks:
        out.append(f'<path class="grid" d="M{_LEFT} {up(tick):.1f}H{_WIDTH - _RIGHT}"/>')
        out.append(f'<text x="{_LEFT - 8}" y="{up(tick) + 4:.1f}" text-anchor="end">{tick:g}</text>')
    for tick in x_ticks:
        out.append(f'<path class="grid" d="M{across(tick):.1f} {_TOP}V{_HEIGHT - _BOTTOM}"/>')
        out.append(f'<text x="{across(tick):.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{tick:g}</text>')
    for start, end, height in bars:
        wide, tall = across(end) - across(start), up(0.0) - up(height)
        out.append(
            f'<rect class="bar" x="{across(start):.1f}" y="{up(height):.1f}" width="{wide:.1f}" height="{tall:.1f}"/>'
        )
    for colour, points in zip(_COLOURS * len(lines), lines.values(), strict=False):
        path = " ".join(f"{across(x):.1f},{up(y):.1f}" for x, y in points)
        out.append(f'<polyline fill="none" stroke="{colour}" stroke-width="2" points="{path}"/>')
    middle = (_LEFT + _WIDTH - _RIGHT) / 2
    out.append(f'<text x="{middle:.0f}" y="{_HEIGHT - 8}" text-anchor="middle">{escape(x_label)}</text>')
    turned = f'transform="rotate(-90 14 {_HEIGHT / 2:.0f})"'
    out.append(f'<text x="14" y="{_HEIGHT / 2:.0f}" text-anchor="middle" {turned}>{escape(y_label)}</text></svg>')
    return '<figure class="chart">' + "\n".join(out) + _legend(lines) + "</figure>"


def _legend(lines: dict[str, list[Point]]) -> str:
    keys = (
        f'<span><i style="background:{colour}"></i>{escape(name)}</span>'
        for colour, name in zip(_COLOURS * len(lines), lines, strict=False)
    )
    return f'<figcaption class="legend">{"".join(keys)}</figcaption>'


def histogram(values: Sequence[float], bins: int = 30) -> list[tuple[float, float, float]]:
    """Return (from, to, density) of `bins` equal steps over the values; the areas add up to 1.

    >>> histogram([0.0, 1.0, 1.0, 2.0], bins=2)
    [(0.0, 1.0, 0.25), (1.0, 2.0, 0.75)]
    """
    low, high = min(values), max(values)
    step = (high - low) / bins or 1.0
    counts = [0] * bins
    for value in values:
        counts[min(bins - 1, int((value - low) / step))] += 1
    return [(low + i * step, low + (i + 1) * step, n / len(values) / step) for i, n in enumerate(counts)]


def _ticks(low: float, high: float, about: int = 5) -> list[float]:
    if high <= low:
        low, high = low - 0.5, high + 0.5
    raw = (high - low) / about
    power = 10.0 ** math.floor(math.log10(raw))
    step = next(power * m for m in (1, 2, 2.5, 5, 10) if power * m >= raw)
    first = math.floor(low / step)
    return [round(i * step, 12) for i in range(first, math.ceil(high / step) + 1)]


def _powers(low: float, high: float) -> list[float]:
    first = math.floor(math.log10(low))
    return [10.0**i for i in range(first, max(first + 1, math.ceil(math.log10(high))) + 1)]
