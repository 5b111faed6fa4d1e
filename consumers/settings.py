"""Settings: one frozen object, read once, from defaults, a TOML file and the environment, in that order.

Defaults are in the classes below and nowhere else; `stream-nb settings` prints the settings in force. A TOML file has
one table for each class (`[worker] poll_records = 500`), the environment one variable for each field
(`STREAM_NB_WORKER_POLL_RECORDS=500`; the log's address is `STREAM_NB_LOG`). Unknown names, wrong types and values
out of range are errors that name their place.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Any, Literal, cast

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
    """Consumer group; the monitors of one group share its positions."""
    host: str = "127.0.0.1"
    """Address for the port; a Prometheus on another machine needs 0.0.0.0."""
    port: Port = 9464
    """Port for /metrics, /healthz and /readyz; 0 opens none."""
    audit_per_hour: NotNegative = 0
    """Mails drawn at random each hour for people to label; 0 draws none."""


class DashboardSettings(Section, frozen=True):
    """Where the page is served."""

    host: str = "127.0.0.1"
    """Address for the page; one that is not loopback needs a token."""
    port: Port = 8050
    """Port for the page; 0 takes any free one."""
    source: str = "user"
    """Source of the labels given with the page's buttons."""
    token: str = ""
    """Needed in the URL when the host is not loopback; from STREAM_NB_DASHBOARD_TOKEN, never from a file in git."""


class FilterSettings(Section, frozen=True):
    """What mail servers are answered; a mail at the threshold scores 5, and 1 more in log-odds is 1 more."""

    host: str = "127.0.0.1"
    """Address for the port; one that is not loopback lets other machines ask."""
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
    """Score from which the action "add header" is asked for; of several actions the strongest one is."""
    rewrite_subject: float | None = None
    """Score from which the action "rewrite subject" is asked for; none: never."""
    soft_reject: float | None = None
    """Score from which the action "soft reject" is asked for: the sender shall try again later."""
    reject: float | None = None
    """Score from which the action "reject" is asked for."""
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
    """PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL."""
    sasl_mechanism: str = ""
    """PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512, where the protocol has SASL."""
    sasl_username: str = ""
    """Name for SASL."""
    sasl_password: str = ""
    """From STREAM_NB_KAFKA_SASL_PASSWORD, never from a file in git; never printed."""
    ssl_cafile: str = ""
    """File with the certificates that brokers are checked against; empty: those of the system."""
    ssl_certfile: str = ""
    """File with our certificate, where brokers ask for one."""
    ssl_keyfile: str = ""
    """File with the certificate's key."""


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


LOG_VARIABLE = f"{ENV_PREFIX}LOG"
SECTIONS: dict[str, dict[str, Any]] = {
    section.name: {field.name: field.type for field in msgspec.structs.fields(section.type)}
    for section in msgspec.structs.fields(Settings)
    if section.name != "log"
}
"""Section -> key -> type."""
KEYS = {key: f"[{name}] {key}" for name, section in SECTIONS.items() for key in section}
"""Where a key is set; one that several sections have, in the last of them."""


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
    """The settings; raises UserError with section and key for what is no setting, or cannot have its value."""
    for name, value in data.items():
        section = SECTIONS.get(name)
        if name == "log":
            _check(value, str, f"{where}: log", strict)
        elif section is None and isinstance(value, dict):
            raise UserError(f"{where}: [{name}] is not a section; {_hint(name, {key: f'[{key}]' for key in SECTIONS})}")
        elif section is None:
            raise UserError(f"{where}: {name} is not a setting; {_hint(name, {**KEYS, 'log': 'log'})}")
        elif not isinstance(value, dict):
            raise UserError(f"{where}: {name} is a section; write [{name}], and its settings in the lines below")
        else:
            for key, each in cast(dict[str, Any], value).items():
                if key not in section:
                    known = {own: f"[{name}] {own}" for own in section}
                    hint = _hint(key, {key: KEYS[key]} if key in KEYS else known)
                    raise UserError(f"{where}: [{name}] {key} is not a setting; {hint}")
                _check(each, section[key], f"{where}: [{name}] {key}", strict)
    try:
        return msgspec.convert(data, Settings, strict=strict)
    except msgspec.ValidationError as error:  # values that do not go together
        raise UserError(f"{where}: {error}") from error


def _check(value: object, kind: Any, where: str, strict: bool) -> None:
    try:
        msgspec.convert(value, kind, strict=strict)
    except msgspec.ValidationError as error:
        raise UserError(f"{where}: {error}") from error


def _hint(name: str, known: Mapping[str, str]) -> str:
    """What to do about an unknown name; `known` has what to write instead for each known one."""
    near = get_close_matches(name, known, 1, 0.75)
    return f"did you mean {known[near[0]]}?" if near else "`stream-nb settings` lists them"


def _overlay(data: dict[str, Any], environ: Mapping[str, str]) -> None:
    """Write the variables into `data`; a variable with the prefix that is no setting is an error."""
    variables = {f"{ENV_PREFIX}{name}_{key}".upper(): (name, key) for name in SECTIONS for key in SECTIONS[name]}
    for variable, text in sorted(environ.items()):
        if not variable.startswith(ENV_PREFIX) or variable in ("STREAM_NB_CONFIG", "STREAM_NB_DATA"):
            continue
        if variable == LOG_VARIABLE:
            data["log"] = text
            continue
        if variable not in variables:
            known = {each.removeprefix(ENV_PREFIX): each for each in (*variables, LOG_VARIABLE)}
            hint = _hint(variable.removeprefix(ENV_PREFIX), known)
            raise UserError(f"environment: {variable} is not a setting; {hint}")
        name, key = variables[variable]
        _check(text, SECTIONS[name][key], f"environment: {variable}", strict=False)
        data.setdefault(name, {})[key] = text
