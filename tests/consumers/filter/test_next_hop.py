"""The conversation with the next hop: which replies mean delivered, refused or try again, whatever it says and when."""

from __future__ import annotations

import re
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager

import pytest

from consumers.errors import UserError
from consumers.filter import next_hop
from consumers.filter.next_hop import NextHop, parse_next_hop, pass_on
from tests.support.filter_client import PATIENCE_S

BOB, EVE, ZOE = "bob@test.example", "eve@test.example", "zoë@test.example"
EVERYTHING = {"EHLO": "250-sink\r\n250-8BITMIME\r\n250 SMTPUTF8"}
CLOSES = ""
"""In place of a reply: the server closes the connection."""
SILENT = "SILENT"
"""In place of a reply: the server waits for the next command."""


@contextmanager
def hop(scheme: str = "smtp", **replies: str) -> Iterator[tuple[NextHop, list[str]]]:
    """A server that gives these replies to commands (`GREETING`, `MAIL`, ..., `END` for the end of the mail, `THEN`
    after that); by default it accepts everything. Yields its address and the commands that it got."""
    says = {"GREETING": "220 sink", "DATA": "354 go on", **replies}
    lines: list[str] = []

    def serve(server: socket.socket) -> None:
        connection = server.accept()[0]
        with connection, connection.makefile("rb") as reader:

            def reply(name: str, default: str = "250 ok") -> bool:
                text = says.get(name, default)
                if text and text != SILENT:
                    connection.sendall(text.encode() + b"\r\n")
                return bool(text)

            going = reply("GREETING")
            while going and (line := reader.readline().decode("utf-8", "surrogateescape").rstrip()):
                lines.append(line)
                name = line.partition(" ")[0].upper()
                going = reply(line, says.get(name, "250 ok"))
                if going and name == "DATA" and says["DATA"].startswith("354"):
                    while reader.readline() not in (b".\r\n", b""):
                        pass
                    going = reply("END") and says.get("THEN") != CLOSES

    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        thread = threading.Thread(target=serve, args=(server,))
        thread.start()
        yield NextHop(scheme, "127.0.0.1", server.getsockname()[1]), lines
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def test_a_mail_is_not_bounced_because_the_next_hop_wants_encryption():
    """As Postfix does on each port if `smtpd_tls_security_level = encrypt` is in main.cf."""
    with hop(MAIL="530 5.7.0 Must issue a STARTTLS command first") as (address, _):
        (reply,) = pass_on(address, BOB, [EVE], [], b"Subject: hello\n\n")

    assert reply == f"451 4.4.1 next hop {address}: 530 5.7.0 Must issue a STARTTLS command first; try again later"


def sent(
    replies: dict[str, str], recipients=(BOB, EVE), options=(), raw: bytes = b"Subject: a\n\nb\xff\n"
) -> tuple[list[str], list[str]]:
    """Pass a mail on to a server with these replies; returns its reply for each recipient, and the commands it got."""
    with hop(**replies) as (address, lines):
        return pass_on(address, "ann@a.example", recipients, options, raw), lines


@pytest.mark.parametrize(
    ("replies", "told"),
    [
        ({}, ["250 ok", "250 ok"]),
        ({"MAIL": "550 5.7.1 not from you"}, ["550 5.7.1 not from you"] * 2),
        ({"MAIL": "451 4.7.1 later"}, ["451 4.7.1 later"] * 2),
        ({f"RCPT TO:<{EVE}>": "251 forwarded", "END": "250 kept"}, ["250 kept"] * 2),
        ({f"RCPT TO:<{EVE}>": "550 5.1.1 who"}, ["250 ok", "550 5.1.1 who"]),
        ({f"RCPT TO:<{EVE}>": "550 5.1.1 who", "DATA": "554 5.5.1 no"}, ["554 5.5.1 no", "550 5.1.1 who"]),
        ({"MAIL": "252 will try", "RCPT": "252 will try", "END": "250 kept"}, ["250 kept"] * 2),
        ({"DATA": "250 ok"}, ["451 ok"] * 2),
        ({"END": "552 5.3.4 too big"}, ["552 5.3.4 too big"] * 2),
        ({"END": "354 and now?"}, ["451 and now?"] * 2),
        ({"END": "250-kept\r\n250 by zo\u00eb\u0007"}, [r"250 kept by zo\xeb "] * 2),
        ({"END": "250 " + "x" * 600}, ["250 " + "x" * 400] * 2),
        ({"QUIT": CLOSES}, ["250 ok"] * 2),
        ({"QUIT": "503 what?"}, ["250 ok"] * 2),
        ({"QUIT": "421 4.3.2 not now", "MAIL": "550 5.7.1 not from you"}, ["550 5.7.1 not from you"] * 2),
    ],
)
def test_each_recipient_is_told_what_became_of_its_mail(replies, told):
    assert sent(replies)[0] == told


@pytest.mark.parametrize(
    "replies",
    [{"GREETING": "554 no service"}, {"GREETING": CLOSES}, {"EHLO": CLOSES}, {"RCPT": CLOSES}, {"END": CLOSES}],
)
def test_a_mail_without_a_reply_is_tried_again(replies):
    told, _ = sent(replies)

    assert len(told) == 2 and all(re.match(r"451 4\.4\.1 next hop smtp://127.0.0.1:\d+: ", line) for line in told)


