"""Settings: one frozen object, read once, from defaults, a TOML file and the environment, in that order.

A TOML file has one table per class of `schema` (`[worker] poll_records = 500`), the environment one variable per field
(`STREAM_NB_WORKER_POLL_RECORDS=500`; the log's address is `STREAM_NB_LOG`). Unknown names, wrong types and values out
of range raise errors that name their place.
"""

from .load import ENV_PREFIX, load_settings
from .schema import (
    SECRETS,
    SECTIONS,
    CombinerSettings,
    DashboardSettings,
    FilterSettings,
    ImapSettings,
    KafkaSettings,
    LearnerSettings,
    MonitorSettings,
    Section,
    Settings,
    SilenceSettings,
    SqliteSettings,
    WorkerSettings,
)

__all__ = [
    "ENV_PREFIX",
    "SECRETS",
    "SECTIONS",
    "CombinerSettings",
    "DashboardSettings",
    "FilterSettings",
    "ImapSettings",
    "KafkaSettings",
    "LearnerSettings",
    "MonitorSettings",
    "Section",
    "Settings",
    "SilenceSettings",
    "SqliteSettings",
    "WorkerSettings",
    "load_settings",
]
