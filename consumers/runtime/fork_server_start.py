"""Imported by the fork server before all else."""

from .fork_server import take_interrupts

take_interrupts()
