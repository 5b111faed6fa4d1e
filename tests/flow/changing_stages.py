"""All stages of a stream whose settings, partitions and labels change: sources are forgotten, and silence labels."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from consumers.errors import BadRecord
from consumers.log.base import TopicPartition
from consumers.model.policy_editor import PolicyEditor
from consumers.records.forget import records_to_forget
from consumers.records.schemas import EMAILS, LABELS, PREDICTIONS, SILENCE
from consumers.settings import Settings, SilenceSettings
from consumers.silence.stage import SilenceStage
from tests.consumers.combiner.sums_run import work
from tests.flow.all_stages import CLASSES, POLICIES, AllStages
from tests.support.worker_run import message

SOURCES = ("ann", "bob", "eve", SILENCE)
AFTER_DAYS = 0.05
CHANGES: dict[str, tuple[Any, ...]] = {
    "positive": CLASSES, "smoothing": (0.01, 1.0), "threshold": (0.0, 1.0), "unsure": (0.0, 0.5),
    "half_life": (None, 64, 100), "max_features": (None, 2000), "trust": (True, False),
    "lose_at_most": (None, 0.05), "learn": ("near-error", "everything"),
}  # fmt: skip
"""What users may change of a log's mail model; the first four of any model."""


class ChangingStages(AllStages):
    """Also a silence stage, people who withdraw labels and send mails again, and changes of the settings.

    Args:
        draw: Decides everything.
    """

    def __init__(self, draw: random.Random) -> None:
        super().__init__(draw, deletes=False)

    def happen(self) -> None:
        """Do one random thing, more often an old one."""
        chances = {
            self._hear_silence: 8, self._forget: 2, self._send_again: 2, self._edit_policy: 1, self._change_settings: 2,
            self._add_partition: 0.3, self._work_off: 4, super().happen: 45,
        }  # fmt: skip
        self._do_one(chances)

    def forget_all(self) -> None:
        """Withdraw all labels, and let the workers unlearn them, while silence labels no more."""
        for source in SOURCES:
            self._withdraw(source=source)
        super().settle()

    def settle(self) -> None:
        """Let all stages work until nothing is left to do."""
        while self.silence.step(timeout_s=0.0) or self.silence.busy:
            pass
        self.silence.finish()
        super().settle()

    def _start(self) -> None:
        super()._start()
        self._start_silence()

    def _start_silence(self) -> None:
        settings = msgspec.structs.replace(self.settings, silence=SilenceSettings(after_days=AFTER_DAYS))
        self.silence = SilenceStage(self.log, settings, "s", self.clock)

    def _work_off(self) -> None:
        """Let the workers process everything, so that settings and policies have been in use when they change."""
        work(self.workers)

    def _hear_silence(self) -> None:
        self.clock.now += self._draw.choice((0, 3600))
        if self._draw.random() < 0.1:
            self._start_silence()
        self.silence.step(timeout_s=0.0)

    def _forget(self) -> None:
        if self._draw.random() < 0.5:
            self._withdraw(source=self._draw.choice(SOURCES))
        else:
            self._withdraw(message=f"m{self._draw.randrange(1, self._mails + 2)}")

    def _withdraw(self, source: str | None = None, message: str | None = None) -> None:
        self.log.append(records_to_forget(self.log, source, message, float("-inf"), self.clock()))

    def _send_again(self) -> None:
        """Send a mail again, with other words."""
        name = f"m{self._draw.randrange(1, self._mails + 2)}"
        self.log.append([message(name, f"Subject: {name}\n\n{self._words(0)}".encode())])

    def _edit_policy(self) -> None:
        editor = PolicyEditor(self.log, self.settings.learner, self.clock)
        try:
            if self._draw.random() < 0.3:
                editor.undo("ann")
            else:
                editor.change(self._draw.choice(POLICIES), "ann")
        except BadRecord:
            pass  # there is nothing to undo, or the policy is not one for this model

    def _change_settings(self) -> None:
        """Start all stages with other settings."""
        mail = self.settings.learner.model == "mail"
        name = self._draw.choice([*CHANGES][: None if mail else 4])
        learner = msgspec.structs.replace(self.settings.learner, **{name: self._draw.choice(CHANGES[name])})
        self.settings: Settings = msgspec.structs.replace(self.settings, learner=learner)
        self._start()

    def _add_partition(self) -> None:
        number = self._partitions
        self._partitions += 1
        for topic in (EMAILS, LABELS, PREDICTIONS):
            self.topics.specs[topic] = self.topics.specs[topic][0], self._partitions
            self.topics.records[TopicPartition(topic, number)] = []
        self._assign(len(self.workers))
        self._start()
