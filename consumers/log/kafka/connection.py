"""The connection options of every client."""

from __future__ import annotations

from typing import Any

from ...errors import UserError
from ...settings import KafkaSettings
from .security import check_security

CLIENT_ID = "stream-nb"
"""How brokers name our clients in their logs, metrics and quotas."""
BOOTSTRAP_MS = 8_000
RECONNECT_MS = 500
"""Longest pause between attempts to reach a broker; the library's default of 30 s outlasts a transaction."""


class Connection(dict[str, Any]):
    """The options with which every client reaches the brokers, under the library's names."""

    @property
    def where(self) -> str:
        """The log's address, for errors."""
        return f"kafka://{','.join(self['bootstrap_servers'])}"

    @property
    def advice(self) -> str:
        """What to check when the brokers do not answer, for errors."""
        what = "their addresses and [kafka] security_protocol"
        if self["security_protocol"] != "PLAINTEXT":
            what = "addresses, security_protocol, user, password and certificates"
        return f"are the brokers up, and are {what} right?"


def connection(bootstrap: str, settings: KafkaSettings) -> Connection:
    """The options of a log with the brokers `bootstrap`: ``host:port[,host:port]``. Empty settings keep the library's
    default.

    Raises:
        UserError: An address has no host or an invalid port, or a setting of SASL or TLS cannot be used.
    """
    brokers = bootstrap.split(",")
    for broker in brokers:
        _check(broker)
    check_security(settings)
    options = Connection(
        bootstrap_servers=brokers,
        client_id=CLIENT_ID,
        security_protocol=settings.security_protocol,
        bootstrap_timeout_ms=BOOTSTRAP_MS,
        reconnect_backoff_max_ms=RECONNECT_MS,
    )
    optional = {
        "sasl_mechanism": settings.sasl_mechanism,
        "sasl_plain_username": settings.sasl_username,
        "sasl_plain_password": settings.sasl_password,
        "ssl_cafile": settings.ssl_cafile,
        "ssl_certfile": settings.ssl_certfile,
        "ssl_keyfile": settings.ssl_keyfile,
    }
    options.update({name: value for name, value in optional.items() if value})
    return options


def _check(broker: str) -> None:
    """Raise UserError for an invalid broker address; an IPv6 address with a port must be in brackets."""
    host, separator, port = broker.rpartition(":")
    if not separator or broker.endswith("]") or (":" in host and not host.startswith("[")):
        host, port = broker, "9092"
    if not host.strip():
        raise UserError(f"broker {broker!r} has no host; give kafka://host:port[,host:port]")
    if not (port.isascii() and port.isdigit() and len(port) < 6 and 0 < int(port) < 65_536):
        raise UserError(f"broker {broker!r}: port {port!r} is not a whole number from 1 to 65535")
