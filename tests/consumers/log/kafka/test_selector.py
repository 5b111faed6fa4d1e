import selectors
import socket

import pytest

from consumers.log.kafka.selector import QuickSelector


class Unprintable(socket.socket):
    def __repr__(self):
        raise AssertionError("repr() of a socket makes two system calls")


@pytest.fixture
def reader():
    one, other = socket.socketpair()
    with one, other, Unprintable(fileno=one.detach()) as reader:
        other.send(b"x")
        yield reader


def test_keys_equal_those_of_the_default_selector(reader):
    with QuickSelector() as selector:
        selector.register(reader, selectors.EVENT_READ, "first")
        assert selector.get_key(reader) == selector.get_map()[reader]

        selector.modify(reader, selectors.EVENT_READ, "second")
        assert selector.get_key(reader) == selector.get_map()[reader]
        assert [key.data for key, _ in selector.select(0)] == ["second"]


def test_an_unregistered_socket_raises_key_error_without_calling_repr(reader):
    with QuickSelector() as selector:
        with pytest.raises(KeyError):
            selector.get_key(reader)

        selector.register(reader, selectors.EVENT_READ)
        selector.unregister(reader)
        with pytest.raises(KeyError):
            selector.get_key(reader)
