"""Imports and compiles all that a worker process needs, so that processes forked after this import start at once.

It leaves no file, connection or thread open.
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
"""The modules that a worker imports."""

# A fork server does not notice the end of its supervisor until its imports are done.
with show_compiling(sys.stderr), ending_with_parent():
    warm_up()
# Frozen objects are skipped by garbage collection, here and in the forked processes, and their pages stay shared.
gc.freeze()
