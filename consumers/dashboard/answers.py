"""Answers in JSON: what a route returns, and `{"error": text}` for what it raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ..errors import BadRecord, ConsumerError


def json_answer(value: object, status: int = 200) -> Response:
    """The answer that carries a value: a struct, or what JSON has.

    Args:
        value: What is encoded.
        status: The HTTP status.
    """
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def error_answer(request: Request, error: Exception) -> Response:
    """The answer to a request that ended with an error: 400 for what it asked, 503 for a log that does not answer.

    Args:
        error: What was raised.
    """
    if isinstance(error, HTTPException):
        return json_answer({"error": error.detail}, error.status_code)
    if isinstance(error, BadRecord):
        return json_answer({"error": error.detail}, 400)
    return json_answer({"error": str(error)}, 503)


ERROR_ANSWERS: Mapping[type[Exception], Callable[[Request, Exception], Response]] = {
    HTTPException: error_answer,
    ConsumerError: error_answer,
}
"""How the application answers each kind of error; any other is a defect of ours, and status 500."""
