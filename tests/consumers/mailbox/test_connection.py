"""Connections to a server: IDLE."""

from __future__ import annotations

import socketserver
import threading

import pytest

from consumers.mailbox.address import parse_imap_address
from consumers.mailbox.connection import IMAP_ERRORS, ImapConnection


@pytest.mark.parametrize("end", [b"+ still idling\r\n", b"* BYE\r\n"])
def test_an_invalid_response_in_idle_is_a_connection_error(end):
    """IMAPClient raises AttributeError for a continuation request, which would end the feed."""

    class InvalidServer(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(b"* OK hello\r\n")
            tag = b""
            for line in self.rfile:
                tag, command = (tag, line.strip()) if line == b"DONE\r\n" else line.split(maxsplit=2)[:2]
                said = {b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE\r\n", b"IDLE": b"+ idling\r\n", b"DONE": end}
                self.wfile.write(said.get(command.strip().upper(), b""))
                if command.strip().upper() != b"IDLE" and (command != b"DONE" or end.startswith(b"+")):
                    self.wfile.write(tag + b" OK done\r\n")
                elif command == b"DONE":
                    return

    class QuietServer(socketserver.ThreadingTCPServer):
        def handle_error(self, *_: object) -> None:
            """The client may be gone."""

    with QuietServer(("127.0.0.1", 0), InvalidServer) as server:
        server.daemon_threads = True
        threading.Thread(target=server.serve_forever, daemon=True).start()
        address = parse_imap_address(f"imap://ann@127.0.0.1:{server.server_address[1]}/INBOX")
        try:
            connection = ImapConnection(address, "secret")
            connection.start_idle()
            with pytest.raises(IMAP_ERRORS):
                connection.stop_idle()
        finally:
            server.shutdown()
