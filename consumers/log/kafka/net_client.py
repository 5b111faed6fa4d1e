"""The network client of every client, with fixes for how kafka-python (3.0) handles brokers that do not answer."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ...runtime.pause import pause

LOOK_AGAIN_S = 0.05
"""Pause before a retry: the cluster names a killed broker as coordinator until it is declared dead."""
METADATA_BACKOFF_MS = 20
"""The least time between two requests for metadata. The library's 100, which no option of its clients changes, is what
a producer waits for each topic that it writes for the first time."""


def net_client(plain: Any, error: type[Exception]) -> Any:
    """The fixed class, derived from `plain`, the library's `KafkaNetClient`; `error` is the library's `KafkaError`."""

    class NetClient(plain):
        def __init__(self, **configs: Any) -> None:
            """Divide the timeout among the bootstrap brokers, close if none answers, and wait less for metadata.

            The library spends all of the timeout on the first broker: if that is frozen, or its machine is down, the
            others are not tried. If none answers, its constructors raise, but leave their thread and sockets open.
            """
            client: Any = super()
            client.__init__(**configs)
            manager: Any = self._manager
            connect, cluster = manager.get_connection, manager.cluster
            cluster.config["retry_backoff_ms"] = METADATA_BACKOFF_MS

            def get_connection(node_id: object, timeout_ms: float | None = None, **options: Any) -> Any:
                if timeout_ms is not None and cluster.is_bootstrap(node_id):
                    timeout_ms /= len(cluster.bootstrap_brokers())
                return connect(node_id, timeout_ms=timeout_ms, **options)

            manager.get_connection = get_connection
            bootstrap = manager.bootstrap

            def bootstrap_or_close(*timeout: Any) -> None:
                try:
                    bootstrap(*timeout)
                except BaseException:
                    self.close()
                    raise

            manager.bootstrap = bootstrap_or_close
            build = manager._build_transport

            async def build_transport(node: object, **options: Any) -> Any:
                transport = await build(node, **options)
                transport._sock_recv = answer_first(transport._sock_recv)
                return transport

            manager._build_transport = build_transport

        def await_ready(self, node_id: object, timeout_ms: float = 30_000) -> bool:
            """Whether a node can be reached; returns False instead of raising.

            If the transaction coordinator cannot be reached, the library raises an error in the sender thread, which
            then loses the pending request: partitions are never added, or the commit is never sent. This happened at
            each restart of a coordinator of idle producers. On False the library keeps the request and retries.
            """
            client: Any = super()
            try:
                return client.await_ready(node_id, timeout_ms)
            except error:
                pause(LOOK_AGAIN_S)
                return False

    return NetClient


def answer_first(receive: Callable[[], tuple[bytes, Exception | None]]) -> Callable[[], tuple[bytes, Exception | None]]:
    """Hand over what was received before the end of the connection is reported, with the next call. `receive` is the
    method of the library's transport that returns what was received and the error that ended it.

    The library drops an answer if the broker closes the connection right after it, and such an answer says why: that
    the password is wrong, for example.
    """

    def receive_answer_first() -> tuple[bytes, Exception | None]:
        received, error = receive()
        return received, None if received else error

    return receive_answer_first
