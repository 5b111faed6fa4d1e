import subprocess
import sys

from consumers.errors import STATUS_RESTART

PROGRAM = """
import logging
from consumers.log.kafka import watchdog
from consumers.runtime.pause import pause

logging.basicConfig()
watchdog.LOOK_S = 0.01
with watchdog.watchdog("the quick one", 0.02):
    pass
pause(0.2)
print("goes on", flush=True)
with watchdog.watchdog("the slow one", 0.02):
    pause(60)
"""


def test_the_process_ends_if_a_block_takes_too_long_and_continues_otherwise():
    run = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)

    assert (run.returncode, run.stdout) == (STATUS_RESTART, "goes on\n")
    assert "the slow one did not return" in run.stderr
    assert "the quick one" not in run.stderr
