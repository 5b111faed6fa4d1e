"""Servers that answer /checkv2, each trained on the same mails: ours, and rspamd's Bayes."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from consumers.ingest.feeder import Feeder, Item
from consumers.log.base import TopicPartition
from consumers.records.schemas import PREDICTIONS
from consumers.records.setup import open_ready_log
from consumers.settings import Settings
from tests.support.ports import free_ports, wait_for_port
from tests.support.processes import descendants, worker_processes

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
worker "controller" {{ bind_socket = "127.0.0.1:{controller}"; secure_ip = "127.0.0.1"; count = 1; }}
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


async def post(port: int, path: str, body: bytes) -> bytes:
    """The answer to one request on a connection of its own."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    writer.write(head.encode() + body)
    reply = await asyncio.wait_for(reader.read(), PATIENCE_S)
    writer.close()
    return reply


@contextmanager
def train_stream_nb(folder: Path, learned: Sequence[Item], words: int) -> Iterator[Server]:
    """A worker and a filter over SQLite; answers name this many words."""
    settings = Settings(log=f"sqlite:{folder}")
    with open_ready_log(settings, notify=lambda text: None) as log:
        Feeder(log, delays=iter(lambda: 0, 1)).run(learned)
    (port,) = free_ports(1)
    environment = {
        **os.environ,
        "STREAM_NB_LOG": settings.log,
        "STREAM_NB_FILTER_WORDS": str(words),
        "STREAM_NB_FILTER_PORT": str(port),
        "STREAM_NB_FILTER_DEADLINE_S": str(PATIENCE_S),
    }
    command = [sys.executable, "-m", "consumers"]
    with _process([*command, "worker"], environment) as worker, _process([*command, "filter"], environment) as asked:
        wait_for_port(port, asked)
        with open_ready_log(settings, notify=lambda text: None) as log:
            while log.end_offset(TopicPartition(PREDICTIONS, 0)) < len(learned):
                time.sleep(0.1)
        name = f"stream_nb, {words} words" if words else "stream_nb, no words"
        yield Server(name, port, lambda: [asked.pid, *worker_processes(worker.pid)])


@contextmanager
def train_rspamd(folder: Path, learned: Sequence[Item]) -> Iterator[Server]:
    """A normal worker with the Bayes classifier over Redis and without its other rules."""
    folder.mkdir()
    port, controller, redis = free_ports(3)
    (folder / "rspamd.conf").write_text(RSPAMD.format(folder=folder, port=port, controller=controller, redis=redis))
    shutil.chown(folder, "_rspamd", "_rspamd")
    store = ["redis-server", "--port", str(redis), "--bind", "127.0.0.1", "--save", "", "--dir", str(folder)]
    command = ["rspamd", "-f", "-u", "_rspamd", "-g", "_rspamd", "-c", str(folder / "rspamd.conf")]
    command += [f"--var={name}={folder}" for name in ("LOCAL_CONFDIR", "RUNDIR", "DBDIR", "LOGDIR")]
    with _process(store, None) as kept, _process(command, None) as parent:
        wait_for_port(redis, kept)
        for each in (port, controller):
            wait_for_port(each, parent)
        for item in learned:
            asyncio.run(post(controller, f"/learn{item.label}", item.value))
        yield Server("rspamd's Bayes", port, lambda: [kept.pid, parent.pid, *descendants(parent.pid)])


@contextmanager
def _process(command: list[str], environment: dict[str, str] | None) -> Iterator[subprocess.Popen]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()
