"""Replies of a next hop that mail servers do not give every day."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator

import pytest

from consumers.filter.next_hop import NextHop, pass_on

BOB, EVE = "bob@test.example", "eve@test.example"


@pytest.fixture
def hop() -> Iterator:
    """A function: the scheme, and replies to commands by their name, or to the mail -> a next hop that gives them.

    By LMTP it closes the connection after its replies to the mail.
    """
    servers: list[socketserver.ThreadingTCPServer] = []

    def start(scheme: str, **replies: str) -> NextHop:
        class Hop(socketserver.StreamRequestHandler):
            def handle(self) -> None:
                self.wfile.write(b"220 hello\r\n")
                for line in self.rfile:
                    name = line[:4].strip().decode().upper()
                    reply = replies.get(name, {"DATA": "354 go on"}.get(name, "250 ok"))
                    self.wfile.write(f"{reply}\r\n".encode())
                    if reply.startswith("354"):
                        while self.rfile.readline() != b".\r\n":
                            pass
                        self.wfile.write(f"{replies.get('mail', '250 kept')}\r\n".encode())
                        if scheme == "lmtp":
                            return

        servers.append(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Hop))
        threading.Thread(target=servers[-1].serve_forever).start()
        return NextHop(scheme, *servers[-1].server_address)

    yield start
    for server in servers:
        server.shutdown()
        server.server_close()


def replies(hop: NextHop) -> list[str]:
    return pass_on(hop, "ann@test.example", [BOB, EVE], [], b"Subject: a\r\n\r\nb\r\n")


def test_a_recipient_whose_mail_is_delivered_keeps_that_reply_if_the_connection_breaks_then(hop):
    """Else the mail server would deliver the mail to all recipients again."""
    bob, eve = replies(hop("lmtp", mail="250 2.0.0 kept"))

    assert bob == "250 2.0.0 kept"
    assert eve.startswith("451 4.4.2 next hop lmtp://127.0.0.1:") and eve.endswith("; try again later")


def test_a_mail_that_is_delivered_stays_so_whatever_the_reply_to_quit(hop):
    assert replies(hop("smtp", QUIT="503 what?")) == ["250 kept"] * 2


@pytest.mark.parametrize("command", ["MAIL", "RCPT"])
def test_every_reply_of_success_lets_the_mail_go_on(hop, command):
    assert replies(hop("smtp", **{command: "252 will try"})) == ["250 kept"] * 2


def test_a_next_hop_that_takes_no_data_has_no_mail(hop):
    assert replies(hop("smtp", DATA="250 ok")) == ["451 ok"] * 2
