import socket

import pytest

from consumers.errors import UserError
from consumers.runtime.listening_socket import open_socket


def test_an_address_in_use_is_named_once():
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(UserError) as caught:
            open_socket("127.0.0.1", port, f"dashboard 127.0.0.1:{port}", "choose another --port")
    assert str(caught.value) == f"dashboard 127.0.0.1:{port}: Address already in use; choose another --port"
