"""The throughput of this checkout compared with another, in one run on one core, as ratios of CPU time.

    git worktree add --detach ../before COMMIT
    python -m tests.benchmarks.versions ../before [enron1 enron2 enron3]

Processes of the two versions take turns, and the best one counts. The jobs are those of `tests.benchmarks.throughput`,
which both versions must be able to run. Two checkouts of the same commit show the noise.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
ROUNDS, REPETITIONS = 8, 3
_CHILD = """
import sys
sys.path.insert(0, sys.argv[1])
import stream_nb
sys.path[0] = sys.argv[2]
from tests.benchmarks import versions
versions.measure_own(sys.argv[3])
"""


def measure_own(name: str) -> None:
    """Print, as JSON, the minimal microseconds per message of each job on a stream, for the imported version."""
    from tests.benchmarks import throughput
    from tests.benchmarks.streams import enron

    stream = [(text.decode("latin-1"), label) for text, label in enron(name)]
    dicts = [(throughput.counted(text), label) for text, label in stream]
    mails = [throughput.mail_nb, throughput.mail_nb_batch, throughput.multinomial]
    throughput.measure(mails, stream[:10], 1)  # compiles
    figures = throughput.measure(mails, stream, REPETITIONS)
    figures |= throughput.measure([throughput.multinomial_dicts], dicts, REPETITIONS)
    print(json.dumps(figures))


def measured(checkout: Path, name: str) -> dict[str, float]:
    """The figures of one process that runs the code of a checkout."""
    command = [sys.executable, "-P", "-c", _CHILD, str(checkout), str(ROOT), name]
    return json.loads(subprocess.run(command, check=True, capture_output=True, text=True).stdout)


def main(other: Path, names: list[str]) -> None:
    print(f"{'us/message':28}{'before':>10}{'now':>10}{'now / before':>14}")
    for name in names:
        best: dict[Path, dict[str, float]] = {other: {}, ROOT: {}}
        for _ in range(ROUNDS):
            for checkout, figures in best.items():
                for job, us in measured(checkout, name).items():
                    figures[job] = min(figures.get(job, math.inf), us)
        for job, us in best[other].items():
            now = best[ROOT][job]
            print(f"{name + ' ' + job:28}{us:10.1f}{now:10.1f}{now / us:14.3f}", flush=True)


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2:] or ["enron1", "enron2", "enron3"])
