"""spamd's replies in each version of the protocol, and the labels that TELL sets and removes."""

from __future__ import annotations

import re
import socket

import pytest

from stream_nb.mail.limits import MAX_MAIL_BYTES
from tests.consumers.filter.conftest import PATIENCE_S, fresh
from tests.support.filter_client import talk

LENGTH, SPAM = "Content-length", "Spam"
LARGEST = b"Subject: large\n\n".ljust(MAX_MAIL_BYTES, b"x")


@pytest.mark.parametrize(
    ("request_line", "fields"),
    [
        ("CHECK SPAMC/1.2", [SPAM]),
        ("CHECK SPAMC/1.5", [SPAM]),
        ("SYMBOLS SPAMC/1.2", [SPAM]),
        ("SYMBOLS SPAMC/1.3", [LENGTH, SPAM]),
        ("REPORT SPAMC/1.2", [SPAM]),  # Exim's
        ("REPORT_IFSPAM SPAMC/1.5", [LENGTH, SPAM]),
        ("PROCESS SPAMC/1.2", [LENGTH]),
        ("PROCESS SPAMC/1.3", [LENGTH, SPAM]),
        ("HEADERS SPAMC/1.5", [LENGTH, SPAM]),
    ],
)
def test_the_header_of_a_reply_has_the_fields_of_its_version(mail_filter, request_line, fields):
    mail = fresh("spam").value

    reply = talk(mail_filter.port, request_line.encode() + b"\r\n\r\n", mail)

    head, _, body = reply.partition(b"\r\n\r\n")
    first, *lines = head.decode().split("\r\n")
    assert first == "SPAMD/1.1 0 EX_OK"
    assert [line.partition(":")[0] for line in lines] == fields
    if LENGTH in fields:
        assert lines[0] == f"Content-length: {len(body)}"
    if SPAM in fields:
        assert re.fullmatch(r"Spam: True ; \d+\.\d / 5\.0", lines[-1])
    begins = {"CHECK": b"", "SYMBOLS": b"STREAM_NB_SPAM\r\n", "REPORT": b"spam; probability of spam "}
    assert body.startswith(begins.get(re.split("[ _]", request_line)[0], b"X-Spam-Flag: YES\n"))
    if request_line.startswith("REPORT"):
        assert body.split(b"\r\n")[1].startswith(b"X-Stream-NB-Id: ")
    assert body.endswith(mail) == request_line.startswith("PROCESS")


def test_only_spam_has_a_flag_and_no_sender_can_forge_it(mail_filter):
    """spamass-milter refuses or redirects mails with a flag, whatever its value."""
    mail = b"X-Spam-Flag: YES\n" + fresh("ham").value

    reply = talk(mail_filter.port, b"PROCESS SPAMC/1.5\r\n\r\n", mail)

    assert b"X-Spam-Status: No, " in reply and b"X-Spam-Flag" not in reply


def test_the_reply_to_variant_rspamd_has_the_threshold_of_rejection(filter_on):
    server = filter_on(reject=7.5)

    first, metric, action, *_ = talk(server.port, b"CHECK RSPAMC/1.3\r\n\r\n", fresh("spam").value).split(b"\r\n")

    assert first == b"RSPAMD/1.3 0 EX_OK"
    assert re.fullmatch(rb"Metric: default; True; \d+\.\d\d / 5\.00 / 7\.50", metric)
    assert action in (b"Action: add header", b"Action: reject")


@pytest.mark.parametrize(
    "begun", ["PING SPAMC/1.5\r\n\r\n", "CHECK SPAMC/1.5\r\nContent-length: 9\r\n\r\nA: b\n\nhi\n"]
)
def test_a_complete_request_is_answered_although_the_client_could_send_more(mail_filter, begun):
    with socket.create_connection(("127.0.0.1", mail_filter.port), timeout=PATIENCE_S) as connection:
        connection.sendall(begun.encode())

        assert b" 0 " in connection.makefile("rb").read()


