"""Nobody reads another object's private names."""

import ast
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
CONSUMERS = {
    "internals._closed",  # kafka-python has no public way to stop a producer that must not wait
    "internals._sender",
    "internals._coordinator",  # nor to wait for an assignment and no longer
    "consumer._cluster",  # nor to see a topic's id
    "consumer._fetcher",  # nor to read past a batch that it takes for one with a marker
    "records._contains_abort_marker",
    "fetcher._handle_fetch_error",  # nor to fetch less once a link has shown to be slow
    "fetcher._handle_fetch_response",  # nor to see that it is slow no more
    "manager._build_transport",  # nor to hear what a broker answers before it hangs up
    "transport._sock_recv",
    "server._forkserver._forkserver_pid",  # nor multiprocessing to stop a fork server that imports
    "server._forkserver",
    "logistic._raw_dot_one",  # nor river to read a score before it is a probability
}
"""What `consumers` reads all the same, and why; without a reason the list may only get shorter."""

NAMED_TUPLES = {"_asdict", "_fields", "_make", "_replace"}  # public, whatever their names look like


def foreign(source: str) -> list[str]:
    """`x._name` for each private name that is not read from `self` or `cls`."""
    found = []
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.Attribute) or not node.attr.startswith("_") or node.attr in NAMED_TUPLES:
            continue
        if ast.unparse(node) == "os._exit":  # public: a module's function
            continue
        dunder = node.attr.startswith("__") and node.attr.endswith("__")
        own = isinstance(node.value, ast.Name) and node.value.id in ("self", "cls")
        if not (dunder or own):
            found.append(ast.unparse(node))
    return found


def test_private_names_of_others_are_found():
    assert foreign("a._b\nself._c\ncls._d\na._replace(x=1)\na.__dict__\nself.e._f\nsuper()._g") == [
        "a._b",
        "self.e._f",
        "super()._g",
    ]


@pytest.mark.parametrize(("package", "known"), [("stream_nb", set()), ("consumers", CONSUMERS)])
def test_nobody_reads_the_private_names_of_others(package, known):
    files = sorted((ROOT / package).rglob("*.py"))
    assert len(files) > 30
    found = {str(file.relative_to(ROOT)): set(foreign(file.read_text())) - known for file in files}
    assert {file: names for file, names in found.items() if names} == {}
