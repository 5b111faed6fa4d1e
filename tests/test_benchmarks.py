"""Benchmarks are run by hand: what they import is there all the same."""

import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", sorted(path.stem for path in (Path(__file__).parent / "benchmarks").glob("[a-z]*.py")))
def test_a_benchmark_finds_what_it_imports(name):
    importlib.import_module(f"tests.benchmarks.{name}")