def test_without_a_recipient_no_mail_is_sent():
    told, lines = sent({"RCPT": "550 5.1.1 who"})

    assert told == ["550 5.1.1 who"] * 2
    assert [line.partition(" ")[0].upper() for line in lines] == ["EHLO", "MAIL", "RCPT", "RCPT", "QUIT"]


def test_only_what_the_next_hop_offers_is_asked_of_it():
    for offers, asked in ((EVERYTHING, "MAIL FROM:<ann@a.example> BODY=8BITMIME"), ({}, "MAIL FROM:<ann@a.example>")):
        assert asked in sent(offers, options=["BODY=8BITMIME"])[1]


@pytest.mark.parametrize(
    ("recipient", "raw"), [(ZOE, b"Subject: a\n\nb\n"), (EVE, "Subject: ë\n\nb\n".encode())], ids=["address", "header"]
)
def test_a_mail_that_needs_utf8_is_refused_if_the_next_hop_does_not_offer_it(recipient, raw):
    told, lines = sent({}, (BOB, recipient), ["SMTPUTF8"], raw)

    assert [line[:9] for line in told] == ["553 5.6.7"] * 2
    assert "DATA" not in lines


def test_a_mail_that_does_not_need_utf8_is_passed_on_without_it():
    """Some programs announce SMTPUTF8 for every mail."""
    told, lines = sent({}, options=["SMTPUTF8"])

    assert told == ["250 ok"] * 2
    assert "MAIL FROM:<ann@a.example>" in lines


@pytest.mark.parametrize("recipient", [ZOE, "zo\udceb@test.example"], ids=["UTF-8", "Latin-1"])
def test_an_address_that_the_mta_sends_without_announcing_utf8_is_passed_on(recipient):
    """Postfix accepts such addresses, and passes them on in the same way."""
    told, lines = sent(EVERYTHING, (BOB, recipient))

    assert told == ["250 ok"] * 2
    assert f"RCPT TO:<{recipient}>" in lines


@pytest.mark.parametrize("scheme", ["smtp", "lmtp"])
def test_a_server_that_never_greets_is_given_up(scheme, monkeypatch, tmp_path):
    monkeypatch.setattr(next_hop, "CONNECT_S", 0.1)
    kind = socket.AF_INET if scheme == "smtp" else socket.AF_UNIX
    with socket.socket(kind) as silent:
        silent.bind(("127.0.0.1", 0) if scheme == "smtp" else str(tmp_path / "s"))
        silent.listen()
        address = (
            NextHop("smtp", *silent.getsockname()) if scheme == "smtp" else NextHop("lmtp", str(tmp_path / "s"), 0)
        )

        assert pass_on(address, "", [BOB], [], b"Subject: a\n\nb\n")[0].startswith("451 4.4.1 next hop ")


def test_no_mail_waits_until_this_machine_s_full_name_is_found(monkeypatch):
    """smtplib would look it up for each mail, which may take seconds."""
    monkeypatch.setattr(socket, "getfqdn", lambda: pytest.fail("looked up"))

    assert sent({})[0] == ["250 ok"] * 2


def test_a_reply_may_take_longer_than_the_greeting(monkeypatch):
    """The next hop may deliver the mail before it replies."""
    monkeypatch.setattr(next_hop, "_converse", lambda hop, client, *_: [client.sock.gettimeout()])

    assert sent({})[0] == [next_hop.REPLY_S] and next_hop.REPLY_S > next_hop.CONNECT_S


def test_a_recipient_whose_mail_is_delivered_keeps_that_reply_if_the_connection_breaks_then():
    """Else the mail server would deliver the mail to all recipients again."""
    with hop("lmtp", END="250 2.0.0 kept", THEN=CLOSES) as (address, _):
        bob, *others = pass_on(address, "ann@test.example", [BOB, EVE, "joe@test.example"], [], b"Subject: a\n\nb\n")

    assert bob == "250 2.0.0 kept" and len(others) == 2
    for told in others:
        assert told.startswith("451 4.4.2 next hop lmtp://127.0.0.1:") and told.endswith("; try again later")


def test_a_mail_is_not_held_up_by_the_reply_to_quit(monkeypatch):
    monkeypatch.setattr(next_hop, "QUIT_S", 0.1)

    assert sent({"QUIT": SILENT})[0] == ["250 ok"] * 2


@pytest.mark.parametrize(
    "url",
    [
        "",
        "smtp://",
        "smtp://host",
        "smtp://mail..example.org:25",
        "http://host:25",
        "smtp://a@host:25",
        "smtp://h:x",
        "smtp://h:25/x",
        "lmtp:",
        "lmtp:///",
        "lmtp://:24/x",
        "lmtp://host/x",
        "smtp:///x",
        "smtp://:25",
    ],
)
def test_an_invalid_next_hop_is_refused(url):
    with pytest.raises(UserError, match="give smtp://host:port"):
        parse_next_hop(url)


@pytest.mark.parametrize("password", ["hunter2", "hunter2/x", "12#hunter2"])
def test_a_password_of_a_next_hop_is_refused_and_not_shown(password):
    with pytest.raises(UserError, match="next hop with a user or password: give smtp://host:port") as refused:
        parse_next_hop(f"smtp://ann:{password}@mail.example.org:25")

    assert "hunter2" not in str(refused.value)
