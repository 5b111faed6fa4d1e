"""The listener under load, and commands started for one mail, beside programs that people have now, in one run.

    python -m tests.benchmarks.filter [PATH]      PATH is anything `stream-nb feed` takes; else generated mail

The first mails are learned by each system, the others are asked about over 100 connections at a time, one connection a
mail as mail servers do it: mails/s, latency, CPU time of the server's processes a mail, and how many were called right.
    stream_nb        a worker and a filter over SQLite, with and without words in the answers
    rspamd's Bayes   a normal worker with the Bayes classifier over Redis and without its other rules
Then what one mail costs a script: `stream-nb classify` asking the filter, the same on a model in a file, bogofilter,
rspamc and spamc. All share this machine's cores: read the ratios.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from consumers.ingest.feeder import Feeder, Item
from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from consumers.log.base import TopicPartition
from consumers.records.schemas import PREDICTIONS
from consumers.records.setup import open_ready_log
from consumers.settings import Settings
from tests.support.processes import cpu_seconds, worker_processes

CONNECTIONS = 100
TRAIN = 1000
MAILS = 2000
PASSES = 3
STARTS = 7
PATIENCE_S = 300.0

RSPAMD = """
options {{
  pidfile = "{folder}/pid";
  control_socket = "{folder}/control mode=0600";
  filters = [];
  dns {{ nameserver = ["127.0.0.1"]; timeout = 0.1s; retransmits = 1; }}
}}
logging {{ type = "console"; level = "error"; }}
actions {{ reject = 15; add_header = 5; }}
worker "normal" {{ bind_socket = "127.0.0.1:{port}"; count = 1; }}
worker "controller" {{ bind_socket = "127.0.0.1:{teach}"; secure_ip = "127.0.0.1"; count = 1; }}
classifier "bayes" {{
  tokenizer {{ name = "osb"; }}
  backend = "redis";
  new_schema = true;
  servers = "127.0.0.1:{redis}";
  min_learns = 10;
  statfile {{ symbol = "BAYES_HAM"; spam = false; }}
  statfile {{ symbol = "BAYES_SPAM"; spam = true; }}
}}
metric {{
  name = "default";
  symbol {{ name = "BAYES_SPAM"; weight = 10; }}
  symbol {{ name = "BAYES_HAM"; weight = -5; }}
}}
"""


class Server(NamedTuple):
    """A trained server that answers /checkv2, and its processes."""

    name: str
    port: int
    pids: Callable[[], list[int]]


class Run(NamedTuple):
    """One pass over the mails; latencies in seconds."""

    mails_per_s: float
    latencies: list[float]
    cpu_s: float
    right: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?")
    arguments = parser.parse_args()
    source = open_source(arguments.path, shuffle=0) if arguments.path else synthetic_mails(TRAIN + MAILS, seed=0)
    items = [item for item in islice(source, TRAIN + MAILS) if item.label in ("ham", "spam")]
    learned, asked = items[:TRAIN], items[TRAIN:]
    size = statistics.fmean(len(item.value) for item in asked)
    print(f"{len(learned)} mails learned, {len(asked)} asked about, {size:.0f} bytes each, {CONNECTIONS} connections")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        servers = [
            stack.enter_context(_ours(folder / "words", learned, words=8)),
            stack.enter_context(_ours(folder / "plain", learned, words=0)),
        ]
        if shutil.which("rspamd") and shutil.which("redis-server") and os.getuid() == 0:
            servers.append(stack.enter_context(_rspamd(folder / "rspamd", learned)))
        else:
            print("rspamd's Bayes is left out: it wants rspamd, redis-server and root")
        passes: dict[str, list[Run]] = {server.name: [] for server in servers}
        for _ in range(PASSES):
            for server in servers:
                passes[server.name].append(_pass(server, asked))
        _print_load(passes, len(asked))
        _print_starts(servers[0].port, folder, learned, asked[0].value)


def _pass(server: Server, asked: Sequence[Item]) -> Run:
    pids = server.pids()
    before, started = cpu_seconds(pids), time.perf_counter()
    latencies, right = asyncio.run(_ask_all(server.port, asked))
    seconds = time.perf_counter() - started
    return Run(len(asked) / seconds, latencies, cpu_seconds(pids) - before, right)


async def _ask_all(port: int, asked: Sequence[Item]) -> tuple[list[float], int]:
    waiting = iter(asked)
    latencies: list[float] = []
    right = 0

    async def client() -> None:
        nonlocal right
        for item in waiting:
            started = time.perf_counter()
            reply = await _post(port, "/checkv2", item.value)
            latencies.append(time.perf_counter() - started)
            right += (b'"action":"no action"' not in reply.replace(b": ", b":")) == (item.label == "spam")

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    return latencies, right


async def _post(port: int, path: str, body: bytes) -> bytes:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    reply = await asyncio.wait_for(reader.read(), PATIENCE_S)
    writer.close()
    return reply


@contextmanager
def _ours(folder: Path, learned: Sequence[Item], words: int) -> Iterator[Server]:
    settings = Settings(log=f"sqlite:{folder}")
    with open_ready_log(settings, notify=lambda text: None) as log:
        Feeder(log, delays=iter(lambda: 0, 1)).run(learned)
    port = _free_port()
    environment = {
        **os.environ,
        "STREAM_NB_LOG": settings.log,
        "STREAM_NB_FILTER_WORDS": str(words),
        "STREAM_NB_FILTER_PORT": str(port),
        "STREAM_NB_FILTER_DEADLINE_S": str(PATIENCE_S),
    }
    command = [sys.executable, "-m", "consumers"]
    with _process([*command, "worker"], environment) as worker, _process([*command, "filter"], environment) as asked:
        _wait_for(port)
        with open_ready_log(settings, notify=lambda text: None) as log:
            while log.end_offset(TopicPartition(PREDICTIONS, 0)) < len(learned):
                time.sleep(0.1)
        name = f"stream_nb, {words} words" if words else "stream_nb, no words"
        yield Server(name, port, lambda: [asked.pid, *worker_processes(worker.pid)])


@contextmanager
def _rspamd(folder: Path, learned: Sequence[Item]) -> Iterator[Server]:
    folder.mkdir()
    port, teach, redis = _free_port(), _free_port(), _free_port()
    (folder / "rspamd.conf").write_text(RSPAMD.format(folder=folder, port=port, teach=teach, redis=redis))
    shutil.chown(folder, "_rspamd", "_rspamd")
    store = ["redis-server", "--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    command = ["rspamd", "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", str(folder / "rspamd.conf")]
    command += [f"--var={name}={folder}" for name in ("LOCAL_CONFDIR", "RUNDIR", "DBDIR", "LOGDIR")]
    with _process(store, None) as kept, _process(command, None) as parent:
        for each in (redis, port, teach):
            _wait_for(each)
        for item in learned:
            asyncio.run(_post(teach, f"/learn{item.label}", item.value))
        yield Server("rspamd's Bayes", port, lambda: [kept.pid, parent.pid, *_children(parent.pid)])


@contextmanager
def _process(command: list[str], environment: dict[str, str] | None) -> Iterator[subprocess.Popen]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()


def _children(parent: int) -> list[int]:
    found = subprocess.run(["pgrep", "-P", str(parent)], capture_output=True, text=True, check=False)
    return [int(pid) for pid in found.stdout.split()]


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as held:
        return held.getsockname()[1]


def _wait_for(port: int) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            socket.create_connection(("127.0.0.1", port)).close()
            return
        except OSError:
            if time.monotonic() > deadline:
                raise
            time.sleep(0.1)


def _print_load(passes: dict[str, list[Run]], mails: int) -> None:
    heads = ("mails/s", "ms 50 %", "95 %", "99 %", "CPU ms", "right %")
    print(f"\n{f'best of {PASSES}':22}" + "".join(f"{head:>9}" for head in heads))
    for name, runs in passes.items():
        best = max(runs, key=lambda run: run.mails_per_s)
        cuts = statistics.quantiles(best.latencies, n=100)
        cpu = min(run.cpu_s for run in runs) / mails
        print(
            f"{name:22}{best.mails_per_s:9.0f}{cuts[49] * 1e3:9.0f}{cuts[94] * 1e3:9.0f}{cuts[98] * 1e3:9.0f}"
            f"{cpu * 1e3:9.2f}{100 * best.right / mails:9.2f}"
        )


def _print_starts(port: int, folder: Path, learned: Sequence[Item], mail: bytes) -> None:
    """What a script waits for, and spends, to have one mail judged: the least of several starts, warm."""
    ours = [str(Path(sys.executable).with_name("stream-nb"))]
    model, words = folder / "model.snb", folder / "bogofilter"
    for label in ("ham", "spam"):
        mails = folder / label
        mails.mkdir()
        for number, item in enumerate(learned):
            if item.label == label:
                (mails / str(number)).write_bytes(item.value)
        learn = [*ours, "learn", f"--{label}", "--model", str(model), str(mails)]
        subprocess.run(learn, check=True, capture_output=True)
    commands = {
        "python -c 1": [sys.executable, "-c", "1"],
        "classify, asking": [*ours, "classify"],
        "classify --model": [*ours, "classify", "--model", str(model)],
        "rspamc": ["rspamc", "-h", f"127.0.0.1:{port}"],
        "spamc": ["spamc", "-d", "127.0.0.1", "-p", str(port)],
    }
    if shutil.which("bogofilter"):
        words.mkdir()
        for option, label in (("-s", "spam"), ("-n", "ham")):
            subprocess.run(["bogofilter", "-d", str(words), option, "-B", str(folder / label)], check=True)
        commands["bogofilter"] = ["bogofilter", "-d", str(words)]
    print(f"\n{'one mail, warm':22}{'wall ms':>9}{'CPU ms':>9}")
    environment = {**os.environ, "STREAM_NB_FILTER_PORT": str(port)}
    for name, command in commands.items():
        if shutil.which(command[0]) is None:
            continue
        costs = [_cost(command, environment, mail) for _ in range(STARTS)]
        print(f"{name:22}{min(wall for wall, _ in costs) * 1e3:9.0f}{min(cpu for _, cpu in costs) * 1e3:9.0f}")


def _cost(command: list[str], environment: dict[str, str], mail: bytes) -> tuple[float, float]:
    before, started = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    subprocess.run(command, input=mail, env=environment, capture_output=True, check=False)
    wall, after = time.perf_counter() - started, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


if __name__ == "__main__":
    main()
