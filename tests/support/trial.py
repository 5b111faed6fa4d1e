"""A trial: mail and labels flow through worker processes on a real Kafka while things break; then all is recounted.

The mail is generated, with what real streams have: labels late, early, changed, withdrawn and broken, mails twice.
Learning is train-on-everything without trust, so that the counts of words depend on the final labels alone, and a
single process that reads the same records must end with the same ones.
"""

from __future__ import annotations

import contextlib
import logging
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections import Counter
from pathlib import Path
from random import Random
from typing import NamedTuple

from consumers.cli.demo_run import caught_up
from consumers.errors import UserError
from consumers.evaluation.verify import verify
from consumers.ingest.synthetic import synthetic_mails
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.sqlite.log import SqliteLog
from consumers.model.replica import Replica
from consumers.records.messages import read_message
from consumers.records.schemas import (
    EMAILS,
    LABELS,
    MODEL,
    PREDICTIONS,
    QUARANTINE,
    TOPICS,
    LabelRecord,
    decode_prediction,
    decode_quarantine,
    encode,
)
from consumers.settings import load_settings
from consumers.worker.worker import Worker
from tests.support.kafka_broker import Cluster
from tests.support.processes import worker_processes

logging.getLogger("kafka").setLevel(logging.CRITICAL)  # it tells of every refused connection to a killed broker
TICK_S = 0.1
PATIENCE_S = 120.0
LABEL_DELAY = 30
COMPARED_MAILS = 500


class Fault(NamedTuple):
    """Something that was done to the system, and when."""

    name: str
    at: float


