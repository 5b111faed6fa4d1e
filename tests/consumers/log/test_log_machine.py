"""Random histories on each kind of log, compared with plain lists: appends, polls, commits and crashes."""

from __future__ import annotations

import pytest
from hypothesis import HealthCheck, Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, precondition, rule, run_state_machine_as_test

from consumers.log.base import ProducerRecord, TopicPartition
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS
from tests.support.log_bench import make_bench, soon, take

INPUTS = [TopicPartition(topic, p) for topic in (EMAILS, LABELS) for p in (0, 1)]
HISTORIES = {"memory": (100, 40), "sqlite": (60, 40), "kafka": (4, 25)}


class History(RuleBasedStateMachine):
    """One group member at a time; its successor polls again what it has not committed."""

    def __init__(self, bench) -> None:
        super().__init__()
        self.bench = bench
        self.log = bench.ready()
        self.places = [place for place in INPUTS if place.partition < self.log.partitions(place.topic)]
        self.appended: dict[TopicPartition, list[bytes]] = {place: [] for place in self.places}
        self.committed = dict.fromkeys(self.places, 0)
        self.polled = dict.fromkeys(self.places, 0)
        self.outputs: list[bytes] = []
        self.consumer = bench.join_group(bench.open())

    @rule(values=st.lists(st.tuples(st.integers(0, 3), st.binary(max_size=5)), max_size=6))
    def append(self, values) -> None:
        places = [self.places[number % len(self.places)] for number, _ in values]
        self.log.append(
            [
                ProducerRecord(place.topic, b"k", v, place.partition)
                for place, (_, v) in zip(places, values, strict=True)
            ]
        )
        for place, (_, value) in zip(places, values, strict=True):
            self.appended[place].append(value)

    @precondition(lambda self: any(self.polled[place] < len(self.appended[place]) for place in self.places))
    @rule(limit=st.integers(1, 10), pause=st.sampled_from(INPUTS))
    def poll(self, limit, pause) -> None:
        unread = {place for place in self.places if self.polled[place] < len(self.appended[place])}
        paused = unread & {pause} if len(unread) > 1 else set()
        records = []
        while not records:
            records = self.consumer.poll(limit=limit, timeout_s=0.2, paused=paused)
        assert len(records) <= limit
        for record in records:
            place = TopicPartition(record.topic, record.partition)
            assert place not in paused
            assert (record.offset, record.value) == (self.polled[place], self.appended[place][self.polled[place]])
            self.polled[place] += 1

    @rule(share=st.floats(0, 1))
    def commit(self, share) -> None:
        """Commit a share of the polled records, with one output for each."""
        new = {
            place: self.committed[place] + round(share * (self.polled[place] - self.committed[place]))
            for place in self.places
        }
        values = [
            b"%s@%d" % (str(place).encode(), n)
            for place in self.places
            for n in range(self.committed[place], new[place])
        ]
        self.consumer.commit([ProducerRecord(PREDICTIONS, b"k", value, 0) for value in values], new)
        self.committed = new
        self.outputs += values

    @rule(cleanly=st.booleans())
    def replace_member(self, cleanly) -> None:
        """Start a successor of the same name, after a clean end of the member or, except on SQLite, without one."""
        if cleanly or self.bench.kind == "sqlite":
            self.consumer.close()
        self.consumer = self.bench.join_group(self.bench.open())
        assert {place: self.consumer.committed(place) for place in self.places} == self.committed
        self.polled = dict(self.committed)

    @precondition(lambda self: any(self.committed[place] for place in self.places))
    @rule(back=st.floats(0, 1))
    def seek(self, back) -> None:
        place = max(self.places, key=self.committed.get)
        target = round(back * self.committed[place])
        self.consumer.seek(place, target)
        records = take(self.consumer, 1) if target < len(self.appended[place]) else []
        ours = [r for r in records if (r.topic, r.partition) == place]
        assert [r.value for r in ours] == self.appended[place][target : target + len(ours)]
        for place in self.places:
            self.consumer.seek(place, self.polled[place])

    def teardown(self) -> None:
        for place in self.places:
            assert [r.value for r in self.log.scan(place)] == self.appended[place]
            assert self.log.end_offset(place) == len(self.appended[place])
        assert [r.value for r in soon(self.log, PREDICTIONS, len(self.outputs))] == self.outputs
        self.bench.close()


@pytest.mark.parametrize("kind", list(HISTORIES))
def test_any_history_matches_plain_lists(kind, request, tmp_path_factory):
    examples, steps = HISTORIES[kind]
    run_state_machine_as_test(
        lambda: History(make_bench(kind, request, tmp_path_factory.mktemp("history"))),
        settings=settings(
            max_examples=examples,
            stateful_step_count=steps,
            deadline=None,
            phases=[Phase.generate] if kind == "kafka" else list(Phase)[:-1],
            suppress_health_check=list(HealthCheck),
        ),
    )
