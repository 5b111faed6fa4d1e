"""Labelled mails, each with new words, through a worker on real Kafka: its memory must stay flat, its start short.

    python -m tests.benchmarks.soak [MAILS]      default: 2,000,000

All kernels are compiled before. The model may have 200,000 features; what it forgets is recorded on the topic `model`.
Printed after each tenth of the mails: the worker's memory, its features, and the CPU us per labelled mail so far. At
the end: how long a new worker needs to read the model from the log, the memory of a monitor that has counted all mails
and of a dashboard that has answered a search and a question about words, and what `verify` finds when it recounts
everything.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from multiprocessing import get_context
from pathlib import Path
from threading import Event

from consumers.evaluation.verify import verify
from consumers.explain.explainer import Explainer
from consumers.log import open_log
from consumers.log.base import ProducerRecord
from consumers.model.replica import Replica
from consumers.monitor.search import MailSearch, SearchQuery
from consumers.monitor.service import Monitor
from consumers.records.schemas import EMAILS, LABELS, TOPICS, LabelRecord, encode
from consumers.settings import Settings, load_settings
from consumers.worker.warm import warm_up
from consumers.worker.worker import Worker
from tests.support.kafka_broker import Cluster

MAILS = 2_000_000
MAX_FEATURES = 200_000
CHUNK = 1_000


def settings_for(url: str) -> Settings:
    return load_settings(
        None,
        {
            "STREAM_NB_LOG": url,
            "STREAM_NB_LEARNER_MAX_FEATURES": str(MAX_FEATURES),
            "STREAM_NB_LEARNER_LEARN": "everything",
        },
    )


def feed(url: str, mails: int) -> None:
    """Put all mails on the log, each followed by its label."""
    started_at = time.time() - 0.001 * mails
    with open_log(settings_for(url)) as log:
        for first in range(0, mails, CHUNK):
            records: list[ProducerRecord] = []
            for number in range(first, min(mails, first + CHUNK)):
                label, topic = ("spam", "win money free offer") if number % 2 else ("ham", "lunch noon see you")
                raw = f"Subject: {topic}\n\n{topic} n{number} m{number * 7919} k{number % 1000}\n".encode()
                name = f"m{number}"
                at = started_at + 0.001 * number
                vote = encode(LabelRecord(name, label, "soak", at))
                records.append(ProducerRecord(EMAILS, name.encode(), raw, timestamp=at))
                records.append(ProducerRecord(LABELS, name.encode(), vote, timestamp=at))
            log.append(records)


def memory_mb() -> float:
    """The memory of this process, without pages of files."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) / 1000
    raise RuntimeError("/proc/self/status has no RssAnon: this needs Linux")


def work(url: str, mails: int) -> None:
    """Run a worker until it has learned all labels."""
    settings, stop, due = settings_for(url), Event(), mails // 10
    with open_log(settings) as log:
        worker = Worker(log, settings, "soak")
        started_at = time.process_time()

        def beat(ready: bool) -> None:
            nonlocal due
            learned = worker.totals.labels
            if ready and learned >= due:
                due += mails // 10
                features = worker.replica.require_model().features
                us = 1e6 * (time.process_time() - started_at) / learned
                print(f"{learned:>12,}{memory_mb():>11,.0f}{features:>11,}{us:>13.0f}", flush=True)
                if learned >= mails:
                    stop.set()

        print(f"{'labels':>12}{'memory MB':>11}{'features':>11}{'CPU us each':>13}", flush=True)
        worker.run(stop, beat)


def watch(url: str, mails: int) -> None:
    """Run a monitor until it has counted all mails and their labels."""
    settings = settings_for(url)
    with open_log(settings) as log:
        monitor = Monitor(log, settings, "soak")
        while not (monitor.ready and monitor.state.mails == monitor.state.labels == mails):
            monitor.step()
        monitor.finish()
        print(f"monitor: {memory_mb():,.0f} MB", flush=True)


def ask(url: str) -> None:
    """Search and explain like a dashboard."""
    settings = settings_for(url)
    with open_log(settings) as log:
        search, explainer = MailSearch(log), Explainer(log, settings)
        found = search.search(SearchQuery("win")).found
        explainer.words()
        print(f"dashboard, which found {found:,} mails: {memory_mb():,.0f} MB", flush=True)


def run_alone(work: Callable[..., None], *arguments: object) -> None:
    """Call a function in a new process, so that its memory can be measured."""
    process = get_context("spawn").Process(target=work, args=arguments)
    process.start()
    process.join()


def main(mails: int) -> None:
    run_alone(warm_up)  # its memory would count as the worker's
    with tempfile.TemporaryDirectory() as folder:
        cluster = Cluster(Path(folder) / "kafka")
        try:
            url = f"kafka://{cluster.start().bootstrap}"
            settings = settings_for(url)
            with open_log(settings) as log:
                log.create_topics(TOPICS, 1)
            feeder = get_context("spawn").Process(target=feed, args=(url, mails))
            feeder.start()
            work(url, mails)
            feeder.join()
            run_alone(watch, url, mails)
            run_alone(ask, url)
            with open_log(settings) as log:
                started_at, cpu = time.perf_counter(), time.process_time()
                Replica.load(log, settings)
                cpu = time.process_time() - cpu
                print(f"read from the log in {time.perf_counter() - started_at:.1f} s, {cpu:.1f} s of CPU", flush=True)
                started_at = time.perf_counter()
                findings = verify(log, settings)
                print(f"verify: {findings.mails:,} mails, {findings.updates:,} updates, ", end="")
                print(f"{len(findings.differences)} differences, {time.perf_counter() - started_at:.0f} s")
                print(*[f"left out: {count:,} {why}" for why, count in findings.left_out.items()], sep="\n")
        finally:
            cluster.stop()


if __name__ == "__main__":
    main(int(sys.argv[1]) if len(sys.argv) > 1 else MAILS)
