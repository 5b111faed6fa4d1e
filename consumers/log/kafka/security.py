"""Rejects SASL and TLS settings that cannot work, by name, before the library retries them again and again."""

from __future__ import annotations

import ssl
from pathlib import Path

from ...errors import UserError
from ...settings import KafkaSettings


def check_security(settings: KafkaSettings) -> None:
    """Raise UserError for missing SASL settings, and for unusable certificate and key files; those of SASL or TLS are
    ignored unless `security_protocol` uses it."""
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
    # This context is only for the check: the library reads the files for each connection, so new ones need no restart.
    trial = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    cafile, certfile, keyfile = settings.ssl_cafile, settings.ssl_certfile, settings.ssl_keyfile
    try:
        if cafile:
            trial.load_verify_locations(cafile)
    except ssl.SSLError as error:
        raise UserError(f"[kafka] ssl_cafile {cafile}: no certificates in PEM format: {error}") from error
    if keyfile and not certfile:
        raise UserError(f"[kafka] ssl_keyfile {keyfile} is unused without ssl_certfile; name the certificate's file")
    try:
        if certfile:
            trial.load_cert_chain(certfile, keyfile or None, password="")  # without a password, it asks at the terminal
    except ssl.SSLError as error:
        raise UserError(
            f"[kafka] ssl_certfile {certfile}, ssl_keyfile {keyfile or 'none'}: no certificate with its key, both in "
            f"PEM format and the key without a password: {error}"
        ) from error
