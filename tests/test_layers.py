"""Imports follow the architecture: `stream_nb` does no I/O, one file imports each client, rooms import earlier rooms.

`python -m tests.test_layers` prints the rooms of `consumers` and the arrows between them.
"""

from __future__ import annotations

import ast
import graphlib
import re
from collections.abc import Iterable, Iterator
from functools import cache
from importlib.util import resolve_name
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LIBRARY = sorted((ROOT / "stream_nb").rglob("*.py"))
CONSUMERS = sorted((ROOT / "consumers").rglob("*.py"))
IMPURE = {
    "asyncio", "io", "kafka", "logging", "mailbox", "multiprocessing", "os", "pathlib", "pickle", "random",
    "secrets", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
    "warnings",
}  # fmt: skip

STAGES: tuple[tuple[str, ...], ...] = (
    ("errors",),
    ("settings",),
    ("runtime",),
    ("log",),
    ("records",),
    ("ingest",),
    ("model",),
    ("explain",),
    ("worker", "evaluation", "studies", "silence", "combiner"),
    ("monitor",),
    ("dashboard", "filter"),
    ("mailbox",),
    ("cli",),
    ("__main__",),
)
"""The rooms of `consumers` in their order: a room uses those of earlier lines, and no other."""

MODULE_NAME = re.compile(r"\.*[A-Za-z_]\w*(\.\w+)*")


def module_name(path: Path) -> str:
    """The full name of a file's module: ``consumers.log.base``, and ``consumers.log`` of an ``__init__.py``."""
    return ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")


def package_name(path: Path) -> str:
    """The package that a file's relative imports start from."""
    return ".".join(path.relative_to(ROOT).parts[:-1])


@cache
def imported(path: Path) -> frozenset[str]:
    """Full names of what a file imports, wherever in the file: in functions and under TYPE_CHECKING too."""
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            module = resolve_name("." * node.level + (node.module or ""), package_name(path))
            names |= {f"{module}.{alias.name}" for alias in node.names}
    return frozenset(names)


def named_in_strings(path: Path) -> Iterator[str]:
    """Full names that a file has as strings, for `importlib` and its like: ``"consumers.log"``, ``"..log"``."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and MODULE_NAME.fullmatch(node.value):
            name = node.value
            if name.startswith("."):
                try:
                    yield resolve_name(name, package_name(path))
                except ImportError:
                    continue
            else:
                yield re.sub(r"^stream_nb_consumers\b", "consumers", name)


@cache
def imports_between(files: tuple[Path, ...]) -> dict[str, set[str]]:
    """Module -> the modules among `files` that it imports or names in a string, itself left out."""
    modules = {module_name(path): path for path in files}

    def those_of(names: Iterable[str]) -> set[str]:
        """The modules that the names are, or are defined in."""
        return {name if name in modules else name.rpartition(".")[0] for name in names} & set(modules)

    return {
        module: (those_of(imported(path)) | (set(named_in_strings(path)) & set(modules))) - {module}
        for module, path in modules.items()
    }


def room(module: str) -> str:
    """The room of a module of `consumers`: ``log`` of ``consumers.log.kafka.reader``; its root is ``consumers``."""
    return f"{module}.{module}".split(".")[1]


def arrows() -> dict[tuple[str, str], set[tuple[str, str]]]:
    """(Room, room that it uses) -> the imports that make it so, as (module, imported module)."""
    found: dict[tuple[str, str], set[tuple[str, str]]] = {}
    for module, targets in imports_between(tuple(CONSUMERS)).items():
        for target in targets:
            if room(module) != room(target):
                found.setdefault((room(module), room(target)), set()).add((module, target))
    return found


def users(files: list[Path], package: str) -> list[str]:
    return [
        str(path.relative_to(ROOT))
        for path in files
        if any(name == package or name.startswith(package + ".") for name in imported(path))
    ]


def test_rooms_use_only_earlier_rooms():
    stage = {name: number for number, names in enumerate(STAGES) for name in names}
    rooms = {room(module_name(path)) for path in CONSUMERS} - {"consumers"}
    assert rooms <= set(stage), f"give {sorted(rooms - set(stage))} a place in STAGES"

    back = [
        f"{module} uses {target}"
        for (user, used), imports in arrows().items()
        if used == "consumers" or stage[user] <= stage[used]
        for module, target in sorted(imports)
    ]

    assert not back


def test_imports_have_no_cycles():
    graphlib.TopologicalSorter(imports_between(tuple(CONSUMERS))).prepare()  # raises CycleError with the cycle


def test_no_module_calls_the_command_line():
    """Processes run functions, so that no module has to format arguments that the command line parses again."""
    users = {module for module, targets in imports_between(tuple(CONSUMERS)).items() if "consumers.cli.main" in targets}

    assert users == {"consumers.__main__"}


@pytest.mark.parametrize("path", LIBRARY, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_library_does_no_io(path):
    roots = {name.split(".")[0] for name in imported(path)}

    assert not roots & (IMPURE | {"consumers"})
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    allowed = {"print"} if path.name == "__main__.py" else set[str]()
    assert not called & {"open", "print", "input", "eval", "exec"} - allowed


def test_each_client_is_imported_by_one_file():
    assert users(CONSUMERS, "sqlite3") == ["consumers/log/sqlite/file.py"]
    assert users(CONSUMERS, "kafka") == ["consumers/log/kafka/clients.py"]


def test_no_module_unpickles():
    for path in LIBRARY + CONSUMERS:
        assert not {"pickle", "shelve"} & {name.split(".")[0] for name in imported(path)}, path
        assert "marshal.load" not in path.read_text("utf-8"), path


if __name__ == "__main__":
    found = arrows()
    rooms = {room(module_name(path)) for path in CONSUMERS} - {"consumers", "__main__"}
    print(f"{len(rooms)} rooms, {sum(user in rooms for user, _ in found)} arrows between them")
    for name in (name for names in STAGES for name in names if name in rooms):
        used = sorted(target for user, target in found if user == name)
        print(f"{name:12}{', '.join(used)}")
