"""The commands `classify` and `learn` with a running filter."""

from __future__ import annotations

import json
import os
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from consumers.filter import client, words
from tests.consumers.filter.conftest import PATIENCE_S, fresh
from tests.support.filter_client import ERROR, HAM, SPAM, UNSURE


@contextmanager
def answering(answer: bytes, times: int = 1) -> Iterator[str]:
    """The port of a server that answers each request the same, whatever it is."""

    def reply() -> None:
        for _ in range(times):
            with server.accept()[0] as connection:
                connection.recv(65_536)
                connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as server:
        thread = threading.Thread(target=reply)
        thread.start()
        yield str(server.getsockname()[1])
        thread.join()


def test_a_running_filter_classifies_and_learns(cli, mail_filter):
    port = str(mail_filter.port)
    spam, ham = fresh("spam").value, fresh("ham").value

    assert cli("classify", stdin=spam, FILTER_PORT=port)[0] == SPAM
    assert cli("classify", stdin=ham, FILTER_PORT=port)[0] == HAM

    status, marked, _ = cli("classify", "--passthrough", stdin=ham, FILTER_PORT=port)
    message_id = marked.split(b"X-Stream-NB-Id: ")[1].split(b"\n")[0].decode()
    assert status == 0 and marked.endswith(ham)

    assert b"1 mail learned as work" in cli("learn", "--as", "work", "--source", "ann", stdin=marked)[1]
    for _ in range(2):
        out = cli("learn", "--forget", "--source", "ann", stdin=marked)[1]
        assert out == b"1 mail without a label from 'ann' from now on\n"  # the same answer when there is no label left
    labels = [(label.id, label.label, label.source, label.forget) for label in mail_filter.labels()[-3:-1]]
    assert labels == [(message_id, "work", "ann", False), (message_id, None, "ann", True)]


def test_the_password_comes_from_the_environment(cli, filter_on):
    server = filter_on(trained=False, password="secret")
    mail = fresh("spam").value

    for command in ("--spam", "--forget"):
        status, _, err = cli("learn", command, stdin=mail, FILTER_PORT=str(server.port))
        assert status == 2 and "password" in err, "a mistake, so no MTA tries again"

    assert cli("learn", "--spam", stdin=mail, FILTER_PASSWORD="secret")[0] == 0
    assert cli("learn", "--forget", stdin=mail)[0] == 0
    assert [(label.label, label.forget) for label in server.labels()] == [("spam", False), (None, True)]


def test_the_answer_of_a_filter_is_printed_with_probability_and_words(cli, mail_filter, monkeypatch):
    monkeypatch.setattr(words, "WORDS_S", PATIENCE_S)

    out = cli("classify", stdin=fresh("spam").value, FILTER_PORT=str(mail_filter.port))[1]

    assert re.match(rb"spam (0\.[6-9]\d{3}|1\.0000) -: .+ \+\d\.\d\d, ", out)


def test_a_class_with_a_line_end_is_not_sent(cli, mail_filter):
    """It would become a header field of the request."""
    status, _, err = cli("learn", "--as", "a\nUser: b", stdin=b"A: b\n\nx\n", FILTER_PORT=str(mail_filter.port))

    assert status == 2 and "Class 'a\\nUser: b' cannot be sent: use printable characters" in err


def test_a_wrong_host_name_is_an_error_of_one_line(cli):
    status, _, err = cli("classify", stdin=b"A: b\n\nx\n", FILTER_HOST="mail..example.org")

    assert status == ERROR and err.startswith("stream-nb: filter mail..example.org:11333: ") and err.count("\n") == 1


def test_a_filter_that_does_not_answer_is_given_up(cli, monkeypatch):
    monkeypatch.setattr(client, "GRACE_S", 0.1)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = str(silent.getsockname()[1])
        status, _, err = cli("learn", "--spam", stdin=b"A: b\n\nx\n", FILTER_PORT=port, FILTER_DEADLINE_S="0.1")

    assert status == 75 and f"filter 127.0.0.1:{port}: timed out" in err


def test_passthrough_outputs_the_mail_unchanged_if_no_filter_answers(cli, free_port):
    mail = fresh("spam").value

    status, out, err = cli("classify", "--passthrough", stdin=mail, FILTER_PORT=str(free_port))

    assert (status, out) == (0, mail)
    assert "stream-nb filter" in err
    assert cli("classify", stdin=mail)[0] == ERROR


def test_a_filter_that_is_away_is_no_mistake_so_an_mta_tries_again(cli, free_port):
    """A mail to an alias that runs `stream-nb learn` would be returned to its sender with any other status."""
    for command in (("--spam",), ("--forget",)):
        status, _, err = cli("learn", *command, stdin=fresh("spam").value, FILTER_PORT=str(free_port))
        assert status == 75 and f"filter 127.0.0.1:{free_port}: Connection refused" in err


