"""The settings of a trial's processes, as environment variables."""

from __future__ import annotations

from pathlib import Path
from random import Random

from tests.support.kafka_broker import Cluster


def trial_environment(place: Cluster | Path, name: str, partitions: int, sums: bool) -> dict[str, str]:
    """The settings of the trial `name`: the model's counts depend only on the final labels."""
    on_kafka = isinstance(place, Cluster)
    return {
        "STREAM_NB_LOG": f"kafka://{place.bootstrap}" if on_kafka else f"sqlite:{place}",
        "STREAM_NB_KAFKA_PREFIX": f"{name}.",
        "STREAM_NB_KAFKA_PARTITIONS": str(partitions),
        "STREAM_NB_KAFKA_REPLICATION": str(len(place.nodes) if on_kafka else 1),
        "STREAM_NB_WORKER_GROUP": name,
        "STREAM_NB_LEARNER_LEARN": "everything",
        "STREAM_NB_LEARNER_TRUST": "false",
        "STREAM_NB_LEARNER_FOLLOW": "sums" if sums else "deltas",
        "STREAM_NB_MONITOR_PORT": "0",
    }


def drawn_options(draw: Random, model: str) -> dict[str, str]:
    """How this model learns, and what it and the workers forget, at random."""
    options = {
        "STREAM_NB_LEARNER_LEARN": draw.choice(("near-error", "everything")),
        "STREAM_NB_LEARNER_TRUST": draw.choice(("true", "false")),
        "STREAM_NB_LEARNER_MODEL": model,
        "STREAM_NB_WORKER_POLL_RECORDS": draw.choice(("50", "2000")),
        "STREAM_NB_WORKER_REMEMBER_MAILS": draw.choice(("500", "3000", "100000")),
        "STREAM_NB_SILENCE_AFTER_DAYS": "0.0003",  # 26 seconds
    }
    if model == "mail":
        of_mail_model = {
            "STREAM_NB_LEARNER_HALF_LIFE": ("64", "300", "1000"),
            "STREAM_NB_LEARNER_MAX_FEATURES": ("2000", "2500"),
            "STREAM_NB_LEARNER_LOSE_AT_MOST": ("0.01",),
            "STREAM_NB_WORKER_SOURCE_CAP_PER_HOUR": ("5", "200"),
        }
        options |= {name: draw.choice(values) for name, values in of_mail_model.items() if draw.random() < 0.5}
    return options
