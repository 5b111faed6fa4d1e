"""The first import of the fork server."""

from .fork_server import take_interrupts

take_interrupts()