@pytest.mark.parametrize(
    "answer",
    [
        b"",
        b'HTTP/1.0 503 x\r\n\r\n{"error": "the log does not answer"}',
        b"SPAMD/1.1 75 EX_TEMPFAIL the log does not answer\r\n\r\n",
    ],
)
def test_a_filter_that_cannot_write_the_label_now_is_no_mistake_either(cli, answer):
    with answering(answer) as port:
        what = "--forget" if answer.startswith(b"SPAMD") else "--spam"
        status, _, err = cli("learn", what, stdin=b"A: b\n\nx\n", FILTER_PORT=port)
    assert status == 75 and ("the log does not answer" if answer else "closed the connection") in err


def test_a_mail_without_a_prediction_is_printed_with_the_reason(cli, filter_on):
    server = filter_on(trained=False, deadline_s=0.2)

    status, out, _ = cli("classify", stdin=fresh("spam").value, FILTER_PORT=str(server.port))
    assert (status, out) == (UNSURE, b"unknown 0.5000 -: no prediction arrived within 0.2 s; is a worker running?\n")
    assert cli("classify", stdin=b"")[:2] == (UNSURE, b"unknown 0.5000 -: there is nothing to score\n")


def test_asking_a_filter_imports_no_slow_module(mail_filter):
    code = (
        "import sys; from consumers.cli.main import main\n"
        "try: main(['classify'])\n"
        "except SystemExit as ended: status = ended.code\n"
        "print(status, [m for m in ('numpy', 'numba', 'river', 'sqlite3', 'asyncio') if m in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code],
        input=fresh("spam").value,
        capture_output=True,
        env={**os.environ, "STREAM_NB_FILTER_PORT": str(mail_filter.port)},
        check=True,
    )

    assert done.stdout.splitlines()[-1] == b"0 []"


@pytest.mark.parametrize("answer", [b"{}", b'{"symbols": {"A": {}, "B": {}}, "milter": {}}'])
def test_another_server_on_the_port_is_reported_and_passthrough_outputs_the_mail(cli, answer):
    """For example rspamd itself, whose default port is the same."""
    mail = fresh("spam").value
    with answering(b"HTTP/1.1 200 OK\r\n\r\n" + answer, times=2) as port:
        status, _, err = cli("classify", stdin=mail, FILTER_PORT=port)
        assert status == ERROR and f"127.0.0.1:{port} is another server, not a stream-nb filter" in err
        assert cli("classify", "--passthrough", stdin=mail)[:2] == (0, mail)


@pytest.mark.parametrize(
    "answer", [b"HTTP/1.1 200 OK\r\n\r\n<html>", b"HTTP/1.1 200 OK\r\n\r\n[]", b"220 mx ESMTP\r\n"]
)
def test_a_server_of_another_kind_on_the_port_is_reported_in_one_line(cli, answer):
    with answering(answer) as port:
        status, _, err = cli("learn", "--spam", stdin=b"A: b\n\nx\n", FILTER_PORT=port)
    assert status == 2 and f"127.0.0.1:{port} is not a filter: it answered b'" in err and err.count("\n") == 1


@pytest.mark.parametrize(("score", "status"), [(5.0, SPAM), (4.99, HAM)])
def test_a_mail_exactly_at_the_threshold_is_spam(cli, score, status):
    answer = {
        "score": score, "required_score": 5.0, "symbols": {"A": {"options": [], "description": ""}},
        "milter": {"add_headers": {}}, "stream_nb": {"label": "x", "probability": 0.5},
    }  # fmt: skip
    with answering(b"HTTP/1.1 200 OK\r\n\r\n" + json.dumps(answer).encode()) as port:
        assert cli("classify", stdin=b"A: b\n\nx\n", FILTER_PORT=port)[0] == status


def test_mails_that_cannot_be_learned_are_counted_and_the_others_learned(cli, mail_filter, tmp_path):
    paths = []
    for name, mail in (("empty", b" "), ("large", b"a\n" * 500_001), ("mail", fresh("spam").value)):
        paths.append(tmp_path / name)
        paths[-1].write_bytes(mail)

    status, out, _ = cli("learn", "--spam", *paths, FILTER_PORT=str(mail_filter.port))
    others = b"2 not: already known, empty, or larger than 1,000,000 bytes"
    assert (status, out) == (0, b"1 mail learned as spam, " + others + b"\n")
    assert cli("learn", "--forget", *paths)[:2] == (
        0,
        b"1 mail without a label from 'user' from now on, 2 not: never learned\n",
    )
