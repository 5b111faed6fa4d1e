"""rspamd's protocol: variants of HTTP requests, and the content of the answers."""

import email
import http.client
import json
import socket

import pytest

from consumers.filter import rspamd
from tests.consumers.filter.conftest import PATIENCE_S, fresh
from tests.support.filter_client import post, talk


def test_an_http_1_0_request_with_a_content_length_is_answered(mail_filter):
    mail = fresh("spam").value

    reply = talk(mail_filter.port, b"POST /checkv2 HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(mail), mail)

    content = json.loads(reply.partition(b"\r\n\r\n")[2])
    assert content["action"] == "add header" and "subject" not in content
    assert 0.5 < content["stream_nb"]["probability"] <= 1.0
    assert content["score"] == pytest.approx(5.0 + content["stream_nb"]["log_odds"], abs=1e-3)
    assert {field["order"] for field in content["milter"]["add_headers"].values()} == {0}  # at the top


def test_an_http_1_1_request_in_chunks_is_answered(mail_filter):
    item = fresh("spam")
    half = len(item.value) // 2
    chunks = b"".join(b"%x\r\n%s\r\n" % (len(part), part) for part in (item.value[:half], item.value[half:]))

    reply = talk(
        mail_filter.port,
        b"POST /checkv2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nRcpt: a@b\r\nRcpt: c@d\r\n\r\n",
        chunks + b"0\r\n\r\n",
    )

    content = json.loads(reply.partition(b"\r\n\r\n")[2])
    assert mail_filter.emails()[content["stream_nb"]["id"]] == item.value


def test_a_mail_to_a_thousand_recipients_is_scored(mail_filter):
    """The milter proxy names each of them; after an error Postfix would defer the mail again and again."""
    mail = fresh("ham").value
    recipients = b"Rcpt: <%s@test.example>\r\n" % (b"a" * 200) * 1_000

    reply = talk(
        mail_filter.port,
        b"POST /checkv2 HTTP/1.1\r\nHost: a\r\nContent-Length: %d\r\n%s\r\n" % (len(mail), recipients),
        mail,
    )

    assert b"STREAM_NB_HAM" in reply


def test_many_requests_on_one_connection_are_answered(mail_filter):
    connection = http.client.HTTPConnection("127.0.0.1", mail_filter.port, timeout=PATIENCE_S)
    for _ in range(3):
        connection.request("POST", "/checkv2", fresh("ham").value)
        assert json.loads(connection.getresponse().read())["action"] == "no action"
    connection.close()


@pytest.mark.parametrize(("path", "status"), [("/ping", 200), ("/nothing", 404), ("/checkv2", 405)])
def test_the_answer_to_head_has_no_body(mail_filter, path, status):
    reply = talk(mail_filter.port, b"HEAD %s HTTP/1.1\r\nHost: a\r\n\r\n" % path.encode(), b"")

    assert reply.startswith(b"HTTP/1.1 %d " % status)
    assert reply.endswith(b"\r\n\r\n")


def test_a_head_request_with_a_truncated_body_is_refused(mail_filter):
    reply = talk(mail_filter.port, b"HEAD /checkv2 HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n", b"cut")

    assert reply.startswith(b"HTTP/1.1 400 ")


def test_the_answer_to_a_request_after_head_has_a_body(mail_filter):
    reply = talk(mail_filter.port, b"HEAD /ping HTTP/1.1\r\nHost: a\r\n\r\n", b"no request\r\n\r\n")

    assert b"\r\n\r\nHTTP/1.1 400 " in reply
    assert json.loads(reply.rpartition(b"\r\n\r\n")[2])["error"]


def test_a_declared_length_above_the_limit_is_refused_before_the_body_is_read(mail_filter):
    with socket.create_connection(("127.0.0.1", mail_filter.port), timeout=PATIENCE_S) as connection:
        connection.sendall(b"POST /checkv2 HTTP/1.1\r\nHost: a\r\nContent-Length: %s\r\n\r\n" % (b"9" * 20))
        assert connection.recv(65_536).startswith(b"HTTP/1.1 413 ")


def test_a_body_in_chunks_is_refused_once_it_exceeds_the_limit(mail_filter, monkeypatch):
    monkeypatch.setattr(rspamd, "MAX_BODY_BYTES", 100)
    chunk = b"40\r\n" + b"x" * 64 + b"\r\n"

    reply = talk(
        mail_filter.port,
        b"POST /checkv2 HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n" + 2 * chunk + b"0\r\n\r\n",
    )

    assert reply.startswith(b"HTTP/1.1 413 ")


def test_a_body_with_two_ends_is_refused_so_that_a_proxy_cannot_pass_on_a_hidden_request(mail_filter):
    """The hidden one would lack the header by which a request from another machine is known."""
    request = b"POST /checkv2 HTTP/1.1\r\nHost: a\r\nContent-Length: 45\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"
    with socket.create_connection(("127.0.0.1", mail_filter.port), timeout=PATIENCE_S) as connection:
        connection.sendall(request + b"POST /learnspam HTTP/1.1\r\nHost: a\r\n\r\n")
        reply = connection.makefile("rb").read()

    assert reply.startswith(b"HTTP/1.1 400 ") and reply.count(b"HTTP/1.1") == 1


def test_a_client_is_told_to_go_on_if_it_waits_for_that(mail_filter):
    """curl waits for a second before it sends a large mail without having been told."""
    head = (
        b"POST /checkv2 HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\nConnection: close\r\nContent-Length: 5\r\n\r\n"
    )
    with socket.create_connection(("127.0.0.1", mail_filter.port), timeout=PATIENCE_S) as connection:
        connection.sendall(head)
        assert connection.recv(1_000).startswith(b"HTTP/1.1 100 ")
        connection.sendall(b"hello")

        assert connection.makefile("rb").read().startswith(b"HTTP/1.1 200 ")


def test_a_mail_may_be_sent_with_get_and_need_not_have_an_id(mail_filter):
    """rspamd's proxy sends it with GET."""
    reply = talk(
        mail_filter.port, b"GET /checkv2?from=proxy HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n", b"hello"
    )

    content = json.loads(reply.partition(b"\r\n\r\n")[2])
    assert content["stream_nb"]["label"] and content["message-id"] == "undef"


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/nothing", {}, 404),
        ("GET", "/nothing", {}, 404),
        ("PUT", "/checkv2", {}, 405),
        ("GET", "/learnspam", {}, 405),
        ("POST", "/ping", {}, 405),
        ("POST", "/checkv2", {"Key": "abc"}, 415),
        ("POST", "/learnclass", {}, 400),
        ("POST", "/learnspam", {"Origin": "https://stranger.example"}, 403),
        ("POST", "/checkv2", {"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_unknown_paths_methods_and_foreign_origins_are_refused(mail_filter, method, path, headers, status):
    before = len(mail_filter.labels())
    connection = http.client.HTTPConnection("127.0.0.1", mail_filter.port, timeout=PATIENCE_S)
    connection.request(method, path, b"Subject: hi\n\nhello", headers)
    answer = connection.getresponse()

    assert answer.status == status
    assert json.loads(answer.read())["error"]
    assert len(mail_filter.labels()) == before
    connection.close()


def test_a_mail_without_a_content_length_is_refused_not_read_as_empty(mail_filter):
    for version in (b"1.0", b"1.1"):
        reply = talk(mail_filter.port, b"POST /checkv2 HTTP/" + version + b"\r\nHost: a\r\n\r\nSubject: hi\n\nhello")
        assert reply.startswith(b"HTTP/1.1 411 ") and b"needs a Content-Length" in reply


def test_learnclass_learns_any_class(mail_filter):
    content = post(mail_filter.port, "/learnclass", fresh("ham").value, Class="newsletters", User="ann")[1]

    assert content["success"]
    assert (mail_filter.labels()[-1].label, mail_filter.labels()[-1].source) == ("newsletters", "ann")


def test_the_class_and_the_source_of_a_label_may_have_any_letters(filter_on):
    """Some clients, Python's among them, send header fields in Latin-1."""
    server = filter_on(trained=False, source="zoë")
    http = "POST /learnclass HTTP/1.0\r\nClass: grün\r\n{}Content-Length: 5\r\n\r\nhello"
    spamc = "TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: grün\r\n{}Content-length: 5\r\n\r\nhello"

    for request, charset in ((http, "utf-8"), (http, "latin-1"), (spamc, "utf-8"), (spamc, "latin-1")):
        for user in ("User: jürgen\r\n", ""):
            reply = talk(server.port, request.format(user).encode(charset))
            assert reply.startswith((b"HTTP/1.1 200 ", b"SPAMD/1.1 0 EX_OK"))

    assert [(label.label, label.source) for label in server.labels()] == [("grün", "jürgen"), ("grün", "zoë")] * 4


def test_the_error_for_an_invalid_class_names_the_header(mail_filter):
    status, content = post(mail_filter.port, "/learnclass", fresh("ham").value, Class="x" * 101)

    assert status == 400 and content["error"].endswith("reads it from the header Class")


def test_a_label_from_the_source_silence_is_refused(mail_filter):
    before = len(mail_filter.labels())
    mail = fresh("spam").value

    status, content = post(mail_filter.port, "/learnspam", mail, User="silence")
    told = talk(
        mail_filter.port,
        b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: spam\r\nUser: silence\r\nContent-length: %d\r\n\r\n"
        % len(mail),
        mail,
    )

    assert status == 400 and "'silence' is for labels that nobody gave" in content["error"]
    assert content["error"].endswith("reads it from the header User")
    assert told.startswith(b"SPAMD/1.1 65 EX_DATAERR source 'silence'")
    assert len(mail_filter.labels()) == before


def test_the_settings_choose_action_and_subject(filter_on):
    server = filter_on(rewrite_subject=5.0, subject="[junk] %s", add_header=None)
    mail = fresh("spam").value

    content = post(server.port, "/checkv2", mail)[1]

    assert content["action"] == "rewrite subject"
    assert content["subject"] == "[junk] " + email.message_from_bytes(mail)["Subject"]
    assert content["thresholds"] == {"rewrite subject": 5.0}


@pytest.mark.parametrize(
    ("mail", "subject"),
    [
        (b"From: a@b\r\nSUBJECT : win\r\n\tmoney\r\nTo: c@d\r\n\r\nhi", "win money"),
        (b"X-Old-Subject: old\nOld: Subject: old\nSubject: =?utf-8?q?gr=C3=BCn?=\n\nhi", "=?utf-8?q?gr=C3=BCn?="),
        (b"From: a@b\n\nSubject: of the body\n", ""),
    ],
)
def test_the_subject_to_rewrite_is_that_of_the_header(mail, subject):
    assert rspamd._subject(mail) == subject


def test_with_words_set_to_0_the_answer_has_no_words(filter_on):
    server = filter_on(words=0)

    (symbol,) = post(server.port, "/checkv2", fresh("spam").value)[1]["symbols"].values()

    assert symbol["options"] == []


def test_with_words_set_to_0_a_forged_words_header_is_removed(filter_on):
    server = filter_on(words=0)

    milter = post(server.port, "/checkv2", b"X-Stream-NB-Words: forged\n" + fresh("spam").value)[1]["milter"]

    assert set(milter["add_headers"]) == {"X-Stream-NB", "X-Stream-NB-Id"}
    assert milter["remove_headers"] == {"X-Stream-NB": 0, "X-Stream-NB-Id": 0, "X-Stream-NB-Words": 0}
