"""The docstring of `consumers` names all of its rooms, and only files that exist."""

import re
from pathlib import Path

import consumers

HOME = Path(consumers.__file__).parent
DOCSTRING = consumers.__doc__ or ""


def test_the_docstring_names_all_rooms():
    rooms = DOCSTRING.split("listed before it")[1].split("Reading order:")[0]
    named = re.findall(r"^(\S+)", rooms, re.MULTILINE)
    there = [path.name for path in HOME.iterdir() if path.suffix == ".py" or (path / "__init__.py").is_file()]

    assert len(named) > 10
    assert sorted(named) == sorted(set(there) - {"__init__.py", "__main__.py"})


def test_the_reading_order_names_files_that_exist():
    files = re.findall(r"[\w/]+\.py", DOCSTRING.split("Reading order:")[1])

    assert len(files) > 5
    for file in files:
        assert (HOME / file).is_file(), file
