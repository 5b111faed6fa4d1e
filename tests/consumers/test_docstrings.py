"""Public docstrings are contracts. An argument is described under Args or mentioned by name, unless its type is a class
of ours or of a framework, or it is an option of a command, which the help describes. A method that overrides a
described one needs no description."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = sorted(path.parent.name for path in (ROOT / "consumers").glob("*/__init__.py"))
LIBRARY_TYPES = ROOT / "consumers" / "log" / "kafka" / "client_types.py"
FRAMEWORKS = {"Starlette", "asyncio", "click"}
Function = ast.FunctionDef | ast.AsyncFunctionDef


def is_command(node: Function) -> bool:
    return any(ast.unparse(each).startswith("click.command(") for each in node.decorator_list)


def functions(path: Path) -> Iterator[tuple[str, Function, str]]:
    """(name, function, docstring) of the public functions and methods of a file; a class speaks for `__init__`."""
    for node in ast.parse(path.read_text("utf-8")).body:
        if getattr(node, "name", "_").startswith("_"):
            continue
        if isinstance(node, Function) and not is_command(node):
            yield node.name, node, ast.get_docstring(node) or ""
        elif isinstance(node, ast.ClassDef):
            for method in node.body:
                if isinstance(method, Function) and (method.name == "__init__" or not method.name.startswith("_")):
                    if overrides(node, method):
                        continue
                    speaks = node if method.name == "__init__" else method
                    yield f"{node.name}.{method.name}", method, ast.get_docstring(speaks) or ""


@cache
def our_classes() -> dict[str, ast.ClassDef]:
    return {
        node.name: node
        for package in ("stream_nb", "consumers")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }


def described_by_type(annotation: ast.expr | None) -> bool:
    names = {each.id for each in ast.walk(annotation) if isinstance(each, ast.Name)} if annotation else set()
    return "Callable" not in names and bool(names & (our_classes().keys() | FRAMEWORKS))


def arguments(function: Function) -> list[ast.arg]:
    given = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [each for each in given if each.arg not in ("self", "cls")]


def undescribed(function: Function, doc: str) -> list[str]:
    """The arguments of which only the name and a plain type are known."""
    return [
        each.arg
        for each in arguments(function)
        if not described_by_type(each.annotation)
        and not re.search(rf"^ *{each.arg}: \S|`{each.arg}\b", doc, re.MULTILINE)
    ]


def overrides(node: ast.ClassDef, method: Function) -> bool:
    """Whether a base class of ours has this method, with these arguments, and describes them."""
    names = {each.arg for each in arguments(method)}
    bases = [our_classes()[base] for base in map(ast.unparse, node.bases) if base in our_classes()]
    return any(overrides(base, method) for base in bases) or any(
        isinstance(each, Function)
        and each.name == method.name
        and names <= {known.arg for known in arguments(each)}
        and not undescribed(each, ast.get_docstring(each) or "")
        for base in bases
        for each in base.body
    )


def test_undescribed_finds_arguments_without_a_description():
    source = 'def f(a: int, b: str, log: Log, call: Callable[[Log], int]):\n    """As `b` says."""'
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert undescribed(function, ast.get_docstring(function) or "") == ["a", "call"]


def test_an_override_needs_a_description_only_if_it_has_other_arguments(tmp_path):
    path = tmp_path / "log.py"
    path.write_text(
        "class Ours(Log):\n"
        "    def read_at(self, place, offset): ...\n"
        "    def partitions(self, topic, kept): ...\n"
        "    def count(self, topic): ...\n"
    )
    assert [name for name, *_ in functions(path)] == ["Ours.partitions", "Ours.count"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_argument_is_described(room):
    files = sorted({*(ROOT / "consumers" / room).rglob("*.py")} - {LIBRARY_TYPES})
    found = {
        f"{path.relative_to(ROOT)}: {name}": missing
        for path in files
        for name, function, doc in functions(path)
        if (missing := undescribed(function, doc))
    }
    assert len(files) > 2
    assert found == {}, "say under Args what these are"
