"""Servers trained on the same mails: our filter, rspamd's Bayes classifier and that of SpamAssassin's spamd."""

from __future__ import annotations

import asyncio
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
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


SPAMD = """
use_bayes 1
bayes_auto_learn 0
bayes_min_ham_num 10
bayes_min_spam_num 10
bayes_path {folder}/bayes
required_score 5
body BAYES_SPAM eval:check_bayes('0.50', '1.00')
score BAYES_SPAM 10
"""


class Server(NamedTuple):
    """A trained server, a function that asks it on a port whether a mail is spam, and its processes."""

    name: str
    port: int
    ask: Callable[[int, bytes], Awaitable[bool]]
    pids: Callable[[], list[int]]


async def ask_rspamd(port: int, mail: bytes) -> bool:
    """Whether a server with rspamd's protocol returns an action other than none."""
    reply = await _post(port, "/checkv2", mail)
    return b'"action":"no action"' not in reply.replace(b": ", b":")


async def ask_spamd(port: int, mail: bytes) -> bool:
    """Whether a server of SpamAssassin's protocol says that the mail is spam."""
    reply = await _exchange(port, b"CHECK SPAMC/1.5\r\nContent-length: %d\r\n\r\n" % len(mail) + mail)
    return b"Spam: True" in reply


async def _post(port: int, path: str, body: bytes) -> bytes:
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\nContent-Length: {len(body)}\r\n\r\n"
    return await _exchange(port, head.encode() + body)


async def _exchange(port: int, request: bytes) -> bytes:
    """The response to one request on a new connection."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(request)
    reply = await asyncio.wait_for(reader.read(), PATIENCE_S)
    writer.close()
    return reply


@contextmanager
def train_stream_nb(folder: Path, learned: Sequence[Item], words: int) -> Iterator[Server]:
    """A worker and a filter over SQLite, with this number of words in the answers."""
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
        yield Server(name, port, ask_rspamd, lambda: [asked.pid, *worker_processes(worker.pid)])


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
            asyncio.run(_post(controller, f"/learn{item.label}", item.value))
        yield Server("rspamd's Bayes", port, ask_rspamd, lambda: [kept.pid, parent.pid, *descendants(parent.pid)])


@contextmanager
def train_spamd(folder: Path, learned: Sequence[Item]) -> Iterator[Server]:
    """One process per core, with a rule for Bayes and no other."""
    (port,) = free_ports(1)
    rules = folder / "rules"
    rules.mkdir(parents=True)
    (rules / "bayes.cf").write_text(SPAMD.format(folder=folder))
    plugins = ("Check", "Bayes")
    (rules / "bayes.pre").write_text("".join(f"loadplugin Mail::SpamAssassin::Plugin::{name}\n" for name in plugins))
    own = ["-C", str(rules), f"--siteconfigpath={rules}"]
    for label in ("ham", "spam"):
        write_mails(folder / label, [item.value for item in learned if item.label == label])
        subprocess.run(["sa-learn", *own, f"--{label}", str(folder / label)], check=True, capture_output=True)
    for path in (folder, *folder.glob("bayes_*")):
        shutil.chown(path, "nobody", "nogroup")
    processes = str(os.cpu_count())
    command = [
        "spamd",
        *own,
        "-x",
        "-L",
        "-s",
        "stderr",
        "-u",
        "nobody",
        "-p",
        str(port),
        "-m",
        processes,
        "--min-children",
        processes,
        "--max-conn-per-child",  # the CPU time of one that has ended would be lost
        "1000000",
    ]
    with _process(command, None) as parent:
        wait_for_port(port, parent)
        yield Server("spamd's Bayes", port, ask_spamd, lambda: [parent.pid, *descendants(parent.pid)])


def write_mails(folder: Path, mails: Sequence[bytes]) -> None:
    """Write a new folder with one file per mail."""
    folder.mkdir()
    for number, mail in enumerate(mails):
        (folder / str(number)).write_bytes(mail)


@contextmanager
def _process(command: list[str], environment: dict[str, str] | None) -> Iterator[subprocess.Popen]:
    quiet = subprocess.DEVNULL
    process = subprocess.Popen(command, env=environment, stdout=quiet, stderr=quiet)
    try:
        yield process
    finally:
        process.terminate()
        process.wait()
