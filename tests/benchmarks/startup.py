"""The time until the demo's page answers and its worker works, cold and warm.

    python -m tests.benchmarks.startup

Cold is a machine on which nothing was compiled: an empty compile cache and a new home folder. Warm is the same command
again. Seconds depend on the machine and its load, so each row also has the time to start Python and import numpy,
measured before and after it, and the CPU time of all processes: until the page answered, and in total.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import NamedTuple

from tests.support.processes import cpu_seconds, descendants

ROOT = Path(__file__).parents[2]
DEMO = (sys.executable, "-m", "consumers", "demo", "--mails", "20", "--rate", "0")
WARM_RUNS = 3


class Started(NamedTuple):
    """Seconds from the start of the demo until its page answered, and until it printed the figures of all mails; and
    the CPU time of its processes at both times."""

    page_s: float
    page_cpu_s: float
    end_s: float
    end_cpu_s: float


def start_demo(home: str) -> Started:
    """Run the demo on a few mails, with this home folder and the compile cache in it."""
    environment = os.environ | {"HOME": home, "NUMBA_CACHE_DIR": f"{home}/compiled"}
    started_at = time.perf_counter()
    with subprocess.Popen(
        DEMO, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as demo:
        page_s, page_cpu_s = _until(r"dashboard +http:", demo, started_at)
        end_s, end_cpu_s = _until(r"mails +[0-9]", demo, started_at)
        assert demo.stdout is not None
        demo.stdout.read()
    return Started(page_s, page_cpu_s, end_s, end_cpu_s)


def _until(pattern: str, demo: subprocess.Popen[str], started_at: float) -> tuple[float, float]:
    """Seconds since `begun` and CPU seconds of the demo's processes when it prints a line with this beginning."""
    assert demo.stdout is not None
    next(line for line in demo.stdout if re.match(pattern, line))
    return time.perf_counter() - started_at, cpu_seconds([demo.pid, *descendants(demo.pid)])


def start_numpy() -> float:
    """Seconds to start Python and import numpy."""
    started_at = time.perf_counter()
    subprocess.run([sys.executable, "-c", "import numpy"], check=True)
    return time.perf_counter() - started_at


def main() -> None:
    """Print the table."""
    print(f"{'demo':8}{'page':>9}{'CPU':>9}{'all done':>11}{'CPU':>9}{'page / numpy':>15}")
    with tempfile.TemporaryDirectory(prefix="stream-nb-startup-") as home:
        for name in ("cold", *("warm" for _ in range(WARM_RUNS))):
            before = start_numpy()
            started = start_demo(home)
            unit = (before + start_numpy()) / 2
            print(
                f"{name:8}{started.page_s:7.1f} s{started.page_cpu_s:7.1f} s{started.end_s:9.1f} s"
                f"{started.end_cpu_s:7.1f} s{started.page_s / unit:15.1f}"
            )


if __name__ == "__main__":
    main()
