"""Whether the stages run, and their backlog, derived from their heartbeats and the ends of the topics.

Any process that can read the log can derive this, so it is available even while the monitor is down.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from ..log.base import Log, TopicPartition
from ..records.heartbeat import (
    HEARTBEAT_S,
    STAGES,
    WORKER,
    HeartbeatRecord,
    PartitionProgress,
    different_settings,
)
from ..records.sanitize import show_safely
from .heartbeats import LatestHeartbeats
from .stages import COMMANDS, INPUTS, NEEDED
from .unread import Unread

NEVER_RAN, STARTING, RESTARTING, RUNNING, BEHIND = "never ran", "starting", "restarting", "running", "behind"
SILENT, STOPPED = "silent", "stopped"

LATE_S, SILENT_S = 2 * HEARTBEAT_S, 4 * HEARTBEAT_S
"""Seconds without a heartbeat after which "last seen" is shown, and after which the process counts as silent."""
STARTING_SILENT_S = 120.0
"""The same for a process that is starting: it may compile one function for a minute."""
MANY_RESTARTS = 4
"""From this many restarts in a minute a process counts as restarting. One that fails at once has ten in the first
minute; a healthy start counts as one if the parent process wrote heartbeats before."""
BEHIND_RECORDS = 1_000
"""A process with a larger backlog counts as behind; this is about one step of a worker."""
SHOWN_S = 86_400.0
"""How long a silent process is shown; the last one of its stage is always shown."""
NAME_CHARS = 100


class TopicBacklog(msgspec.Struct, frozen=True):
    """The number of unread records of a topic."""

    topic: str
    records: int


class StageHealth(msgspec.Struct, frozen=True):
    """One process of a stage, or a stage that never had one.

    Args:
        stage: worker, monitor, feed, filter, silence or combiner.
        name: The stage, numbered if it has several processes; the same on every host.
        member: The process's own name; empty if the stage never ran. Safe to show.
        state: `never ran`; `starting`: not yet ready; `restarting`: it fails again and again; `running`; `behind`:
            running with a large backlog; `silent`: no heartbeat for too long; `stopped`: ended by itself or on request.
        note: What it does while starting, or how often it was restarted, as text. Safe to show.
        seen_at: When its last heartbeat was written, in seconds since 1970 (see `LatestHeartbeats`); 0 means never.
        started_at: When the process started, in the same unit.
        backlog: Its unread records by topic, counted on the log if the stage does not run.
        version: The program's version.
        command: The command that starts the stage.
        restarts: How often it was restarted in the last minute.
        is_missed: Whether it does not run, no other process has its partitions, and it did not leave them empty.
    """

    stage: str
    name: str
    member: str
    state: str
    note: str
    seen_at: float
    started_at: float
    backlog: list[TopicBacklog]
    version: str
    command: str
    restarts: int = 0
    is_missed: bool = False

    @property
    def runs(self) -> bool:
        """Whether the process is running or behind."""
        return self.state in (RUNNING, BEHIND)

    @property
    def is_starting(self) -> bool:
        """Whether the process is starting, for the first time or again and again."""
        return self.state in (STARTING, RESTARTING)


class LogHealth(msgspec.Struct, frozen=True):
    """Whether the log answers; `seen_at` is when it last did, in seconds since 1970 (0: never), `error` why it does not
    now."""

    answers: bool
    seen_at: float
    error: str = ""


class Health(msgspec.Struct, frozen=True):
    """The log and the stages at `timestamp` (seconds since 1970). `expected` are the stages that should run: the needed
    ones, always listed, and those whose last process fell silent within `SHOWN_S`. `differences` has each `[learner]`
    setting in which the running workers differ, with its values. Safe to show."""

    timestamp: float
    log: LogHealth
    stages: list[StageHealth]
    expected: tuple[str, ...]
    differences: list[str] = []


class HealthObserver:
    """Follows the heartbeats on a log, whose `needed` stages are always listed."""

    def __init__(self, log: Log, needed: tuple[str, ...] = NEEDED) -> None:
        self._log = log
        self._needed = needed
        self.heartbeats = LatestHeartbeats(log)
        self._unread = Unread(log)

    def look(self, now: float) -> Health:
        """The health at `now`, in seconds since 1970; raises LogUnavailable."""
        latest = self.heartbeats.follow(now)
        stages: list[StageHealth] = []
        for stage in STAGES:
            beats = [beat for beat in latest if beat.stage == stage]
            if beats:
                stages += self._processes(beats, now)
            elif stage in self._needed:
                waiting = self._waiting(PartitionProgress(*place, 0, 0) for place in self._log.places(*INPUTS[stage]))
                stages.append(StageHealth(stage, stage, "", NEVER_RAN, "", 0.0, 0.0, waiting, "", COMMANDS[stage]))
        workers = [beat for beat in latest if beat.stage == WORKER and _runs(beat, now)]
        answered = LogHealth(answers=True, seen_at=now)
        latest_seen = {one.stage: one for one in sorted(stages, key=lambda one: one.seen_at)}
        died = [one.stage for one in latest_seen.values() if one.state == SILENT and now - one.seen_at < SHOWN_S]
        expected = (*self._needed, *(stage for stage in died if stage not in self._needed))
        return Health(now, answered, stages, expected, different_settings(workers))

    def _processes(self, beats: list[HeartbeatRecord], now: float) -> list[StageHealth]:
        """The processes of one stage to show; a partition's backlog belongs to the process that held it last."""
        beats = sorted(beats, key=lambda beat: beat.timestamp)
        owners = {(each.topic, each.partition): beat.member for beat in beats for each in beat.progress}
        running = any(_runs(beat, now) for beat in beats)
        shown = [
            beat
            for beat in beats
            if _runs(beat, now)
            or beat.member in owners.values()
            or (not running and beat is beats[-1])
            or (not beat.stopped and now - beat.timestamp < SHOWN_S)
        ]
        stages: list[StageHealth] = []
        for number, beat in enumerate(sorted(shown, key=lambda beat: beat.member), 1):
            own = [each for each in beat.progress if owners[each.topic, each.partition] == beat.member]
            backlog = _unread(own) if _runs(beat, now) else self._waiting(own)
            restarts = self.heartbeats.restarts(beat)
            state = _state(beat, backlog, restarts, now)
            note = f"{restarts} times in a minute; read its output" if state == RESTARTING else beat.starting
            left_empty = state == STOPPED and not any(each.records for each in backlog)
            stages.append(
                StageHealth(
                    stage=beat.stage,
                    name=f"{beat.stage} {number}" if len(shown) > 1 else beat.stage,
                    member=show_safely(beat.member, NAME_CHARS),
                    state=state,
                    note=show_safely(note, NAME_CHARS),
                    seen_at=beat.timestamp,
                    started_at=beat.started_at,
                    backlog=backlog,
                    version=show_safely(beat.version, NAME_CHARS),
                    command=COMMANDS[beat.stage],
                    restarts=restarts,
                    is_missed=state in (SILENT, STOPPED) and bool(backlog) and not left_empty,
                )
            )
        return stages

    def _waiting(self, progress: Iterable[PartitionProgress]) -> list[TopicBacklog]:
        """The number of records on the log after these positions, by topic."""
        waiting: list[PartitionProgress] = []
        for each in progress:
            place = TopicPartition(each.topic, each.partition)
            if each.partition < self._log.partitions(each.topic):
                waiting.append(msgspec.structs.replace(each, unread=self._unread.count(place, each.next_offset)))
        return _unread(waiting)


