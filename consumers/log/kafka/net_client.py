"""The connections of every client: what kafka-python (3.0) does where a broker does not answer, done otherwise."""

from __future__ import annotations

from typing import Any

from ...runtime.pause import pause

LOOK_AGAIN_S = 0.05
"""A broker that was killed is named as coordinator until it counts as gone."""


def net_client(plain: Any, error: type[Exception]) -> Any:
    """The class of a client's connections.

    Args:
        plain: The library's, `KafkaNetClient`.
        error: What the library raises, `KafkaError`.
    """

    class NetClient(plain):
        def __init__(self, **configs: Any) -> None:
            """Let each of the brokers that are asked first have a share of the time.

            The library lets the first one have all of it: where that one is frozen, or its machine is gone, the others
            are not asked.
            """
            client: Any = super()
            client.__init__(**configs)
            manager: Any = self._manager
            connect, cluster = manager.get_connection, manager.cluster

            def get_connection(node_id: object, timeout_ms: float | None = None, **options: Any) -> Any:
                if timeout_ms is not None and cluster.is_bootstrap(node_id):
                    timeout_ms /= len(cluster.bootstrap_brokers())
                return connect(node_id, timeout_ms=timeout_ms, **options)

            manager.get_connection = get_connection

        def await_ready(self, node_id: object, timeout_ms: float = 30_000) -> bool:
            """Whether a node can be reached.

            Where the coordinator of a transaction cannot be reached the library raises an error in the thread that
            sends, and loses the request that it was about to send: partitions are never added, or the commit never
            comes, at each restart of a broker which idle producers have for it. Told that the node is not ready, it
            keeps the request and looks anew.
            """
            client: Any = super()
            try:
                return client.await_ready(node_id, timeout_ms)
            except error:
                pause(LOOK_AGAIN_S)
                return False

    return NetClient
