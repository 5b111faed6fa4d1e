"""A trial: worker processes process mail and labels while faults happen; then the log is recounted.

Without other options the model learns everything without trust, so that the counts depend only on the final labels, and
a single process that reads the same records must end with the same counts.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import threading
import time
import uuid
from collections.abc import Sequence
from pathlib import Path
from random import Random

from consumers.errors import UserError
from consumers.log import open_log
from consumers.log.base import Log, ProducerRecord, TopicPartition
from consumers.records.schemas import PREDICTIONS, TOPICS
from consumers.settings import load_settings
from tests.support import trial_recount, trial_watch
from tests.support.kafka_broker import Cluster
from tests.support.log_retry import look_at_log
from tests.support.processes import send_signal, tree, worker_processes
from tests.support.trial_brokers import kill_leader, restart_all
from tests.support.trial_mail import TrialMail
from tests.support.trial_settings import drawn_options, trial_environment
from tests.support.trial_stages import Stages, end
from tests.support.trial_watch import PATIENCE_S, Fault

TICK_S = 0.1
FROZEN_S = 14.0


class Trial:
    """A log with `partitions` partitions, and `rate` mails a second; `start` workers, then cause faults.

    `place` is the log's cluster, or its folder on SQLite. `stages` are the commands of other stages; with a combiner,
    workers follow sums. `options` are environment variables with further settings.
    """

    def __init__(
        self,
        place: Cluster | Path,
        partitions: int = 2,
        rate: float = 100.0,
        seed: int = 1,
        stages: Sequence[str] = (),
        options: dict[str, str] | None = None,
    ) -> None:
        self._place = place
        self.partitions = partitions
        self.draw = Random(seed)
        self._rate = rate
        self._seed = seed
        name = f"trial-{uuid.uuid4().hex[:8]}"
        self._environment = trial_environment(place, name, partitions, "combiner" in stages) | (options or {})
        self._counts_are_exact = not options
        self.settings = load_settings(None, self._environment)
        self.log = open_log(self.settings)
        self.log.create_topics(TOPICS, partitions)
        self.supervisors: list[subprocess.Popen] = []
        """The supervisors of workers."""
        self.stages = Stages(stages, self._supervise)
        self.faults: list[Fault] = []
        self.fed = 0
        self._stop = threading.Event()
        self._feeder = threading.Thread(target=self._feed, daemon=True)

    def start(self, workers: int = 2, processes: int = 1) -> Trial:
        """Start the feeder and the supervisors of workers, and wait until mail is scored."""
        self._feeder.start()
        for _ in range(workers):
            self.add_worker(processes)
        self.wait_for_mail()
        self.faults.clear()
        return self

    # Faults

    def add_worker(self, processes: int = 1) -> None:
        """Start one more supervisor, with this number of worker processes."""
        self._note("worker added")
        supervisor = self._supervise("worker", "--processes", str(processes))
        self._worker_of(supervisor)
        self.supervisors.append(supervisor)

    def remove_worker(self) -> None:
        """Stop one supervisor and its workers with SIGTERM."""
        supervisor = self.supervisors.pop()
        self._note("worker removed")
        end(supervisor)

    def kill_worker(self) -> None:
        """Kill a worker process; its supervisor starts the next one."""
        pid = self._worker()
        self._note("worker killed")
        send_signal(pid, signal.SIGKILL)

    def kill_any(self) -> None:
        """Kill a random process below a supervisor: a worker, the fork server or the resource tracker."""
        processes = tree(self.draw.choice(self.supervisors).pid)
        if not processes:
            return
        pid = self.draw.choice(sorted(processes))
        self._note(f"{processes[pid]} killed")
        send_signal(pid, signal.SIGKILL)

    def freeze_worker(self) -> None:
        """Stop a worker for longer than the session timeout, and continue it: it does not know that it was replaced."""
        pid = self._worker()
        self._note("worker frozen")
        send_signal(pid, signal.SIGSTOP)
        time.sleep(FROZEN_S)
        send_signal(pid, signal.SIGCONT)

    def kill_broker(self) -> None:
        """Kill a broker (the leader of a partition of predictions), and start it again some seconds later."""
        self._note("broker killed" if len(self._place.nodes) == 1 else "leader killed")
        kill_leader(self._place, TopicPartition(self.settings.kafka.prefix + PREDICTIONS, 0))

    def restart_brokers(self) -> None:
        """Stop each broker in turn and start it again, as for an upgrade."""
        self._note("brokers restarted")
        restart_all(self._place)

    def kill_stage(self) -> None:
        """Kill one of the other stages and its supervisor, so that a second one takes over, and start a new one."""
        self._note(f"{self.stages.kill_one(self.draw)} killed")

    def change_policy(self) -> None:
        """Change how scores become labels."""
        self._command("policy", "--threshold", str(self.draw.choice((-0.5, 0.0, 1.5))))

    def forget_labels(self) -> None:
        """Withdraw the labels of a source."""
        self._command("forget", "--source", self.draw.choice(("somebody", "silence")))

    def change_settings(self) -> None:
        """Draw other settings for the same model, and restart the workers with them, one after the other."""
        self._environment |= drawn_options(self.draw, self.settings.learner.model)
        self._note("settings")
        for _ in range(len(self.supervisors)):
            end(self.supervisors.pop(0))
            self.add_worker()

    def verify_now(self) -> None:
        """Recount the log while everything runs."""
        self._command("verify")

    def back_up(self) -> None:
        """Copy an SQLite log while everything runs, and recount the copy."""
        copy = f"{self._place}-{len(self.faults)}"
        self._command("backup", copy)
        self._command("verify", "--log", f"sqlite:{copy}")

    # Watching

    def wait_for_mail(self) -> None:
        """Wait until each partition has a prediction of a mail that arrives from now on, and all deltas are in sums."""
        since = time.time()
        look_at_log(self.settings, lambda log: trial_watch.wait_for_mail(log, self.partitions, since))
        if self.settings.learner.follow == "sums":
            look_at_log(self.settings, lambda log: trial_watch.wait_for_sums(log, self.stages.start_again))

    def recoveries(self) -> list[tuple[Fault, float]]:
        """Each fault, and the seconds until mail that arrived after it was scored in every partition."""
        return look_at_log(self.settings, lambda log: trial_watch.recoveries(log, self.partitions, self.faults))

    def finish(self) -> None:
        """Stop feeding, let the workers finish, and stop them."""
        self._stop.set()
        self._feeder.join()
        self.stages.end("silence")  # it would label on
        deadline = time.monotonic() + PATIENCE_S
        monitored = "monitor" in self.stages
        while not look_at_log(self.settings, lambda log: trial_watch.is_finished(log, self.settings, monitored)):
            if time.monotonic() > deadline:
                raise TimeoutError("the workers or monitors did not finish")
            self.stages.start_again()
            time.sleep(0.3)
        self.stop()

    def stop(self) -> None:
        """Stop everything."""
        self._stop.set()
        for supervisor in self.supervisors:
            end(supervisor)
        self.supervisors = []
        self.stages.end()

    def differences(self, folder: Path) -> list[str]:
        """The errors that a recount of the log finds; `folder` is for the logs of single processes."""

        def recount(log: Log) -> list[str]:
            single = folder / uuid.uuid4().hex if self._counts_are_exact else None
            return trial_recount.differences(log, self.settings, single)

        return look_at_log(self.settings, recount)

    def _note(self, name: str) -> None:
        self.faults.append(Fault(name, time.time()))

    def _command(self, *command: str) -> None:
        self._note(command[0])
        if status := self._supervise(*command).wait(PATIENCE_S):
            raise RuntimeError(f"{' '.join(command)} ended with status {status}")

    def _supervise(self, *command: str) -> subprocess.Popen:
        environment = {k: v for k, v in os.environ.items() if not k.startswith("STREAM_NB_")} | self._environment
        command = (sys.executable, "-m", "consumers", *command)
        return subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, start_new_session=True)

    def _worker(self) -> int:
        """The process of a worker, chosen at random."""
        return self._worker_of(self.draw.choice(self.supervisors))

    def _worker_of(self, supervisor: subprocess.Popen) -> int:
        while supervisor.poll() is None:
            found = worker_processes(supervisor.pid)
            if found:
                return found[0]
            time.sleep(0.05)
        raise RuntimeError(f"a worker's supervisor ended with status {supervisor.returncode}")

    def _feed(self) -> None:
        """Append generated mail until stopped; records that a broker did not confirm are sent again."""
        mail = TrialMail(self.draw, self._seed)
        log = open_log(self.settings)
        while not self._stop.is_set():
            records: list[ProducerRecord] = []
            for _ in range(max(1, round(self._rate * TICK_S))):
                records += mail.next_records()
                self.fed += 1
            while True:
                try:
                    log.append(records)
                    break
                except UserError:
                    with contextlib.suppress(UserError):
                        log.close()
                        log = open_log(self.settings)
            time.sleep(TICK_S)
        log.append(mail.late_labels())
        log.close()
