"""How every client reaches the brokers."""

from __future__ import annotations

from typing import Any

from ...settings import KafkaSettings

BOOTSTRAP_MS = 8_000
RECONNECT_MS = 500
"""Longest pause between tries to reach a broker; the library's 30 s outlasts a transaction."""


def connection(bootstrap: str, settings: KafkaSettings) -> dict[str, Any]:
    """What every client needs to reach the brokers, by the library's names.

    Args:
        bootstrap: Brokers to ask for all others: ``host:port[,host:port]``.
        settings: Security; what is empty keeps the library's default.
    """
    options: dict[str, Any] = {
        "bootstrap_servers": bootstrap.split(","),
        "security_protocol": settings.security_protocol,
        "bootstrap_timeout_ms": BOOTSTRAP_MS,
        "reconnect_backoff_max_ms": RECONNECT_MS,
    }
    names = {
        "sasl_mechanism": settings.sasl_mechanism,
        "sasl_plain_username": settings.sasl_username,
        "sasl_plain_password": settings.sasl_password,
        "ssl_cafile": settings.ssl_cafile,
        "ssl_certfile": settings.ssl_certfile,
        "ssl_keyfile": settings.ssl_keyfile,
    }
    return options | {name: value for name, value in names.items() if value}
