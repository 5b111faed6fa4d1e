"""Compiling is shown: on a terminal as it goes, elsewhere in two lines; nothing where all is compiled."""

from __future__ import annotations

import io
from contextlib import contextmanager

import pytest

from consumers.runtime.compiling import show_compiling
from stream_nb.kernels import jit


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_compiling_is_told_and_what_of(stream, monkeypatch):
    @contextmanager
    def compilations(show):
        show("scan")
        show("n" * 100)
        yield

    monkeypatch.setattr(jit, "compilations", compilations)
    with show_compiling(stream):
        pass
    lines = stream.getvalue().replace("\r", "\n").splitlines()
    assert "compiling, once (about a minute)" in stream.getvalue()
    assert max(map(len, lines)) < 80
    assert lines[-1].startswith("compiled 2 functions in ")
    assert ("scan" in stream.getvalue()) == stream.isatty()
    assert stream.getvalue().count("\n") == (1 if stream.isatty() else 2)


def test_nothing_is_told_where_all_is_compiled():
    with show_compiling(stream := io.StringIO()):
        pass
    assert stream.getvalue() == ""
