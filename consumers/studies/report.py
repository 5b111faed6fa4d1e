"""A report: one HTML file that loads nothing and runs no scripts."""

from __future__ import annotations

import textwrap
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

from rich.cells import cell_len, set_cell_size

from ..runtime.private_files import write as write_private

_STYLE = """
:root{color-scheme:light dark;--ink:#1f2933;--paper:#fff;--soft:#52606d;--line:#d3dae2}
@media(prefers-color-scheme:dark){:root{--ink:#e4e9ef;--paper:#12181f;--soft:#9aa8b6;--line:#34404c}}
body{font:16px/1.5 system-ui,'Segoe UI',Helvetica,Arial,sans-serif;color:var(--ink);background:var(--paper);
max-width:52rem;margin:2rem auto;padding:0 1rem}
h2{margin-top:2.5rem}p{max-width:44rem}figure{margin:1rem 0;overflow-x:auto}svg{width:100%;min-width:35rem;height:auto}
.chart svg{max-width:640px;overflow:visible}.chart text{font-size:13px;fill:var(--soft)}
.grid{stroke:var(--line)}.bar{fill-opacity:.25}
.annotation{fill:var(--paper);stroke:var(--ink);stroke-width:1.5}
.legend span{margin-right:1.2rem;font-size:.9rem}.legend i{display:inline-block;width:1.2rem;height:3px;
margin-right:.4rem;vertical-align:middle}
table{display:block;overflow-x:auto;border-collapse:collapse;margin:1rem 0}
th,td{padding:.25rem .8rem;border-bottom:1px solid var(--line);
text-align:left;vertical-align:top}.n{text-align:right;font-variant-numeric:tabular-nums}
@media print{table{display:table;font-size:75%}th,td{padding:.25rem .4rem}}
"""
_COLUMNS = 110

Table = tuple[Sequence[str], Sequence[Sequence[object]]]
"""Column headings, and rows of text and numbers."""


class Section(NamedTuple):
    """A heading, plain-text paragraphs, tables, charts as HTML, and the underlying figures for programs."""

    title: str
    text: tuple[str, ...] = ()
    tables: tuple[Table, ...] = ()
    charts: tuple[str, ...] = ()
    figures: Mapping[str, Any] = MappingProxyType({})


def page(title: str, sections: Sequence[Section], about: str = "") -> str:
    """The report as HTML, with `about` (a description of the mails) below its `title`.

    Titles, text and table cells are escaped; charts are inserted unchanged.
    """
    body = [f"<h1>{escape(title)}</h1>", f"<p>{escape(about)}</p>"]
    for section in sections:
        body.append(f"<h2>{escape(section.title)}</h2>")
        body += [f"<p>{escape(paragraph)}</p>" for paragraph in section.text]
        body += [_table(head, rows) for head, rows in section.tables]
        body += section.charts
    policy = "default-src 'none'; style-src 'unsafe-inline'"
    return (
        f'<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">'
        f'<meta name="viewport" content="width=device-width"><style>{_STYLE}</style></head>\n<body>'
        + "\n".join(body)
        + "</body></html>\n"
    )


def write(path: Path, title: str, sections: Sequence[Section], about: str = "") -> None:
    """Write the report (`page` with this `title` and `about`) to a file at `path` that only its owner can read, because
    it contains words of mails. Raises UserError if the file cannot be written."""
    write_private(path, page(title, sections, about).encode(errors="backslashreplace"))


def in_text(section: Section) -> str:
    """The section as text for a terminal: title, paragraphs and tables."""
    out = [section.title, "=" * len(section.title), *(textwrap.fill(text, _COLUMNS) for text in section.text)]
    for head, rows in section.tables:
        cells = [[_shown(cell) for cell in row] for row in (head, *rows)]
        widths = [max(map(cell_len, column)) for column in zip(*cells, strict=True)]
        out += [""] + ["  ".join(map(set_cell_size, row, widths)).rstrip() for row in cells]
    return "\n".join(out)


def _table(head: Sequence[str], rows: Sequence[Sequence[object]]) -> str:
    top = "".join(_cell("th", cell, like) for cell, like in zip(head, rows[0] if rows else head, strict=True))
    lines = ("".join(_cell("td", cell, cell) for cell in row) for row in rows)
    return f"<table><tr>{top}</tr>" + "".join(f"<tr>{line}</tr>" for line in lines) + "</table>"


def _cell(tag: str, value: object, like: object) -> str:
    """A cell with a value, aligned like another: a heading like the numbers below it."""
    kind = ' class="n"' if isinstance(like, int | float) else ""
    return f"<{tag}{kind}>{escape(_shown(value))}</{tag}>"


def _shown(value: object) -> str:
    if not isinstance(value, float):
        text = str(value)
    elif 9_999.5 <= abs(value) < 1e15:
        text = f"{value:,.0f}"
    elif 0.99995 <= value < 1.0:  # a share that is not all must not look like all
        text = ">0.9999"
    else:
        text = f"{value:.4g}"
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)
