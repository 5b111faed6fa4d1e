"""One port, two dialects; hostile and broken requests; the path of a mail over the log."""

import asyncio
import http.client
import json
import socket
import threading
import zlib

import pytest

from consumers.filter import rspamd, server, spamd
from consumers.filter.mail_id import content_hash, new_id
from stream_nb.mail.limits import MAX_MAIL_BYTES
from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh
from tests.support.own_loop import run_coroutine


def talk(port: int, *pieces: bytes) -> bytes:
    """Send raw bytes, say that this is all, and read to the end."""
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE_S) as connection:
        for piece in pieces:
            connection.sendall(piece)
        connection.shutdown(socket.SHUT_WR)
        reply = b""
        while more := connection.recv(65_536):
            reply += more
    return reply


def post(server, path: str, body: bytes = b"", **headers: str) -> tuple[int, dict]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("POST", path, body, {name.replace("_", "-"): value for name, value in headers.items()})
    answer = connection.getresponse()
    content = json.loads(answer.read())
    connection.close()
    return answer.status, content


def get(server, path: str) -> tuple[int, bytes]:
    connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=PATIENCE_S)
    connection.request("GET", path)
    answer = connection.getresponse()
    content = answer.read()
    connection.close()
    return answer.status, content


# HTTP as it is found in the wild


def test_http_1_0_with_a_length(mail_filter):
    mail = fresh("spam").value

    reply = talk(mail_filter.port, b"POST /checkv2 HTTP/1.0\r\nContent-Length: %d\r\n\r\n" % len(mail), mail)

    assert json.loads(reply.partition(b"\r\n\r\n")[2])["action"] == "add header"


def test_http_1_1_in_chunks(mail_filter):
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


def test_many_requests_on_one_connection(mail_filter):
    connection = http.client.HTTPConnection("127.0.0.1", mail_filter.port, timeout=PATIENCE_S)
    for _ in range(3):
        connection.request("POST", "/checkv2", fresh("ham").value)
        assert json.loads(connection.getresponse().read())["action"] == "no action"
    connection.close()


@pytest.mark.parametrize(
    ("method", "path", "headers", "status"),
    [
        ("POST", "/nothing", {}, 404),
        ("GET", "/nothing", {}, 404),
        ("PUT", "/checkv2", {}, 405),
        ("POST", "/checkv2", {"Key": "abc"}, 415),
        ("POST", "/checkv2", {"Compression": "zstd"}, 415),
        ("POST", "/learnclass", {}, 400),
        ("POST", "/learnspam", {"Origin": "https://stranger.example"}, 403),
        ("POST", "/checkv2", {"Sec-Fetch-Site": "cross-site"}, 403),
    ],
)
def test_what_is_not_served_is_said(mail_filter, method, path, headers, status):
    before = len(mail_filter.labels())
    connection = http.client.HTTPConnection("127.0.0.1", mail_filter.port, timeout=PATIENCE_S)
    connection.request(method, path, b"Subject: hi\n\nhello", headers)
    answer = connection.getresponse()

    assert answer.status == status
    assert json.loads(answer.read())["error"]
    assert len(mail_filter.labels()) == before
    connection.close()


@pytest.mark.parametrize(
    "request_bytes",
    [
        b"\n",
        b"hello\r\n",
        b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\n",
        b"CHECK SPAMC/one\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: -1\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: 99999999999999999999\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: 999999999\r\n\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: 100\r\n\r\nshort",
        b"CHECK SPAMC/1.5\r\nCompress: zlib\r\n\r\nnot zlib at all",
        b"CHECK SPAMC/1.5\r\n" + b"a: b\r\n" * 2_000 + b"\r\n",
        b"EXPLODE SPAMC/1.5\r\n\r\n",
        b"TELL SPAMC/1.5\r\n\r\nSubject: hi\n\nhello",
        b"TELL SPAMC/1.5\r\nSet: local\r\n\r\nSubject: hi\n\nhello",
        b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: " + b"x" * 101 + b"\r\n\r\nSubject: hi\n\nhello",
    ],
)
def test_nonsense_in_spamd_dialect_gets_a_code(mail_filter, request_bytes):
    before = len(mail_filter.emails()), len(mail_filter.labels())

    reply = talk(mail_filter.port, request_bytes)

    assert reply.startswith((b"SPAMD/1.1 76 ", b"SPAMD/1.1 65 ")) and reply.endswith(b"\r\n")
    assert (len(mail_filter.emails()), len(mail_filter.labels())) == before


