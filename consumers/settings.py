"""Settings: one frozen object, read once, from defaults, a TOML file and the environment, in that order.

Defaults are in the classes below and nowhere else; `stream-nb settings` prints the settings in force. A TOML file has
one table for each class (`[worker] poll_records = 500`), the environment one variable for each field
(`STREAM_NB_WORKER_POLL_RECORDS=500`; the log's address is `STREAM_NB_LOG`). Unknown names, wrong types and values
out of range are errors that name their place.
"""

from __future__ import annotations

import json
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from .errors import UserError

ENV_PREFIX = "STREAM_NB_"

Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]
Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Annotated[float, Meta(gt=0)]
Days = Annotated[float, Meta(gt=0)]
Share = Annotated[float, Meta(ge=0, le=1)]


SECRETS = {"token", "sasl_password", "password"}


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the settings file; secrets do not show when it is printed."""

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        fields = msgspec.structs.asdict(self).items()
        return [(name, "***" if name in SECRETS and value else value) for name, value in fields]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in self.__rich_repr__())})"


class LearnerSettings(Section, frozen=True):
    """How the model reads its counts; changing any of these needs no retraining, except `learn`."""

    positive: str = "spam"
    """The label that log-odds, ROC and precision are about."""
    smoothing: Annotated[float, Meta(ge=0)] = 0.1
    """Added to each count of a word (lambda), in messages."""
    learn: Literal["near-error", "everything"] = "near-error"
    """`near-error`: a label is learned with a weight by how wrong the score was; `everything`: with weight 1."""
    trust: bool = True
    """Learn how often each source mislabels (its flip rate), and give labels of unreliable sources less weight."""
    threshold: float = 0.0
    """Mails with log-odds above this are labelled positive."""
    lose_at_most: Share | None = None
    """Instead: the threshold that at most this share of the labelled mails of other classes score above."""
    false_positive_cost: Annotated[float, Meta(gt=0)] = 1.0
    """Or: a probability threshold of cost / (cost + 1); the cost is in units of a missed positive mail."""
    unsure: Annotated[float, Meta(ge=0)] = 0.0
    """Label "unsure" when the log-odds are nearer to the threshold than this."""
    headers: Literal["keep", "safe"] = "keep"
    """`keep`: all headers that a live filter may read; `safe`: only those that the sender wrote."""


class WorkerSettings(Section, frozen=True):
    """How mail is consumed."""

    group: str = "stream-nb"
    """Consumer group; workers of one group share one model."""
    poll_records: Positive = 1000
    """Most records taken in one step."""
    poll_s: Seconds = 0.5
    """Longest wait for the first record of a step."""
    remember_mails: Positive = 100_000
    """Message ids kept per partition to find a mail again when its label comes."""
    remember_labels: Positive = 200_000
    """Labels kept per partition so that they can be changed or withdrawn."""
    remember_days: Seconds = 90.0
    """Age at which a remembered label, or a label still waiting for its mail, is dropped."""
    source_cap_per_hour: NotNegative = 0
    """Labels of one source that are learned within an hour; 0 sets no limit."""
    health_host: str = "127.0.0.1"
    """Address for the health port; probes of a container platform come from outside and need 0.0.0.0."""
    health_port: Port = 0
    """Port for /healthz, /readyz and /metrics (the next ones for further processes); 0 opens none."""

    def __post_init__(self) -> None:
        # Else the mail of a dropped label could still be found, and be learned a second time.
        if self.remember_labels < self.remember_mails:
            raise ValueError(
                f"remember_labels is {self.remember_labels}, at least remember_mails ({self.remember_mails}) is needed"
            )


class MonitorSettings(Section, frozen=True):
    """How quality is watched."""

    group: str = "monitor"
    host: str = "127.0.0.1"
    """Address for the port; a Prometheus on another machine needs 0.0.0.0."""
    port: Port = 9464
    """Port for /metrics, /healthz and /readyz; 0 opens none."""
    audit_per_hour: NotNegative = 0
    """Mails drawn at random each hour for people to label; 0 draws none."""


class DashboardSettings(Section, frozen=True):
    """Where the page is served."""

    host: str = "127.0.0.1"
    port: Port = 8050
    source: str = "user"
    """Source of the labels given with the page's buttons."""
    token: str = ""
    """Needed in the URL when the host is not loopback; from STREAM_NB_DASHBOARD_TOKEN, never from a file in git."""


