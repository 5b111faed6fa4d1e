"""What a worker process needs, imported and compiled: a process forked from one that has imported this starts at once.

Nothing that stays is opened here: no file, no connection, no thread.
"""

from __future__ import annotations

import gc
import sys

from ..log.kafka import log as kafka_log
from ..log.sqlite import log as sqlite_log
from ..runtime.compiling import show_compiling
from ..runtime.parent_watch import ending_with_parent
from . import metrics, worker
from .warm import warm_up

MODULES = (kafka_log, sqlite_log, metrics, worker)
"""What a worker imports."""

# A fork server looks for its supervisor's end only when all is imported.
with show_compiling(sys.stderr), ending_with_parent():
    warm_up()
# Neither the forked processes nor this one need walk all this again, and its pages stay shared.
gc.freeze()
