"""A process ends when its parent has ended, in any way; after the block the watching thread has ended."""

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

from consumers.runtime.parent_watch import ending_with_parent

ROOT = Path(__file__).parents[3]
CHILD = """
import time
from consumers.runtime.parent_watch import ending_with_parent
with ending_with_parent():
    print("works", flush=True)
    time.sleep(600)
"""
PARENT = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {CHILD!r}])"


def test_a_child_of_a_killed_process_ends():
    with subprocess.Popen([sys.executable, "-c", PARENT], cwd=ROOT, stdout=subprocess.PIPE) as parent:
        assert parent.stdout is not None
        assert parent.stdout.readline() == b"works\n"
        os.kill(parent.pid, signal.SIGKILL)
        assert parent.stdout.read() == b""  # the other end was in the child


def test_the_thread_ends_with_the_block():
    before = {*threading.enumerate()}
    with ending_with_parent():
        watching = {*threading.enumerate()} - before
    assert watching
    assert not any(thread.is_alive() for thread in watching)
