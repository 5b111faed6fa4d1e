"""Compilation is reported, live on a terminal and in two lines elsewhere, and shared with a second process."""

from __future__ import annotations

import io
import os
import sys
from contextlib import contextmanager

import pytest

from consumers.runtime.compiling import shared_compiling, show_compiling
from stream_nb.kernels import jit
from tests.support.processes import command_line, descendants


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("stream", [io.StringIO(), Terminal()])
def test_compilation_is_reported_and_on_a_terminal_the_functions_too(stream, monkeypatch):
    @contextmanager
    def compilations(show):
        show("scan")
        show("n" * 100)
        yield

    monkeypatch.setattr(jit, "compilations", compilations)
    monkeypatch.setattr(jit, "NOT_KEPT", set())
    with show_compiling(stream):
        pass
    lines = stream.getvalue().replace("\r", "\n").splitlines()
    assert "compiling, once (about a minute)" in stream.getvalue()
    assert max(map(len, lines)) < 80
    assert lines[-1].startswith("compiled 2 functions in ")
    assert ("scan" in stream.getvalue()) == stream.isatty()
    assert stream.getvalue().count("\n") == (1 if stream.isatty() else 2)


def test_the_report_says_so_if_compiled_code_cannot_be_cached(monkeypatch):
    @contextmanager
    def compilations(show):
        jit.NOT_KEPT.add("scan")  # as kernels do that are only imported in the block
        show("scan")
        yield

    monkeypatch.setattr(jit, "compilations", compilations)
    monkeypatch.setattr(jit, "NOT_KEPT", set())
    with show_compiling(stream := io.StringIO()):
        pass
    assert stream.getvalue().startswith("compiling (about a minute)\ncompiled 1 function in ")
    assert stream.getvalue().endswith("; the next start compiles again (set NUMBA_CACHE_DIR)\n")


def test_nothing_is_reported_if_nothing_is_compiled():
    with show_compiling(stream := io.StringIO()):
        pass
    assert stream.getvalue() == ""


HELPER = """
import pathlib, sys, time
pathlib.Path(sys.argv[0]).with_name("began").touch()
time.sleep(600)
"""


@pytest.fixture
def helper(tmp_path, monkeypatch):
    """The name of a module that never ends by itself, and the file that it creates when it starts."""
    (tmp_path / "a_helper_that_waits.py").write_text(HELPER)
    monkeypatch.setenv("PYTHONPATH", os.pathsep.join([str(tmp_path), *sys.path]))
    monkeypatch.setattr(os, "cpu_count", lambda: 2)
    monkeypatch.setattr(jit, "NOT_KEPT", set())
    return "a_helper_that_waits", tmp_path / "began"


def running(module):
    """The ids of the child processes that run this module."""
    return [pid for pid in descendants(os.getpid()) if module in command_line(pid)]


@contextmanager
def something_compiled(report):
    """Report two compiled functions in the block."""
    report("scan")
    report("score")
    yield


def test_a_second_process_runs_until_the_block_ends(helper, monkeypatch):
    module, began = helper
    monkeypatch.setattr(jit, "compilations", something_compiled)
    with shared_compiling(module):
        while not began.exists():
            assert len(running(module)) == 1
    assert not running(module)


@pytest.mark.parametrize(
    "why", ["nothing to compile", "one processor", "no compile cache", "no process can be started"]
)
def test_no_second_process_is_started_if_it_cannot_help(why, helper, monkeypatch):
    module, began = helper
    if why != "nothing to compile":
        monkeypatch.setattr(jit, "compilations", something_compiled)
    if why == "one processor":
        monkeypatch.setattr(os, "cpu_count", lambda: 1)
    elif why == "no compile cache":
        monkeypatch.setattr(jit, "NOT_KEPT", {"scan"})
    elif why == "no process can be started":
        monkeypatch.setattr(sys, "executable", "/nowhere/python")
    with shared_compiling(module):
        assert not running(module)
    assert not began.exists()
