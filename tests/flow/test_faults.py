"""Each fault once, on real Kafka: nothing is lost or counted twice. `make chaos` is the long version."""

from __future__ import annotations

from contextlib import contextmanager

import pytest

from tests.support.kafka_broker import Cluster
from tests.support.trial import Trial

pytestmark = [pytest.mark.slow, pytest.mark.timeout(600)]


@contextmanager
def trial_on(folder, brokers: int = 1, rate: float = 100.0, version: str | None = None):
    """A trial with two workers, in which the block causes faults; at its end nothing may be lost or counted twice."""
    cluster = Cluster(folder / "kafka", count=brokers, version=version)
    trial = None
    try:
        trial = Trial(cluster.start(), rate=rate)
        trial.start(workers=2)
        yield trial
        while trial.fed < 500:
            trial.wait_for_mail()
        trial.finish()
        assert trial.differences(folder / "single") == []
    finally:
        if trial:
            trial.stop()
            trial.log.close()
        cluster.stop()


# If a single broker is killed or restarted, Kafka may leave a transaction open for ever (docs/guarantees.md).


def test_faults_of_workers(kafka_or_skip, tmp_path):
    with trial_on(tmp_path) as trial:
        for fault in (
            trial.kill_worker,
            trial.add_worker,
            trial.kill_worker,
            trial.remove_worker,
            trial.freeze_worker,
        ):
            fault()
            trial.wait_for_mail()


def test_the_leader_of_three_brokers_is_killed_and_all_are_restarted(kafka_or_skip, tmp_path):
    with trial_on(tmp_path, brokers=3, rate=50.0) as trial:
        trial.kill_broker()
        trial.wait_for_mail()
        trial.kill_worker()
        trial.restart_brokers()
        trial.wait_for_mail()


def test_brokers_of_the_oldest_kafka_with_kraft(kafka_or_skip, tmp_path):
    with trial_on(tmp_path, version="3.3.2") as trial:
        for fault in (trial.kill_worker, trial.freeze_worker):
            fault()
            trial.wait_for_mail()
