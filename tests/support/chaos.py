"""`make chaos`: every fault several times on one broker and on three, 80 kills, and a recount of the log.

Three brokers are also restarted in turn, and their workers follow the sums of two combiners, which are killed. For each
seed of `--options`, a last trial draws the log (Kafka or SQLite), the model, and how it learns and forgets. Settings,
policy and labels change meanwhile, the log is recounted and on SQLite copied, and monitors, the stage `silence` and
combiners are killed. 0 rounds or kills, or no seed, leave trials out.

    python tests/support/chaos.py [--rounds N] [--kills N] [--options SEED...]

Prints for each fault how long it took until newly arrived mail was scored again in every partition. Ends with status 1
if anything was lost, doubled or miscounted.
"""

from __future__ import annotations

import argparse
import logging
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from random import Random

sys.path.insert(0, str(Path(__file__).parents[2]))

from consumers.worker.warm import warm_up
from tests.support.kafka_broker import Cluster
from tests.support.trial import Trial
from tests.support.trial_settings import drawn_options

ROUND = ("kill_worker", "kill_worker", "freeze_worker", "kill_worker", "add_worker", "kill_broker", "kill_worker",
         "remove_worker", "kill_worker")  # fmt: skip
ON_THREE_BROKERS = (*ROUND, "kill_stage", "restart_brokers", "kill_stage")
_WITH_STAGES = ("kill_stage", "kill_stage", "kill_stage", "kill_stage", "change_policy", "forget_labels", "verify_now",
                "change_settings")  # fmt: skip
WITH_OPTIONS = (*ROUND, *_WITH_STAGES)
ON_SQLITE = (*(fault for fault in ROUND if fault in ("kill_worker", "freeze_worker")), *_WITH_STAGES, "back_up")


def rounds_of(count: int) -> Callable[[Trial], None]:
    """Every fault, one after the other, `count` times."""

    def break_things(trial: Trial) -> None:
        trial.start(workers=2)
        for _ in range(count):
            for fault in ON_THREE_BROKERS if "combiner" in trial.stages else ROUND:
                getattr(trial, fault)()
                trial.wait_for_mail()

    return break_things


def kills(count: int) -> Callable[[Trial], None]:
    """Kill a random process below the supervisor of two workers `count` times, often before it has replaced the last
    one."""

    def break_things(trial: Trial) -> None:
        trial.start(workers=1, processes=2)
        while len(trial.faults) < count:
            trial.kill_any()
            time.sleep(trial.draw.choice((0.0, 0.05, 0.5, 2.0)))
            if trial.draw.random() < 0.3:
                trial.wait_for_mail()
        trial.wait_for_mail()

    return break_things


def shuffled(trial: Trial) -> None:
    """Every fault once, in a random order, often before the stream has recovered from the last one."""
    on_sqlite = trial.settings.log.startswith("sqlite:")
    trial.start(workers=1 if on_sqlite else 2)
    faults = ON_SQLITE if on_sqlite else WITH_OPTIONS
    for fault in trial.draw.sample(faults, len(faults)):
        getattr(trial, fault)()
        if trial.draw.random() < 0.6:
            trial.wait_for_mail()
    trial.wait_for_mail()


def with_options(seed: int) -> bool:
    """Run a trial with random settings and print its table; return whether nothing was lost, doubled or miscounted."""
    draw = Random(seed)
    options = drawn_options(draw, draw.choice(("mail", "mail", "mail", "multinomial", "mixed", "gaussian")))
    print(f"options {seed}:", *(f"{name.removeprefix('STREAM_NB_')}={value}" for name, value in options.items()))
    brokers = draw.choice((0, 1, 3))
    stages = ["monitor", "silence", *(["monitor"] if brokers else []), *draw.choice(([], ["combiner"]))]
    return run(brokers, shuffled, stages, options, seed)


def run(
    brokers: int,
    break_things: Callable[[Trial], None],
    stages: Sequence[str] = (),
    options: dict[str, str] | None = None,
    seed: int = 1,
) -> bool:
    """Run one trial, on SQLite without brokers, and print its table; return whether no difference was found."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        cluster = Cluster(folder / "kafka", count=brokers) if brokers else None
        trial = None
        try:
            place, partitions = (cluster.start(), 2) if cluster else (folder / "log", 1)
            trial = Trial(place, partitions, seed=seed, stages=stages, options=options)
            break_things(trial)
            trial.finish()
            times: dict[str, list[float]] = {}
            for fault, seconds in trial.recoveries():
                times.setdefault(fault.name, []).append(seconds)
            differences = trial.differences(folder / "single")
        finally:
            if trial is not None:
                trial.stop()
                trial.log.close()
            if cluster is not None:
                cluster.stop()
    where = f"{brokers} broker(s)" if brokers else "SQLite"
    print(f"{where}, {partitions} partition(s), {trial.fed} mails, {sum(map(len, times.values()))} faults")
    print(f"  {'fault':<16}{'times':>6}{'median s':>10}{'longest s':>11}")
    for fault, seconds in times.items():
        print(f"  {fault:<16}{len(seconds):>6}{statistics.median(seconds):>10.1f}{max(seconds):>11.1f}")
    print(f"  differences: {len(differences)}", *differences[:10], sep="\n    ", flush=True)
    return not differences


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "--rounds", type=int, default=3, help="rounds of a trial; each kills 5 workers and 1 broker (3)"
    )
    parser.add_argument("--kills", type=int, default=50, help="kills of random processes below a supervisor (50)")
    parser.add_argument("--options", type=int, nargs="*", default=[1, 2], help="seeds of the trials with options (1 2)")
    given = parser.parse_args()
    logging.getLogger("kafka").setLevel(logging.CRITICAL)  # it logs every refused connection to a killed broker
    warm_up()  # on a fresh machine compiling takes longer than a trial waits for mail
    every = rounds_of(given.rounds)
    ok = True
    if given.kills:
        ok &= run(1, kills(given.kills))
    if given.rounds:
        ok &= run(1, every)
        ok &= run(3, every, ["combiner", "combiner"])
    for seed in given.options:
        ok &= with_options(seed)
    return 0 if ok else 1


if __name__ == "__main__":
    sys.exit(main())
