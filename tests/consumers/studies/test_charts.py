"""What a chart shows is where its axes say: points, bars and annotations are measured against the ticks."""

import itertools
import math
import re
import xml.etree.ElementTree as ET

import pytest

from consumers.studies.charts import Annotation, Line, line_chart


def drawn(chart):
    """The elements of a chart, and for each axis a function from positions to values, by its first and last tick."""
    svg = ET.fromstring(chart).find("{*}svg")
    elements = list(svg)
    axes = {"V": [], "H": []}
    for path, text in itertools.pairwise(elements):
        if path.get("class") == "grid":
            x, y, direction = re.match(r"M([\d.]+) ([\d.]+)([HV])", path.get("d")).groups()
            axes[direction].append((float(x if direction == "V" else y), float(text.text.replace(",", ""))))

    def value_at(direction):
        (first, low), *_, (last, high) = axes[direction]
        return lambda position: low + (float(position) - first) / (last - first) * (high - low)

    return elements, value_at("V"), value_at("H")


def test_points_and_bars_are_at_their_values_and_bars_stand_on_0():
    points, bars = [(0.5, 1300.0), (4.0, 1500.0)], [(0.0, 2.0, 1000.0), (2.0, 3.0, 2000.0)]
    elements, x_of, y_of = drawn(line_chart({"a": points, "b": Line(points, dots=True)}, "x", "y", bars={"a": bars}))

    boxes = [element for element in elements if element.tag.endswith("rect")]
    for box, (left, right, height) in zip(boxes, bars, strict=True):
        x, y, width, tall = (float(box.get(name)) for name in ("x", "y", "width", "height"))
        assert (x_of(x), x_of(x + width)) == pytest.approx((left, right), abs=0.01)
        assert (y_of(y), y_of(y + tall)) == pytest.approx((height, 0.0), abs=5)
    (line,) = (element for element in elements if element.tag.endswith("polyline"))
    shown = [pair.split(",") for pair in line.get("points").split()]
    dots = [(dot.get("cx"), dot.get("cy")) for dot in elements if dot.tag.endswith("circle")]
    for x, y in (*zip(shown, points, strict=True), *zip(dots, points, strict=True)):
        assert (x_of(x[0]), y_of(x[1])) == pytest.approx(y, rel=0.01)
    assert {box.get("fill") for box in boxes} == {line.get("stroke")} and not line.get("stroke-dasharray")
    assert x_of(606) == pytest.approx(4.0), "the height of a bar does not widen the x axis"
    texts = [element for element in elements if element.tag.endswith("text")]
    assert [text.text for text in texts[-2:]] == ["x", "y"]
    assert all(0 < float(text.get("x")) < 640 and 0 < float(text.get("y")) < 340 for text in texts)


@pytest.mark.parametrize("unit", [1.0, 1e6, 1.79e9])
def test_the_values_of_an_axis_do_not_cover_its_label(unit):
    elements, x_of, y_of = drawn(line_chart({"a": [(0.0, unit), (5.0, 1.01 * unit)]}, "x", "y"))
    values = [element for element in elements if element.get("text-anchor") == "end"]
    assert all(float(text.get("x")) - 7 * len(text.text) > 20 for text in values)
    (line,) = (element.get("points").split() for element in elements if element.tag.endswith("polyline"))
    ends = [(x_of(x), y_of(y)) for x, y in (point.split(",") for point in line)]
    assert ends == [(pytest.approx(0.0, abs=0.01), pytest.approx(unit)), (5.0, pytest.approx(1.01 * unit))]


def test_a_point_that_is_not_a_number_interrupts_its_line():
    elements, *_ = drawn(line_chart({"a": [(0.0, 0.0), (1.0, 1.0), (2.0, math.nan), (3.0, 1.0), (4.0, 0.0)]}, "x", "y"))
    lines = [element.get("points").split() for element in elements if element.tag.endswith("polyline")]
    assert [len(points) for points in lines] == [2, 2]


def test_an_annotation_is_beside_its_point_where_there_is_room():
    notes = [Annotation(0.0, 1.0, "left", "a"), Annotation(10.0, 1.0, "right", "a", row=1)]
    lines = {"b": [(1.0, 1.0)], "a": Line([(0.0, 0.9), (10.0, 1.1)], dashed=True)}
    elements, x_of, y_of = drawn(line_chart(lines, "x", "y", annotations=notes))
    assert y_of(290) == pytest.approx(0.9), "without bars the axis need not show 0"
    dashed = next(element for element in elements if element.get("stroke-dasharray"))

    circles = [element for element in elements if element.get("class") == "annotation"]
    for circle, note in zip(circles, notes, strict=True):
        text = elements[elements.index(circle) + 1]
        x, y = float(circle.get("cx")), float(circle.get("cy"))
        assert (x_of(x), y_of(y)) == pytest.approx((note.x, note.y), abs=0.01)
        assert float(text.get("y")) == pytest.approx(y + 16 * (note.row + 1))
        assert dashed.get("stroke") in circle.get("style") and dashed.get("stroke") in text.get("style")
        assert (text.get("text-anchor") == "start") == (float(text.get("x")) > x) == (note.text == "left")
