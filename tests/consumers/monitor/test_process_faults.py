"""The monitor survives a full disk, logs few lines, and counts every record once."""

from __future__ import annotations

import sqlite3
import tempfile
import threading
import time
from pathlib import Path
from threading import Event

import msgspec
import pytest

from consumers.errors import LogUnavailable
from consumers.evaluation.log_report import report_log
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.log.sqlite import store
from consumers.monitor import process, service
from consumers.monitor.topic import TOTALS, VIEW, read_last
from consumers.monitor.totals import MonitorTotals
from consumers.monitor.view import View
from consumers.records.schemas import MONITOR
from consumers.records.setup import open_ready_log
from consumers.records.skipped import SkippedRecords
from consumers.runtime.log_lines import kind_of
from consumers.settings import MonitorSettings, Settings, SqliteSettings
from tests.support import plain_http
from tests.support.memory_log import new_log
from tests.support.monitor_stream import stream
from tests.support.own_log import own_messages
from tests.support.ports import free_ports
from tests.support.waiting import until


class Disk:
    """While `full`, refuses writes to the monitor's files in a folder, as a full disk does.

    Logs in other folders, which programs of other tests in this process still use, are not affected.
    """

    def __init__(self, monkeypatch: pytest.MonkeyPatch, folder: Path) -> None:
        self.full = False
        self.refused = 0
        write = store.SqliteStore.write

        def limited(kept, name, records, positions=None):
            if self.full and kept.folder == folder and name in ("view", "health"):
                self.refused += 1
                kept._files[name].execute("PRAGMA max_page_count=1")  # SQLite then refuses writes itself
                records = [*records, *(record._replace(key=b"big", value=b"x" * 1_000_000) for record in records[:1])]
            write(kept, name, records, positions)

        monkeypatch.setattr(store.SqliteStore, "write", limited)


@pytest.fixture
def settings(tmp_path, monkeypatch) -> Settings:
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))  # separate process slots for the test
    monkeypatch.setattr(process, "AGAIN_S", 0.05)
    monkeypatch.setattr(service, "PUBLISH_S", 0.05)
    kept = SqliteSettings(retention_days=100_000.0)  # the stream's timestamps are years old
    return Settings(log=f"sqlite:{tmp_path}/log", monitor=MonitorSettings(port=0), sqlite=kept)


def test_every_record_is_counted_once_after_a_full_disk(settings, monkeypatch, caplog, tmp_path):
    disk, stop = Disk(monkeypatch, tmp_path / "log"), Event()
    batches = list(stream(300, seed=4))
    with open_ready_log(settings, print) as log:

        def put(some: list[list[ProducerRecord]]) -> None:
            for records in some:
                log.append(records)

        def seen() -> int:
            view = read_last(log, VIEW, View, SkippedRecords())
            return 0 if view is None else view.mails

        put(batches[:100])
        thread = threading.Thread(target=process.run, args=(settings, stop))
        thread.start()
        try:
            until(lambda: seen() == 100)
            disk.full = True
            put(batches[100:200])
            until(lambda: disk.refused > 5)
            assert thread.is_alive()
            disk.full = False
            put(batches[200:])
            until(lambda: seen() == 300)
        finally:
            stop.set()
            thread.join()
        totals = read_last(log, TOTALS, MonitorTotals, SkippedRecords())
        assert totals.start.confusion == report_log(log, "spam").confusion
        assert log.partitions(MONITOR) == 1
    printed = [record for record in caplog.records if f"{tmp_path}/log" in record.getMessage()]
    assert printed, "it says what is wrong"
    assert len({kind_of(record) for record in printed}) <= 2, "of each kind one line a minute is printed"


def test_a_monitor_whose_log_does_not_answer_shows_no_figures(settings, monkeypatch, tmp_path, caplog):
    """Otherwise it would show its last figures, with all stages running, and no alert would fire."""
    disk, stop, (port,) = Disk(monkeypatch, tmp_path / "log"), Event(), free_ports(1)
    settings = msgspec.structs.replace(settings, monitor=MonitorSettings(port=port))

    def opened(*arguments, **options):
        if disk.full:
            raise LogUnavailable("no answer")
        return open_ready_log(*arguments, **options)

    def metrics() -> str:
        return plain_http.get(f"http://127.0.0.1:{port}/metrics").text

    monkeypatch.setattr("consumers.records.setup.open_ready_log", opened)
    batches = list(stream(40, seed=4))
    with open_ready_log(settings, print) as log:
        log.append([record for records in batches[:20] for record in records])
        started = Event()
        thread = threading.Thread(target=process.run, args=(settings, stop, lambda line: started.set()))
        thread.start()
        try:
            started.wait()
            until(lambda: "stream_nb_mails_total 20.0\n" in metrics())
            disk.full = True
            log.append([record for records in batches[20:] for record in records])
            until(lambda: metrics() == "")
            disk.full = False
            until(lambda: "stream_nb_mails_total 40.0\n" in metrics())
            until(lambda: own_messages(caplog)[-1] == "works again")
        finally:
            stop.set()
            thread.join()


def test_a_monitor_keeps_running_while_its_broker_is_down(settings, monkeypatch):
    log, stop, opened = new_log(), Event(), []

    class Away(MemoryLog):
        def end_offset(self, place):
            raise LogUnavailable("no broker")

    def open_log(*_, **__):
        opened.append(len(opened))
        if len(opened) in (1, 3):
            raise LogUnavailable("no broker")
        if len(opened) == 5:
            stop.set()
        return Away(log.topics)

    monkeypatch.setattr("consumers.records.setup.open_ready_log", open_log)
    process.run(settings, stop)
    assert len(opened) == 5


def test_the_simulated_disk_gives_the_errors_of_a_full_one(settings, monkeypatch, tmp_path):
    disk = Disk(monkeypatch, tmp_path / "log")
    with open_ready_log(settings, print) as log:
        disk.full = True
        with pytest.raises(Exception, match="full") as refused:
            log.append([ProducerRecord(MONITOR, b"view", b"x", 0, time.time())])
        assert isinstance(refused.value.__cause__, sqlite3.Error)
        disk.full = False
