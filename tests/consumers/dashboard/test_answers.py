"""Errors in a route become JSON responses with a status and one line."""

import json
import zlib

import pytest
from starlette.exceptions import HTTPException
from starlette.requests import Request

from consumers.dashboard.answers import ERROR_ANSWERS, error_answer, json_answer, stream_answer
from consumers.errors import BadRecord, ConsumerError, LogUnavailable
from consumers.log.memory import Topics
from consumers.records.policy import PolicyValues
from consumers.records.schemas import TOPICS
from tests.support import plain_http
from tests.support.own_loop import run_coroutine


@pytest.mark.parametrize(
    ("error", "status", "text"),
    [
        (HTTPException(413, "more than 4096 bytes"), 413, "more than 4096 bytes"),
        (BadRecord("bad-word", "word of 0 characters"), 400, "word of 0 characters"),
        (LogUnavailable("no broker answers"), 503, "no broker answers"),
        (ConsumerError("the log is away"), 503, "the log is away"),
    ],
)
def test_an_error_has_its_status_and_reason(error, status, text):
    answer = error_answer(None, error)

    assert (answer.status_code, json.loads(answer.body)) == (status, {"error": text})
    assert any(isinstance(error, kind) for kind in ERROR_ANSWERS)


def test_an_unexpected_exception_has_no_handler():
    assert not any(issubclass(ValueError, kind) for kind in ERROR_ANSWERS)


def test_a_struct_is_sent_as_json_with_its_field_names():
    answer = json_answer(PolicyValues(threshold=0.5))

    assert (answer.status_code, answer.media_type) == (200, "application/json")
    assert json.loads(answer.body)["threshold"] == 0.5


def streamed(accepted: str) -> tuple[dict[str, str], list[bytes]]:
    """The headers and the chunks of a stream of three parts, for a client that accepts these encodings."""

    async def parts():
        for number in range(3):
            yield b"part %d;" % number

    async def read():
        request = Request({"type": "http", "headers": [(b"accept-encoding", accepted.encode())]})
        answer = stream_answer(request, parts())
        return dict(answer.headers), [chunk async for chunk in answer.body_iterator]

    return run_coroutine(read())


def test_each_part_of_a_compressed_stream_can_be_read_when_it_arrives():
    headers, chunks = streamed("br, gzip")
    reader = zlib.decompressobj(wbits=16 + zlib.MAX_WBITS)

    assert (headers["content-encoding"], headers["vary"]) == ("gzip", "Accept-Encoding")
    assert headers["content-type"].startswith("text/event-stream")
    assert [reader.decompress(chunk) for chunk in chunks[:3]] == [b"part 0;", b"part 1;", b"part 2;"]
    assert reader.decompress(chunks[3]) == b"" and reader.eof


def test_a_stream_is_plain_for_clients_that_do_not_decompress():
    headers, chunks = streamed("identity")

    assert "content-encoding" not in headers
    assert chunks == [b"part 0;", b"part 1;", b"part 2;"]


@pytest.mark.parametrize("name", ["ask", "features", "smoothing", "words"])
def test_before_a_worker_started_each_question_about_the_model_has_the_same_answer(stage, name):
    stage.topics = Topics(stage.clock)
    stage.open_log().create_topics(TOPICS, 2)
    stage.restart_server()
    answer = plain_http.get(f"{stage.server.url}api/{name}")
    assert (answer.status_code, "no model to ask" in answer.text) == (404, True)
