"""Real Apache Kafka for tests: one node or three, on free loopback ports; tests can kill and restart them."""

from __future__ import annotations

import base64
import os
import shutil
import signal
import socket
import subprocess
import time
import uuid
from contextlib import closing
from pathlib import Path

from tests.support.ports import free_ports

ROOT = Path(__file__).parents[2]
PROPERTIES = ROOT / "config" / "kafka" / "server.properties"
HEAP = "400m"
READY_S = 90.0


def why_not() -> str | None:
    """What is missing to run Kafka here; None if nothing is."""
    missing = [program for program in ("java", "mvn") if shutil.which(program) is None]
    return f"{' and '.join(missing)} missing: Kafka cannot run" if missing else None


class Node:
    """One broker process."""

    def __init__(self, folder: Path, libs: str, properties: Path, port: int) -> None:
        self._folder = folder
        self._libs = libs
        self.properties = properties
        self.port = port
        self.process: subprocess.Popen | None = None

    def start(self) -> None:
        """Start the process; `Cluster.wait` waits until it answers."""
        command = [*_java(self._libs, HEAP), "kafka.Kafka", str(self.properties)]
        with open(self._folder / "out.log", "ab") as out:
            self.process = subprocess.Popen(command, stdout=out, stderr=out, stdin=subprocess.DEVNULL)

    def kill(self) -> None:
        """Kill the process with SIGKILL, as in a crash."""
        self._end(signal.SIGKILL)

    def stop(self) -> None:
        """Stop the process with SIGTERM, or with SIGKILL if that takes too long."""
        self._end(signal.SIGTERM)

    def _end(self, how: signal.Signals) -> None:
        if self.process is not None and self.process.poll() is None:
            self.process.send_signal(how)
            try:
                self.process.wait(20)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()


