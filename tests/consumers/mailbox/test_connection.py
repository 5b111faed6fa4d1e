"""Connections to an IMAP server: IDLE."""

from __future__ import annotations

import pytest

from consumers.mailbox.address import parse_imap_address
from consumers.mailbox.connection import ImapConnection
from consumers.mailbox.imap_errors import IMAP_ERRORS
from tests.support.imap_server import ANSWERS, serving


@pytest.mark.parametrize("end", [b"+ still idling\r\n", b"* BYE\r\n"])
def test_an_invalid_response_in_idle_is_a_connection_error(end):
    with serving(ANSWERS | {b"DONE": end}) as url:
        connection = ImapConnection(parse_imap_address(url), "secret")
        connection.start_idle()
        with pytest.raises(IMAP_ERRORS):
            connection.stop_idle()