@pytest.mark.parametrize("request_bytes", [b"", b"CHECK", b"x" * 100_000, b"GET / HTTP/1.1\r\n" + b"a: b\r\n" * 20_000])
def test_what_has_no_end_ends_the_connection_and_nothing_else(mail_filter, request_bytes):
    try:
        talk(mail_filter.port, request_bytes)
    except ConnectionError:
        pass

    assert get(mail_filter, "/ping") == (200, b"pong\r\n")


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"CHE",
        b"CHECK SPAMC/1.5\r\nUser: slow\r\n",
        b"CHECK SPAMC/1.5\r\nContent-length: 100\r\n\r\nnot all of it",
        b"POST /checkv2 HTTP/1.1\r\nHost: a\r\n",
        b"POST /checkv2 HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nnot all of it",
    ],
)
def test_who_takes_too_long_to_ask_is_cut_off(mail_filter, monkeypatch, begun):
    before = len(mail_filter.emails())
    for module, limit in ((server, "FIRST_LINE_S"), (rspamd, "READ_S"), (spamd, "READ_S")):
        monkeypatch.setattr(module, limit, 0.1)

    with socket.create_connection(("127.0.0.1", mail_filter.port), timeout=PATIENCE_S) as connection:
        connection.sendall(begun)
        assert connection.recv(100) == b""

    assert len(mail_filter.emails()) == before


def test_a_bomb_is_not_unpacked():
    async def read() -> bytes:
        reader = asyncio.StreamReader()
        reader.feed_data(b"Compress: zlib\r\n\r\n" + zlib.compress(bytes(50_000_000)))
        reader.feed_eof()
        return (await spamd._read(b"CHECK SPAMC/1.5\r\n", reader)).body

    assert len(run_coroutine(read())) == MAX_MAIL_BYTES + 1


# Sizes


def test_a_mail_too_large_to_score_passes_and_says_so(mail_filter):
    before = len(mail_filter.emails())
    large = b"Subject: big\n\n" + b"x" * 3_000_000

    status, content = post(mail_filter, "/checkv2", large)

    assert (status, content["action"]) == (200, "no action")
    assert "STREAM_NB_TOO_LARGE" in content["symbols"]
    assert b"SPAMD/1.1 65" in talk(
        mail_filter.port, b"PROCESS SPAMC/1.5\r\nContent-length: %d\r\n\r\n" % len(large), large
    )
    assert len(mail_filter.emails()) == before


def test_an_empty_mail_passes_and_says_so(mail_filter):
    assert "STREAM_NB_EMPTY" in post(mail_filter, "/checkv2", b" \n")[1]["symbols"]


def test_a_mail_that_looks_like_json_is_a_mail(mail_filter):
    status, content = post(mail_filter, "/checkv2", b'{"id": "mine", "text": "hello"}')

    assert status == 200 and content["stream_nb"]["label"] is not None


# The path over the log


class BrokenLog:
    """A log that works until told; every call then fails."""

    def __init__(self, log, broken: threading.Event) -> None:
        self._log = log
        self._broken = broken

    def __getattr__(self, name: str):
        if self._broken.is_set() and name in ("append", "read", "scan"):
            raise OSError("the disk is gone")
        return getattr(self._log, name)

    def __enter__(self):
        return self

    def __exit__(self, *_: object) -> None:
        self._log.close()


def test_without_a_worker_the_mail_passes_at_the_deadline_and_is_on_the_log(filter_on):
    server = filter_on(trained=False, deadline_s=0.2)
    symbols: dict = {}
    while "STREAM_NB_DEADLINE" not in symbols:  # a busy machine may take longer to put a mail on the log
        item = fresh("spam")
        content = post(server, "/checkv2", item.value)[1]
        symbols = content["symbols"]
        assert content["action"] == "no action" and symbols.keys() <= {"STREAM_NB_DEADLINE", "STREAM_NB_LOG_BEHIND"}

    assert server.emails()[content["stream_nb"]["id"]] == item.value


