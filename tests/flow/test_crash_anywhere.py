"""SIGKILL the worker at every step of its work, and at random: nothing is lost, nothing is counted twice.

The worker runs in a forked child on the embedded log, and kills itself when it reaches a given step for the n-th time.
Its successor starts from the log. The result must equal that of a run that never crashed.
"""

import os
import random
import signal
import time
import traceback
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import pytest

from consumers.evaluation.verify import verify
from consumers.ingest.feeder import Feeder, Item
from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import ProducerRecord
from consumers.log.sqlite import log as sqlite_log
from consumers.log.sqlite.consumer import SqliteGroupConsumer
from consumers.log.sqlite.log import SqliteLog
from consumers.model.replica import Replica
from consumers.records.schemas import LABELS, MODEL, TOPICS, LabelRecord, encode
from consumers.settings import Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.support.outputs import predictions

MAILS = 300
SETTINGS = Settings(worker=WorkerSettings(poll_records=40, poll_s=0.001))
STEPS = ("poll", "polled", "acted", "commit", "row", "rows", "committed")


class Crash:
    """Kills the process when it reaches `step` for the `count`-th time; the step "" is never reached."""

    def __init__(self, step: str, count: int) -> None:
        self._step = step
        self._left = count

    def reach(self, step: str) -> None:
        if step == self._step:
            self._left -= 1
            if self._left <= 0:
                os.kill(os.getpid(), signal.SIGKILL)


class CrashingConsumer(SqliteGroupConsumer):
    """A consumer with crash points in its calls, and between the rows of its transaction."""

    crash = Crash("", 0)

    def poll(self, limit=1000, timeout_s=0.5, paused=()):
        self.crash.reach("poll")
        records = super().poll(limit, timeout_s, paused)
        self.crash.reach("polled")
        return records

    def commit(self, records, next_offsets):
        self.crash.reach("commit")
        super().commit(self._passing(records), next_offsets)
        self.crash.reach("committed")

    def _passing(self, records):
        class Records(list):
            def __iter__(inner):
                for record in list.__iter__(inner):
                    self.crash.reach("row")
                    yield record
                self.crash.reach("rows")

        return Records(records)


@pytest.fixture(scope="module")
def run():
    """`run_in_child` in a process without threads: a child that is forked beside a thread may inherit a lock which
    nobody releases, and hang."""
    with ProcessPoolExecutor(1, mp_context=get_context("spawn")) as process:
        yield lambda *arguments: process.submit(run_in_child, *arguments).result()


def run_in_child(folder, crash: Crash, patience_s: float = 60.0) -> bool:
    """Work until everything is done, the process crashes, or `patience_s` is over; True if everything was done."""
    pid = os.fork()
    if pid:
        deadline = time.monotonic() + patience_s
        while True:
            done, status = os.waitpid(pid, os.WNOHANG)
            if done:
                assert os.WIFSIGNALED(status) or os.WEXITSTATUS(status) == 0
                return not os.WIFSIGNALED(status)
            if time.monotonic() > deadline:
                os.kill(pid, signal.SIGKILL)
                os.waitpid(pid, 0)
                return False
            time.sleep(0.001)
    status = 1
    try:
        CrashingConsumer.crash = crash
        sqlite_log.SqliteGroupConsumer = CrashingConsumer
        worker = Worker(SqliteLog(folder), SETTINGS, "w-0")
        act = worker._act

        def acting(record):
            records = act(record)
            crash.reach("acted")
            return records

        worker._act = acting
        while not worker.partitions or worker.step():
            worker.step()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def fill(folder) -> None:
    """Put mails on a log, their labels a few mails later, and then changes and withdrawals of some labels.

    All logs get the same secret: with another one, other originators may collide in the hash, and scores may differ.
    """
    with SqliteLog(folder) as log:
        log.create_topics(TOPICS, 1)
        log.append([ProducerRecord(MODEL, b"key/MailNB/one", b"x" * 32, 0)])
        draw = random.Random(5)
        items = [Item(i.id, i.value, i.label) for i in synthetic_mails(MAILS, seed=3)]
        Feeder(log, delays=iter(lambda: draw.randrange(20), -1), total=MAILS).run(items)
        changes = [
            LabelRecord(item.id, draw.choice(["ham", "spam", None]), "user", time.time())
            for item in draw.sample(items, 40)
        ]
        log.append([ProducerRecord(LABELS, change.id.encode(), encode(change)) for change in changes])


def outcome(folder):
    """The result of a run: predictions in order, and the model."""
    with SqliteLog(folder) as log:
        assert verify(log, SETTINGS).differences == []
        model = Replica.load(log, SETTINGS).model
        scored = [(p.id, p.next_offset, p.label, p.log_odds, p.labels_learned) for p in predictions(log)]
        return scored, (model.labels_learned, model.features, model.classes)


@pytest.fixture(scope="module")
def expected(tmp_path_factory, run):
    folder = tmp_path_factory.mktemp("whole")
    fill(folder)
    assert run(folder, Crash("", 0))
    return outcome(folder)


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_a_kill_at_any_step_loses_nothing(tmp_path, run, expected, step):
    """The child is killed at the first, second, third, ... time that it reaches the step, until a run succeeds."""
    fill(tmp_path)
    kills = 0
    for count in [1, 1, 2, 3, 5, 8, 13, 21, 34, 55]:
        if run(tmp_path, Crash(step, count)):
            break
        kills += 1
    assert run(tmp_path, Crash("", 0))

    assert kills >= 3
    assert outcome(tmp_path) == expected


def test_a_hundred_kills_at_random_lose_nothing(tmp_path, run, expected):
    """The child is killed from outside at random times, a hundred times."""
    fill(tmp_path)
    draw = random.Random(11)
    kills = 0
    while kills < 100:
        if run(tmp_path, Crash("", 0), draw.uniform(0.0, 0.06)):
            break
        kills += 1
    assert run(tmp_path, Crash("", 0))

    assert outcome(tmp_path) == expected
    print(f"{kills} kills")
