"""What the feeder sends and when, also if its source fails, and if the source is then fed again."""

from __future__ import annotations

import itertools
import time
from itertools import pairwise
from types import SimpleNamespace

import pytest

from consumers.errors import LogUnavailable, UserError
from consumers.evaluation.verify import verify
from consumers.ingest import feeder
from consumers.ingest.feeder import CHUNK_MAILS, Feeder, FeedTotals, Item
from consumers.ingest.formats import open_source
from consumers.log.memory import MemoryLog
from consumers.records.heartbeat import HEALTH_PARTITION, HEARTBEAT_S, HeartbeatWriter, read_heartbeat
from consumers.records.replay import read_all, read_labels, read_quarantine
from consumers.records.schemas import EMAILS, LabelRecord
from tests.support.memory_log import new_log
from tests.support.outputs import predictions
from tests.support.worker_run import EVERYTHING, run_worker

GOOD = [f'{{"text": "free money {number}", "label": "{("ham", "spam")[number % 2]}"}}' for number in range(250)]


def items(*labels: str | None) -> list[Item]:
    return [Item(f"m{number}", b"Subject: x", label) for number, label in enumerate(labels)]


@pytest.mark.parametrize(("rate", "begin"), [(0.0, 996), (1e9, 1_000)])
def test_mails_are_a_millisecond_apart_and_labels_have_the_time_of_the_mail_they_follow(monkeypatch, rate, begin):
    """Without a rate, the last mail is dated now, else the first."""
    log, clock = new_log(), SimpleNamespace(time=lambda: 1.0, monotonic=time.monotonic)
    monkeypatch.setattr(feeder, "time", clock)
    delays = iter([2, 0, 9])

    fed = Feeder(log, rate, delays, source="ann", total=5).run(items("ham", None, "spam", "ham", None))

    assert fed == FeedTotals(mails=5, labels=3, unsent=0)
    mails = [(record.key.decode(), round(1000 * record.timestamp)) for record in read_all(log, EMAILS)]
    assert mails == [(f"m{number}", begin + number) for number in range(5)]
    at = {name: milliseconds / 1000 for name, milliseconds in mails}
    labels = [label for record, label in read_labels(log) if record.timestamp == label.timestamp]
    assert labels == [
        LabelRecord("m0", "ham", "ann", at["m2"]),
        LabelRecord("m2", "spam", "ann", at["m2"]),
        LabelRecord("m3", "ham", "ann", at["m4"]),
    ]


def test_with_a_rate_mails_are_sent_in_small_chunks_with_heartbeats(monkeypatch):
    log, sizes, append = new_log(), [], MemoryLog.append
    monkeypatch.setattr(log, "append", lambda records: (sizes.append(len(records)), append(log, records)))

    Feeder(log, rate=40.0).run(items(None, None, None))

    assert [size for size in sizes if size] == [2, 1, 1, 1], "two mails, a heartbeat, the third mail, a heartbeat"
    assert [read_heartbeat(record).stopped for record in log.scan(HEALTH_PARTITION)] == [False, True]


def test_without_delays_known_labels_are_only_counted():
    log = new_log()
    assert Feeder(log).run(items("ham", None, "spam")) == FeedTotals(mails=3, labels=0, unsent=2)
    assert list(read_labels(log)) == []


def test_a_slow_feeder_shows_that_it_is_alive_and_stops_while_it_waits(monkeypatch):
    """Otherwise one mail a minute would look like a feeder that has died, and the demo would go on after Ctrl-C."""
    now, beats = [0.0], []
    monkeypatch.setattr(feeder, "time", SimpleNamespace(time=lambda: 1.0, monotonic=lambda: now[0]))
    monkeypatch.setattr(feeder, "pause", lambda seconds: now.append(now.pop() + seconds))
    monkeypatch.setattr(HeartbeatWriter, "beat", lambda writer, stopped=False: beats.append(now[0]))

    fed = Feeder(new_log(), rate=0.01).run(items(None, None, None), stop=lambda: now[0] > 120.0)

    assert fed.mails == 2
    assert now[0] < 120.0 + HEARTBEAT_S, "the third mail is due after 200 seconds"
    assert max(late - early for early, late in pairwise(beats)) <= HEARTBEAT_S


def test_a_log_that_does_not_answer_is_not_asked_again_for_a_last_heartbeat(monkeypatch):
    """A broker takes a minute not to answer."""
    log, asked = new_log(), []

    def append(records):
        asked.append(records[0].topic)
        raise LogUnavailable("no broker")

    monkeypatch.setattr(log, "append", append)
    with pytest.raises(LogUnavailable):
        Feeder(log).run(items("ham"))
    assert asked == [EMAILS]


def test_feeding_stops_between_chunks_and_its_last_heartbeat_says_so():
    log, seen = new_log(), []
    fed = Feeder(log, progress=seen.append).run(items(*["ham"] * (3 * CHUNK_MAILS)), stop=lambda: len(seen) == 2)

    assert seen == [CHUNK_MAILS, 2 * CHUNK_MAILS]
    assert fed == FeedTotals(mails=2 * CHUNK_MAILS, labels=0, unsent=2 * CHUNK_MAILS)
    *_, last = map(read_heartbeat, log.scan(HEALTH_PARTITION))
    assert last.stopped


@pytest.mark.parametrize("delay", [0, 20])
def test_mails_before_an_invalid_line_are_sent_and_count_once_if_fed_again(tmp_path, delay):
    log, path = new_log(), tmp_path / "mails.jsonl"
    path.write_text("\n".join([*GOOD[:210], '{"text": 1}', *GOOD[210:]]))

    with pytest.raises(UserError, match=r"mails.jsonl line 211: .*; 210 mails before it are on the log"):
        Feeder(log, delays=itertools.repeat(delay)).run(open_source(path))
    first = run_worker(log, EVERYTHING)
    assert len(predictions(log)) == first.replica.require_model().labels_learned == 210

    path.write_text("\n".join(GOOD))
    Feeder(log, delays=itertools.repeat(delay)).run(open_source(path))
    second = run_worker(log, EVERYTHING)
    assert len(predictions(log)) == second.replica.require_model().labels_learned == 250
    assert {entry.reason for _, entry in read_quarantine(log)} == {"duplicate-id"}
    assert verify(log, EVERYTHING).differences == []


@pytest.mark.parametrize(("good", "before"), [(0, ""), (1, "; 1 mail before it is on the log")])
def test_the_error_names_the_number_of_mails_before_an_invalid_line(tmp_path, good, before):
    log, path = new_log(), tmp_path / "mails.jsonl"
    path.write_text("\n".join([*GOOD[:good], '{"text": 1}']))

    with pytest.raises(UserError, match=rf"line {good + 1}: .*its --label-column{before}") as failed:
        Feeder(log).run(open_source(path))
    assert ("on the log" in str(failed.value)) == bool(good)
