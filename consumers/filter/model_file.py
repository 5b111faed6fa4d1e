"""A filter without a log: a model in one file, for one person's mail.

The file is a snapshot of any model that reads words, as `save` writes it, so `load` can start a log from it. It also
holds the update of each label, so that labels can be changed and withdrawn exactly, and the threshold that the filter
was tested with, if any. Mails are identified by a hash of the parts that the model reads, without the kind of their
line endings and those at the end, which differ between a mailbox, an mbox and a file saved by a mail program.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import shlex
import time
from collections import OrderedDict
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec

from stream_nb import SnapshotError, snapshot
from stream_nb.types import Mail, Update

from ..errors import BadRecord, UserError
from ..model.factory import new_model, new_policy, saved_model
from ..model.files import started_model
from ..model.secret import KEY_BYTES
from ..model.stream_model import StreamModel
from ..model.textbook_input import READS_WORDS
from ..records.messages import as_value, read_value
from ..records.schemas import PredictionRecord
from ..records.values import LABEL_FORM, cut, is_label
from ..runtime import private_files
from ..runtime.paths import exists
from ..settings import LearnerSettings, Settings
from .client import Reply
from .verdict import Verdict, scored_verdict, strongest_words, unscorable

UPDATES = "updates"
THRESHOLD = "threshold"
MAX_UPDATES = 20_000


class ModelFile:
    """The model in the file at `path`, which the constructor reads.

    Raises UserError if the file is not a snapshot of a model that reads words, or does not exist and `create` is not
    set. The file determines the model, n-grams and positive class, and the threshold if it is 0 in the settings.
    """

    def __init__(self, path: Path, settings: Settings, create: bool = False) -> None:
        self._path = path
        self._settings = settings
        self._kept_threshold = 0.0
        self._is_changed = False
        self._updates: OrderedDict[str, Update] = OrderedDict()
        learner = settings.learner
        try:
            data = path.read_bytes()
            name, self.model = saved_model(learner, data)
            if name not in READS_WORDS:
                raise UserError(
                    f"{path}: the {name} model does not read words, so it cannot score mail; name a file with another "
                    "model, or a new file"
                )
            learner = msgspec.structs.replace(learner, model=name)
            values, _ = snapshot.unpack(data, snapshot.kind_of(data))
            self._updates = OrderedDict(msgspec.convert(values.get(UPDATES, {}), dict[str, Update]))
            self._kept_threshold = float(values.get(THRESHOLD, 0.0))
        except FileNotFoundError as error:
            if not create:
                made = f"stream-nb learn --spam PATH --model {shlex.quote(str(path))}"
                raise UserError(f"{path} does not exist; create it with `{made}`, and --ham") from error
            self.model = new_file_model(learner)
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}; name a snapshot file") from error
        except (SnapshotError, msgspec.ValidationError) as error:
            raise UserError(f"{path}: {error}; name another file, or a copy made earlier") from error
        threshold = settings.learner.threshold or self._kept_threshold
        learner = msgspec.structs.replace(learner, positive=self.model.positive, threshold=threshold)
        self._policy = new_policy(learner)

    @property
    def threshold(self) -> float:
        """The log-odds above which a mail is positive, unless another setting asks for more."""
        return self._policy.threshold

    @classmethod
    @contextmanager
    def changed(cls, path: Path, settings: Settings) -> Generator[ModelFile]:
        """The model for learning, with a lock on the file at `path`, which is replaced atomically at the end."""
        with _lock(path):
            model = cls(path, settings, create=True)
            yield model
            model.write()

    def check(self, raw: bytes) -> Reply:
        """Score a mail, its `raw` bytes."""
        verdict = unscorable(raw) or self._scored(self._read(raw))
        return Reply(
            label=verdict.label,
            is_spam=verdict.is_spam,
            probability=verdict.probability,
            score=verdict.score,
            words=verdict.symbol.options,
            fields=verdict.fields,
            detail=verdict.symbol.description,
        )

    def _scored(self, mail: Mail) -> Verdict:
        score, threshold, now = self.model.score(mail), self._policy.threshold_for(self.model), time.time()
        words = strongest_words(self.model, mail, self._settings.filter.words)
        prediction = PredictionRecord(
            id="",
            label=self._policy.decide(score, threshold),
            log_odds=score.log_odds,
            probability=score.probability,
            positive=self.model.positive,
            threshold=threshold,
            labels_learned=self.model.labels_learned,
            scores=score.scores,
            known=score.known,
            unseen=score.unseen,
            topic="",
            partition=0,
            next_offset=0,
            arrived_at=now,
            scored_at=now,
        )
        return scored_verdict(prediction, words, self._settings.filter)

    def learn(self, raw: bytes, label: str, source: str) -> bool:
        """Learn the `label` that a `source` gives a mail (`raw` bytes), and unlearn its previous one.

        Returns False if the mail cannot be parsed or already has this label.
        """
        if not is_label(label):
            raise UserError(f"class {cut(label)!r} is not {LABEL_FORM}")
        try:
            mail = self._read(raw)
        except BadRecord:
            return False
        digest = _digest(mail)
        if digest in self._updates and self._updates[digest].label == label:
            return False
        self._unlearn(digest, mail)
        update = self.model.grade(mail, label, source=source)
        self.model.apply_update(mail, update)
        self._updates[digest] = update
        self._is_changed = True
        if len(self._updates) > MAX_UPDATES:
            self._updates.popitem(last=False)
        return True

    def forget(self, raw: bytes, source: str) -> bool:
        """Unlearn a mail (`raw` bytes), whatever its `source`; return False if it was not learned."""
        try:
            mail = self._read(raw)
        except BadRecord:
            return False
        return self._unlearn(_digest(mail), mail)

    def _unlearn(self, digest: str, mail: Mail) -> bool:
        update = self._updates.pop(digest, None)
        if update is not None:
            self.model.revert_update(mail, update)
            self._is_changed = True
        return update is not None

    def _read(self, raw: bytes) -> Mail:
        """Parse a mail; raises BadRecord."""
        return read_value(as_value(raw), "-", self._settings.learner.headers).mail

    def write(self) -> None:
        """Replace the file by the current model, if that has changed. Raises UserError."""
        if self._is_changed:
            _write(self._path, self.model, self._kept_threshold, self._updates)


def new_file_model(settings: LearnerSettings, starter: Path | None = None) -> StreamModel:
    """A model by these `settings`, empty or with a `starter`'s counts; raises UserError if it does not read words."""
    if settings.model not in READS_WORDS:
        *names, last = READS_WORDS
        raise UserError(
            f"the {settings.model} model does not read words, so it cannot score mail; set [learner] model to "
            f"{', '.join(names)} or {last}"
        )
    # The owner labels one class after the other, which looks to trust like an unreliable source.
    settings = msgspec.structs.replace(settings, trust=False)
    return started_model(settings, starter) if starter else new_model(settings, secrets.token_bytes(KEY_BYTES))