class FilterSettings(Section, frozen=True):
    """What mail servers are answered; a mail at the threshold scores 5, and 1 more in log-odds is 1 more."""

    host: str = "127.0.0.1"
    port: Port = 11333
    """rspamd's port, where its clients look by themselves."""
    password: str = ""
    """Needed for learn requests, and to allow them from other machines at all; from STREAM_NB_FILTER_PASSWORD, never
    from a file in git; never printed."""
    source: str = "user"
    """Source of the labels of learn requests that name no user."""
    deadline_s: Seconds = 2.0
    """A mail that has no prediction by then passes, with a symbol that says so."""
    connections: Positive = 256
    """Connections served at a time; further ones wait."""
    words: NotNegative = 8
    """Most words with their weights in an answer; 0 keeps no copy of the model for them."""
    add_header: float | None = 5.0
    """Scores at which each action is asked for; the strongest one reached is."""
    rewrite_subject: float | None = None
    soft_reject: float | None = None
    reject: float | None = None
    subject: str = "[spam] %s"
    """What a rewritten subject looks like."""


class SqliteSettings(Section, frozen=True):
    """How records are kept in the files."""

    retention_days: Days = 90.0
    """Days for which mails, labels and predictions are kept; a label can be learned as long as its mail is kept."""


class KafkaSettings(Section, frozen=True):
    """The connection; see kafka-python for the meaning of the SASL and TLS names."""

    partitions: Positive = 4
    """Partitions of emails, labels and predictions when topics are created."""
    replication: Positive = 1
    """Copies of each partition when topics are created."""
    retention_days: Days = 90.0
    """Days for which mails, labels and predictions are kept; a label can be learned as long as its mail is kept."""
    prefix: str = ""
    """Put before every topic name."""
    security_protocol: str = "PLAINTEXT"
    sasl_mechanism: str = ""
    sasl_username: str = ""
    sasl_password: str = ""
    """From STREAM_NB_KAFKA_SASL_PASSWORD, never from a file in git; never printed."""
    ssl_cafile: str = ""
    ssl_certfile: str = ""
    ssl_keyfile: str = ""


class Settings(Section, frozen=True):
    """Everything that can be set."""

    log: str = "sqlite:var/log"
    """`sqlite:DIR` or `kafka://host:port[,host:port]`."""
    learner: LearnerSettings = LearnerSettings()
    worker: WorkerSettings = WorkerSettings()
    monitor: MonitorSettings = MonitorSettings()
    dashboard: DashboardSettings = DashboardSettings()
    filter: FilterSettings = FilterSettings()
    sqlite: SqliteSettings = SqliteSettings()
    kafka: KafkaSettings = KafkaSettings()


def load_settings(path: Path | None, environ: Mapping[str, str], log: str | None = None) -> Settings:
    """Read the settings; `log` (from the command line) wins over all.

    Raises UserError, which names the file or variable.
    """
    data: dict[str, Any] = {}
    if path is not None:
        try:
            data = tomllib.loads(path.read_text("utf-8"))
        except OSError as error:
            raise UserError(f"settings file {path}: {error.strerror}; name an existing TOML file") from error
        except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
            raise UserError(f"settings file {path}: {error}") from error
        _convert(data, f"settings file {path}", strict=True)
    _overlay(data, environ)
    if log is not None:
        data["log"] = log
    return _convert(data, "environment", strict=False)


def _convert(data: dict[str, Any], where: str, strict: bool) -> Settings:
    try:
        return msgspec.convert(data, Settings, strict=strict)
    except msgspec.ValidationError as error:
        raise UserError(f"{where}: {error}") from error


def _overlay(data: dict[str, Any], environ: Mapping[str, str]) -> None:
    """Write the variables into `data`; a variable with the prefix that is no setting is an error."""
    sections = {field.name: field.type for field in msgspec.structs.fields(Settings) if field.name != "log"}
    for variable, text in sorted(environ.items()):
        if not variable.startswith(ENV_PREFIX) or variable in ("STREAM_NB_CONFIG", "STREAM_NB_DATA"):
            continue
        name = variable.removeprefix(ENV_PREFIX).lower()
        if name == "log":
            data["log"] = text
            continue
        section, _, field = name.partition("_")
        known = msgspec.structs.fields(sections[section]) if section in sections else ()
        if field not in [f.name for f in known]:
            raise UserError(f"environment: {variable} is not a setting; `stream-nb settings` lists them")
        try:
            msgspec.convert({field: text}, sections[section], strict=False)
        except msgspec.ValidationError as error:
            raise UserError(f"environment: {variable}: {error}") from error
        data.setdefault(section, {})[field] = text


def render(settings: Settings) -> str:
    """The settings as TOML, secrets masked.

    >>> print(render(Settings()).splitlines()[0])
    log = "sqlite:var/log"
    """
    lines = [f"log = {json.dumps(settings.log)}"]
    for name in (field.name for field in msgspec.structs.fields(Settings) if field.name != "log"):
        lines += ["", f"[{name}]"]
        for field, value in msgspec.structs.asdict(getattr(settings, name)).items():
            shown = "***" if field in SECRETS and value else value
            lines.append(f"{field} = {json.dumps(shown)}" if shown is not None else f"# {field} =")
    return "\n".join(lines)
