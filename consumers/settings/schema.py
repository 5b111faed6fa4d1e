"""All settings: one frozen class per section, with the default, the range and a text for each setting.

Defaults are defined only here. `stream-nb settings` prints the texts as comments.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Positive = Annotated[int, Meta(ge=1, lt=1 << 62)]
NotNegative = Annotated[int, Meta(ge=0, lt=1 << 62)]
Host = Group = Annotated[str, Meta(min_length=1)]
Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Days = Annotated[float, Meta(gt=0, le=1e9)]
Share = Annotated[float, Meta(ge=0, le=1)]

SECRETS = {"token", "sasl_password", "password"}


class Section(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the settings file; its repr hides secrets."""

    def __rich_repr__(self) -> list[tuple[str, Any]]:
        fields = msgspec.structs.asdict(self).items()
        return [(name, "***" if name in SECRETS and value else value) for name, value in fields]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{n}={v!r}' for n, v in self.__rich_repr__())})"


class LearnerSettings(Section, frozen=True):
    """The model. Changes need no retraining, except those of `model`, `learn`, `grams` and `headers`."""

    model: Literal["mail", "multinomial", "boolean", "bernoulli", "categorical", "gaussian", "mixed"] = "mail"
    """`mail`: words, word pairs, numbers and categories, for filters; the others are textbook models. Fixed per log."""
    positive: Annotated[str, Meta(min_length=1, max_length=100)] = "spam"
    """The label to which log-odds, ROC and precision refer."""
    smoothing: Annotated[float, Meta(ge=0, le=1e300)] = 0.1
    """Added to each count of a word or category (lambda), in messages."""
    learn: Literal["near-error", "everything"] = "near-error"
    """`near-error`: the more wrong the score was, the more weight a label gets; `everything`: weight 1, as in all
    textbook models."""
    trust: bool = True
    """Learn how often each source mislabels (its flip rate), and give labels of unreliable sources less weight.
    With `learn = "everything"` each label has weight 1, whatever its source."""
    threshold: float = 0.0
    """Mails with log-odds above this are labelled positive."""
    lose_at_most: Share | None = None
    """Raise `threshold` until about this share of the labelled mails of other classes is above it; 0: all are below."""
    false_positive_cost: Annotated[float, Meta(gt=0)] = 1.0
    """Unless 1, instead of `threshold`: a probability of at least cost / (cost + 1), where a missed mail costs 1."""
    unsure: Annotated[float, Meta(ge=0)] = 0.0
    """Label a mail "unsure" if its log-odds are closer to the threshold than this."""
    headers: Literal["keep", "safe"] = "keep"
    """`keep`: all headers that a live filter may read; `safe`: only those that the sender wrote."""
    grams: bool = False
    """Also count character n-grams of messages of up to a few hundred words, whose words are often new, misspelt or
    inflected (mail model only). Fixed per log."""
    max_classes: Annotated[int, Meta(ge=2)] = 100
    """Most classes in the model; labels of further classes are quarantined. Each costs time per mail and label."""
    max_features: Annotated[int, Meta(ge=2000)] | None = None
    """Most words, word pairs and n-grams in the model, on a log and in `evaluate`; above it the rarest eighth is
    forgotten. None: no limit, so a sender of ever-new words can make the memory of every worker grow."""
    half_life: Annotated[int, Meta(ge=64)] | None = None
    """Number of labels after which a label's word counts are halved, on a log and in `evaluate`. None: never. The whole
    model is written to the log once per half-life."""
    follow: Literal["deltas", "sums"] = "deltas"
    """How processes follow what others learn: `deltas`: by each of their commits; `sums`: by sums of
    `stream-nb combiner`, which cost less at thousands of labels a second."""


class WorkerSettings(Section, frozen=True):
    """How mail is consumed."""

    group: Group = "stream-nb"
    """Consumer group; workers of one group share one model."""
    machine: Annotated[str, Meta(pattern=r"^[\w.-]{0,100}\Z")] = ""
    """Name of this machine, unique in the group; empty: the host name and an id kept in the temporary folder."""
    poll_records: Positive = 4000
    """Most records polled in one step."""
    poll_s: Annotated[float, Meta(gt=0, le=5)] = 0.5
    """Longest wait for the first record of a step; health and Ctrl-C are looked at after it."""
    remember_mails: Positive = 100_000
    """Message ids kept per partition to find a mail when its label arrives."""
    remember_labels: Positive = 200_000
    """Labels kept per partition so that they can be changed or withdrawn."""
    remember_days: Days = 90.0
    """Age at which a remembered label, or a label still waiting for its mail, is dropped."""
    source_cap_per_hour: NotNegative = 0
    """Most labels of one source that are learned within an hour, the others are only noted; 0: no limit."""
    health_host: Host = "127.0.0.1"
    """Address of the health port; probes of a container platform come from outside and need 0.0.0.0."""
    health_port: Port = 0
    """Port for /healthz, /readyz and /metrics (further processes use the following ports); 0 opens none."""

    def __post_init__(self) -> None:
        # Otherwise the mail of a dropped label could still be found, and be learned a second time.
        if self.remember_labels < self.remember_mails:
            raise ValueError(
                f"remember_labels ({self.remember_labels}) must be at least remember_mails ({self.remember_mails})"
            )


class MonitorSettings(Section, frozen=True):
    """How quality is monitored."""

    group: Group = "monitor"
    """Consumer group; the monitors of one group share its positions."""
    host: Host = "127.0.0.1"
    """Address of the port; a Prometheus on another machine needs 0.0.0.0."""
    port: Port = 9464
    """Port for /metrics, /healthz and /readyz; 0 opens none."""
    audit_per_hour: NotNegative = 0
    """Mails drawn at random each hour for people to label; 0: none."""


