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


@pytest.mark.parametrize("host", ["127.0.0.1", "::1"])
def test_a_server_can_start_again_at_once_and_does_not_take_the_port_of_the_other_family(host):
    try:
        bound = open_socket(host, 0, "dashboard", "")
    except UserError:
        pytest.skip(f"this machine has no {host}")
    with bound:
        assert bound.getsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR)
        assert host != "::1" or bound.getsockopt(socket.IPPROTO_IPV6, socket.IPV6_V6ONLY)
