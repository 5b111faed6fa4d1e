"""The ticks of a chart's axes, for any range."""

from __future__ import annotations

import pytest

TICKS = "given => import('/static/chart_axes.js').then(({ ticks }) => ticks(...given))"


@pytest.fixture
def ticks(stage, open_page):
    page = open_page(stage.server.url)
    return lambda low, high, wanted=6: page.evaluate(TICKS, [low, high, wanted])


def test_ticks_are_round_and_within_their_range(ticks):
    assert ticks(0, 1) == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 1])
    assert ticks(-3, 11) == pytest.approx([-2.5, 0, 2.5, 5, 7.5, 10])
    assert ticks(5, 5) == [5]


@pytest.mark.parametrize(("low", "high"), [(1_760_000_200, 1_760_099_900), (0.3, 1.9), (-0.9, 0.9), (37, 38)])
def test_an_axis_has_more_than_one_tick_to_show_its_scale(ticks, low, high):
    for wanted in (2, 3, 3.1, 4, 6):
        values = ticks(low, high, wanted)
        assert low <= min(values) < max(values) <= high
        assert len(values) < 8


@pytest.mark.parametrize("low", [1e9, 1e15, -1e16, 1.0, 0.0])
@pytest.mark.parametrize("width", [1e-7, 1e-16, 5e-324, 4.0])
def test_there_are_no_endless_ticks_if_a_step_is_below_float_precision(ticks, low, width):
    values = ticks(low, low + width)
    assert len(values) <= 8
    assert len(set(values)) == len(values)


SCALES = """async () => {
    const { ticks } = await import('/static/chart_axes.js');
    const { general, short } = await import('/static/format.js');
    const { shortest } = await import('/static/features/number.js');
    const of = (low, high, wanted, show) => ticks(low, high, wanted).map((value) => show(value));
    return [of(0, 7500, 3, short), of(0, 1.5e7, 6, short), of(0, 0.7, 3, general),
        ...[170, 2e-4, 2e5].map((high) => of(0, high, 7, shortest(0, high)))].map((texts) => texts.join(" "));
}"""


def test_the_text_of_a_tick_is_its_value(stage, open_page):
    page = open_page(stage.server.url)
    assert page.evaluate(SCALES) == [
        "0 2.5\u00a0k 5\u00a0k 7.5\u00a0k",
        "0 2.5\u00a0M 5\u00a0M 7.5\u00a0M 10\u00a0M 12.5\u00a0M 15\u00a0M",
        "0 0.25 0.5",
        "0 25 50 75 100 125 150",
        "0 5e-05 0.0001 0.00015 0.0002",
        "0 50K 100K 150K 200K",
    ]


TIMES = """async ([low, high, width = 600]) => {
    const { timeTicks } = await import('/static/chart_axes.js');
    return timeTicks(low, high, width).map((time) => new Date(1000 * time).toString().slice(4, 21));
}"""


@pytest.mark.parametrize("zone", ["America/New_York", "Asia/Kolkata", "Europe/Berlin"])
def test_ticks_of_days_are_at_local_midnight_in_summer_and_winter(stage, open_page, zone):
    page = open_page(stage.server.url, timezone_id=zone)
    autumn = 1_792_800_000  # 2026-10-24: clocks go back on 25 October or 1 November
    days = page.evaluate(TIMES, [autumn, autumn + 20 * 86_400])
    assert len(days) in (2, 3)
    assert all(day.endswith("00:00") for day in days), days
    hours = page.evaluate(TIMES, [autumn, autumn + 2 * 86_400])
    assert len(hours) == len(set(hours))
    assert all(int(hour[-5:-3]) % 6 == 0 for hour in hours), hours


def test_a_tick_of_a_day_names_the_month_because_countries_write_the_numbers_of_a_date_in_different_orders(
    stage, open_page
):
    page = open_page(stage.server.url, timezone_id="Europe/Berlin")
    texts = page.evaluate(
        """async ([low, high]) => {
            const { timeAxis } = await import("/static/time_axis.js");
            return timeAxis("time", low, high, 600).ticks.map(day => timeAxis("time", low, high, 600).show(day));
        }""",
        [1_792_800_000, 1_792_800_000 + 20 * 86_400],
    )
    assert [text.split()[1] for text in texts] == ["Oct", "Nov", "Nov"]


def test_the_repeated_hour_at_the_end_of_summer_time_has_ticks(stage, open_page):
    page = open_page(stage.server.url, timezone_id="Europe/Berlin")
    change = 1_792_890_000  # 2026-10-25, 01:00 UTC
    times = page.evaluate(TIMES, [change - 7_200, change + 7_200])
    assert times[0].endswith("01:00")
    assert times[-1].endswith("04:00")


def test_the_first_seconds_of_a_log_have_a_tick(stage, open_page):
    page = open_page(stage.server.url)
    assert len(page.evaluate(TIMES, [1_792_890_001, 1_792_890_003])) == 3


@pytest.mark.parametrize("width", [280, 360, 600, 800])
def test_a_year_has_ticks(stage, open_page, width):
    """A multiple of 365 days is on one day of it, so that its chart had no times."""
    page = open_page(stage.server.url)
    begin = 1_792_890_000
    for days in (60, 120, 200, 300, 365):
        found = page.evaluate(TIMES, [begin, begin + days * 86_400, width])
        assert 2 <= len(found) <= max(5, width / 110 + 1), (days, found)


def test_half_an_hour_on_a_phone_has_two_times(stage, open_page):
    """One time alone does not show the scale."""
    page = open_page(stage.server.url)
    begin = 1_792_890_000
    for minutes in range(60):
        assert len(page.evaluate(TIMES, [begin + 60 * minutes, begin + 60 * minutes + 1_800, 312])) >= 2, minutes


DOTS = """async heights => {
    const { draw } = await import('/static/chart.js');
    const holder = document.querySelector("#accuracy-chart");
    const axis = { title: "", low: 0, high: 10, show: String };
    const points = heights.map((y, x) => ({ x, y }));
    draw(holder, { series: [{ tone: "main", points }], x: axis, y: axis, summary: "" });
    return [...holder.querySelectorAll(".line")].filter(line => line.getAttribute("d").endsWith("h0")
        && getComputedStyle(line).strokeLinecap === "round").length;
}"""


@pytest.mark.parametrize(
    ("heights", "dots"), [([5], 1), ([None, 5], 1), ([5, None, 5, None], 2), ([5, 5, None], 0), ([None], 0)]
)
def test_a_point_without_neighbours_on_its_line_is_a_dot(stage, open_page, heights, dots):
    """The first point with a label often follows one without, and a line through one point alone is not visible."""
    page = open_page(stage.server.url)
    assert page.evaluate(DOTS, heights) == dots