class DashboardSettings(Section, frozen=True):
    """Where the page is served."""

    host: Host = "127.0.0.1"
    """Address of the page; an address other than loopback needs a token."""
    port: Port = 8050
    """Port of the page; 0: any free port."""
    source: str = "user"
    """Source of the labels given with the page's buttons."""
    token: str = ""
    """Required in the URL if the host is not loopback; set it as STREAM_NB_DASHBOARD_TOKEN, never in a file in git."""


class FilterSettings(Section, frozen=True):
    """The answers to mail servers. A mail at the threshold has score 5; each 1 in log-odds adds 1."""

    host: Host = "127.0.0.1"
    """Address of the port; an address other than loopback lets other machines connect."""
    port: Port = 11333
    """Port of the filter; 11333 is the default of rspamd's clients."""
    password: str = ""
    """Required for learn requests, and to allow them from other machines at all; set it as STREAM_NB_FILTER_PASSWORD,
    never in a file in git; never printed."""
    source: str = "user"
    """Source of the labels of learn requests that name no user."""
    deadline_s: Seconds = 2.0
    """A mail without a prediction after this time passes, with a symbol for the reason."""
    connections: Positive = 256
    """Most connections served at the same time; further ones wait."""
    words: NotNegative = 8
    """Most words, with their weights, in an answer; with 0 the filter keeps no copy of the model."""
    add_header: float | None = 5.0
    """Score from which the action is "add header"; if several actions apply, the strongest is used."""
    rewrite_subject: float | None = None
    """Score from which the action is "rewrite subject"; None: never."""
    soft_reject: float | None = None
    """Score from which the action is "soft reject": the sender should retry later; None: never."""
    reject: float | None = None
    """Score from which the action is "reject"; None: never."""
    subject: str = "[spam] %s"
    """The rewritten subject; %s is the original one."""


class ImapSettings(Section, frozen=True):
    """A followed IMAP mailbox: `stream-nb feed imap://user@host/INBOX`."""

    password: str = ""
    """The user's password; set it as STREAM_NB_IMAP_PASSWORD, never in a file in git; never printed."""
    token_command: str = ""
    """Instead of a password: a command that prints an OAuth 2 access token, as Outlook requires; run at each login."""
    junk: str = ""
    """The folder for junk; empty: the one that the server marks as junk, else one with a name such as Junk."""


class SilenceSettings(Section, frozen=True):
    """Labels for mails that nobody complained about; only `stream-nb silence` makes any."""

    group: Group = "silence"
    """Consumer group; its processes share the partitions."""
    after_days: Days = 7.0
    """Days without a label after which a mail gets its predicted label."""
    junk_is_read: bool = True
    """Whether silence also confirms mails predicted positive; set it to false if nobody opens the junk folder."""


class CombinerSettings(Section, frozen=True):
    """The stage that adds up deltas for processes with `[learner] follow = "sums"`."""

    group: Group = "combiner"
    """Consumer group; one of its processes works, and another takes over when it ends."""


class SqliteSettings(Section, frozen=True):
    """How records are kept in the files."""

    retention_days: Days = 90.0
    """Days for which predictions, and mails and labels once read, are kept; a label needs its mail to be learned."""


class KafkaSettings(Section, frozen=True):
    """The connection; see kafka-python for the meaning of the SASL and TLS names."""

    partitions: Annotated[int, Meta(ge=1, lt=1 << 31)] = 4
    """Number of partitions of emails, labels and predictions when topics are created."""
    replication: Annotated[int, Meta(ge=1, lt=1 << 15)] = 1
    """Replication factor of new topics."""
    retention_days: Days = 90.0
    """Days for which mails, labels and predictions are kept; a label needs its mail to be learned."""
    prefix: Annotated[str, Meta(pattern=r"^[a-zA-Z0-9._-]{0,200}\Z")] = ""
    """Prefix of all topic names."""
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    """PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL."""
    sasl_mechanism: Literal["", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = ""
    """PLAIN, SCRAM-SHA-256 or SCRAM-SHA-512, if the protocol has SASL."""
    sasl_username: str = ""
    """User name for SASL."""
    sasl_password: str = ""
    """Password for SASL; set it as STREAM_NB_KAFKA_SASL_PASSWORD, never in a file in git; never printed."""
    ssl_cafile: str = ""
    """File with the CA certificates to verify brokers; empty: those of the system."""
    ssl_certfile: str = ""
    """File with the client certificate, if brokers require one."""
    ssl_keyfile: str = ""
    """File with the client certificate's private key."""


class Settings(Section, frozen=True):
    """Everything that can be set."""

    log: str = "sqlite:var/log"
    """`sqlite:DIR` or `kafka://host:port[,host:port]`."""
    learner: LearnerSettings = LearnerSettings()
    worker: WorkerSettings = WorkerSettings()
    monitor: MonitorSettings = MonitorSettings()
    dashboard: DashboardSettings = DashboardSettings()
    filter: FilterSettings = FilterSettings()
    imap: ImapSettings = ImapSettings()
    silence: SilenceSettings = SilenceSettings()
    combiner: CombinerSettings = CombinerSettings()
    sqlite: SqliteSettings = SqliteSettings()
    kafka: KafkaSettings = KafkaSettings()


SECTIONS: dict[str, dict[str, Any]] = {
    section.name: {field.name: field.type for field in msgspec.structs.fields(section.type)}
    for section in msgspec.structs.fields(Settings)
    if section.name != "log"
}
"""Section -> key -> type."""
KEYS = {key: f"[{name}] {key}" for name, section in SECTIONS.items() for key in section}
"""Key -> its full name; a key of several sections has the name in the last one."""
