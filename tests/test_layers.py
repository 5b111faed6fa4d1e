"""Imports obey the picture: the learner is pure, clients are imported in one file each, data flows one way."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
LEARNER = sorted((ROOT / "stream_nb").rglob("*.py"))
PLUMBING = sorted((ROOT / "consumers").rglob("*.py"))
IMPURE = {
    "asyncio", "io", "kafka", "logging", "mailbox", "multiprocessing", "os", "pathlib", "pickle", "random",
    "secrets", "shutil", "socket", "sqlite3", "subprocess", "sys", "tempfile", "threading", "time", "urllib", "uuid",
    "warnings",
}  # fmt: skip


def imported(path: Path) -> set[str]:
    """Full names of the modules a file imports, wherever in the file."""
    names = set()
    package = path.relative_to(ROOT).with_suffix("").parts[:-1]
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else ()
            module = ".".join((*above, *filter(None, [node.module])))
            names |= {module, *(f"{module}.{alias.name}" for alias in node.names)}
    return names


def users(files: list[Path], package: str) -> list[str]:
    return [
        str(path.relative_to(ROOT))
        for path in files
        if any(name == package or name.startswith(package + ".") for name in imported(path))
    ]


@pytest.mark.parametrize("path", LEARNER, ids=lambda p: str(p.relative_to(ROOT)))
def test_the_learner_is_pure(path):
    roots = {name.split(".")[0] for name in imported(path)}

    assert not roots & (IMPURE | {"consumers"})
    calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
    called = {function.id for function in calls if isinstance(function, ast.Name)}
    assert not called & {"open", "print", "input", "eval", "exec"}


def test_one_file_imports_each_client():
    assert len(users(PLUMBING, "sqlite3")) == 1
    assert len(users(PLUMBING, "kafka")) == 1


def test_the_dashboard_knows_neither_worker_nor_monitor_code():
    for path in (ROOT / "consumers" / "dashboard").rglob("*.py"):
        assert not any(name.startswith("consumers.worker") for name in imported(path)), path


def test_nothing_unpickles_or_evaluates():
    for path in LEARNER + PLUMBING:
        assert not {"pickle", "shelve"} & {name.split(".")[0] for name in imported(path)}, path
        assert "marshal.load" not in path.read_text("utf-8"), path