def without_log(last: Health, now: float, error: str) -> Health:
    """The health at `now` (in seconds since 1970) while the log does not answer, because of `error`: the stages as in
    `last`, the health when it last answered."""
    silent = LogHealth(answers=False, seen_at=last.log.seen_at, error=error)
    return msgspec.structs.replace(last, timestamp=now, log=silent)


NOTHING_KNOWN = Health(0.0, LogHealth(answers=False, seen_at=0.0), [], NEEDED)
"""The health before the first call of `look`."""


def _unread(progress: Iterable[PartitionProgress]) -> list[TopicBacklog]:
    records: dict[str, int] = {}
    for each in progress:
        records[each.topic] = records.get(each.topic, 0) + each.unread
    return [TopicBacklog(topic, count) for topic, count in records.items()]


def _runs(beat: HeartbeatRecord, now: float) -> bool:
    return not beat.stopped and now - beat.timestamp <= (STARTING_SILENT_S if beat.starting else SILENT_S)


def _state(beat: HeartbeatRecord, backlog: list[TopicBacklog], restarts: int, now: float) -> str:
    if not _runs(beat, now):
        return STOPPED if beat.stopped else SILENT
    if restarts >= MANY_RESTARTS:
        return RESTARTING
    if beat.starting:
        return STARTING
    return BEHIND if sum(each.records for each in backlog) > BEHIND_RECORDS else RUNNING