class Trial:
    """`partitions` partitions at `rate` mails a second on `cluster`; `start` a number of workers, then break things."""

    def __init__(self, cluster: Cluster, partitions: int = 2, rate: float = 100.0, seed: int = 1) -> None:
        self.cluster = cluster
        self.partitions = partitions
        self.draw = Random(seed)
        self._rate = rate
        self._seed = seed
        name = f"trial-{uuid.uuid4().hex[:8]}"
        self._environment = {
            "STREAM_NB_LOG": f"kafka://{cluster.bootstrap}",
            "STREAM_NB_KAFKA_PREFIX": f"{name}.",
            "STREAM_NB_KAFKA_PARTITIONS": str(partitions),
            "STREAM_NB_KAFKA_REPLICATION": str(len(cluster.nodes)),
            "STREAM_NB_WORKER_GROUP": name,
            "STREAM_NB_LEARNER_LEARN": "everything",
            "STREAM_NB_LEARNER_TRUST": "false",
        }
        self.settings = load_settings(None, self._environment)
        self.log = open_log(self.settings)
        self.log.create_topics(TOPICS, partitions)
        self.supervisors: list[subprocess.Popen] = []
        self.faults: list[Fault] = []
        self.fed = 0
        self._stop = threading.Event()
        self._feeder = threading.Thread(target=self._feed, daemon=True)

    def start(self, workers: int = 2) -> Trial:
        """Start the workers, wait until they work, and let the mail flow."""
        self._feeder.start()
        for _ in range(workers):
            self.add_worker()
        self.wait_for_mail()
        self.faults.clear()
        return self

    # Faults ---------------------------------------------------------------------------------------------------

    def add_worker(self) -> None:
        """One more worker."""
        self._note("worker added")
        command = [sys.executable, "-m", "consumers", "worker"]
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAM_NB_")} | self._environment
        supervisor = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL)
        self._worker_of(supervisor)
        self.supervisors.append(supervisor)

    def remove_worker(self) -> None:
        """One worker told to end."""
        supervisor = self.supervisors.pop()
        self._note("worker removed")
        _end(supervisor)

    def kill_worker(self) -> None:
        """SIGKILL of a worker process; its supervisor starts the next one."""
        pid = self._worker()
        self._note("worker killed")
        os.kill(pid, signal.SIGKILL)

    def freeze_worker(self, seconds: float = 14.0) -> None:
        """SIGSTOP past the session timeout, then SIGCONT: a zombie that believes it is alive."""
        pid = self._worker()
        self._note("worker frozen")
        os.kill(pid, signal.SIGSTOP)
        time.sleep(seconds)
        os.kill(pid, signal.SIGCONT)

    def kill_broker(self, seconds: float = 3.0) -> None:
        """SIGKILL of a broker (the leader of a partition of predictions), started again after `seconds`."""
        node = self.cluster.nodes[self._leader(TopicPartition(PREDICTIONS, 0)) - 1]
        self._note("broker killed" if len(self.cluster.nodes) == 1 else "leader killed")
        node.kill()
        time.sleep(seconds)
        node.start()
        self.cluster.wait()

    # Watching -------------------------------------------------------------------------------------------------

    def wait_for_mail(self) -> None:
        """Until each partition has a prediction of a mail that arrived from now on."""
        since = time.time()
        deadline = time.monotonic() + PATIENCE_S
        places = {TopicPartition(PREDICTIONS, p) for p in range(self.partitions)}
        with open_log(self.settings) as log:
            next_offsets = {at: log.end_offset(at) for at in places}
            waiting = set(places)
            while waiting:
                if time.monotonic() > deadline:
                    raise TimeoutError(f"no new prediction in {sorted(waiting)} for {PATIENCE_S:.0f} s")
                for record in log.read(next_offsets, timeout_s=0.2):
                    at = TopicPartition(record.topic, record.partition)
                    next_offsets[at] = record.offset + 1
                    if decode_prediction(record.value).arrived_at >= since:
                        waiting.discard(at)

    def recoveries(self) -> list[tuple[Fault, float]]:
        """For each fault, seconds until mail that arrived after it was scored in every partition again."""
        scored = [[] for _ in range(self.partitions)]
        for p in range(self.partitions):
            for record in self.log.scan(TopicPartition(PREDICTIONS, p)):
                prediction = decode_prediction(record.value)
                scored[p].append((prediction.arrived_at, prediction.scored_at))
        found = []
        for fault in self.faults:
            firsts = [min((s for a, s in pairs if a >= fault.at), default=fault.at) for pairs in scored]
            found.append((fault, max(firsts) - fault.at))
        return found

    def finish(self) -> None:
        """Stop the mail, let the workers finish, and end them."""
        self._stop.set()
        self._feeder.join()
        deadline = time.monotonic() + PATIENCE_S
        while not caught_up(self.log, self.settings):
            if time.monotonic() > deadline:
                raise TimeoutError("the workers did not finish")
            time.sleep(0.3)
        self.stop()

    def stop(self) -> None:
        """End everything."""
        self._stop.set()
        for supervisor in self.supervisors:
            _end(supervisor)
        self.supervisors = []

    def differences(self, folder: Path) -> list[str]:
        """What is wrong on the log: nothing, if all promises held."""
        found = list(verify(self.log, self.settings).differences)
        found += self._outputs_wrong()
        return found + self._model_wrong(folder)

    # Inside ---------------------------------------------------------------------------------------------------

    def _outputs_wrong(self) -> list[str]:
        """Each mail has exactly one prediction or quarantine entry."""
        mails = Counter((r.partition, r.offset) for r in self._all(EMAILS))
        acted: Counter = Counter()
        for record in self._all(PREDICTIONS):
            acted[record.partition, decode_prediction(record.value).next_offset - 1] += 1
        for record in self._all(QUARANTINE):
            entry = decode_quarantine(record.value)
            if entry.topic == EMAILS:
                acted[entry.partition, entry.offset] += 1
        return [f"mail {place}: acted on {acted[place]} times" for place in mails | acted if acted[place] != 1]

    def _model_wrong(self, folder: Path) -> list[str]:
        """One process that reads the same records from SQLite must have the same model."""
        key = next(r for r in self._all(MODEL) if r.key.startswith(b"key/"))
        with SqliteLog(folder) as single:
            single.create_topics(TOPICS, 1)
            single.append([ProducerRecord(MODEL, key.key, key.value, 0)])
            records = sorted([*self._all(EMAILS), *self._all(LABELS)], key=lambda r: (r.timestamp, r.topic))
            single.append([ProducerRecord(r.topic, r.key, r.value, 0, r.timestamp) for r in records])
            worker = Worker(single, self.settings, "single")
            while not caught_up(single, self.settings):
                worker.step()
            worker.run(self._stop)
            ours = Replica.load(self.log, self.settings).model
            theirs = worker.replica.model
        found = [
            f"model: {name} {getattr(ours, name)}, a single process has {getattr(theirs, name)}"
            for name in ("labels_learned", "features")
            if getattr(ours, name) != getattr(theirs, name)
        ]
        for record in list(self._all(EMAILS))[:COMPARED_MAILS]:
            mail = read_message(record, self.settings.learner.headers).mail
            if _counts(ours, mail) != _counts(theirs, mail):
                found.append(f"{record.location}: its words have other counts than in a single process")
        return found

    def _all(self, topic: str):
        for p in range(self.log.partitions(topic)):
            yield from self.log.scan(TopicPartition(topic, p))

    def _note(self, name: str) -> None:
        self.faults.append(Fault(name, time.time()))

    def _worker(self) -> int:
        """The process of a worker, chosen at random."""
        return self._worker_of(self.draw.choice(self.supervisors))

    def _worker_of(self, supervisor: subprocess.Popen) -> int:
        while supervisor.poll() is None:
            found = worker_processes(supervisor.pid)
            if found:
                return found[0]
            time.sleep(0.05)
        raise RuntimeError(f"a worker's supervisor ended with status {supervisor.returncode}")

    def _leader(self, at: TopicPartition) -> int:
        from kafka import KafkaAdminClient

        admin = KafkaAdminClient(bootstrap_servers=self.cluster.bootstrap)
        topic = admin.describe_topics([self.settings.kafka.prefix + at.topic])[0]
        admin.close()
        return next(p["leader_id"] for p in topic["partitions"] if p["partition_index"] == at.partition)

    def _feed(self) -> None:
        """Append generated mail until stopped; what an unavailable broker did not confirm is sent again."""
        items = synthetic_mails(1_000_000, self._seed)
        late: list[tuple[int, LabelRecord]] = []
        log = open_log(self.settings)
        while not self._stop.is_set():
            records: list[ProducerRecord] = []
            for _ in range(max(1, round(self._rate * TICK_S))):
                item = next(items)
                records += self._records(item, late)
                self.fed += 1
            while True:
                try:
                    log.append(records)
                    break
                except UserError:
                    with contextlib.suppress(UserError):
                        log.close()
                        log = open_log(self.settings)
            time.sleep(TICK_S)
        log.append([_label(label) for _, label in late])
        log.close()

    def _records(self, item, late: list[tuple[int, LabelRecord]]) -> list[ProducerRecord]:
        """A mail, and the labels whose time has come."""
        n, key = self.fed, item.id.encode()
        mail = ProducerRecord(EMAILS, key, item.value)
        label = LabelRecord(item.id, item.label, "feed", time.time())
        wrong = LabelRecord(item.id, "ham" if item.label == "spam" else "spam", "somebody", time.time())
        records = [mail]
        if n % 25 == 3:
            records.insert(0, _label(label))
        elif n % 20 == 5:
            late += [(n + 5, wrong), (n + LABEL_DELAY, label)]
        elif n % 20 == 11:
            late += [(n + 5, label), (n + LABEL_DELAY, LabelRecord(item.id, None, "feed", time.time()))]
        else:
            late.append((n + self.draw.randrange(2 * LABEL_DELAY), label))
        if n % 50 == 7:
            records.append(mail)
        if n % 100 == 9:
            records.append(ProducerRecord(LABELS, key, b"{broken"))
        due = [entry for entry in late if entry[0] <= n]
        for entry in due:
            late.remove(entry)
            records.append(_label(entry[1]))
        return records


def _label(label: LabelRecord) -> ProducerRecord:
    return ProducerRecord(LABELS, label.id.encode(), encode(label))


def _counts(model, mail) -> dict:
    return {(term.kind, term.text): term.counts for term in model.evidence(mail).terms}


def _end(process: subprocess.Popen) -> None:
    process.send_signal(signal.SIGTERM)
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
