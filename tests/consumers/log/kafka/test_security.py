"""The log over TLS with SASL/SCRAM: settings reach every client, and secrets are never shown."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from consumers.cli.settings_text import render
from consumers.errors import LogUnavailable, UserError
from consumers.log import open_log
from consumers.log.base import ProducerRecord, TopicPartition
from consumers.log.kafka.security import check_security
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, TOPICS
from consumers.settings import KafkaSettings, Settings
from tests.support.kafka_broker import Cluster
from tests.support.log_bench import take
from tests.support.ports import free_ports

PASSWORD = "pa55-never-shown"


@pytest.fixture(scope="module")
def certificate(tmp_path_factory):
    """A folder with a key and certificate for 127.0.0.1, and an unrelated key and certificate."""
    if shutil.which("openssl") is None:
        pytest.skip("openssl is missing: no certificate for the TLS test")
    folder = tmp_path_factory.mktemp("tls")
    for name in ("broker", "stranger"):
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=127.0.0.1",
             "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", f"{name}.key", "-out", f"{name}.crt"],
            cwd=folder, check=True, capture_output=True,
        )  # fmt: skip
    subprocess.run(
        ["openssl", "rsa", "-aes256", "-passout", "pass:sesame", "-in", "broker.key", "-out", "locked.key"],
        cwd=folder, check=True, capture_output=True,
    )  # fmt: skip
    (folder / "broker.pem").write_text((folder / "broker.key").read_text() + (folder / "broker.crt").read_text())
    return folder


@pytest.fixture(scope="module")
def secure(kafka_or_skip, certificate, tmp_path_factory):
    """The host:port of a broker whose listener requires TLS and a SCRAM password."""
    port = free_ports(1)[0]
    cluster = Cluster(tmp_path_factory.mktemp("secure"))
    cluster.add_listener(
        "SECURE",
        port,
        "SASL_SSL",
        {
            "sasl.enabled.mechanisms": "SCRAM-SHA-256",
            "listener.name.secure.scram-sha-256.sasl.jaas.config": (
                "org.apache.kafka.common.security.scram.ScramLoginModule required;"
            ),
            "ssl.keystore.type": "PEM",
            "ssl.keystore.location": str(certificate / "broker.pem"),
        },
    )
    try:
        cluster.start()
        cluster.add_scram_user("worker", PASSWORD)
        yield f"127.0.0.1:{port}"
    finally:
        cluster.stop()


def connect(address: str, certificate, **other) -> Settings:
    wanted = {
        "security_protocol": "SASL_SSL",
        "sasl_mechanism": "SCRAM-SHA-256",
        "sasl_username": "worker",
        "sasl_password": PASSWORD,
        "ssl_cafile": str(certificate / "broker.crt"),
    }
    return Settings(log=f"kafka://{address}", kafka=KafkaSettings(**(wanted | other)))


def test_all_clients_work_over_tls_with_a_password(secure, certificate):
    with open_log(connect(secure, certificate)) as log:
        log.create_topics(TOPICS, partitions=1)
        log.append([ProducerRecord(EMAILS, b"a", b"mail", 0)])
        consumer = log.join_group("workers", (EMAILS, LABELS), "here-0")
        assert take(consumer, 1)[0].value == b"mail"
        consumer.commit([ProducerRecord(PREDICTIONS, b"a", b"ham", 0)], {TopicPartition(EMAILS, 0): 1})
        assert log.read({TopicPartition(PREDICTIONS, 0): 0}, timeout_s=30.0)[0].value == b"ham"
        consumer.close()


REFUSED = "Authentication failed .* due to invalid credentials"


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"security_protocol": "PLAINTEXT"}, "are the brokers up"),
        ({"ssl_cafile": "stranger.crt"}, "certificate verify failed"),
        ({"sasl_password": "wrong-" + PASSWORD}, REFUSED),
        ({"sasl_username": "nobody"}, REFUSED),
        ({"sasl_mechanism": "SCRAM-SHA-512"}, "UnsupportedSaslMechanism"),
    ],
    ids=["protocol", "certificate", "password", "user", "mechanism"],
)
def test_the_error_for_a_wrong_setting_has_the_reason_and_no_password(secure, certificate, monkeypatch, wrong, why):
    """A broker that rejects a user answers and closes the connection; kafka-python often reported only the closing
    (`answer_first`)."""
    monkeypatch.setattr("consumers.log.kafka.connection.BOOTSTRAP_MS", 2_000)  # until then it is tried again
    if "ssl_cafile" in wrong:
        wrong = {"ssl_cafile": str(certificate / wrong["ssl_cafile"])}
    with pytest.raises(LogUnavailable, match=why) as caught:
        open_log(connect(secure, certificate, **wrong))
    error = str(caught.value)
    assert secure in error and PASSWORD not in error
    assert why != REFUSED or "socket disconnected" not in error


@pytest.mark.parametrize("name", ["sasl_mechanism", "sasl_username", "sasl_password"])
def test_a_missing_sasl_setting_is_named(certificate, name):
    with pytest.raises(UserError, match=rf"\[kafka\] {name} is empty, .*STREAM_NB_KAFKA_{name.upper()}") as caught:
        open_log(connect("127.0.0.1:1", certificate, **{name: ""}))
    assert PASSWORD not in str(caught.value)


@pytest.mark.parametrize(
    ("wrong", "why"),
    [
        ({"ssl_cafile": "missing.crt"}, "ssl_cafile .*missing.crt: No such file"),
        ({"ssl_cafile": "broker.key"}, "ssl_cafile .*broker.key: no certificates in PEM format"),
        ({"ssl_cafile": "."}, "ssl_cafile .*: Is a directory"),
        ({"ssl_certfile": "missing.crt"}, "ssl_certfile .*missing.crt: No such file"),
        ({"ssl_certfile": "broker.crt", "ssl_keyfile": "missing.key"}, "ssl_keyfile .*missing.key: No such file"),
        (
            {"ssl_certfile": "broker.crt", "ssl_keyfile": "stranger.key"},
            "ssl_keyfile .*stranger.key: no certificate with",
        ),
        ({"ssl_certfile": "broker.crt"}, "ssl_certfile .*broker.crt, ssl_keyfile none: no certificate with its key"),
        ({"ssl_certfile": "broker.crt", "ssl_keyfile": "locked.key"}, "locked.key: .* without a password"),
        ({"ssl_keyfile": "broker.key"}, "ssl_keyfile .*broker.key is unused without ssl_certfile"),
    ],
)
def test_an_unusable_file_is_named(certificate, wrong, why):
    files = {name: str(certificate / file) for name, file in wrong.items()}
    with pytest.raises(UserError, match=why):
        open_log(connect("127.0.0.1:1", certificate, **files))


def test_a_certificate_and_its_key_may_be_in_one_file(certificate):
    check_security(connect("127.0.0.1:1", certificate, ssl_certfile=str(certificate / "broker.pem")).kafka)


def test_files_are_not_checked_without_tls(certificate):
    check_security(KafkaSettings(ssl_cafile=str(certificate / "missing.crt")))


def test_the_password_is_never_printed(certificate):
    settings = connect("127.0.0.1:1", certificate)
    assert PASSWORD not in repr(settings) + str(settings) + render(settings)
