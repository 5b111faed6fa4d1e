"""Errors in a route become JSON responses with a status and one line."""

import json

import pytest
from starlette.exceptions import HTTPException

from consumers.dashboard.answers import ERROR_ANSWERS, error_answer, json_answer
from consumers.errors import BadRecord, ConsumerError, LogUnavailable
from consumers.records.policy import PolicyValues


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
