"""JSON responses: the value a route returns, or `{"error": text}` for the exception it raises."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response

from ..errors import BadRecord, ConsumerError


def json_answer(value: object, status: int = 200) -> Response:
    """A JSON response.

    Args:
        value: The value to encode: a struct or any JSON value.
        status: The HTTP status.
    """
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def error_answer(request: Request, error: Exception) -> Response:
    """The response to a request that raised an error: 400 for an invalid request, 503 for a log that does not answer.

    Args:
        error: The exception.
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
"""The handler for each kind of error; any other error is a bug and has status 500."""
