"""The settings as TOML, with the meaning of each as a comment, as `stream-nb settings` prints them."""

from __future__ import annotations

import ast
import inspect
import json
import textwrap
from collections.abc import Iterator
from itertools import pairwise

import msgspec

from ..settings import SECRETS, SECTIONS, Settings, schema

WIDTH = 100


def render(settings: Settings) -> str:
    """The settings as TOML, each below its comment; secrets are masked.

    >>> print(*render(Settings()).splitlines()[:3], sep="\\n")
    # Everything that can be set.
    <BLANKLINE>
    # `sqlite:DIR` or `kafka://host:port[,host:port]`.
    """
    texts = _docstrings()
    lines = [*_comment(texts["Settings"]), "", *_comment(texts["Settings.log"]), f"log = {json.dumps(settings.log)}"]
    for name in SECTIONS:
        section = getattr(settings, name)
        kind = type(section).__name__
        lines += ["", *_comment(texts[kind]), f"[{name}]"]
        for key, value in msgspec.structs.asdict(section).items():
            shown = "***" if key in SECRETS and value else value
            lines += _comment(texts.get(f"{kind}.{key}", ""))
            lines.append(f"{key} = {json.dumps(shown)}" if shown is not None else f"# {key} =")
    return "\n".join(lines)


def _docstrings() -> dict[str, str]:
    """The docstrings of the settings classes and their fields, by name: ``WorkerSettings``, ``WorkerSettings.poll_s``.

    They are parsed from the source, because Python does not keep the docstrings of fields.
    """
    classes = [node for node in ast.parse(inspect.getsource(schema)).body if isinstance(node, ast.ClassDef)]
    texts = {node.name: ast.get_docstring(node) or "" for node in classes}
    for node in classes:
        texts |= {f"{node.name}.{key}": text for key, text in _fields(node)}
    return texts


def _fields(node: ast.ClassDef) -> Iterator[tuple[str, str]]:
    for field, below in pairwise(node.body):
        match field, below:
            case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(text))):
                yield key, inspect.cleandoc(text)
            case _:
                pass


def _comment(text: str) -> list[str]:
    return textwrap.wrap(text, WIDTH, initial_indent="# ", subsequent_indent="# ", break_on_hyphens=False)
