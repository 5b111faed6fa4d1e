"""Public docstrings are contracts: an argument is described, under Args or by its name, unless its type is a class of
ours or of a framework, which says it all, or it is an option of a command, which its help describes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
ROOMS = ("cli", "dashboard", "evaluation", "filter", "ingest", "mailbox", "monitor", "studies", "worker")
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
                    speaks = node if method.name == "__init__" else method
                    yield f"{node.name}.{method.name}", method, ast.get_docstring(speaks) or ""


@cache
def our_classes() -> set[str]:
    return {
        node.name
        for package in ("stream_nb", "consumers")
        for path in (ROOT / package).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ClassDef)
    }


def described_by_type(annotation: ast.expr | None) -> bool:
    names = {each.id for each in ast.walk(annotation) if isinstance(each, ast.Name)} if annotation else set()
    return "Callable" not in names and bool(names & (our_classes() | FRAMEWORKS))


def undescribed(function: Function, doc: str) -> list[str]:
    """The arguments that nothing is known of but their names and plain types."""
    arguments = [*function.args.posonlyargs, *function.args.args, *function.args.kwonlyargs]
    return [
        each.arg
        for each in arguments
        if each.arg not in ("self", "cls")
        and not described_by_type(each.annotation)
        and not re.search(rf"^ *{each.arg}: \S|`{each.arg}\b", doc, re.MULTILINE)
    ]


def test_an_argument_without_a_word_is_found():
    source = 'def f(a: int, b: str, log: Log, call: Callable[[Log], int]):\n    """As `b` says."""'
    function = ast.parse(source).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert undescribed(function, ast.get_docstring(function) or "") == ["a", "call"]


@pytest.mark.parametrize("room", ROOMS)
def test_every_argument_is_described(room):
    files = sorted((ROOT / "consumers" / room).rglob("*.py"))
    found = {
        f"{path.relative_to(ROOT)}: {name}": missing
        for path in files
        for name, function, doc in functions(path)
        if (missing := undescribed(function, doc))
    }
    assert len(files) > 5
    assert found == {}, "say under Args what these are"
