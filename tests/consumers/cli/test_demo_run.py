"""The demo feeds mail only after its page answers and its worker runs."""

from __future__ import annotations

import socket
import statistics
import subprocess
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import islice
from threading import Event

import pytest

import consumers.cli.demo_run
from consumers.cli.demo_run import HOST, MEAN_DELAY_MAILS, Stages, caught_up, free_port, human_delays, play
from consumers.cli.main import main
from consumers.errors import STATUS_USER_ERROR, ConsumerError, UserError
from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import ProducerRecord
from consumers.model.replica import Replica
from consumers.records.heartbeat import WORKER, HeartbeatWriter
from consumers.records.replay import read_predictions
from consumers.records.schemas import EMAILS, LABELS, LabelRecord, encode
from consumers.records.setup import open_ready_log
from consumers.settings import Settings, WorkerSettings
from consumers.worker.worker import Worker
from tests.support.memory_log import new_log
from tests.support.ports import free_ports
from tests.support.worker_run import step_until_done


class Page(BaseHTTPRequestHandler):
    """Answers requests, even if only with an error."""

    def do_GET(self) -> None:
        self.send_error(401)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def stages(monkeypatch):
    """A function that makes Stages with a given supervisor: a function of (jobs, stop, preload)."""

    def make(supervise) -> Stages:
        monkeypatch.setattr(consumers.cli.demo_run, "supervise", supervise)
        return Stages(Settings(), free_port(0), Event())

    return make


def serve(port: int, begin: Event, stop: Event) -> None:
    begin.wait()
    with ThreadingHTTPServer((HOST, port), Page) as server:
        server.timeout = 0.05
        while not stop.is_set():
            server.handle_request()


def test_wait_for_page_returns_the_address_once_the_page_answers(stages):
    begin, asked = Event(), []
    made = stages(lambda jobs, stop, preload: serve(made._port, begin, stop))
    with made:
        waiting = threading.Thread(target=lambda: asked.append(made.wait_for_page()))
        waiting.start()
        waiting.join(0.5)
        assert asked == []
        begin.set()
        waiting.join(60)
    assert asked == [f"http://{HOST}:{made._port}/"]


def test_the_dashboard_server_imports_neither_scipy_nor_numba():
    program = "import sys, consumers.dashboard.server; print([m for m in ('scipy', 'numba') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", program], capture_output=True, text=True).stdout.strip() == "[]"


def test_the_end_of_a_stage_ends_the_wait_for_the_page(stages):
    with stages(lambda jobs, stop, preload: None) as made, pytest.raises(ConsumerError, match="a stage ended"):
        made.wait_for_page()


def test_a_mistake_that_ends_a_stage_ends_the_demo_with_an_error(stages):
    """The supervisor sets `stop` then, as Ctrl-C does."""
    mistake = stages(lambda jobs, stop, preload: stop.set() or STATUS_USER_ERROR)
    with pytest.raises(UserError, match="a stage ended; its message is above"), mistake:
        mistake.wait_for_page()


@pytest.fixture
def order(monkeypatch, capsys):
    """The steps of a demo of one mail, in the order in which they happen; its stages are not started."""
    order: list[str] = []

    class Slow(Stages):
        def __enter__(self):
            return self

        def __exit__(self, *_: object) -> None:
            pass

        def wait_for_page(self) -> str:
            order.append("page")
            assert "http://" not in capsys.readouterr().out
            return "http://page/"

        def wait_for_worker(self, log, show) -> None:
            order.append("worker")

    monkeypatch.setattr(consumers.cli.demo_run, "Stages", Slow)
    monkeypatch.setattr(consumers.cli.demo_run, "play", lambda *arguments: order.append("feed") or 1.0)
    monkeypatch.setattr("consumers.runtime.shutdown.signal.signal", lambda *arguments: None)
    return order


def run_demo() -> None:
    with pytest.raises(SystemExit) as done:
        main(["demo", "--mails", "1"])
    assert done.value.code == 0


def test_mail_is_fed_after_the_page_answers_and_the_worker_runs(order, capsys):
    run_demo()
    assert order == ["page", "worker", "feed"]
    assert "http://page/" in capsys.readouterr().out


def test_a_demo_stopped_while_the_worker_compiles_feeds_nothing(order, monkeypatch, capsys):
    stop = Event()
    monkeypatch.setattr("consumers.runtime.shutdown.stop_on_signals", lambda: stop)
    monkeypatch.setattr(consumers.cli.demo_run.Stages, "wait_for_worker", lambda *arguments: stop.set())
    run_demo()
    assert order == ["page"]
    assert "Next:" not in capsys.readouterr().out