def test_a_log_that_takes_too_long_is_not_waited_for(filter_on, monkeypatch):
    held = threading.Event()
    works = RunningFilter.open

    class Slow(BrokenLog):
        def __getattr__(self, name: str):
            if name == "append":
                held.wait(PATIENCE_S)
            return getattr(self._log, name)

    monkeypatch.setattr(RunningFilter, "open", lambda self: Slow(works(self), held))
    server = filter_on(trained=False, deadline_s=0.2)
    item = fresh("spam")

    content = post(server, "/checkv2", item.value)[1]
    held.set()

    assert (content["action"], list(content["symbols"])) == ("no action", ["STREAM_NB_LOG_BEHIND"])
    assert content["stream_nb"]["id"] == ""
    server.wait_for(lambda log: item.value in server.emails().values())


def test_an_untrained_model_says_so(filter_on):
    server = filter_on(trained=False, deadline_s=PATIENCE_S)
    server._start(server._work)

    content = post(server, "/checkv2", fresh("spam").value)[1]

    assert content["action"] == "no action"
    assert "STREAM_NB_UNTRAINED" in content["symbols"]


def test_a_hundred_connections_get_each_their_own_answer(mail_filter):
    items = [fresh(label) for label in ("spam", "ham") * 50]
    answers: dict[int, dict] = {}

    def ask(number: int) -> None:
        answers[number] = post(mail_filter, "/checkv2", items[number].value)[1]

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()

    emails = mail_filter.emails()
    for number, item in enumerate(items):
        assert answers[number]["message-id"] == item.id
        assert emails[answers[number]["stream_nb"]["id"]] == item.value
        assert (answers[number]["action"] == "add header") == (item.label == "spam")


def test_more_connections_than_seats_wait_and_are_served(filter_on):
    server = filter_on(connections=2)
    held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(2)]
    replies: list[bytes] = []
    waiting = threading.Thread(target=lambda: replies.append(talk(server.port, b"PING SPAMC/1.5\r\n\r\n")))
    waiting.start()
    waiting.join(0.3)
    assert not replies

    for connection in held:
        connection.close()
    waiting.join(PATIENCE_S)

    assert replies == [b"SPAMD/1.5 0 PONG\r\n"]


# Learning


def test_the_header_finds_the_mail_though_it_was_changed(mail_filter):
    item = fresh("ham")
    passed = post(mail_filter, "/checkv2", item.value)[1]["stream_nb"]["id"]
    changed = b"X-Stream-NB-Id: " + passed.encode() + b"\n" + item.value + b"\n-- \nlist footer\n"
    assert content_hash(changed) != content_hash(item.value)

    content = post(mail_filter, "/learnspam", changed)[1]

    assert (content["id"], content["found"]) == (passed, "header")


def test_the_content_finds_the_mail_as_mailboxes_keep_it(mail_filter):
    item = fresh("ham")
    passed = post(mail_filter, "/checkv2", item.value)[1]["stream_nb"]["id"]
    kept = b"Return-Path: <a@b>\r\nReceived: from x by y\r\n" + item.value.replace(b"\n", b"\r\n") + b"\r\n"

    content = post(mail_filter, "/learnham", kept)[1]

    assert (content["id"], content["found"]) == (passed, "content")


def test_a_header_of_another_filter_or_a_forger_is_not_believed(mail_filter):
    forged = b"X-Stream-NB-Id: " + b"0" * 32 + b"." + b"1" * 16 + b"\n" + fresh("spam").value

    content = post(mail_filter, "/learnspam", forged)[1]

    assert content["found"] == "new"
    assert not content["id"].startswith("0" * 32)
    assert mail_filter.emails()[content["id"]] == forged


def test_a_forged_header_does_not_lose_the_label_of_its_mail(mail_filter):
    item, other = fresh("spam"), fresh("spam")
    post(mail_filter, "/checkv2", other.value)
    for content in (content_hash(item.value), content_hash(other.value)):
        forged = b"X-Stream-NB-Id: " + content.encode() + b"." + b"1" * 16 + b"\n" + item.value
        passed = post(mail_filter, "/checkv2", forged)[1]["stream_nb"]["id"]

        assert post(mail_filter, "/learnspam", forged)[1]["id"] == passed


