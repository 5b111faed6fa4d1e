"""The exporter, the alert rules and the Grafana dashboard against the real Prometheus."""

from __future__ import annotations

import json
import os
import re
import shutil
import socket
import subprocess
import time
from pathlib import Path

import httpx
import pytest
from prometheus_client import CollectorRegistry, generate_latest

from consumers.log.base import TopicPartition
from consumers.log.consumer_loop import Progress
from consumers.monitor.figures.drift import SIGNALS
from consumers.monitor.metrics import MonitorCollector
from consumers.records.heartbeat import MONITOR, HeartbeatWriter
from consumers.records.schemas import LABELS
from consumers.runtime.health import HealthServer, Pulse
from consumers.worker.metrics import WorkerCollector
from tests.support import plain_http
from tests.support.memory_log import new_log
from tests.support.monitor_stream import StreamClock, catch_up, monitor_of, stream
from tests.support.worker_run import run_worker, short_mail

CONFIG = Path(__file__).parents[3] / "config"


@pytest.fixture
def watched():
    """A registry with the metrics of a monitor that has read a stream."""
    log = new_log()
    for records in stream(200, seed=11):
        log.append(records)
    monitor = monitor_of(log, audit_per_hour=500)
    HeartbeatWriter(log, MONITOR, "here", {TopicPartition(LABELS, 0): Progress(0, 0)}.copy, StreamClock(log)).beat()
    catch_up(monitor)
    collector = MonitorCollector()
    collector.monitor = monitor
    registry = CollectorRegistry()
    registry.register(collector)
    return monitor, registry


@pytest.fixture(scope="module")
def tools() -> tuple[str, str]:
    found = [shutil.which("prometheus"), shutil.which("promtool")]
    if None in found:
        if os.environ.get("CI") == "true":
            pytest.fail("Prometheus is missing: apt-get install prometheus")
        pytest.skip(
            "Prometheus is missing (apt-get install prometheus): rules and dashboard were not checked against it"
        )
    return found[0], found[1]


def exported(registry: CollectorRegistry) -> str:
    return generate_latest(registry).decode()


def value(text: str, sample: str) -> float:
    return float(re.search(rf"^{re.escape(sample)} (\S+)$", text, re.MULTILINE).group(1))


def test_metrics_equal_the_figures_of_the_view(watched):
    monitor, registry = watched
    text = exported(registry)
    view = monitor.view
    for name, window in view.windows.items():
        assert value(text, f'stream_nb_window_mails{{window="{name}"}}') == window.report.n
        if window.report.n:
            assert value(text, f'stream_nb_accuracy_ratio{{window="{name}"}}') == window.report.accuracy
    assert value(text, "stream_nb_mails_total") == 200
    assert value(text, 'stream_nb_score_latency_seconds_bucket{le="+Inf"}') == 200
    assert value(text, "stream_nb_score_latency_seconds_sum") == pytest.approx(200 * 0.005, rel=1e-3)
    (waiting,) = [lag.records for lag in view.log_status.lag if lag.topic == "labels"]
    assert value(text, 'stream_nb_lag_records{partition="0",topic="labels"}') == waiting
    assert value(text, 'stream_nb_stage_running{member="",stage="worker"}') == 0
    assert value(text, 'stream_nb_stage_running{member="here",stage="monitor"}') == 1
    assert value(text, 'stream_nb_stage_seen_timestamp_seconds{member="here",stage="monitor"}') == view.timestamp
    assert value(text, 'stream_nb_stage_restarts{member="here",stage="monitor"}') == 0
    assert value(text, 'stream_nb_stage_backlog_records{member="here",stage="monitor",topic="labels"}') == 0


def test_precision_names_its_class_and_each_class_has_its_recall(watched):
    monitor, registry = watched
    text = exported(registry)
    report = monitor.view.windows["100"].report
    assert "# HELP stream_nb_precision_ratio Of the mails predicted as spam, the share that is spam, 0 to 1." in text
    for name, row in report.confusion.items():
        sample = f'stream_nb_class_recall_ratio{{class="{name}",window="100"}}'
        assert value(text, sample) == row.get(name, 0) / sum(row.values())
    assert value(text, 'stream_nb_class_recall_ratio{class="spam",window="100"}') == report.recall


def test_counters_begin_at_0_so_that_rules_see_the_first_event(watched):
    _, registry = watched
    text = exported(registry)
    page = (CONFIG.parent / "docs" / "records.md").read_text("utf-8")
    rows = page.split("| reason | what to do |\n")[1].split("\n\n")[0].splitlines()[1:]
    reasons = {reason for row in rows for reason in re.findall(r"`([a-z-]+)`", row.split("|")[1])}
    assert set(re.findall(r'stream_nb_quarantined_total\{reason="(.*)"\}', text)) == reasons
    assert value(text, 'stream_nb_quarantined_total{reason="mail-gone"}') == 0
    assert set(re.findall(r'stream_nb_drift_events_total\{signal="(.*)"\}', text)) == set(SIGNALS)


def test_there_are_no_metrics_before_the_first_view():
    registry = CollectorRegistry()
    registry.register(MonitorCollector())
    assert exported(registry) == ""


