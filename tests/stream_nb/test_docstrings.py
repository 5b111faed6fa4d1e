"""Public docstrings are contracts: each argument has a line under Args.

An override inherits the contract of the method that it overrides, so only additional arguments need a line.
"""

import importlib
import inspect
import re
from collections.abc import Iterator

import pytest

import stream_nb

ROOMS = [
    "active",
    "base",
    "joint",
    "mail",
    "mail_nb.decision",
    "mail_nb.reliability",
    "mail_nb.trending",
    "mail_nb.vocabulary",
    "metrics",
    "posterior",
]
ROOMS += ["prior", "registry"]


def public_functions() -> Iterator[tuple[str, list[str], str]]:
    """(name, arguments, docstrings) of each public function, class and method that takes arguments."""
    for room in (stream_nb, *(importlib.import_module(f"stream_nb.{room}") for room in ROOMS)):
        for name in getattr(room, "__all__", vars(room)):
            value = getattr(room, name)
            here = ("stream_nb",) if hasattr(room, "__all__") else (room.__name__,)
            if name.startswith("_") or not getattr(value, "__module__", "").startswith(here):
                continue
            full = f"{value.__module__}.{name}"
            if inspect.isfunction(value):
                yield full, argument_names(value), value.__doc__ or ""
            # Named tuples consist of fields, and exceptions of a message.
            elif inspect.isclass(value) and not issubclass(value, tuple | BaseException):
                yield full, argument_names(value.__init__), value.__doc__ or ""
                yield from public_methods(value, full)


def public_methods(kind: type, full: str) -> Iterator[tuple[str, list[str], str]]:
    ours = [vars(base) for base in kind.__mro__ if base.__module__.startswith("stream_nb")]
    for name in {name for names in ours for name in names if not name.startswith("_")}:
        found = [getattr(names[name], "__func__", names[name]) for names in ours if name in names]
        if inspect.isfunction(found[0]):
            yield (
                f"{full}.{name}",
                argument_names(found[0]),
                "\n".join(inspect.getdoc(argument) or "" for argument in found),
            )


def argument_names(function) -> list[str]:
    return [name for name in inspect.signature(function).parameters if name not in ("self", "cls", "args", "kwargs")]


FUNCTIONS = {name: rest for name, *rest in public_functions() if rest[0]}


def test_the_list_of_public_functions_has_models_and_their_methods():
    assert {"stream_nb.mail_nb.model.MailNB", "stream_nb.mail_nb.model.MailNB.grade"} <= set(FUNCTIONS)
    assert "stream_nb.metrics.interval.wilson" in FUNCTIONS


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_every_argument_is_described_under_args(name):
    names, docs = FUNCTIONS[name]
    missing = [
        argument
        for argument in names
        if "Args:" not in docs or not re.search(rf"^ +{argument}: \S", docs, re.MULTILINE)
    ]
    assert not missing, f"say under Args what these are: {', '.join(missing)}"