class Cluster:
    """A cluster of `count` nodes with data under `folder`; `extra` overrides broker settings.

    `version` is that of Kafka, if not the one of config/kafka/pom.xml.
    """

    def __init__(
        self, folder: Path, count: int = 1, extra: dict[str, str] | None = None, version: str | None = None
    ) -> None:
        libs = _fetch(version)
        ports = free_ports(2 * count)
        voters = ",".join(f"{i + 1}@127.0.0.1:{ports[count + i]}" for i in range(count))
        copies, in_sync = (3, 2) if count == 3 else (1, 1)
        self.nodes: list[Node] = []
        # An id of Kafka: sixteen bytes as URL-safe text without padding. The first may not become a dash.
        cluster_id = base64.urlsafe_b64encode(b"\0" + os.urandom(15)).decode().rstrip("=")
        for i in range(count):
            home = folder / f"node-{i + 1}"
            home.mkdir(parents=True)
            settings = _read(PROPERTIES) | {
                "node.id": str(i + 1),
                "listeners": f"PLAINTEXT://127.0.0.1:{ports[i]},CONTROLLER://127.0.0.1:{ports[count + i]}",
                "advertised.listeners": f"PLAINTEXT://127.0.0.1:{ports[i]}",
                "controller.quorum.voters": voters,
                "log.dirs": str(home / "data"),
                "offsets.topic.replication.factor": str(copies),
                "transaction.state.log.replication.factor": str(copies),
                "transaction.state.log.min.isr": str(in_sync),
                "share.coordinator.state.topic.replication.factor": str(copies),
                "share.coordinator.state.topic.min.isr": str(in_sync),
                "default.replication.factor": str(copies),
                "min.insync.replicas": str(in_sync),
                **(extra or {}),
            }
            path = home / "server.properties"
            _write(path, settings)
            _run(libs, "kafka.tools.StorageTool", "format", "-t", cluster_id, "-c", str(path))
            self.nodes.append(Node(home, libs, path, ports[i]))

    @property
    def bootstrap(self) -> str:
        """host:port of every node."""
        return ",".join(f"127.0.0.1:{node.port}" for node in self.nodes)

    def new_topic(self, partitions: int) -> str:
        """The name of a new topic of its own."""
        from kafka import KafkaAdminClient

        topic = f"t{uuid.uuid4().hex[:8]}"
        admin = KafkaAdminClient(bootstrap_servers=self.bootstrap)
        admin.create_topics({topic: {"num_partitions": partitions, "replication_factor": 1}})
        admin.wait_for_topics([topic])
        admin.close()
        return topic

    def damage(self, topic: str, batch: int) -> None:
        """Stop the first node, flip a byte in a batch of partition 0 of a topic, and start it again."""
        self.nodes[0].stop()
        path = Path(_read(self.nodes[0].properties)["log.dirs"]) / f"{topic}-0" / f"{0:020}.log"
        content = bytearray(path.read_bytes())
        start = 0
        for _ in range(batch):
            start += 12 + int.from_bytes(content[start + 8 : start + 12], "big")
        content[start + 70] ^= 0xFF
        path.write_bytes(content)
        self.start()

    def add_listener(self, name: str, port: int, protocol: str, settings: dict[str, str]) -> None:
        """Add a listener to the first node, before it starts."""
        path = self.nodes[0].properties
        found = _read(path)
        found["listeners"] += f",{name}://127.0.0.1:{port}"
        found["advertised.listeners"] += f",{name}://127.0.0.1:{port}"
        found["listener.security.protocol.map"] += f",{name}:{protocol}"
        _write(path, found | settings)

    def add_scram_user(self, name: str, password: str) -> None:
        """Add a user with a SCRAM-SHA-256 password."""
        from kafka import KafkaAdminClient
        from kafka.admin import ScramMechanism, UserScramCredentialUpsertion

        admin = KafkaAdminClient(bootstrap_servers=self.bootstrap)
        admin.alter_user_scram_credentials([UserScramCredentialUpsertion(name, ScramMechanism.SCRAM_SHA_256, password)])
        admin.close()

    def start(self) -> Cluster:
        """Start all nodes and wait until they answer."""
        for node in self.nodes:
            node.start()
        self.wait()
        return self

    def wait(self) -> None:
        """Wait until every started node answers a client; raises TimeoutError with the end of its output."""
        from kafka import KafkaAdminClient
        from kafka.errors import KafkaError

        deadline = time.monotonic() + READY_S
        for node in self.nodes:
            while True:
                try:
                    socket.create_connection(("127.0.0.1", node.port), 1).close()
                    address = f"127.0.0.1:{node.port}"
                    with closing(KafkaAdminClient(bootstrap_servers=address, bootstrap_timeout_ms=2000)) as admin:
                        # not describe_cluster: kafka-python 3 fails in it with brokers before 3.7
                        brokers = admin._manager.run(admin._get_cluster_metadata, [])["brokers"]
                    if len(brokers) == len(self.nodes):
                        break
                except (KafkaError, OSError):
                    pass
                if time.monotonic() > deadline or node.process.poll() is not None:
                    raise TimeoutError((node._folder / "out.log").read_text()[-2000:])
                time.sleep(0.2)

    def stop(self) -> None:
        """Kill all nodes."""
        for node in self.nodes:
            node.kill()


def _fetch(version: str | None) -> str:
    """The folder of Kafka's jars."""
    environment = os.environ | ({"KAFKA_VERSION": version} if version else {})
    command = [str(ROOT / "config" / "kafka" / "fetch")]
    done = subprocess.run(command, env=environment, stdout=subprocess.PIPE, text=True, check=True, timeout=600)
    return done.stdout.strip()


def _java(libs: str, heap: str) -> list[str]:
    level = "-Dorg.slf4j.simpleLogger.defaultLogLevel=warn"
    return ["java", f"-Xmx{heap}", f"-Xms{heap}", "-XX:TieredStopAtLevel=1", level, "-cp", f"{libs}/*"]


def _run(libs: str, *arguments: str) -> str:
    command = [*_java(libs, "128m"), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120, check=False)
    if done.returncode != 0:
        raise RuntimeError(f"{arguments}: {done.stdout}{done.stderr}")
    return done.stdout


def _write(path: Path, settings: dict[str, str]) -> None:
    path.write_text("".join(f"{name}={value}\n" for name, value in settings.items()))


def _read(path: Path) -> dict[str, str]:
    lines = (line for line in path.read_text().splitlines() if line and not line.startswith("#"))
    return dict(line.split("=", 1) for line in lines)


def required() -> bool:
    """Whether a test that cannot run fails instead of being skipped: in CI."""
    return os.environ.get("CI") == "true"
