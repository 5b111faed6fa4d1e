"""Checks that each prediction's label follows from its scores by the policy that the prediction names."""

from __future__ import annotations

from dataclasses import replace

from stream_nb.mail_nb.decision import Policy

from ..log.base import Log
from ..model.policy import OF_SETTINGS, policy_after
from ..records.policy import POLICY_PARTITION, read_policy
from ..records.replay import read_predictions
from ..records.schemas import PredictionRecord
from ..records.scores import score_of
from ..records.skipped import SkippedRecords
from ..records.values import is_label
from ..settings import Settings
from .findings import Findings


def check_decisions(log: Log, settings: Settings, skipped: SkippedRecords, findings: Findings) -> None:
    """Check each prediction's label.

    The label is checked if the policy change that the prediction names is still on the topic `policy`, with the
    positive class that the prediction names. Predictions by a worker's settings are not checked, because these may have
    changed since. In each partition, no prediction may follow one by a later policy change.
    """
    policies: dict[int, Policy | None] = {}
    for record in log.scan(POLICY_PARTITION):
        with skipped.unless_readable(record):
            change = read_policy(record)
            policies[record.offset] = None if change.policy is None else policy_after(change, settings.learner)
    newest: dict[int, int] = {}
    for record, prediction in read_predictions(log):
        last = newest.get(record.partition, OF_SETTINGS)
        newest[record.partition] = max(last, prediction.policy)
        if prediction.policy < last:
            findings.differences.append(f"{record.location}: by policy@{prediction.policy}, after one by policy@{last}")
        policy = policies.get(prediction.policy)
        if policy is not None and not _follows(prediction, policy):
            findings.differences.append(
                f"{record.location}: label {prediction.label!r} with threshold {prediction.threshold} does not follow "
                f"from its scores by policy@{prediction.policy}"
            )


def _follows(prediction: PredictionRecord, policy: Policy) -> bool:
    if policy.lose_at_most is None and prediction.threshold != policy.threshold:
        return False
    if not is_label(prediction.positive):
        return False
    policy = replace(policy, positive=prediction.positive)  # the settings' class may have changed since
    return policy.decide(score_of(prediction), prediction.threshold) == prediction.label
