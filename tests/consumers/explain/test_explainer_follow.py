"""The explainer answers by what is on the log now: the policy in use, and the labels learned so far."""

from __future__ import annotations

import pytest

from consumers.explain.explainer import Explainer
from consumers.log.memory import MemoryLog
from consumers.records.messages import MailPlace
from consumers.records.policy import PolicyRecord, PolicyValues, policy_record
from consumers.settings import Settings
from tests.support.memory_log import new_log
from tests.support.worker_run import label, run_worker, short_mail


@pytest.fixture
def log() -> MemoryLog:
    log = new_log()
    mails = [short_mail("m1", "cheap pills"), short_mail("m2", "meeting lunch")]
    run_worker(log, Settings(), [*mails, label("m1", "spam"), label("m2", "ham"), label("early", "ham")])
    return log


def test_a_new_policy_decides_from_then_on(log):
    explainer = Explainer(log, Settings())
    assert explainer.why(MailPlace(0, 0))["flip"]

    log.append([policy_record(PolicyRecord(PolicyValues(threshold=100.0), "ann", 0.0), -1)])

    assert explainer.why(MailPlace(0, 0))["flip"] == []


def test_a_label_whose_mail_has_not_arrived_is_not_learned_yet(log):
    explainer, asked = Explainer(log, Settings()), [(0, "m1"), (0, "early"), (0, "never met")]
    assert list(explainer.learned(asked)) == list(explainer.taught(asked)) == ["m1"]

    run_worker(log, Settings(), [short_mail("early", "project review")])

    assert list(explainer.learned(asked)) == list(explainer.taught(asked)) == ["m1", "early"]