def test_a_header_that_alone_knows_its_mail_is_believed(mail_filter):
    mail = fresh("spam").value
    passed = new_id(mail)

    content = post(mail_filter, "/learnspam", b"X-Stream-NB-Id: " + passed.encode() + b"\n" + mail)[1]

    assert (content["id"], content["found"]) == (passed, "header")


@pytest.mark.parametrize("mail", [b"", b" \n", b"Subject: big\n\n" + b"x" * 1_000_000])
def test_what_no_worker_can_read_is_not_learned(mail_filter, mail):
    before = len(mail_filter.labels())

    assert post(mail_filter, "/learnspam", mail)[0] == 400
    request_bytes = b"TELL SPAMC/1.5\r\nSet: local\r\nMessage-class: spam\r\n\r\n"
    assert talk(mail_filter.port, request_bytes + mail).startswith(b"SPAMD/1.1 65 ")
    assert len(mail_filter.labels()) == before


def test_a_mail_that_never_passed_is_learned_and_found_again(mail_filter):
    item = fresh("spam")
    first = post(mail_filter, "/learnspam", item.value)[1]
    second = post(mail_filter, "/learnham", item.value)[1]

    assert (first["found"], second["found"]) == ("new", "content")
    assert second["id"] == first["id"]


def test_any_class_can_be_learned(mail_filter):
    content = post(mail_filter, "/learnclass", fresh("ham").value, Class="newsletters", User="ann")[1]

    assert content["success"]
    assert (mail_filter.labels()[-1].label, mail_filter.labels()[-1].source) == ("newsletters", "ann")


def test_behind_a_proxy_nobody_learns_without_a_password(mail_filter, filter_on):
    before = len(mail_filter.labels())
    assert post(mail_filter, "/learnspam", fresh("spam").value, X_Forwarded_For="192.0.2.1")[0] == 403
    assert len(mail_filter.labels()) == before

    server = filter_on(trained=False, password="secret")
    assert post(server, "/learnspam", fresh("spam").value)[0] == 403
    assert post(server, "/learnspam", fresh("spam").value, Password="secret", X_Forwarded_For="192.0.2.1")[0] == 200


# Settings and counts


def test_actions_are_set_by_score(filter_on):
    server = filter_on(rewrite_subject=5.0, subject="[junk] %s", add_header=None)
    mail = fresh("spam").value

    content = post(server, "/checkv2", mail)[1]

    assert content["action"] == "rewrite subject"
    assert content["subject"].startswith("[junk] ")
    assert content["thresholds"] == {"rewrite subject": 5.0}


def test_without_words_there_are_none(filter_on):
    server = filter_on(words=0)

    (symbol,) = post(server, "/checkv2", fresh("spam").value)[1]["symbols"].values()

    assert symbol["options"] == []


def test_metrics_for_prometheus(filter_on):
    server = filter_on()
    post(server, "/checkv2", fresh("spam").value)

    text = get(server, "/metrics")[1].decode()

    assert 'stream_nb_filter_mails_total{action="add header",symbol="STREAM_NB_SPAM"} 1.0' in text
    assert "stream_nb_filter_seconds_count 1.0" in text


# Faults


def test_a_log_that_breaks_lets_mails_pass_and_is_used_again_when_it_works(filter_on, monkeypatch):
    broken = threading.Event()
    works = RunningFilter.open
    monkeypatch.setattr(RunningFilter, "open", lambda self: BrokenLog(works(self), broken))
    server = filter_on()
    assert post(server, "/checkv2", fresh("spam").value)[1]["action"] == "add header"

    broken.set()
    content = post(server, "/checkv2", fresh("spam").value)[1]
    assert (content["action"], list(content["symbols"])) == ("no action", ["STREAM_NB_LOG_UNAVAILABLE"])
    assert post(server, "/learnspam", fresh("spam").value)[0] == 503

    broken.clear()
    assert post(server, "/checkv2", fresh("spam").value)[1]["action"] == "add header"


def test_who_does_not_read_the_answer_stops_nobody(mail_filter):
    mail = b"Subject: long\n\n" + b"word " * 190_000
    rude = socket.socket()
    rude.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    rude.connect(("127.0.0.1", mail_filter.port))
    rude.sendall(b"PROCESS SPAMC/1.5\r\nContent-length: %d\r\n\r\n" % len(mail) + mail)

    assert post(mail_filter, "/checkv2", fresh("ham").value)[1]["action"] == "no action"

    rude.close()
