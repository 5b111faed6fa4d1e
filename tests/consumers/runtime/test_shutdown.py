"""A process that is told to stop stops, whatever it is doing at that moment."""

import signal
import subprocess
import sys

import pytest

WAIT_OFTEN = """
from consumers.runtime.shutdown import {when}

stop = {when}()
for _ in range(1000):
    stop.wait(0)
print("waiting", flush=True)
while not stop.wait(0):
    pass
"""


@pytest.mark.parametrize("when", ["stop_on_signals", "stop_with_parent"])
def test_a_signal_that_interrupts_a_wait_stops_it(when):
    # `wait` holds a lock most of the time here: a handler that takes the lock, too, hangs in about half of the tries.
    for _ in range(12):
        with subprocess.Popen([sys.executable, "-c", WAIT_OFTEN.format(when=when)], stdout=subprocess.PIPE) as process:
            try:
                process.stdout.readline()
                process.send_signal(signal.SIGTERM)
                assert process.wait(60) == 0
            finally:
                process.kill()


def test_a_second_interrupt_is_not_waited_for():
    code = WAIT_OFTEN.format(when="stop_on_signals") + "while True: pass"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            while process.poll() is None:
                process.send_signal(signal.SIGINT)
                try:
                    process.wait(0.2)
                except subprocess.TimeoutExpired:
                    pass
            assert b"KeyboardInterrupt" in process.stderr.read()
        finally:
            process.kill()
