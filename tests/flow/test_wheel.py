"""The wheel is complete: installed, it runs in its own environment, outside the repository."""

from __future__ import annotations

import ast
import os
import shutil
import subprocess
import sys
import sysconfig
import tomllib
import venv
import zipfile
from importlib.metadata import packages_distributions
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from stream_nb import kernels
from tests.support.ports import free_ports

ROOT = Path(__file__).parents[2]
PACKAGES = {"stream_nb": "stream_nb", "consumers": "stream_nb_consumers"}  # folder -> name in a wheel
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]


def run(*command: object, cwd: Path, **environment: str) -> str:
    """The output of a command that gets only a few of the environment variables here."""
    kept = {name: os.environ[name] for name in ("PATH", "LANG", "NUMBA_DISABLE_JIT") if name in os.environ}
    done = subprocess.run(
        [str(word) for word in command], cwd=cwd, env=kept | environment,
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory) -> Path:
    """The wheel, built without a warning, from a copy, because building writes files next to the sources."""
    source, out = tmp_path_factory.mktemp("source"), tmp_path_factory.mktemp("wheel")
    for package in PACKAGES:
        shutil.copytree(ROOT / package, source / package, ignore=shutil.ignore_patterns("__pycache__"))
    for name in ("pyproject.toml", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, source)
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(out)!r})"
    run(sys.executable, "-W", "error", "-c", build, cwd=source)
    (path,) = out.glob("*.whl")
    return path


@pytest.fixture(scope="module")
def installed(wheel, tmp_path_factory) -> Path:
    """The folder of scripts in a new environment with the wheel; the dependencies are those of this environment."""
    home = tmp_path_factory.mktemp("environment")
    venv.create(home, with_pip=False)
    python = home / "bin" / "python"
    run(sys.executable, "-m", "pip", "--python", python, "install", "--no-deps", "--no-index", wheel, cwd=home)
    site = Path(run(python, "-c", "import sysconfig; print(sysconfig.get_path('purelib'))", cwd=home).strip())
    # Python ignores .pth files in a folder added like this, and so the editable installation of the repository.
    (site / "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    keep_compiled(site)
    # What is not compiled yet is compiled here, because the demo waits for its worker for two minutes only.
    run(python, "-c", "import stream_nb_consumers.worker.preload", cwd=home, HOME=str(home))
    return home / "bin"


def keep_compiled(site: Path) -> None:
    """Copy the repository's compiled kernels; numba uses them for a source of the same size and time."""
    digest = kernels.read_fields.__qualname__.rpartition("-")[2]  # of all sources, as in the names of the files
    for path in (ROOT / "stream_nb" / "kernels").rglob("*.py"):
        shutil.copystat(path, site / path.relative_to(ROOT))
    for path in (ROOT / "stream_nb" / "kernels").rglob(f"*-{digest}-*.nb?"):
        target = site / path.relative_to(ROOT)
        target.parent.mkdir(exist_ok=True)
        shutil.copy(path, target)


def test_every_file_of_the_packages_is_in_the_wheel(wheel):
    files = {
        f"{name}/{path.relative_to(ROOT / folder)}"
        for folder, name in PACKAGES.items()
        for path in (ROOT / folder).rglob("*")
        if path.is_file() and "__pycache__" not in path.parts
    }

    with zipfile.ZipFile(wheel) as archive:
        packed = {name for name in archive.namelist() if ".dist-info/" not in name}

    assert packed == files


def test_every_imported_package_is_a_dependency():
    asked = [*PROJECT["dependencies"], *PROJECT["optional-dependencies"]["spark"]]
    names = {canonicalize_name(Requirement(line).name) for line in asked}
    # Spark may be missing here; llvmlite is a dependency of numba, which pins its version.
    distributions = packages_distributions() | {"pyspark": ["pyspark"], "llvmlite": ["numba"]}
    for package in PACKAGES:
        for path in (ROOT / package).rglob("*.py"):
            for root in imported(path) - sys.stdlib_module_names - set(PACKAGES):
                found = {canonicalize_name(name) for name in distributions[root]}
                assert found & names, f"{path.relative_to(ROOT)} imports {root}, which pyproject.toml does not list"


def imported(path: Path) -> set[str]:
    """The top-level packages that a file imports."""
    names = set()
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name.partition(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.partition(".")[0])
    return names


def test_the_library_is_the_installed_one(installed, tmp_path):
    code = (
        "import stream_nb; m = stream_nb.MailNB(); m.learn_one('win money', 'spam'); m.learn_one('lunch', 'ham');"
        "print(m.predict_one('money'), stream_nb.__file__)"
    )

    label, file = run(installed / "python", "-c", code, cwd=tmp_path, HOME=str(tmp_path)).split()

    assert label == "spam"
    assert Path(file).is_relative_to(installed.parent)


def test_the_demo_runs(installed, tmp_path):
    (port,) = free_ports(1)
    settings = {"HOME": str(tmp_path), "STREAM_NB_DASHBOARD_PORT": str(port)}
    printed = run(installed / "stream-nb", "demo", "--mails", "300", "--rate", "0", cwd=tmp_path, **settings)

    assert "http://127.0.0.1:" in printed
    assert "accuracy" in printed


def test_every_command_has_help(installed, tmp_path):
    listed = run(installed / "stream-nb", "--help", cwd=tmp_path, HOME=str(tmp_path)).partition("Commands:")[2]
    names = [line.split()[0] for line in listed.splitlines() if line.startswith("  ") and line[2] != " "]

    assert "demo" in names and "worker" in names
    for name in names:
        assert f"stream-nb {name}" in run(installed / "stream-nb", name, "--help", cwd=tmp_path, HOME=str(tmp_path))
