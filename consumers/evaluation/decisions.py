"""Does each prediction's label follow from its scores, by the policy that it names?"""

from __future__ import annotations

from stream_nb import Score
from stream_nb.mail_nb.decision import Policy

from ..errors import BadRecord
from ..log.base import Log
from ..model.policy import OF_SETTINGS, policy_after
from ..records.policy import POLICY_PARTITION, read_policy
from ..records.replay import read_predictions
from ..records.schemas import PredictionRecord
from ..records.skipped import SkippedRecords
from ..settings import Settings


def check_decisions(log: Log, settings: Settings, skipped: SkippedRecords) -> list[str]:
    """A line for each prediction that does not.

    Looked at are predictions by a change that is still on the topic `policy`; those by settings of a worker, which may
    have been changed since, only must not come after a prediction by a later change.
    """
    policies: dict[int, Policy | None] = {}
    for record in log.scan(POLICY_PARTITION):
        try:
            change = read_policy(record)
            policies[record.offset] = None if change.policy is None else policy_after(change, settings.learner)
        except BadRecord as error:
            skipped.skip(record, error)
    differences: list[str] = []
    newest: dict[int, int] = {}
    for record, prediction in read_predictions(log):
        last = newest.get(record.partition, OF_SETTINGS)
        newest[record.partition] = max(last, prediction.policy)
        if prediction.policy < last:
            differences.append(f"{record.location}: by policy@{prediction.policy}, after one by policy@{last}")
        policy = policies.get(prediction.policy)
        if policy is not None and not _follows(prediction, policy):
            differences.append(
                f"{record.location}: label {prediction.label!r} with threshold {prediction.threshold} does not follow "
                f"from its scores by policy@{prediction.policy}"
            )
    return differences


def _follows(prediction: PredictionRecord, policy: Policy) -> bool:
    if policy.lose_at_most is None and prediction.threshold != policy.threshold:
        return False
    score = Score(
        prediction.label,
        prediction.log_odds,
        prediction.probability,
        prediction.scores,
        prediction.known,
        prediction.unseen,
    )
    return policy.decide(score, prediction.threshold) == prediction.label