def heartbeat(settings: Settings, starting: str) -> None:
    with open_ready_log(settings, print) as log:
        HeartbeatWriter(log, WORKER, "host-0").beat(starting=starting)


def test_the_notes_of_a_starting_worker_are_shown(stages, tmp_path):
    end, shown = Event(), []
    settings = Settings(log=f"sqlite:{tmp_path}/log")
    made = stages(lambda jobs, stop, preload: end.wait())
    with open_ready_log(settings, print) as log, made:
        heartbeat(settings, "compiling, once: 3 functions")

        def show(note: str) -> None:
            shown.append(note)
            heartbeat(settings, "" if len(shown) == 2 else "compiling, once: 4 functions")

        made.wait_for_worker(log, show)
        end.set()
    assert shown == ["compiling, once: 3 functions", "compiling, once: 4 functions"]


def test_the_end_of_a_stage_ends_the_wait_for_the_worker(stages, tmp_path):
    with (
        open_ready_log(Settings(log=f"sqlite:{tmp_path}/log"), print) as log,
        stages(lambda jobs, stop, preload: None) as made,
        pytest.raises(ConsumerError, match="a stage"),
    ):
        made.wait_for_worker(log, print)


@pytest.fixture
def settings(tmp_path):
    return Settings(log=f"sqlite:{tmp_path}/log", worker=WorkerSettings(poll_s=0.001))


def test_the_demo_ends_when_every_mail_is_scored_and_every_label_learned(settings):
    begin, stop, shown = Event(), Event(), []

    def work() -> None:
        begin.wait()
        with open_ready_log(settings, print) as own:
            Worker(own, settings, "w-0").run(stop)

    def progress(processed: int) -> None:
        shown.append(processed)
        begin.set()

    worker = threading.Thread(target=work)
    worker.start()
    try:
        with open_ready_log(settings, print) as log:
            assert play(log, settings, synthetic_mails(40, seed=3), 0, 1, progress, Event()) > 0
            assert len(list(read_predictions(log))) == 40
            assert Replica.load(log, settings).model.labels_learned == 40
    finally:
        begin.set()
        stop.set()
        worker.join()
    assert shown == sorted(shown) and shown[-1] == 40


@pytest.mark.parametrize(
    "record",
    [
        ProducerRecord(EMAILS, b"a", b"Subject: a\n\nlunch", 0),
        ProducerRecord(EMAILS, b"none", b"", 0),  # goes to quarantine
        ProducerRecord(LABELS, b"a", encode(LabelRecord("a", "ham", "ann", 1.0)), 0),
        ProducerRecord(LABELS, b"b", encode(LabelRecord("b", "ham", "ann", 1.0)), 1),
    ],
)
def test_a_worker_has_caught_up_once_it_has_processed_each_mail_and_label(record, settings):
    log = new_log(2)
    worker = Worker(log, settings, "w-0")
    step_until_done(worker)
    assert caught_up(log, settings)
    log.append([record])
    assert not caught_up(log, settings)
    step_until_done(worker)
    assert caught_up(log, settings)


def test_a_demo_without_a_working_worker_ends_with_the_reason(settings, monkeypatch):
    monkeypatch.setattr(consumers.cli.demo_run, "DRAIN_S", 0.1)
    with open_ready_log(settings, print) as log, pytest.raises(ConsumerError, match="the worker did nothing for"):
        play(log, settings, synthetic_mails(3, seed=3), 0, 1, lambda processed: None, Event())


def test_a_demo_stopped_while_it_feeds_does_not_wait_for_the_worker(settings):
    stop = Event()
    with open_ready_log(settings, print) as log:
        play(log, settings, synthetic_mails(3, seed=3), 0, 1, lambda processed: stop.set(), stop)
        assert not list(read_predictions(log))


def test_labels_come_as_late_as_those_of_people_and_equally_late_in_each_run():
    first, again, other = (list(islice(human_delays(seed), 2_000)) for seed in (1, 1, 2))
    assert first == again != other
    assert statistics.mean(first) == pytest.approx(MEAN_DELAY_MAILS, rel=0.1) and min(first) == 0


def test_the_page_has_the_wanted_port_or_else_a_free_one():
    (wanted,) = free_ports(1)
    assert free_port(wanted) == wanted
    with socket.create_server((HOST, wanted)):
        found = free_port(wanted)
    assert found not in (0, wanted)
