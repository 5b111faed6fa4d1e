"""Charts as SVG text: lines, dots, bars and annotations. All text is escaped, and the SVG loads nothing."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from html import escape
from itertools import pairwise
from typing import NamedTuple

from .axes import Axis

_COLOURS = ("#1f5fae", "#c2410c", "#15803d", "#7e22ce", "#a16207", "#be123c", "#0f766e")
_WIDTH, _HEIGHT = 640, 340
_LEFT, _RIGHT, _TOP, _BOTTOM = 74, 34, 14, 50

Point = tuple[float, float]
Bar = tuple[float, float, float]


class Line(NamedTuple):
    """Points joined by a line (`dashed` or not), or separate with `dots`; a nan point interrupts the line."""

    points: Sequence[Point]
    dashed: bool = False
    dots: bool = False


class Annotation(NamedTuple):
    """A circle around a point with a text beside it, in the colour of the line `name`; `row` 1, 2, ... moves the text
    down."""

    x: float
    y: float
    text: str
    name: str = ""
    row: int = 0


def line_chart(
    series: Mapping[str, Line | Sequence[Point]],
    x_label: str,
    y_label: str,
    log_x: bool = False,
    log_y: bool = False,
    bars: Mapping[str, Sequence[Bar]] | None = None,
    annotations: Sequence[Annotation] = (),
) -> str:
    """A chart of named lines over named bars (from, to, height), as HTML; points that are not finite are left out.

    Lines and `bars` with the same name have the same colour. The axes have the labels `x_label` and `y_label`, each a
    quantity with its unit. One that is logarithmic (`log_x`, `log_y`) shows 0 left of or below all other values, and
    leaves out negative ones.

    >>> line_chart({"a": [(1, 0.5), (10, 0.75)]}, "mails", "accuracy (share)", log_x=True).count("<polyline")
    1
    """
    lines = {name: line if isinstance(line, Line) else Line(line) for name, line in series.items()}
    bars = {} if bars is None else bars
    points = [point for line in lines.values() for point in line.points if all(map(math.isfinite, point))]
    boxes = [box for of_name in bars.values() for box in of_name]
    heights = [y for _, y in points] + [box[2] for box in boxes] + ([0.0] if boxes else [])
    up = Axis(heights, log_y, _HEIGHT - _BOTTOM, _TOP)
    left = max(_LEFT, 26 + 8 * max(len(text) for _, text in up.ticks))  # room for the label and for the values
    across = Axis([x for x, _ in points] + [x for box in boxes for x in box[:2]], log_x, left, _WIDTH - _RIGHT)
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_WIDTH} {_HEIGHT}" role="img" '
        f'aria-label="{escape(y_label)} against {escape(x_label)}">',
        *_grid(across, up, left),
    ]
    colours = dict(zip(dict.fromkeys([*lines, *bars]), _COLOURS * (len(lines) + len(bars)), strict=False))
    for name, of_name in bars.items():
        out += [_bar(across, up, box, colours[name]) for box in of_name]
    for name, line in lines.items():
        out += _dots(across, up, line, colours[name]) if line.dots else _path(across, up, line, colours[name])
    out += [_annotation(across, up, note, colours.get(note.name, "")) for note in annotations]
    middle, half = (left + _WIDTH - _RIGHT) / 2, (_TOP + _HEIGHT - _BOTTOM) / 2
    out.append(f'<text x="{middle:.0f}" y="{_HEIGHT - 10}" text-anchor="middle">{escape(x_label)}</text>')
    turned = f'transform="rotate(-90 16 {half:.0f})"'
    out.append(f'<text x="16" y="{half:.0f}" text-anchor="middle" {turned}>{escape(y_label)}</text></svg>')
    return '<figure class="chart">' + "\n".join(out) + _legend(colours) + "</figure>"


def _grid(across: Axis, up: Axis, left: int) -> list[str]:
    out: list[str] = []
    for value, text in up.ticks:
        y = up.position(value)
        out.append(f'<path class="grid" d="M{left} {y:.1f}H{_WIDTH - _RIGHT}"/>')
        out.append(f'<text x="{left - 8}" y="{y + 4:.1f}" text-anchor="end">{text}</text>')
    for value, text in across.ticks:
        x = across.position(value)
        out.append(f'<path class="grid" d="M{x:.1f} {_TOP}V{_HEIGHT - _BOTTOM}"/>')
        out.append(f'<text x="{x:.1f}" y="{_HEIGHT - _BOTTOM + 18}" text-anchor="middle">{text}</text>')
    return out


def _bar(across: Axis, up: Axis, box: Bar, colour: str) -> str:
    left, right, top, bottom = across.position(box[0]), across.position(box[1]), up.position(box[2]), up.position(0.0)
    rectangle = f'x="{left:.1f}" y="{top:.1f}" width="{right - left:.1f}" height="{bottom - top:.1f}"'
    return f'<rect class="bar" {rectangle} fill="{colour}"/>'


def _path(across: Axis, up: Axis, line: Line, colour: str) -> list[str]:
    runs: list[list[str]] = [[]]
    for x, y in line.points:
        if across.shows(x) and up.shows(y):
            runs[-1].append(f"{across.position(x):.1f},{up.position(y):.1f}")
        elif runs[-1]:
            runs.append([])
    dash = ' stroke-dasharray="5 4"' if line.dashed else ""
    style = f'fill="none" stroke="{colour}" stroke-width="2"{dash}'
    return [f'<polyline {style} points="{" ".join(run)}"/>' for run in runs if run]


def _dots(across: Axis, up: Axis, line: Line, colour: str) -> list[str]:
    shown = [(x, y) for x, y in line.points if across.shows(x) and up.shows(y)]
    style = f'r="2.5" fill="{colour}" fill-opacity="0.45"'
    return [f'<circle cx="{across.position(x):.1f}" cy="{up.position(y):.1f}" {style}/>' for x, y in shown]


def _annotation(across: Axis, up: Axis, note: Annotation, colour: str) -> str:
    x, y = across.position(note.x), up.position(note.y)
    right = x < _WIDTH - _RIGHT - 7 * len(note.text)
    text = f'x="{x + (8 if right else -8):.1f}" y="{y + 16 * (note.row + 1):.1f}"'
    ink = (f' style="stroke:{colour}"', f' style="fill:{colour}"') if colour else ("", "")
    return (
        f'<circle class="annotation" cx="{x:.1f}" cy="{y:.1f}" r="4"{ink[0]}/>'
        f'<text {text} text-anchor="{"start" if right else "end"}"{ink[1]}>{escape(note.text)}</text>'
    )


def _legend(colours: Mapping[str, str]) -> str:
    keys = (f'<span><i style="background:{colour}"></i>{escape(name)}</span>' for name, colour in colours.items())
    return f'<figcaption class="legend">{"".join(keys)}</figcaption>'


def band(lower: Sequence[Point], upper: Sequence[Point]) -> Line:
    """Two dashed lines with one name, through the points `lower` and `upper`."""
    return Line([*lower, (math.nan, math.nan), *upper], dashed=True)


def histogram(values: Sequence[float], edges: Sequence[float]) -> list[Bar]:
    """(From, to, density) of the bins between ascending `edges`; each bin but the last is without its upper edge.

    The density refers to all `values` (one or more), including those outside the edges: the areas add up to the share
    of the values inside.

    >>> histogram([0.0, 2.0, 2.0, 4.0, 9.0], [0.0, 2.0, 4.0])
    [(0.0, 2.0, 0.1), (2.0, 4.0, 0.3)]
    """
    counts = [0] * (len(edges) - 1)
    for value in values:
        if edges[0] <= value <= edges[-1]:
            counts[min(bisect_right(edges, value), len(counts)) - 1] += 1
    return [(low, high, n / len(values) / (high - low)) for (low, high), n in zip(pairwise(edges), counts, strict=True)]
