"""Parses and validates requests, all of which are untrusted."""

from __future__ import annotations

import re
from typing import TypeVar

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request

from stream_nb.mail.identification import MAX_ID_CHARS

from ..errors import UNDECODABLE, BadRecord
from ..monitor.search import SearchQuery
from ..records.messages import MailPlace
from ..records.policy import PolicyValues
from .page import MAX_WORD_CHARS

Struct = TypeVar("Struct", bound=msgspec.Struct)

MAX_BODY_BYTES = 4_096
MAX_SEARCH_CHARS = MAX_ID_CHARS
WHOLE_NUMBER = re.compile("[0-9]{1,18}")
"""A number in a request. `int` would also accept digits of other scripts, and raises for very long numbers."""


class LabelRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a label request: the mail's place and id, both from its row, and its label (None: it has none).

    `forget` withdraws this dashboard's label instead, so that those of others count again; `label` is then None.
    """

    place: MailPlace
    id: str
    label: str | None
    forget: bool = False


class UndoRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of an undo request: withdraw all labels of this source."""

    source: str


class PolicyRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a policy change: the new values (None: those of the workers' own settings)."""

    policy: PolicyValues | None


class PolicyUndoRequest(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The body of a request to undo a policy change: the offset of the change, which must be the newest one."""

    offset: int


async def read_json(request: Request, struct: type[Struct]) -> Struct:
    """Decode the body as a `struct`.

    Raises:
        HTTPException: The body has more than `MAX_BODY_BYTES` (413), ends early, or is not such a struct (400).
    """
    too_long = HTTPException(413, f"more than {MAX_BODY_BYTES} bytes")
    if int(request.headers.get("content-length", 0)) > MAX_BODY_BYTES:  # do not wait for a body that may never come
        raise too_long
    body = b""
    try:
        async for chunk in request.stream():
            body += chunk
            if len(body) > MAX_BODY_BYTES:
                raise too_long
    except ClientDisconnect as error:
        raise HTTPException(400, "the connection ended before the body") from error
    try:
        return msgspec.json.decode(body, type=struct)
    except UNDECODABLE as error:
        raise HTTPException(400, str(error)) from error


def read_place(request: Request) -> MailPlace:
    """The mail at `partition` and `offset` in the query; raises BadRecord."""
    return MailPlace(_whole_number(request, "partition"), _whole_number(request, "offset"))


def read_policy_values(request: Request) -> PolicyValues:
    """The policy values in the query, by name; raises BadRecord."""
    try:
        return msgspec.convert(dict(request.query_params), PolicyValues, strict=False)
    except msgspec.ValidationError as error:
        raise BadRecord("bad-policy", str(error)) from error


def read_search(request: Request) -> SearchQuery:
    """The search values in the query, by name; raises BadRecord."""
    given = dict(request.query_params)
    if any(len(value) > MAX_SEARCH_CHARS for value in given.values()):
        raise BadRecord("bad-search", f"more than {MAX_SEARCH_CHARS} characters to search for")
    try:
        return msgspec.convert(given, SearchQuery, strict=False)
    except msgspec.ValidationError as error:
        raise BadRecord("bad-search", str(error)) from error


def read_word(request: Request) -> str:
    """The word in `text` of the query; raises BadRecord."""
    text = request.query_params.get("text", "").strip()
    if not 0 < len(text) <= MAX_WORD_CHARS:
        raise BadRecord("bad-word", f"word of {len(text)} characters, allowed are 1 to {MAX_WORD_CHARS}")
    return text


def read_version(since: str, start_id: str, newest: int) -> int:
    """The version from which to resume an event stream; 0 (the start) unless `since` is an id of this server: it begins
    with `start_id`, and its version is at most the `newest` one.

    >>> read_version("a1-7", "a1", newest=9), read_version("b2-7", "a1", newest=9)
    (7, 0)
    """
    prefix, _, number = since.partition("-")
    version = int(number) if prefix == start_id and WHOLE_NUMBER.fullmatch(number) else 0
    return version if version <= newest else 0


def _whole_number(request: Request, name: str) -> int:
    text = request.query_params.get(name, "")
    if not WHOLE_NUMBER.fullmatch(text):
        raise BadRecord("bad-place", f"{name} {text[:40]!r} is not a whole number")
    return int(text)
