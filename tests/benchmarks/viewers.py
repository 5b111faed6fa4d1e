"""The cost of many viewers of the dashboard: `python -m tests.benchmarks.viewers [--seconds 10]`.

A real dashboard process on a real SQLite log, a monitor that publishes every second while predictions and labels
arrive, and 0, 1, 20 and 100 viewers that read all events. Prints the CPU time of the dashboard process as a share of
one core, its resident memory, and the events and bytes that a viewer receives per second.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import subprocess
import sys
import tempfile
import threading
import time

import msgspec

from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.monitor.service import Monitor
from consumers.records.schemas import LABELS, PREDICTIONS, TOPICS, LabelRecord, PredictionRecord, encode
from consumers.settings import Settings
from tests.support.processes import cpu_seconds

PORT = 18_050
RATE = 100


def write_stream(settings: Settings, stop: threading.Event) -> None:
    """Append predictions and labels, `RATE` of each a second."""
    draw = random.Random(1)
    with open_log(settings) as log:
        number = 0
        while not stop.is_set():
            records = []
            for _ in range(RATE // 10):
                number += 1
                odds, now, key = draw.gauss(0.0, 4.0), time.time(), f"m{number}"
                given = "spam" if odds > 0 else "ham"
                record = PredictionRecord(
                    key, given, odds, 0.9 if odds > 0 else 0.1, "spam", 0.0, number, {"ham": 0.0, "spam": odds}, 90, 10,
                    "emails", 0, number, now, now, f"subject number {number}", "somebody@example.org",
                )  # fmt: skip
                records.append(ProducerRecord(PREDICTIONS, key.encode(), encode(record), 0))
                truth = given if draw.random() < 0.95 else "ham"
                records.append(ProducerRecord(LABELS, key.encode(), encode(LabelRecord(key, truth, "people", now)), 0))
            log.append(records)
            stop.wait(0.1)


def watch(settings: Settings, stop: threading.Event) -> None:
    """Publish the view."""
    with open_log(settings) as log:
        Monitor(log, settings).run(stop)


async def view(counts: list[int], seconds: float) -> None:
    """One viewer: reads events, and counts them and their bytes."""
    reader, writer = await asyncio.open_connection("127.0.0.1", PORT)
    writer.write(b"GET /events?since=x HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
    deadline = time.monotonic() + seconds
    while (left := deadline - time.monotonic()) > 0:
        try:
            chunk = await asyncio.wait_for(reader.read(1 << 16), left)
        except TimeoutError:
            break
        counts[0] += chunk.count(b"\ndata: ")
        counts[1] += len(chunk)
    writer.close()


async def measure(process: subprocess.Popen, viewers: int, seconds: float) -> str:
    """One line of the table."""
    counts = [0, 0]
    warm = [asyncio.create_task(view(counts, seconds + 2.0)) for _ in range(viewers)]
    await asyncio.sleep(2.0)
    before, counts[:] = cpu_seconds([process.pid]), [0, 0]
    await asyncio.sleep(seconds)
    share = (cpu_seconds([process.pid]) - before) / seconds
    events, size = counts
    await asyncio.gather(*warm)
    per_viewer = (f"{total / viewers / seconds:8.1f}" if viewers else f"{'-':>8}" for total in (events, size / 1000))
    return f"{viewers:7d} {100 * share:8.1f} {resident_mb(process.pid):8.1f} {' '.join(per_viewer)}"


def resident_mb(pid: int) -> float:
    with open(f"/proc/{pid}/statm") as statm:
        return int(statm.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=float, default=10.0)
    seconds = parser.parse_args().seconds
    with tempfile.TemporaryDirectory() as folder:
        settings = msgspec.structs.replace(Settings(), log=f"sqlite:{folder}/log")
        with open_log(settings) as log:
            log.create_topics(TOPICS, 1)
        stop = threading.Event()
        threads = [threading.Thread(target=run, args=(settings, stop)) for run in (write_stream, watch)]
        for thread in threads:
            thread.start()
        command = [sys.executable, "-m", "consumers", "dashboard", "--log", settings.log, "--port", str(PORT)]
        process = subprocess.Popen(command, stderr=subprocess.DEVNULL)
        try:
            time.sleep(5.0)
            print("viewers    cpu %       MB events/s     kB/s")
            for viewers in (0, 1, 20, 100):
                print(asyncio.run(measure(process, viewers, seconds)), flush=True)
        finally:
            stop.set()
            process.terminate()
            process.wait()
            for thread in threads:
                thread.join()


if __name__ == "__main__":
    main()
