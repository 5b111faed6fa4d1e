"""Responses: JSON of the value a route returns, or `{"error": text}` for the exception it raises; and streams."""

from __future__ import annotations

import zlib
from collections.abc import AsyncIterator, Callable, Mapping

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from ..errors import BadRecord, ConsumerError

GZIP_WBITS = 16 + zlib.MAX_WBITS


def json_answer(value: object, status: int = 200) -> Response:
    """A response with this HTTP `status`, and with `value`, a struct or any JSON value, as JSON."""
    return Response(msgspec.json.encode(value), status, media_type="application/json")


def stream_answer(request: Request, chunks: AsyncIterator[bytes]) -> Response:
    """An event stream without an end, compressed for clients that accept it; each of the `chunks` can be read when it
    arrives.

    `GZipMiddleware` leaves event streams alone.
    """
    headers = {"X-Accel-Buffering": "no"}  # nginx would hold events back until 4 kB have come
    if "gzip" in request.headers.get("accept-encoding", ""):
        chunks = _compressed(chunks)
        headers |= {"Content-Encoding": "gzip", "Vary": "Accept-Encoding"}
    return StreamingResponse(chunks, media_type="text/event-stream", headers=headers)


async def _compressed(chunks: AsyncIterator[bytes]) -> AsyncIterator[bytes]:
    packer = zlib.compressobj(wbits=GZIP_WBITS)
    async for chunk in chunks:
        yield packer.compress(chunk) + packer.flush(zlib.Z_SYNC_FLUSH)
    yield packer.flush()


def error_answer(request: Request, error: Exception) -> Response:
    """The response to a request that raised `error`: 400 for an invalid request, 503 for a log that does not answer."""
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
