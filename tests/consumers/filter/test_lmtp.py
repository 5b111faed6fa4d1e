"""The LMTP server: what it acknowledges, what it passes to a next hop, and its replies."""

from __future__ import annotations

import smtplib
import threading
import uuid
from collections.abc import Iterator

import pytest

from consumers.errors import LogUnavailable
from consumers.filter.lmtp import LmtpServer
from consumers.filter.next_hop import parse_next_hop, pass_on
from consumers.records.heartbeat import FEED
from consumers.records.mail_id import repeatable_id
from consumers.records.replay import read_all
from consumers.settings import FilterSettings, KafkaSettings, Settings
from stream_nb.mail.limits import MAX_MAIL_BYTES
from tests.consumers.filter.conftest import PATIENCE_S, RunningFilter, fresh
from tests.support.mail_sink import MailSink
from tests.support.stage_states import stage_states

BOB, EVE = "bob@test.example", "eve@test.example"


@pytest.fixture
def lmtp(mail_filter: RunningFilter) -> Iterator:
    """A function: URL of a next hop or None -> port of an LMTP server, by default on the log of `mail_filter`."""
    stop = threading.Event()
    threads: list[threading.Thread] = []

    def start(next_hop: str | None = None, open_log=mail_filter.open, settings=mail_filter.settings) -> int:
        hop = None if next_hop is None else parse_next_hop(next_hop)
        server = LmtpServer(open_log, settings, "127.0.0.1", 0, hop)
        ready = threading.Event()
        threads.append(threading.Thread(target=server.run, args=(stop, ready.set)))
        threads[-1].start()
        assert ready.wait(PATIENCE_S)
        return server.port

    yield start
    stop.set()
    for thread in threads:
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


@pytest.fixture
def sink() -> Iterator:
    """A function: arguments of MailSink -> a mail server that serves as next hop."""
    made: list[MailSink] = []

    def start(*arguments, **options) -> MailSink:
        made.append(MailSink(*arguments, **options))
        return made[-1]

    yield start
    for one in made:
        one.close()


def deliver(port: int, raw: bytes, recipients=(BOB,), sender: str = "ann@a.example", options="") -> list[str]:
    """Deliver a mail as an MTA does; returns the reply for each recipient."""
    with smtplib.LMTP("127.0.0.1", port, timeout=PATIENCE_S) as client:
        client.ehlo_or_helo_if_needed()
        client.command_encoding = "utf-8"
        code, text = client.docmd("MAIL", f"FROM:<{sender}>{options}")
        if code != 250:
            return [f"{code} {text.decode()}"]
        for recipient in recipients:
            assert client.docmd("RCPT", f"TO:<{recipient}>")[0] == 250
        assert client.docmd("DATA")[0] == 354
        client.send(raw.replace(b"\r\n", b"\n").replace(b"\n.", b"\n..").replace(b"\n", b"\r\n") + b"\r\n.\r\n")
        replies = [client.getreply() for _ in recipients]
        assert client.noop()[0] == 250  # there was exactly one reply per recipient
        return [f"{code} {text.decode()}" for code, text in replies]


def test_an_acknowledged_mail_is_on_the_log_once(lmtp, mail_filter):
    port, raw = lmtp(), fresh("ham").value

    assert [reply[:3] for reply in deliver(port, raw, (BOB, EVE))] == ["250", "250"]

    as_sent = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n"
    assert list(mail_filter.emails().values()).count(as_sent) == 1


def test_equal_bytes_have_one_id_and_other_bytes_another(lmtp, mail_filter):
    port, raw = lmtp(), fresh("ham").value
    first, second = b"Received: 1\n" + raw, b"Received: 2\n" + raw

    for mail in (first, first, second):
        deliver(port, mail)

    wanted = {repeatable_id(mail.replace(b"\n", b"\r\n") + b"\r\n") for mail in (first, second)}
    assert len(wanted) == 2
    mail_filter.wait_for(lambda log: wanted <= {record.key.decode() for record in read_all(log, "predictions")})


