"""The report of studies as a page."""

import pytest

from consumers.studies import report
from consumers.studies.charts import line_chart


@pytest.mark.parametrize("width", [390, 1280])
def test_a_wide_table_scrolls_in_its_place_and_the_page_does_not(open_page, tmp_path, width):
    row = tuple(f"perplexity in class {number}" for number in range(30))
    report.write(tmp_path / "out.html", "title", [report.Section("Wide", ("Text.",), ((row, (row, row)),))])
    page = open_page(f"file://{tmp_path}/out.html", viewport={"width": width, "height": 800})
    assert page.evaluate("document.documentElement.scrollWidth") == width
    assert page.evaluate("table => table.scrollWidth > table.clientWidth", page.query_selector("table"))


def test_the_texts_of_a_chart_can_be_read_on_a_phone(open_page, tmp_path):
    chart = line_chart({"a": [(1, 0.5), (10, 0.75)]}, "mails", "accuracy (share)")
    report.write(tmp_path / "out.html", "title", [report.Section("Chart", charts=(chart,))])
    page = open_page(f"file://{tmp_path}/out.html", viewport={"width": 390, "height": 800})
    texts = page.locator("svg text")
    assert min(text.bounding_box()["height"] for text in texts.all() if text.get_attribute("transform") is None) > 11
    assert page.evaluate("document.documentElement.scrollWidth") == 390


def test_a_printed_table_is_not_cut(open_page, tmp_path):
    row = tuple(f"perplexity in class {number}" for number in range(8))
    report.write(tmp_path / "out.html", "title", [report.Section("Wide", ("Text.",), ((row, (row, row)),))])
    page = open_page(f"file://{tmp_path}/out.html", viewport={"width": 718, "height": 1000})
    page.emulate_media(media="print")
    assert page.evaluate("table => table.scrollWidth <= document.body.clientWidth", page.query_selector("table"))


def test_columns_are_aligned_where_characters_are_two_columns_wide():
    section = report.Section("Title", (), ((("class", "mails"), (("垃圾", 213), ("ham", 7))),))
    assert report.in_text(section).splitlines()[3:] == ["class  mails", "垃圾   213", "ham    7"]


def test_cells_have_four_digits_and_no_unprintable_characters_and_numbers_are_aligned():
    section = report.Section("Title", (), ((("word", "share"), (("a\x1b", 0.123456),)),))
    assert report.in_text(section).splitlines()[-1] == "a\ufffd    0.1235"
    assert '<tr><td>a\ufffd</td><td class="n">0.1235</td></tr>' in report.page("title", [section])


def test_the_heading_of_a_column_of_numbers_is_aligned_like_them():
    rows = (("a", 0.25, 7), ("b", "-", 8))
    page = report.page("title", [report.Section("", tables=((("word", "share", "mails"), rows),))])
    assert '<tr><th>word</th><th class="n">share</th><th class="n">mails</th></tr>' in page
    assert "<tr><th>word</th></tr></table>" in report.page("title", [report.Section("", tables=((("word",), ()),))])


def test_all_digits_before_the_point_of_a_number_are_shown_so_that_large_ones_can_be_added():
    rows = [(value,) for value in (-1_114_853.6, 9_999.6, 9_999.4, 0.12345, 1e300, float("inf"), 650)]
    lines = report.in_text(report.Section("", tables=((("",), rows),))).splitlines()[-len(rows) :]
    assert lines == ["-1,114,854", "10,000", "9999", "0.1235", "1e+300", "inf", "650"]


def test_a_share_that_is_not_all_is_not_shown_as_one():
    rows = [(value,) for value in (0.99994, 0.99995, 1 - 2**-53, 1.0, 1)]
    lines = report.in_text(report.Section("", tables=((("",), rows),))).splitlines()[-len(rows) :]
    assert lines == ["0.9999", ">0.9999", ">0.9999", "1", "1"]
    assert '<td class="n">&gt;0.9999</td>' in report.page("", [report.Section("", tables=((("",), rows),))])
