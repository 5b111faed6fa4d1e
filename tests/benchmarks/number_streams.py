"""Streams of numbers through feed and worker: `python -m tests.benchmarks.number_streams [sqlite] [kafka]`.

The streams of numbers that ship with river are written as CSV, fed with their labels (`--label-column`) and learned by
a worker, by the mail model and with `[learner] model = "gaussian"`, on SQLite and on Kafka. Printed are accuracy % /
log loss, each message scored before its label is learned, next to river's GaussianNB and ours on the same rows.
Accuracy is counted from the predictions on the log. A record has the probability of one class only, so the log loss is
that of the library's model, fed in the same order; the number of its scores that equal those on the log bit for bit is
printed, too.
"""

from __future__ import annotations

import csv
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterable
from contextlib import ExitStack
from pathlib import Path
from typing import Any, NamedTuple

from river import datasets
from river.naive_bayes import GaussianNB as RiverGaussianNB

from consumers.cli.demo_run import caught_up
from consumers.log import open_log
from consumers.model.replica import Replica
from consumers.settings import load_settings
from stream_nb import GaussianNB, Mail, MailNB, Part
from tests.support.kafka_broker import Cluster
from tests.support.outputs import predictions

STREAMS = (datasets.Phishing, datasets.Bananas, datasets.ImageSegments)
LABEL = "the label"
SOURCE = "feed"
PATIENCE_S = 600.0

Rows = list[tuple[dict[str, float], str]]


class Figures(NamedTuple):
    """Accuracy in %, log loss in nats, and how many of the scores have the same bits as the library's."""

    accuracy: float
    loss: float
    same: str = ""

    def __str__(self) -> str:
        return f"{self.accuracy:.2f} / {self.loss:.3f}{self.same}"


def rows_of(stream: Any) -> Rows:
    return [({name: float(value) for name, value in x.items()}, str(y)) for x, y in stream()]


def loss_of(probabilities: dict[str, float], label: str) -> float:
    return -math.log(max(probabilities.get(label, 0.0), 1e-15)) if probabilities else math.log(2)


def offline(model: Any, rows: Iterable[tuple[Any, str]]) -> Figures:
    """Test-then-train with a library."""
    right, loss, n = 0, 0.0, 0
    for x, y in rows:
        probabilities = model.predict_proba_one(x)
        right += bool(probabilities) and max(probabilities, key=probabilities.__getitem__) == y
        loss += loss_of(probabilities, y)
        model.learn_one(x, y)
        n += 1
    return Figures(100 * right / n, loss / n)


def on_log(url: str, prefix: str, name: str, rows: Rows, folder: Path) -> Figures:
    """Feed the rows with their labels, let a worker learn them, and compute the figures from the log."""
    path = folder / f"{prefix}csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow([*rows[0][0], LABEL])
        writer.writerows([*(repr(value) for value in x.values()), y] for x, y in rows)
    own = {
        "STREAM_NB_LOG": url,
        "STREAM_NB_KAFKA_PREFIX": prefix,
        "STREAM_NB_KAFKA_PARTITIONS": "1",
        "STREAM_NB_LEARNER_MODEL": name,
        "STREAM_NB_LEARNER_POSITIVE": rows[0][1],
    }
    command, environment = [sys.executable, "-m", "consumers"], {**os.environ, **own}
    feed = [*command, "feed", str(path), "--label-column", LABEL]
    subprocess.run(feed, env=environment, check=True, capture_output=True)
    worker = subprocess.Popen([*command, "worker"], env=environment, stderr=subprocess.DEVNULL)
    settings = load_settings(None, own)
    try:
        with open_log(settings) as log:
            deadline = time.monotonic() + PATIENCE_S
            while not caught_up(log, settings):
                if time.monotonic() > deadline or worker.poll() is not None:
                    raise RuntimeError(f"the worker on {url} did not finish")
                time.sleep(0.5)
            predicted, replica = predictions(log), Replica.load(log, settings)
    finally:
        worker.terminate()
        worker.wait()
    assert replica.model is not None
    mail = name == "mail"
    model: Any = MailNB(replica.model.key, rows[0][1]) if mail else GaussianNB(positive=rows[0][1])
    right, same, loss = 0, 0, 0.0
    for prediction, (x, y) in zip(predicted, rows, strict=True):
        message = Mail((Part("", b""),), (), tuple(sorted(x.items()))) if mail else x
        right += prediction.label == y
        same += prediction.scores == model.score(message).scores
        loss += loss_of(model.predict_proba_one(message), y)
        model.learn_one(message, y, *([SOURCE] if mail else []))
    return Figures(100 * right / len(rows), loss / len(rows), f" ({same} of {len(rows)} the same)")


def main() -> None:
    kinds = sys.argv[1:] or ["sqlite", "kafka"]
    if not set(kinds) <= {"sqlite", "kafka"}:
        sys.exit(f"{' '.join(kinds)}: name sqlite, kafka or both")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        cluster = Cluster(folder / "kafka").start() if "kafka" in kinds else None
        if cluster is not None:
            stack.callback(cluster.stop)
        print("accuracy % / log loss")
        for stream in STREAMS:
            rows = rows_of(stream)
            print(f"{stream.__name__}, {len(rows)} messages of {len(rows[0][0])} numbers")
            print(f"  {'river, GaussianNB':28}{offline(RiverGaussianNB(), rows)}")
            print(f"  {'ours, GaussianNB':28}{offline(GaussianNB(), rows)}", flush=True)
            for kind in kinds:
                for name in ("mail", "gaussian"):
                    prefix = f"{stream.__name__}.{kind}.{name}."
                    url = f"kafka://{cluster.bootstrap}" if kind == "kafka" and cluster else f"sqlite:{folder / prefix}"
                    print(f"  {f'{kind}, model {name}':28}{on_log(url, prefix, name, rows, folder)}", flush=True)


if __name__ == "__main__":
    main()
