"""What can be set: one frozen class for each section, with the defaults, the ranges and a text for each setting.

Defaults are here and nowhere else. `stream-nb settings` prints the texts as comments.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

Positive = Annotated[int, Meta(ge=1)]
NotNegative = Annotated[int, Meta(ge=0)]
Host = Annotated[str, Meta(min_length=1)]
Port = Annotated[int, Meta(ge=0, le=65535)]
Seconds = Days = Annotated[float, Meta(gt=0)]
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
    """What the model is, and how it reads its counts; changing any of these needs no retraining, except `model`,
    `learn`, `grams` and `headers`."""

    model: Literal["mail", "multinomial", "boolean", "bernoulli", "categorical", "gaussian", "mixed"] = "mail"
    """`mail`: words, word pairs, numbers, categories, for filters; the others are textbook models. A log keeps it."""
    positive: Annotated[str, Meta(min_length=1, max_length=100)] = "spam"
    """The label that log-odds, ROC and precision are about."""
    smoothing: Annotated[float, Meta(ge=0)] = 0.1
    """Added to each count of a word or category (lambda), in messages."""
    learn: Literal["near-error", "everything"] = "near-error"
    """`near-error`: a label is learned with a weight by how wrong the score was; `everything`: with weight 1, as all
    textbook models do."""
    trust: bool = True
    """Learn how often each source mislabels (its flip rate), and give labels of unreliable sources less weight.
    With `learn = "everything"` each label has weight 1 whatever its source."""
    threshold: float = 0.0
    """Mails with log-odds above this are labelled positive."""
    lose_at_most: Share | None = None
    """Instead: the threshold that this share of the mails of other classes is expected above, by the labelled ones; 0:
    none is labelled positive."""
    false_positive_cost: Annotated[float, Meta(gt=0)] = 1.0
    """Or: a probability threshold of cost / (cost + 1); the cost is in units of a missed positive mail."""
    unsure: Annotated[float, Meta(ge=0)] = 0.0
    """Label "unsure" when the log-odds are nearer to the threshold than this."""
    headers: Literal["keep", "safe"] = "keep"
    """`keep`: all headers that a live filter may read; `safe`: only those that the sender wrote."""
    grams: bool = False
    """The mail model counts character n-grams of short messages, too, of up to some hundred words: their words are
    often new, misspelt or inflected. A log keeps this choice."""
    max_classes: Annotated[int, Meta(ge=2)] = 100
    """Most classes in the model; labels of further ones go to quarantine. Each costs every mail and label time."""
    max_features: Annotated[int, Meta(ge=2000)] | None = None
    """Most words, pairs of words and n-grams in the model: when there are more, the rarest eighth is forgotten. None:
    no bound; then whoever sends ever-new words makes every worker's memory grow."""
    half_life: Annotated[int, Meta(ge=64)] | None = None
    """Labels after which what a label has taught of words counts half, on a log and in `evaluate`. None: it counts for
    good. Each half-life writes the model once."""
    follow: Literal["deltas", "sums"] = "deltas"
    """How processes take over what others learn: `deltas`: each commit of theirs; `sums`: what `stream-nb combiner` has
    added up, which costs less where there are thousands of labels a second."""


class WorkerSettings(Section, frozen=True):
    """How mail is consumed."""

    group: str = "stream-nb"
    """Consumer group; workers of one group share one model."""
    machine: Annotated[str, Meta(pattern=r"^[\w.-]{0,100}\Z")] = ""
    """Name of this machine in the group, of no other one; empty: host name and an id kept in the temporary folder."""
    poll_records: Positive = 2000
    """Most records taken in one step."""
    poll_s: Seconds = 0.5
    """Longest wait for the first record of a step."""
    remember_mails: Positive = 100_000
    """Message ids kept per partition to find a mail again when its label comes."""
    remember_labels: Positive = 200_000
    """Labels kept per partition so that they can be changed or withdrawn."""
    remember_days: Days = 90.0
    """Age at which a remembered label, or a label still waiting for its mail, is dropped."""
    source_cap_per_hour: NotNegative = 0
    """Labels of one source that are learned within an hour; 0 sets no limit."""
    health_host: Host = "127.0.0.1"
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
    host: Host = "127.0.0.1"
    """Address for the port; a Prometheus on another machine needs 0.0.0.0."""
    port: Port = 9464
    """Port for /metrics, /healthz and /readyz; 0 opens none."""
    audit_per_hour: NotNegative = 0
    """Mails drawn at random each hour for people to label; 0 draws none."""


