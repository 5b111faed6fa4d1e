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


@pytest.mark.parametrize(
    ("when", "sent"),
    [("stop_on_signals", "SIGTERM"), ("stop_on_signals", "SIGHUP"), ("stop_with_parent", "SIGTERM")],
)
def test_a_signal_that_interrupts_a_wait_stops_it(when, sent):
    # `wait` holds a lock most of the time here: a handler that takes the lock, too, hangs in about half of the tries.
    for _ in range(12):
        with subprocess.Popen([sys.executable, "-c", WAIT_OFTEN.format(when=when)], stdout=subprocess.PIPE) as process:
            try:
                process.stdout.readline()
                process.send_signal(signal.Signals[sent])
                assert process.wait(60) == 0
            finally:
                process.kill()


@pytest.mark.parametrize("sent", ["SIGTERM", "SIGHUP"])
def test_a_signal_interrupts_as_ctrl_c_does(sent):
    code = "from consumers.runtime.shutdown import *; interrupt_on_signals(); print(flush=True); signal.pause()"
    with subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            process.send_signal(signal.Signals[sent])
            assert b"KeyboardInterrupt" in process.stderr.read()
        finally:
            process.kill()


@pytest.mark.parametrize(
    ("when", "nohup"), [("stop_on_signals", ["nohup"]), ("stop_with_parent", [])], ids=["nohup", "child"]
)
def test_a_closed_terminal_does_not_stop(when, nohup):
    """Of a process that nohup started, or of one whose supervisor gets the signal, too, and stops it."""
    command = [*nohup, sys.executable, "-c", WAIT_OFTEN.format(when=when)]
    with subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE) as process:
        try:
            process.stdout.readline()
            process.send_signal(signal.SIGHUP)
            with pytest.raises(subprocess.TimeoutExpired):
                process.wait(1)
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


@pytest.mark.parametrize("when", ["stop_on_signals", "interrupt_on_signals"])
def test_a_slow_end_says_how_not_to_wait_for_it(when):
    """For instance while the log is away."""
    code = f"""
import signal, time
from consumers.runtime import shutdown

shutdown.SLOW_S = 0.0
shutdown.{when}()
try:
    signal.raise_signal(signal.SIGINT)
except KeyboardInterrupt:
    pass
time.sleep(60)
"""
    with subprocess.Popen([sys.executable, "-c", code], stderr=subprocess.PIPE, text=True) as process:
        try:
            assert process.stderr.readline() == "still stopping; Ctrl-C again ends at once\n"
            process.send_signal(signal.SIGINT)
            assert process.wait(60) != 0
        finally:
            process.kill()
