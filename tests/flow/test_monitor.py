"""The monitor as a process: the broker disappears and returns, and monitors are killed."""

from __future__ import annotations

import signal
import subprocess
import sys
import time

import httpx
import pytest

from consumers.errors import STATUS_RESTART
from consumers.log.base import ProducerRecord
from consumers.monitor.health import HealthObserver
from consumers.monitor.topic import TOTALS, read_last
from consumers.monitor.totals import MonitorTotals
from consumers.records.schemas import PREDICTIONS, encode
from consumers.records.skipped import SkippedRecords
from tests.flow.conftest import Stages
from tests.support import plain_http
from tests.support.kafka_broker import Cluster
from tests.support.monitor_stream import prediction
from tests.support.ports import free_ports
from tests.support.waiting import until

LINES_A_MINUTE = 12


def put(log, first: int, last: int) -> None:
    records = [prediction(number, 1.0, time.time()) for number in range(first, last)]
    log.append([ProducerRecord(PREDICTIONS, each.id.encode(), encode(each), 0) for each in records])


def counted(port: int) -> int:
    try:
        text = plain_http.get(f"http://127.0.0.1:{port}/metrics", timeout=30.0).text
    except httpx.TransportError:
        return -1
    lines = [line.split()[1] for line in text.splitlines() if line.startswith("stream_nb_mails_total ")]
    return int(float(lines[0])) if lines else 0


def committed(log) -> int:
    totals = read_last(log, TOTALS, MonitorTotals, SkippedRecords())
    return totals.mails if totals is not None else 0


@pytest.fixture
def cluster(kafka_or_skip, tmp_path):
    cluster = Cluster(tmp_path)
    try:
        yield cluster.start()
    finally:
        cluster.stop()


@pytest.mark.slow
def test_a_monitor_survives_a_broker_that_disappears_and_returns(cluster, tmp_path):
    (port,) = free_ports(1)
    stages = Stages(f"kafka://{cluster.bootstrap}", STREAM_NB_KAFKA_PARTITIONS="1", STREAM_NB_MONITOR_PORT=str(port))
    stages.run("topics", "create")
    output = tmp_path / "output"
    with output.open("w") as out, stages.open() as log:
        command = [sys.executable, "-m", "consumers", "monitor"]
        monitor = subprocess.Popen(command, env=stages.environment, stderr=out)
        try:
            put(log, 0, 20)
            until(lambda: counted(port) == 20)
            until(lambda: committed(log) == 20)  # a lone broker may leave a transaction open for ever
            for node in cluster.nodes:
                node.kill()
            away = time.monotonic()
            time.sleep(45.0)  # longer than the timeouts of transactions and of group members
            assert monitor.poll() is None
            cluster.start()
            put(log, 20, 30)
            until(lambda: counted(port) == 30)
            minutes = 1 + (time.monotonic() - away) // 60
        finally:
            monitor.send_signal(signal.SIGTERM)
            assert monitor.wait(60) == 0
    assert len(output.read_text().splitlines()) <= LINES_A_MINUTE * minutes, output.read_text()


@pytest.mark.slow
def test_of_two_monitors_on_kafka_one_counts_until_the_other_takes_over(stages_on):
    stages: Stages = stages_on("kafka", partitions=3)
    stages.run("topics", "create")
    ports = free_ports(2)
    with stages.open() as log:
        put(log, 0, 20)
        first = stages.start("monitor", "--port", str(ports[0]))
        until(lambda: counted(ports[0]) == 20)
        stages.start("monitor", "--port", str(ports[1]))
        until(lambda: sum(stage.stage == "monitor" for stage in HealthObserver(log).look(time.time()).stages) == 2)
        put(log, 20, 30)
        until(lambda: sorted(map(counted, ports)) == [0, 30])  # the one on standby shows no figures
        at_work = ports.index(next(port for port in ports if counted(port)))
        assert at_work == 0 and "30 mails" in stages.run("top")
        first.kill()
        first.wait()
        put(log, 30, 40)
        until(lambda: counted(ports[1]) == 40)
        assert "40 mails" in stages.run("top")


def test_a_monitor_without_a_log_names_it_and_asks_to_be_restarted(tmp_path):
    (tmp_path / "log").symlink_to(tmp_path / "disk" / "log")  # as on a disk that is not mounted
    stages = Stages(f"sqlite:{tmp_path}/log")
    assert f"{tmp_path}/log" in stages.run_refused("monitor", "--port", "0", status=STATUS_RESTART)
