"""The broker that the tests run, the one of `make kafka` and the one in Docker have the same settings and version."""

from __future__ import annotations

import re

from kafka_broker import PROPERTIES, ROOT, _read

# Where a broker is reached differs between a host and a container; all else must not.
ADDRESSES = {
    "listeners",
    "advertised.listeners",
    "inter.broker.listener.name",
    "listener.security.protocol.map",
    "controller.quorum.voters",
    "log.dirs",
}
COMPOSE = (ROOT / "config" / "compose.yaml").read_text()


def test_docker_runs_the_broker_with_the_settings_of_the_tests():
    docker = {
        name.lower().replace("_", "."): value.strip('"')
        for name, value in re.findall(r"^\s+KAFKA_([A-Z_]+): (.+)$", COMPOSE, re.MULTILINE)
    }
    ours = _read(PROPERTIES)
    assert docker.keys() == ours.keys()
    for name in ours.keys() - ADDRESSES:
        assert docker[name] == ours[name], name


def test_docker_runs_the_version_that_maven_fetches():
    pom = (ROOT / "config" / "kafka" / "pom.xml").read_text()
    version = re.search(r"<artifactId>kafka_2.13</artifactId>\s*<version>(.+)</version>", pom)[1]
    assert f"image: apache/kafka:{version}\n" in COMPOSE
