"""An IMAP server that gives prepared answers, for those that no real server gives."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Generator
from contextlib import contextmanager

ANSWERS = {
    b"CAPABILITY": b"* CAPABILITY IMAP4rev1 IDLE NAMESPACE\r\n",
    b"NAMESPACE": b'* NAMESPACE (("" "/")) NIL NIL\r\n',
    b"LIST": b'* LIST () "/" INBOX\r\n* LIST (\\Junk) "/" Junk\r\n',
    b"EXAMINE": b"* FLAGS ()\r\n* 2 EXISTS\r\n* OK [UIDVALIDITY 7] ok\r\n* OK [UIDNEXT 3] ok\r\n",
    b"SEARCH": b"* SEARCH 1 2\r\n",
    b"FETCH": b"* 1 FETCH (UID 1 FLAGS () BODY[]<0> {12}\r\nSubject: a\r\n)\r\n",
    b"IDLE": b"+ idling\r\n",
}


@contextmanager
def serving(answers: dict[bytes, bytes], greeting: bytes = b"* OK hello\r\n") -> Generator[str]:
    """Run a server with a greeting that gives these answers, one for each command; the URL of its inbox."""

    class Connection(socketserver.StreamRequestHandler):
        def handle(self) -> None:
            self.wfile.write(greeting)
            tag = b""
            for line in self.rfile:
                first, *words = line.upper().split()
                if first == b"DONE":
                    command = first
                else:
                    tag, command = first, words[1] if words[0] == b"UID" else words[0]
                answer = answers.get(command, b"")
                self.wfile.write(answer)
                if answer == b"* BYE\r\n":
                    return
                if command != b"IDLE":
                    self.wfile.write(tag + b" OK done\r\n")

    class Server(socketserver.ThreadingTCPServer):
        daemon_threads = True

        def handle_error(self, *_: object) -> None:
            """The client may be gone."""

    with Server(("127.0.0.1", 0), Connection) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield f"imap://ann@127.0.0.1:{server.server_address[1]}/INBOX"
        finally:
            server.shutdown()