def check_new(path: Path, option: str = "--model") -> None:
    """Raise UserError if a file exists at `path`, because it may hold many labels; `option` is the option to name."""
    if exists(path):
        raise UserError(f"{path} exists; name another file with {option}, or remove this one")


def write_new(path: Path, model: StreamModel, threshold: float, learned: Iterable[tuple[Mail, Update]]) -> None:
    """Write a trained model to a new file at `path` that only its owner can read, with its `threshold` and the mails
    that it has `learned`, each with its update, so that they can be unlearned. Raises UserError if the file exists or
    cannot be written."""
    with _lock(path):
        check_new(path)
        # Of mails with equal content, only the last can be unlearned.
        updates = {_digest(mail): update for mail, update in learned}
        _write(path, model, threshold, dict(list(updates.items())[-MAX_UPDATES:]))


def _write(path: Path, model: StreamModel, threshold: float, updates: dict[str, Update]) -> None:
    plain = model.to_bytes()
    kind = snapshot.kind_of(plain)
    values, arrays = snapshot.unpack(plain, kind)
    own: dict[str, Any] = {UPDATES: updates} | ({THRESHOLD: threshold} if threshold else {})
    data = snapshot.pack(kind, {**values, **own}, arrays)
    private_files.write(path, data)


@contextmanager
def _lock(path: Path) -> Generator[None]:
    """Lock `path` against other processes. The lock is a separate file, because `path` itself is replaced; it is beside
    the file that a link leads to, so that all names of a file share it."""
    try:
        handle = os.open(f"{os.path.realpath(path)}.lock", os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; name a file in a folder that can be written") from error
    with open(handle, "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _digest(mail: Mail) -> str:
    digest = hashlib.sha256()
    for part in mail.parts:
        text = part.text.replace(b"\r\n", b"\n").rstrip(b"\n")
        digest.update(b"%d %d " % (len(part.name), len(text)) + part.name.encode() + text)
    return digest.hexdigest()[:32]
