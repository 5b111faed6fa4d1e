"""config/constraints.txt locks every requirement of pyproject.toml to versions that it allows, and names no host."""

import tomllib
from pathlib import Path

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent
DECLARED = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
LOCK = (ROOT / "config" / "constraints.txt").read_text("utf-8")


def test_every_requirement_is_locked_to_versions_that_it_allows():
    locked: dict[str, list[str]] = {}
    for line in LOCK.splitlines():
        if not line.startswith("#"):
            pin = Requirement(line)
            locked.setdefault(canonicalize_name(pin.name), []).append(str(pin.specifier).removeprefix("=="))
    project, groups = DECLARED["project"], DECLARED["dependency-groups"]
    lists = [project["dependencies"], *project["optional-dependencies"].values(), *groups.values()]
    wanted = [Requirement(line) for lines in lists for line in lines if isinstance(line, str)]

    assert wanted
    for requirement in wanted:
        versions = locked.get(canonicalize_name(requirement.name), [])
        assert versions, f"config/constraints.txt has no {requirement.name}: run make lock"
        for version in versions:
            assert version in requirement.specifier, f"{requirement} does not allow {version}: run make lock"


def test_the_lock_names_no_host():
    assert "//" not in LOCK