class DashboardSettings(Section, frozen=True):
    """Where the page is served."""

    host: Host = "127.0.0.1"
    """Address for the page; one that is not loopback needs a token."""
    port: Port = 8050
    """Port for the page; 0 takes any free one."""
    source: str = "user"
    """Source of the labels given with the page's buttons."""
    token: str = ""
    """Needed in the URL when the host is not loopback; from STREAM_NB_DASHBOARD_TOKEN, never from a file in git."""


class FilterSettings(Section, frozen=True):
    """What mail servers are answered; a mail at the threshold scores 5, and 1 more in log-odds is 1 more."""

    host: Host = "127.0.0.1"
    """Address for the port; one that is not loopback lets other machines connect."""
    port: Port = 11333
    """The default of rspamd's clients."""
    password: str = ""
    """Needed for learn requests, and to allow them from other machines at all; from STREAM_NB_FILTER_PASSWORD, never
    from a file in git; never printed."""
    source: str = "user"
    """Source of the labels of learn requests that name no user."""
    deadline_s: Seconds = 2.0
    """A mail that has no prediction by then passes, with a symbol for the reason."""
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


class ImapSettings(Section, frozen=True):
    """A mailbox that is followed: `stream-nb feed imap://user@host/INBOX`."""

    password: str = ""
    """The user's password; from STREAM_NB_IMAP_PASSWORD, never from a file in git; never printed."""
    junk: str = ""
    """The folder for junk; empty: the one that the server marks so, else one of a name such as Junk."""


class SilenceSettings(Section, frozen=True):
    """Labels for mails that nobody complained about; only `stream-nb silence` gives any."""

    group: str = "silence"
    """Consumer group; its processes share the partitions."""
    after_days: Days = 7.0
    """Days that nobody labels a mail, before it is labelled as it was predicted."""
    junk_is_read: bool = True
    """Whether silence about mails that were labelled positive counts: not where nobody opens the junk folder."""


class CombinerSettings(Section, frozen=True):
    """What adds up deltas, for processes with `[learner] follow = "sums"`."""

    group: str = "combiner"
    """Consumer group; one of its processes works, and another takes over when that ends."""


class SqliteSettings(Section, frozen=True):
    """How records are kept in the files."""

    retention_days: Days = 90.0
    """Days for which predictions are kept, and mails and labels once read; a label can be learned while its mail is."""


class KafkaSettings(Section, frozen=True):
    """The connection; see kafka-python for the meaning of the SASL and TLS names."""

    partitions: Positive = 4
    """Partitions of emails, labels and predictions when topics are created."""
    replication: Positive = 1
    """Copies of each partition when topics are created."""
    retention_days: Days = 90.0
    """Days for which mails, labels and predictions are kept; a label can be learned as long as its mail is kept."""
    prefix: Annotated[str, Meta(pattern=r"^[a-zA-Z0-9._-]{0,200}\Z")] = ""
    """Put before every topic name."""
    security_protocol: Literal["PLAINTEXT", "SSL", "SASL_PLAINTEXT", "SASL_SSL"] = "PLAINTEXT"
    """PLAINTEXT, SSL, SASL_PLAINTEXT or SASL_SSL."""
    sasl_mechanism: Literal["", "PLAIN", "SCRAM-SHA-256", "SCRAM-SHA-512"] = ""
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
"""Where a key is set; one that several sections have, in the last of them."""
