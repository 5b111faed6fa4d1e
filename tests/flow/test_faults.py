"""Every fault once, on real Kafka: nothing is lost and nothing counted twice. `make chaos` is the long form."""

from __future__ import annotations

import pytest
from kafka_broker import Cluster
from trial import Trial

pytestmark = pytest.mark.timeout(600)


def _must_hold(trial: Trial, folder) -> None:
    while trial.fed < 500:
        trial.wait_for_mail()
    trial.finish()
    assert trial.differences(folder) == []


def test_workers_killed_frozen_added_and_removed_and_the_broker_killed(kafka_or_skip, tmp_path):
    cluster = Cluster(tmp_path / "kafka")
    trial = None
    try:
        trial = Trial(cluster.start())
        trial.start(workers=2)
        for fault in (
            trial.kill_worker,
            trial.add_worker,
            trial.kill_worker,
            trial.remove_worker,
            trial.freeze_worker,
            trial.kill_broker,
        ):
            fault()
            trial.wait_for_mail()
        _must_hold(trial, tmp_path / "single")
    finally:
        if trial:
            trial.stop()
            trial.log.close()
        cluster.stop()


def test_the_leader_of_three_brokers_is_killed(kafka_or_skip, tmp_path):
    cluster = Cluster(tmp_path / "kafka", count=3)
    trial = None
    try:
        trial = Trial(cluster.start(), rate=50.0)
        trial.start(workers=2)
        trial.kill_broker()
        trial.wait_for_mail()
        trial.kill_worker()
        _must_hold(trial, tmp_path / "single")
    finally:
        if trial:
            trial.stop()
            trial.log.close()
        cluster.stop()
