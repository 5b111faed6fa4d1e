"""The filter under load, and commands started for one mail, compared with established programs in the same run.

    python -m tests.benchmarks.filter [--starts] [PATH]   PATH: what `stream-nb feed` reads; else generated mail

Each system learns the first mails. The others are sent over 100 connections at a time, one mail per connection, as mail
servers do. Printed are mails/s, latency, CPU time of the server's processes per mail, and the number predicted right.
    stream_nb        a worker and a filter over SQLite, with and without words in the answers
    rspamd's Bayes   a normal worker with the Bayes classifier over Redis and without its other rules
    spamd's Bayes    SpamAssassin's server with a rule for Bayes and no other, in its own protocol
Then the cost of one mail for a script: `stream-nb classify` with the filter and with a model file, bogofilter, rspamc
and spamc; with --starts only this. All share this machine's cores: only the ratios are meaningful.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack
from itertools import islice
from pathlib import Path
from typing import NamedTuple

from consumers.ingest.feeder import Item
from consumers.ingest.formats import open_source
from consumers.ingest.synthetic import synthetic_mails
from tests.benchmarks.filter_servers import Server, train_rspamd, train_spamd, train_stream_nb, write_mails
from tests.support.processes import cpu_seconds

CONNECTIONS = 100
TRAIN = 1000
MAILS = 2000
PASSES = 3
STARTS = 7


class Run(NamedTuple):
    """One pass over the mails; latencies in seconds."""

    mails_per_s: float
    latencies: list[float]
    cpu_s: float
    right: int


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("path", nargs="?")
    parser.add_argument("--starts", action="store_true", help="only what one mail costs a script")
    arguments = parser.parse_args()
    source = open_source(arguments.path, shuffle=0) if arguments.path else synthetic_mails(TRAIN + MAILS, seed=0)
    items = [item for item in islice(source, TRAIN + MAILS) if item.label in ("ham", "spam")]
    learned, asked = items[:TRAIN], items[TRAIN:]
    size = statistics.fmean(len(item.value) for item in asked)
    print(f"{len(learned)} mails learned, {len(asked)} asked about, {size:.0f} bytes each, {CONNECTIONS} connections")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.chmod(0o755)
        ours = stack.enter_context(train_stream_nb(folder / "words", learned, words=8))
        if not arguments.starts:
            _run_load([ours, *_others(stack, folder, learned)], asked)
        _print_starts(ours.port, folder, learned, asked[0].value)


def _others(stack: ExitStack, folder: Path, learned: Sequence[Item]) -> Iterator[Server]:
    yield stack.enter_context(train_stream_nb(folder / "plain", learned, words=0))
    if shutil.which("rspamd") and shutil.which("redis-server") and os.getuid() == 0:
        yield stack.enter_context(train_rspamd(folder / "rspamd", learned))
    else:
        print("rspamd's Bayes is left out: it wants rspamd, redis-server and root")
    if shutil.which("spamd") and shutil.which("sa-learn") and os.getuid() == 0:
        yield stack.enter_context(train_spamd(folder / "spamd", learned))
    else:
        print("spamd's Bayes is left out: it wants spamd, sa-learn and root")


def _run_load(servers: Sequence[Server], asked: Sequence[Item]) -> None:
    passes: dict[str, list[Run]] = {server.name: [] for server in servers}
    for _ in range(PASSES):
        for server in servers:
            passes[server.name].append(_pass(server, asked))
    _print_load(passes, len(asked))


def _pass(server: Server, asked: Sequence[Item]) -> Run:
    pids = server.pids()
    before, started = cpu_seconds(pids), time.perf_counter()
    latencies, right = asyncio.run(_ask_all(server, asked))
    seconds = time.perf_counter() - started
    return Run(len(asked) / seconds, latencies, cpu_seconds(pids) - before, right)


async def _ask_all(server: Server, asked: Sequence[Item]) -> tuple[list[float], int]:
    waiting = iter(asked)
    latencies: list[float] = []
    right = 0

    async def client() -> None:
        nonlocal right
        for item in waiting:
            started = time.perf_counter()
            is_spam = await server.ask(server.port, item.value)
            latencies.append(time.perf_counter() - started)
            right += is_spam == (item.label == "spam")

    await asyncio.gather(*(client() for _ in range(CONNECTIONS)))
    return latencies, right


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
    """Print the time and CPU time of a script for one mail: the minimum of several warm starts."""
    ours = [str(Path(sys.executable).with_name("stream-nb"))]
    model, words = folder / "model.snb", folder / "bogofilter"
    for label in ("ham", "spam"):
        mails = folder / label
        write_mails(mails, [item.value for item in learned if item.label == label])
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
    # An installed program has its bytecode, which containers often forbid Python to write.
    environment = {**os.environ, "STREAM_NB_FILTER_PORT": str(port), "PYTHONDONTWRITEBYTECODE": ""}
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
