"""Complete runs of feed, worker, label and report on both logs, each stage in its own process."""

import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.request

import pytest

from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import ProducerRecord
from consumers.records.schemas import MODEL
from tests.support.ports import free_ports
from tests.support.processes import descendants, worker_processes

BOTH = pytest.mark.parametrize("kind", ["sqlite", "kafka"])


def write_json_lines(path, mails, prefix=""):
    with path.open("w") as file:
        for item in synthetic_mails(mails, seed=4):
            line = {"id": prefix + item.id, "text": item.value.decode("latin-1"), "label": item.label}
            file.write(json.dumps(line) + "\n")
    return str(path)


@BOTH
def test_feed_worker_labels_report(tmp_path, stages_on, kind):
    stages = stages_on(kind)
    source = write_json_lines(tmp_path / "mails.jsonl", 400)

    printed = stages.run("feed", source, "--labels", "--label-delay", "5")
    assert "400 mails and 400 labels" in printed
    worker = stages.start("worker")
    stages.wait_until_done()

    report = stages.report()
    assert report["n"] == 400
    assert report["accuracy"] > 0.8
    assert "0 differences" in stages.run("verify")

    first = stages.predictions()[0]
    stages.run("label", first.id, "none")
    stages.wait_until_done()
    assert stages.report()["n"] == 399
    assert "0 differences" in stages.run("verify")

    worker.send_signal(signal.SIGTERM)
    assert worker.wait(10) == 0


@pytest.mark.slow
@BOTH
def test_a_killed_worker_continues_where_it_stopped(tmp_path, stages_on, kind):
    """The supervisor and its process get SIGKILL three times while mail is scored."""
    stages = stages_on(kind)
    stages.environment["STREAM_NB_WORKER_POLL_RECORDS"] = "20"
    stages.run("feed", write_json_lines(tmp_path / "mails.jsonl", 600), "--labels")
    for _ in range(3):
        worker = stages.start("worker")
        scored = 0
        deadline = time.monotonic() + 60
        before = len(stages.predictions())
        while scored <= before and time.monotonic() < deadline:
            time.sleep(0.1)
            scored = len(stages.predictions())
        for pid in [worker.pid, *worker_processes(worker.pid)]:
            os.kill(pid, signal.SIGKILL)
        worker.wait()
    stages.start("worker")
    stages.wait_until_done()

    made = stages.predictions()
    assert len({p.next_offset for p in made}) == len(made) == 600
    assert "600 mails, 600 updates: 0 differences" in stages.run("verify")


@pytest.mark.slow
def test_any_process_below_a_workers_supervisor_may_be_killed(tmp_path, stages_on):
    """The fork server, its helper, and the worker itself: mails that arrive afterwards are scored."""
    stages = stages_on("sqlite")
    stages.run("feed", write_json_lines(tmp_path / "first.jsonl", 20, "first"), "--labels")
    worker = stages.start("worker")
    stages.wait_until_done()
    for turn, victim in enumerate(descendants(worker.pid)):
        os.kill(victim, signal.SIGKILL)
        stages.run("feed", write_json_lines(tmp_path / f"{turn}.jsonl", 20, f"turn{turn}"), "--labels")
        stages.wait_until_done()
        assert worker.poll() is None
    for victim in reversed(descendants(worker.pid)):
        os.kill(victim, signal.SIGKILL)
    stages.run("feed", write_json_lines(tmp_path / "last.jsonl", 20, "last"), "--labels")
    stages.wait_until_done()

    assert worker.poll() is None and turn >= 2
    assert ": 0 differences" in stages.run("verify")


def wait_until_ready(port):
    deadline = time.monotonic() + 60
    while True:
        try:
            with urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2):
                return
        except OSError:
            assert time.monotonic() < deadline, "the worker did not become ready"
            time.sleep(0.1)


def test_a_worker_answers_health_probes(stages_on):
    """On the configured port, while a worker of another log runs on the same machine."""
    for port in free_ports(2):
        stages = stages_on("sqlite")
        stages.environment["STREAM_NB_WORKER_HEALTH_PORT"] = str(port)
        stages.start("worker")
        wait_until_ready(port)
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics", timeout=5) as answer:
            assert b"stream_nb_worker_mails_total 0.0" in answer.read()


def test_a_health_port_in_use_is_a_users_mistake(stages_on):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        stages = stages_on("sqlite")
        stages.environment["STREAM_NB_WORKER_HEALTH_PORT"] = str(port)
        printed = stages.run_refused("worker")

    assert f"127.0.0.1:{port}" in printed and "[worker] health_host or health_port" in printed
    assert "Ctrl-C stops" not in printed, "it is said before anything is compiled"
    assert "Traceback" not in printed


def test_records_of_another_version_stop_the_worker_with_a_clear_error(stages_on):
    stages = stages_on("sqlite")
    stages.run("topics", "create")
    with stages.open() as log:
        log.append(
            [ProducerRecord(MODEL, b"key/MailNB/1", b"x" * 32, 0), ProducerRecord(MODEL, b"d/0/1", b"\x91\x63", 0)]
        )

    printed = stages.run_refused("worker")

    assert "model[0]@1: model record of format 99" in printed
    assert "Traceback" not in printed


@pytest.mark.slow
def test_real_mail_gets_the_same_scores_on_both_logs(stages_on, real_mail):
    """SpamAssassin's mails in the same random order: the predictions are equal bit for bit, and at least 95 % correct.

    Both logs get the same secret: with another one, other originators may collide in the hash, and scores may differ.
    """
    folder = real_mail("spamassassin")
    scored = {}
    for kind in ("sqlite", "kafka"):
        stages = stages_on(kind)
        stages.run("feed", str(folder), "--shuffle", "0", "--labels")
        with stages.open() as log:
            log.append([ProducerRecord(MODEL, b"key/MailNB/one", b"x" * 32, 0)])
        stages.start("worker")
        stages.wait_until_done()
        report = stages.report()
        print(f"{kind}: {report}")
        assert report["accuracy"] >= 0.95
        scored[kind] = [(p.id, p.label, p.log_odds, p.labels_learned) for p in stages.predictions()]
        stages.stop()

    assert scored["sqlite"] == scored["kafka"]
    assert len(scored["sqlite"]) > 5_500


def test_the_demo_ends_by_itself_without_a_terminal(monkeypatch):
    monkeypatch.setenv("STREAM_NB_DASHBOARD_PORT", str(free_ports(1)[0]))
    done = subprocess.run(
        [sys.executable, "-m", "consumers", "demo", "--mails", "300", "--rate", "0"],
        capture_output=True, text=True, timeout=200, check=False,
    )  # fmt: skip

    assert done.returncode == 0, done.stderr
    first, *progress = done.stderr.splitlines()
    assert first == "starting worker, monitor and dashboard"
    assert all(line in ("loading", "reading the model") or "compil" in line for line in progress), progress
    assert "http://127.0.0.1:" in done.stdout
    for word in ("accuracy", "precision", "recall", "F1", "mails/s", "true \\ predicted"):
        assert word in done.stdout