def test_every_metric_named_in_alert_rules_and_dashboard_is_exported(watched):
    _, registry = watched
    names = set(re.findall(r"^# TYPE (\S+)", exported(registry), re.MULTILINE))
    names |= {f"{name}_bucket" for name in names}
    # a family without samples still has its TYPE line
    for path in (CONFIG / "prometheus/alerts.yml", CONFIG / "grafana/stream_nb.json"):
        used = set(re.findall(r"\bstream_nb_\w+", path.read_text("utf-8")))
        assert used - names == set(), path.name
        assert len(used) > 5


def test_a_metric_of_the_model_has_one_name_and_text_and_is_one_line_in_the_dashboard(watched):
    log = new_log()
    of_monitor = {metric.name: metric.documentation for metric in watched[1].collect()}
    of_worker = {
        metric.name: metric.documentation
        for metric in WorkerCollector(run_worker(log, records=[short_mail("a", "win")])).collect()
    }
    both = of_worker.keys() & of_monitor.keys()
    assert both == {name for name in of_monitor if name.startswith("stream_nb_model_")}
    assert [of_worker[name] for name in both] == [of_monitor[name] for name in both]
    board = json.loads((CONFIG / "grafana/stream_nb.json").read_text("utf-8"))
    shown = [target["expr"] for panel in board["panels"] for target in panel["targets"]]
    assert {f"max({name})" for name in both} <= set(shown)
    assert not both & set(shown)


def test_grafana_dashboard_is_laid_out_without_overlap():
    board = json.loads((CONFIG / "grafana/stream_nb.json").read_text("utf-8"))
    taken: set[tuple[int, int]] = set()
    for panel in board["panels"]:
        at = panel["gridPos"]
        cells = {(x, y) for x in range(at["x"], at["x"] + at["w"]) for y in range(at["y"], at["y"] + at["h"])}
        assert at["x"] + at["w"] <= 24
        assert not cells & taken, panel["title"]
        taken |= cells
    assert len({panel["id"] for panel in board["panels"]}) == len(board["panels"])


def test_promtool_accepts_config_rules_and_metrics(watched, tools):
    _, promtool = tools
    _, registry = watched
    subprocess.run([promtool, "check", "config", CONFIG / "prometheus/prometheus.yml"], check=True)
    linted = subprocess.run(
        [promtool, "check", "metrics"], input=exported(registry), text=True, capture_output=True, check=False
    )
    assert linted.stdout + linted.stderr == ""
    assert linted.returncode == 0


def test_alerts_fire_exactly_when_expected(tools, tmp_path):
    cases = (Path(__file__).parent / "alerts_test.yml").read_text("utf-8")
    (tmp_path / "cases.yml").write_text(cases.replace("RULES", str(CONFIG / "prometheus/alerts.yml")))
    done = subprocess.run(
        [tools[1], "test", "rules", tmp_path / "cases.yml"], text=True, capture_output=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr


def test_real_prometheus_scrapes_the_monitor_and_answers_every_panel(watched, tools, tmp_path):
    prometheus, _ = tools
    monitor, registry = watched
    pulse = Pulse(60.0)
    pulse.beat(ready=True)
    health = HealthServer("127.0.0.1", 0, pulse, registry, "--port")
    config = (CONFIG / "prometheus/prometheus.yml").read_text("utf-8")
    config = config.replace("127.0.0.1:9464", f"127.0.0.1:{health.port}").replace("15s", "1s")
    (tmp_path / "prometheus.yml").write_text(config.replace("alerts.yml", str(CONFIG / "prometheus/alerts.yml")))
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [
        prometheus,
        f"--config.file={tmp_path}/prometheus.yml",
        f"--storage.tsdb.path={tmp_path}/data",
        f"--web.listen-address=127.0.0.1:{port}",
        "--log.level=error",
    ]
    process = subprocess.Popen(command)
    try:
        api = f"http://127.0.0.1:{port}/api/v1"
        found = wait_for(api, 'stream_nb_accuracy_ratio{window="100"}')
        assert float(found[0]["value"][1]) == monitor.view.windows["100"].report.accuracy
        rules = plain_http.get(f"{api}/rules").json()["data"]["groups"]
        assert [len(group["rules"]) for group in rules] == [14]
        assert all(rule["health"] != "err" for group in rules for rule in group["rules"])
        board = json.loads((CONFIG / "grafana/stream_nb.json").read_text("utf-8"))
        for panel in board["panels"]:
            for target in panel["targets"]:
                answer = plain_http.get(f"{api}/query", params={"query": target["expr"]}).json()
                assert answer["status"] == "success", target["expr"]
        assert plain_http.get(f"http://127.0.0.1:{health.port}/readyz").status_code == 200
    finally:
        process.terminate()
        process.wait()
        health.close()


def wait_for(api: str, query: str) -> list:
    for _ in range(600):
        try:
            found = plain_http.get(f"{api}/query", params={"query": query}).json()["data"]["result"]
        except (httpx.TransportError, KeyError, ValueError):
            found = []
        if found:
            return found
        time.sleep(0.1)
    raise AssertionError(f"Prometheus never answered {query}")
