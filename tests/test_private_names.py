"""No code reads the private names of another object."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONSUMERS = {
    "internals._closed",  # kafka-python has no public way to stop a producer without waiting
    "internals._sender",
    "internals._coordinator",  # nor to wait only until an assignment
    "consumer._cluster",  # nor to read the id of a topic
    "consumer._fetcher",  # nor to read past a batch that it wrongly treats as one with an abort marker
    "records._contains_abort_marker",
    "internals._fetcher._next_in_line_exception_metadata",  # nor to see whether an error is still to be raised
    "internals._fetcher",
    "fetcher._paused_partition_records",
    "fetcher._next_partition_records",  # nor to return what it kept of a resumed partition
    "fetcher._handle_fetch_error",  # nor to fetch less over a slow link
    "fetcher._handle_fetch_response",  # nor to notice that the link is fast again
    "manager._build_transport",  # nor to read the answer of a broker that then closes the connection
    "transport._sock_recv",
    "server._forkserver._forkserver_pid",  # multiprocessing has no public way to stop a fork server during its imports
    "server._forkserver",
    "logistic._raw_dot_one",  # river has no public way to read a score before it becomes a probability
}
"""The private names that `consumers` reads, with the reason of each; do not add one without a reason."""

NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}  # public in spite of the underscore


def foreign(source: str) -> list[str]:
    """`x._name` for each private name that is not read from `self` or `cls`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr in NAMED_TUPLES:
            continue
        if ast.unparse(node) == "os._exit":  # a public function
            continue
        dunder = node.attr.startswith("__") and node.attr.endswith("__")
        own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        if not (dunder or own):
            found.append(ast.unparse(node))
    return found


def test_foreign_finds_private_names_that_are_not_of_self_or_cls():
    assert foreign("a._b\nself._c\ncls._d\na._replace(x=1)\na.__dict__\nself.e._f\nsuper()._g") == [
        "a._b",
        "self.e._f",
        "super()._g",
    ]


@pytest.mark.parametrize(("package", "known"), [("stream_nb", set()), ("consumers", CONSUMERS)])
def test_no_code_reads_the_private_names_of_other_objects(package, known):
    files = sorted((ROOT / package).rglob("*.py"))
    assert len(files) > 30
    found = {str(file.relative_to(ROOT)): set(foreign(file.read_text())) - known for file in files}
    assert {file: names for file, names in found.items() if names} == {}
