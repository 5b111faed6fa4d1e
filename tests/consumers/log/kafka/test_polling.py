"""Polls combine several fetches up to a limit of records or bytes, and skip no record."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from consumers.log.kafka.polling import RECORDS_A_CALL, poll_many
from consumers.log.read_size import MOST_READ_BYTES


class FakeMessage(NamedTuple):
    offset: int
    value: bytes | None


class FakeConsumer:
    """A consumer of one partition with messages of these sizes; a call returns at most `most`."""

    def __init__(self, sizes: list[int], most: int = RECORDS_A_CALL) -> None:
        self.left = [FakeMessage(offset, bytes(size)) for offset, size in enumerate(sizes)]
        self.most = most
        self.waits: list[int] = []

    def poll(self, timeout_ms: int, max_records: int) -> dict[str, list[FakeMessage]]:
        self.waits.append(timeout_ms)
        some, self.left = self.left[: min(self.most, max_records)], self.left[min(self.most, max_records) :]
        return {"p": some} if some else {}


def polled(consumer: FakeConsumer, limit: int) -> list[int]:
    return [message.offset for message in poll_many(consumer, {}, 0.5, limit).get("p", [])]  # pyright: ignore


@pytest.mark.parametrize("limit", [1, RECORDS_A_CALL, RECORDS_A_CALL + 1, 1000, 2000])
def test_small_records_are_polled_up_to_the_limit_and_only_the_first_call_waits(limit):
    consumer = FakeConsumer([10] * 1500)

    assert polled(consumer, limit) == list(range(min(limit, 1500)))
    assert consumer.waits[0] == 500 and not any(consumer.waits[1:])


def test_large_records_are_polled_up_to_the_limit_of_bytes():
    consumer = FakeConsumer([MOST_READ_BYTES // RECORDS_A_CALL + 1] * 1000)

    assert len(polled(consumer, 1000)) < 2 * RECORDS_A_CALL


def test_of_records_of_a_megabyte_not_many_more_are_polled_than_the_limit_of_bytes():
    consumer = FakeConsumer([1 << 20] * 90)

    first = polled(consumer, 1000)
    assert MOST_READ_BYTES <= len(first) << 20 < 2 * MOST_READ_BYTES
    assert first + polled(consumer, 1000) == list(range(90))


def test_polling_stops_at_a_call_with_fewer_records_than_asked_for():
    consumer = FakeConsumer([10] * 1000, most=10)

    assert polled(consumer, 1000) == list(range(10))
    assert consumer.waits == [500]


def test_without_records_the_result_is_empty():
    assert poll_many(FakeConsumer([]), {}, 0.5, 1000) == {}  # pyright: ignore
