"""Benchmarks can be imported; they are run by hand."""

import importlib
from pathlib import Path

import pytest


@pytest.mark.parametrize("name", sorted(path.stem for path in (Path(__file__).parent / "benchmarks").glob("[a-z]*.py")))
def test_a_benchmark_can_be_imported(name):
    importlib.import_module(f"tests.benchmarks.{name}")
