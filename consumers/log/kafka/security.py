"""Settings of SASL and TLS that cannot work are refused by name, before the library tries them again and again."""

from __future__ import annotations

import ssl
from pathlib import Path

from ...errors import UserError
from ...settings import KafkaSettings


def check_security(settings: KafkaSettings) -> None:
    """Raise UserError for what SASL lacks, and for files of certificates and keys that cannot be used.

    Args:
        settings: The settings; those of SASL or TLS say nothing where `security_protocol` has none.
    """
    if settings.security_protocol.startswith("SASL"):
        for name in ("sasl_mechanism", "sasl_username", "sasl_password"):
            if not getattr(settings, name):
                raise UserError(
                    f"[kafka] {name} is empty, and security_protocol = {settings.security_protocol} needs it; "
                    f"set it, or the variable STREAM_NB_KAFKA_{name.upper()}"
                )
    if settings.security_protocol.endswith("SSL"):
        _check_files(settings)


def _check_files(settings: KafkaSettings) -> None:
    for name in ("ssl_cafile", "ssl_certfile", "ssl_keyfile"):
        if path := getattr(settings, name):
            try:
                Path(path).read_bytes()
            except OSError as error:
                raise UserError(f"[kafka] {name} {path}: {error.strerror}; name a file that can be read") from error
    # The library reads the files for each connection, so that new ones need no restart: this context is only a trial.
    trial = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    cafile, certfile, keyfile = settings.ssl_cafile, settings.ssl_certfile, settings.ssl_keyfile
    try:
        if cafile:
            trial.load_verify_locations(cafile)
    except ssl.SSLError as error:
        raise UserError(f"[kafka] ssl_cafile {cafile}: no certificates in PEM format: {error}") from error
    if keyfile and not certfile:
        raise UserError(f"[kafka] ssl_keyfile {keyfile} is of no use without ssl_certfile; name the certificate's file")
    try:
        if certfile:
            trial.load_cert_chain(certfile, keyfile or None, password="")  # without one, a terminal is asked
    except ssl.SSLError as error:
        raise UserError(
            f"[kafka] ssl_certfile {certfile}, ssl_keyfile {keyfile or 'none'}: no certificate with its key, both in "
            f"PEM format and the key without a password: {error}"
        ) from error