def test_a_failing_log_gives_a_temporary_error(lmtp, mail_filter):
    class Full:
        def __init__(self) -> None:
            self._log = mail_filter.open()

        def __getattr__(self, name: str):
            if name == "append":
                raise LogUnavailable("the disk is full")
            return getattr(self._log, name)

        def __enter__(self):
            return self

        def __exit__(self, *_: object) -> None:
            self._log.close()

    deferred = "451 4.3.0 the log does not accept the mail; try again later"
    assert deliver(lmtp(open_log=Full), fresh("ham").value, (BOB, EVE)) == [deferred] * 2


def test_of_a_mail_too_large_for_the_log_the_start_is_on_it(lmtp, mail_filter):
    """If it were refused, an MTA that only sends a copy to the log would return the mail to its sender."""
    before = set(mail_filter.emails())
    large = b"Subject: big\n\n" + b"x" * 70 + (b"\n" + b"x" * 70) * (MAX_MAIL_BYTES // 70)

    assert [reply[:3] for reply in deliver(lmtp(), large, (BOB, EVE))] == ["250", "250"]

    (found,) = set(mail_filter.emails()) - before
    assert len(mail_filter.emails()[found]) == MAX_MAIL_BYTES + 1
    mail_filter.wait_for(lambda log: any(record.key == found.encode() for record in read_all(log, "quarantine")))


@pytest.mark.parametrize("scheme", ["smtp", "lmtp"])
def test_the_next_hop_gets_the_mail_with_header_fields(lmtp, sink, mail_filter, scheme):
    hop = sink(scheme)
    raw = b"X-Stream-NB: ham\nX-Other: a\rX-Stream-NB: ham\n" + fresh("spam").value + b"\n.\n..dots\nFrom me\n"

    replies = deliver(lmtp(hop.url), raw, (BOB, EVE), sender="")

    assert [reply[:3] for reply in replies] == ["250", "250"]
    (kept,) = hop.kept
    assert (kept.sender, kept.recipients) == ("<>", [BOB, EVE])
    head, _, rest = kept.raw.partition(b"\r\n")
    assert head.startswith(b"X-Stream-NB: spam; probability=")
    assert kept.raw.count(b"X-Stream-NB: ") == 1
    assert rest.endswith(b"\r\n.\r\n..dots\r\nFrom me\r\n\r\n")
    passed = rest.partition(b"X-Stream-NB-Id: ")[2].partition(b"\r\n")[0].decode()
    assert passed in mail_filter.emails()


def test_each_recipient_gets_the_reply_of_the_next_hop(lmtp, sink):
    refuses = {EVE: "550 5.1.1 no such user", "full@test.example": "452 4.2.2 mailbox full"}
    smtp = sink(rcpt=lambda address: refuses.get(address, "250 ok"))
    by_lmtp = sink("lmtp", lambda mail: "250 2.0.0 kept\r\n452 4.2.2 over quota")
    everyone = (EVE, BOB, "full@test.example")

    assert [reply[:9] for reply in deliver(lmtp(smtp.url), fresh("ham").value, everyone)] == [
        "550 5.1.1", "250 kept", "452 4.2.2"
    ]  # fmt: skip
    assert deliver(lmtp(by_lmtp.url), fresh("ham").value, (BOB, EVE)) == ["250 2.0.0 kept", "452 4.2.2 over quota"]


def test_a_mail_delivered_again_is_not_scored_again_and_gets_the_same_header(lmtp, sink, mail_filter):
    hop = sink(reply=lambda mail: "451 4.7.1 greylisted" if hop.asked == 1 else "250 kept")
    raw = fresh("spam").value
    port = lmtp(hop.url)

    first = deliver(port, raw)
    again = deliver(lmtp(hop.url), raw)  # another server, as after a restart: it finds the mail on the log

    assert (first, again) == (["451 4.7.1 greylisted"], ["250 kept"])
    assert hop.kept[0].raw.startswith(b"X-Stream-NB: spam; probability=")
    as_sent = raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n"
    assert list(mail_filter.emails().values()).count(as_sent) == 1


def test_an_unreachable_next_hop_gives_a_temporary_error(lmtp, free_port):
    replies = deliver(lmtp(f"smtp://127.0.0.1:{free_port}"), fresh("ham").value, (BOB, EVE))

    assert [reply[:9] for reply in replies] == ["451 4.4.1"] * 2


def test_without_a_worker_the_mail_is_passed_on_with_the_reason_in_its_header(lmtp, sink, filter_on):
    server = filter_on(trained=False, deadline_s=0.2)
    hop = sink()

    assert deliver(lmtp(hop.url, server.open, server.settings), fresh("ham").value)[0].startswith("250")
    assert hop.kept[0].raw.startswith(b"X-Stream-NB: STREAM_NB_DEADLINE;")
    assert len(server.emails()) == 1


def test_without_a_next_hop_no_mail_waits_for_its_prediction(lmtp, filter_on):
    server = filter_on(trained=False, deadline_s=10 * PATIENCE_S)

    assert deliver(lmtp(None, server.open, server.settings), fresh("ham").value)[0].startswith("250")


def test_a_mail_too_large_to_score_is_passed_on_with_the_reason_in_its_header(lmtp, sink, mail_filter):
    hop = sink()
    before = len(mail_filter.emails())
    large = b"Subject: big\n\n" + (b"x" * 70 + b"\n") * (MAX_MAIL_BYTES // 70)

    assert deliver(lmtp(hop.url), large)[0].startswith("250")
    assert hop.kept[0].raw.startswith(b"X-Stream-NB: STREAM_NB_TOO_LARGE;")
    assert len(mail_filter.emails()) == before


def test_an_address_in_utf8_is_passed_on(lmtp, sink):
    hop = sink()

    assert deliver(lmtp(hop.url), fresh("ham").value, sender="zoë@a.example", options=" SMTPUTF8 BODY=8BITMIME")
    assert hop.kept[0].sender == "zoë@a.example"
    assert set(hop.kept[0].options) == {"SMTPUTF8", "BODY=8BITMIME"}


def test_lines_with_a_single_dot_do_not_end_the_mail_for_the_next_hop(sink):
    hop = sink()
    raw = b"Subject: a\r\n\r\nhi\n.\nMAIL FROM:<forged@a.example>\r.\r\n"

    assert pass_on(parse_next_hop(hop.url), "a@b", [BOB], [], raw) == ["250 kept"]
    assert hop.kept[0].raw == b"Subject: a\r\n\r\nhi\r\n.\r\nMAIL FROM:<forged@a.example>\r\n.\r\n"


def test_the_server_sends_heartbeats(lmtp, mail_filter):
    place = f"lmtp://127.0.0.1:{lmtp()}"
    mail_filter.wait_for(lambda log: stage_states(log, FEED).get(place) == "running")


def test_on_kafka_mails_are_acknowledged_scored_and_recognised_when_delivered_again(kafka, lmtp, sink):
    prefix = KafkaSettings(prefix=f"t{uuid.uuid4().hex[:8]}-")
    of_filter = FilterSettings(port=0, deadline_s=PATIENCE_S)
    settings = Settings(log=f"kafka://{kafka.bootstrap}", kafka=prefix, filter=of_filter)
    running = RunningFilter(settings, trained=True)
    try:
        hop = sink("smtp")
        port = lmtp(hop.url, running.open, running.settings)
        mails = [fresh(label).value for label in ("spam", "ham", "spam")]
        for raw in (*mails, mails[0]):
            assert [reply[:3] for reply in deliver(port, raw)] == ["250"]
        verdicts = [one.raw.split(b";")[0] for one in hop.kept]
        assert verdicts == [b"X-Stream-NB: spam", b"X-Stream-NB: ham", b"X-Stream-NB: spam", b"X-Stream-NB: spam"]
        wanted = {repeatable_id(raw.replace(b"\r\n", b"\n").replace(b"\n", b"\r\n") + b"\r\n") for raw in mails}
        with running.open() as log:
            keys = [record.key.decode() for record in read_all(log, "emails")]
        assert [keys.count(one) for one in wanted] == [1, 1, 1]
    finally:
        running.close()