def test_a_mail_of_the_largest_size_is_sent_back_and_learned(mail_filter):
    assert talk(mail_filter.port, b"PROCESS SPAMC/1.5\r\n\r\n", LARGEST).endswith(LARGEST)
    learned = talk(mail_filter.port, b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: ham\r\n\r\n", LARGEST)
    assert learned == b"SPAMD/1.1 0 EX_OK\r\nDidSet: local\r\nContent-length: 0\r\n\r\n"


@pytest.mark.parametrize("length", ["", f"Content-length: {2 * MAX_MAIL_BYTES}\r\n"], ids=["no length", "length"])
def test_a_larger_mail_gets_the_reason_and_is_not_sent_back(mail_filter, length):
    large = LARGEST + bytes(MAX_MAIL_BYTES)

    def ask(command: str) -> bytes:
        return talk(mail_filter.port, f"{command} SPAMC/1.5\r\n{length}\r\n".encode(), large)

    assert ask("SYMBOLS").endswith(b"\r\n\r\nSTREAM_NB_TOO_LARGE\r\n")
    assert ask("PROCESS").startswith(b"SPAMD/1.1 65 EX_DATAERR ")
    assert ask("HEADERS").startswith(b"SPAMD/1.1 65 EX_DATAERR ")


@pytest.mark.parametrize(
    ("fields", "label", "source"),
    [
        ("Message-class: spam\r\nSet: local,remote", "spam", "zoë"),  # `spamc -C report`
        ("Message-class: ham\r\nSet: local\r\nRemove: remote", "ham", "zoë"),  # `spamc -C revoke`
        ("User: ann\r\nMessage-class: grün\r\nSet: remote, local", "grün", "ann"),
        ("Remove: local,remote", None, "zoë"),
    ],
)
def test_what_tell_sets_and_removes(filter_on, fields, label, source):
    server = filter_on(trained=False, source="zoë", password="pässword")
    request = f"TELL SPAMC/1.5\r\nPassword: pässword\r\n{fields}\r\n\r\n".encode()
    mail = fresh("spam").value
    if label is None:
        talk(
            server.port, "TELL SPAMC/1.5\r\nPassword: pässword\r\nMessage-class: a\r\nSet: local\r\n\r\n".encode(), mail
        )

    did = "DidRemove" if label is None else "DidSet"
    assert talk(server.port, request, mail).startswith(f"SPAMD/1.1 0 EX_OK\r\n{did}: local\r\n".encode())
    last = server.labels()[-1]
    assert (last.label, last.forget, last.source) == (label, label is None, source)


def test_tell_needs_either_set_or_remove(mail_filter):
    request = b"TELL SPAMC/1.5\r\nMessage-class: spam\r\nSet: local\r\nRemove: local\r\n\r\n"

    assert talk(mail_filter.port, request, fresh("spam").value).startswith(b"SPAMD/1.1 65 EX_DATAERR TELL needs either")


def test_tell_without_the_password_sets_and_removes_nothing(filter_on):
    server = filter_on(trained=False, password="secret")
    for password in ("", "Password: guess\r\n"):
        for fields in ("Message-class: spam\r\nSet: local", "Remove: local"):
            request = f"TELL SPAMC/1.5\r\n{password}{fields}\r\n\r\n".encode()
            assert talk(server.port, request, fresh("spam").value).startswith(b"SPAMD/1.1 77 EX_NOPERM wrong or ")

    assert (server.labels(), server.emails()) == ([], {})


def test_there_is_nothing_to_remove_from_an_unknown_mail(filter_on):
    server = filter_on(trained=False)

    answer = talk(server.port, b"TELL SPAMC/1.5\r\nRemove: local\r\n\r\n", fresh("spam").value)

    assert answer == b"SPAMD/1.1 0 EX_OK\r\nContent-length: 0\r\n\r\n"
    assert (server.labels(), server.emails()) == ([], {})
