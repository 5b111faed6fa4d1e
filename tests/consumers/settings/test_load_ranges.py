"""The smallest and the largest value of settings: what is beyond would stop a stage, or never do anything."""

import pytest

from consumers.errors import UserError
from consumers.settings import load_settings


@pytest.mark.parametrize(
    ("variable", "refused", "accepted"),
    [
        ("DASHBOARD_PORT", "65536", "65535"),
        ("FILTER_CONNECTIONS", "0", "1"),
        ("FILTER_DEADLINE_S", "0", "0.001"),
        ("FILTER_PORT", "-1", "0"),
        ("FILTER_WORDS", "-1", "0"),
        ("KAFKA_PARTITIONS", "0", "1"),
        ("KAFKA_PARTITIONS", str(2**31), str(2**31 - 1)),
        ("KAFKA_PREFIX", "mail\n", "mail."),
        ("KAFKA_PREFIX", "a" * 201, "a" * 200),
        ("KAFKA_REPLICATION", "32768", "32767"),
        ("LEARNER_FALSE_POSITIVE_COST", "0", "0.1"),
        ("LEARNER_HALF_LIFE", "63", "64"),
        ("LEARNER_LOSE_AT_MOST", "1.1", "1"),
        ("LEARNER_LOSE_AT_MOST", "-0.1", "0"),
        ("LEARNER_MAX_CLASSES", "1", "2"),
        ("LEARNER_MAX_FEATURES", "1999", "2000"),
        ("LEARNER_POSITIVE", "a" * 101, "a" * 100),
        ("LEARNER_SMOOTHING", "-0.1", "0"),
        ("LEARNER_UNSURE", "-1", "0"),
        ("SILENCE_AFTER_DAYS", "0", "0.5"),
        ("SQLITE_RETENTION_DAYS", "-1", "1"),
        ("SQLITE_RETENTION_DAYS", "1e300", "1e9"),
        ("WORKER_MACHINE", "a/b", "a-b.c"),
        ("WORKER_MACHINE", "a\n", ""),
        ("WORKER_POLL_RECORDS", str(2**63), "1000000000"),
        ("WORKER_POLL_S", "0", "0.001"),
        ("WORKER_POLL_S", "5.1", "5"),
        ("WORKER_SOURCE_CAP_PER_HOUR", "-1", "0"),
    ],
)
def test_a_value_just_outside_the_range_is_refused(variable, refused, accepted):
    name = f"STREAM_NB_{variable}"
    load_settings(None, {name: accepted})
    with pytest.raises(UserError, match=f"environment: {name}: Expected"):
        load_settings(None, {name: refused})
