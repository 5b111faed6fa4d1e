"""What a trial does to its brokers."""

from __future__ import annotations

import time

from kafka import KafkaAdminClient

from consumers.log.base import TopicPartition
from tests.support.kafka_broker import Cluster

DOWN_S = 3.0


def kill_leader(cluster: Cluster, place: TopicPartition) -> None:
    """Kill the broker that leads this partition of a topic, and start it again after `DOWN_S` seconds."""
    node = cluster.nodes[_leader(cluster, place) - 1]
    node.kill()
    time.sleep(DOWN_S)
    node.start()
    cluster.wait()


def restart_all(cluster: Cluster) -> None:
    """Stop each broker in turn and start it again, as for an upgrade."""
    for node in cluster.nodes:
        node.stop()
        node.start()
        cluster.wait()


def _leader(cluster: Cluster, place: TopicPartition) -> int:
    admin = KafkaAdminClient(bootstrap_servers=cluster.bootstrap)
    topic = admin.describe_topics([place.topic])[0]
    admin.close()
    return next(p["leader_id"] for p in topic["partitions"] if p["partition_index"] == place.partition)
