"""The filter without a log: a model in one file, for one person's mail.

The file is a snapshot of the model as `save` writes it, of any model that reads words, so that `load` starts a log from
it, with the updates that the labels gave in a value of their own, so that labels can be changed and withdrawn exactly.
A message is known again by what the model reads of it. A filter that was tested with a threshold of its own carries
that too.
"""

from __future__ import annotations

import fcntl
import hashlib
import os
import secrets
import tempfile
import time
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
from ..model.replica import KEY_BYTES
from ..model.stream_model import StreamModel
from ..model.textbook_input import READS_WORDS
from ..records.messages import as_value, read_value
from ..records.schemas import PredictionRecord
from ..records.values import LABEL_FORM, is_label
from ..settings import LearnerSettings, Settings
from .client import Reply
from .verdict import judged, shown_words

UPDATES = "updates"
THRESHOLD = "threshold"
MAX_UPDATES = 20_000


class ModelFile:
    """A model in a file at `path`, read when made. Raises UserError for what is no snapshot of a model that reads
    words, or not there unless `create`.

    Model, n-grams and positive class are the file's. So is the threshold where the settings leave it at 0.
    """

    def __init__(self, path: Path, settings: Settings, create: bool = False) -> None:
        self._path = path
        self._settings = settings
        self._kept_threshold = 0.0
        self._updates: dict[str, Update] = {}
        learner = settings.learner
        try:
            data = path.read_bytes()
            name, self._model = saved_model(learner, data)
            if name not in READS_WORDS:
                raise UserError(
                    f"{path}: the {name} model reads no words, so it can say nothing of mail; name a file of another "
                    "model, or a new one"
                )
            learner = msgspec.structs.replace(learner, model=name)
            values, _ = snapshot.unpack(data, snapshot.kind_of(data))
            self._updates = msgspec.convert(values.get(UPDATES, {}), dict[str, Update])
            self._kept_threshold = float(values.get(THRESHOLD, 0.0))
        except FileNotFoundError as error:
            if not create:
                raise UserError(f"{path} does not exist; `stream-nb learn --model {path}` begins one") from error
            self._model = new_file_model(learner)
        except OSError as error:
            raise UserError(f"{path}: {error.strerror}; name a snapshot file") from error
        except (SnapshotError, msgspec.ValidationError) as error:
            raise UserError(f"{path}: {error}") from error
        threshold = settings.learner.threshold or self._kept_threshold
        learner = msgspec.structs.replace(learner, positive=self._model.positive, threshold=threshold)
        self._policy = new_policy(learner)

    @property
    def threshold(self) -> float:
        """Log-odds above this are positive, unless other settings move the cut."""
        return self._policy.threshold

    @classmethod
    @contextmanager
    def changed(cls, path: Path, settings: Settings) -> Generator[ModelFile]:
        """The model for learning: alone with the file at `path`, which is replaced at the end, whole or not at all."""
        with _lock(path):
            model = cls(path, settings, create=True)
            yield model
            model.write()

    def check(self, raw: bytes) -> Reply:
        """Score a mail, its `raw` bytes."""
        try:
            mail = self._read(raw)
        except BadRecord as error:
            return Reply(None, False, 0.5, 0.0, (), [], error.detail)
        score, cut, now = self._model.score(mail), self._policy.cut(self._model), time.time()
        terms = self._model.evidence(mail, self._settings.filter.words).terms
        prediction = PredictionRecord(
            id="",
            label=self._policy.decide(score, cut),
            log_odds=score.log_odds,
            probability=score.probability,
            positive=self._model.positive,
            threshold=cut,
            labels_learned=self._model.labels_learned,
            scores=score.scores,
            known=score.known,
            unseen=score.unseen,
            topic="",
            partition=0,
            next_offset=0,
            arrived_at=now,
            scored_at=now,
        )
        found = judged(prediction, shown_words(terms), self._settings.filter)
        about = found.symbol
        return Reply(
            found.label, found.is_spam, found.probability, found.score, about.options, found.fields, about.description
        )

    def learn(self, raw: bytes, label: str, source: str) -> bool:
        """Learn the `label` that a `source` gives a mail (`raw` bytes) in place of the one before; False when the mail
        cannot be read, or has this label already."""
        if not is_label(label):
            raise UserError(f"class {label[:40]!r} is not {LABEL_FORM}")
        try:
            mail = self._read(raw)
        except BadRecord:
            return False
        name = _name(mail)
        if name in self._updates and self._updates[name].label == label:
            return False
        self._take_back(name, mail)
        update = self._model.grade(mail, label, source=source)
        self._model.apply_update(mail, update)
        self._updates[name] = update
        if len(self._updates) > MAX_UPDATES:
            del self._updates[next(iter(self._updates))]
        return True

    def forget(self, raw: bytes, source: str) -> bool:
        """Take back what was learned from a mail (`raw` bytes), whatever its `source`; False when nothing was."""
        try:
            mail = self._read(raw)
        except BadRecord:
            return False
        return self._take_back(_name(mail), mail)

    def _take_back(self, name: str, mail: Mail) -> bool:
        update = self._updates.pop(name, None)
        if update is not None:
            self._model.revert_update(mail, update)
        return update is not None

    def _read(self, raw: bytes) -> Mail:
        """Raises BadRecord for a mail that cannot be read."""
        return read_value(as_value(raw), "-", self._settings.learner.headers).mail

    def write(self) -> None:
        """Replace the file by the model as it is now. Raises UserError."""
        _write(self._path, self._model, self._kept_threshold, self._updates)


def new_file_model(settings: LearnerSettings, starter: Path | None = None) -> StreamModel:
    """A model by these `settings`: empty, or with a `starter`'s counts. UserError for one that reads no words."""
    if settings.model not in READS_WORDS:
        *names, last = READS_WORDS
        raise UserError(
            f"the {settings.model} model reads no words, so it can say nothing of mail; set [learner] model to "
            f"{', '.join(names)} or {last}"
        )
    # The owner labels one class after the other, which trust takes for a source that is wrong.
    settings = msgspec.structs.replace(settings, trust=False)
    return started_model(settings, starter) if starter else new_model(settings, secrets.token_bytes(KEY_BYTES))


def check_new(path: Path, option: str = "--model") -> None:
    """Raise UserError when there is a file at `path`, which `option` names: it may hold the labels of a long time."""
    if path.exists():
        raise UserError(f"{path} exists; name another file with {option}, or remove this one")


def write_new(path: Path, model: StreamModel, threshold: float, learned: Iterable[tuple[Mail, Update]]) -> None:
    """Write a trained model to a file that is not there, for its owner alone.

    Args:
        path: The file.
        model: The model.
        threshold: Log-odds above this are positive.
        learned: The mails it has learned, each with what it added, so that they can be taken back.

    Raises:
        UserError: The file is there, or cannot be written.
    """
    with _lock(path):
        check_new(path)
        # Of mails that read the same the last counts; the others cannot be taken back.
        updates = {_name(mail): update for mail, update in learned}
        _write(path, model, threshold, dict(list(updates.items())[-MAX_UPDATES:]))


def _write(path: Path, model: StreamModel, threshold: float, updates: dict[str, Update]) -> None:
    plain = model.to_bytes()
    kind = snapshot.kind_of(plain)
    values, arrays = snapshot.unpack(plain, kind)
    own: dict[str, Any] = {UPDATES: updates} | ({THRESHOLD: threshold} if threshold else {})
    data = snapshot.pack(kind, {**values, **own}, arrays)
    try:
        # A temporary file is the owner's alone, mode 0600: a model holds words of mail.
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=path.name + ".")
        try:
            with open(handle, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.replace(name, path)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; name a file in a folder that can be written") from error


@contextmanager
def _lock(path: Path) -> Generator[None]:
    """Wait until nobody else changes the file. The lock is a file beside it, since the file itself is replaced."""
    try:
        handle = os.open(path.with_name(path.name + ".lock"), os.O_CREAT | os.O_RDWR, 0o600)
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; name a file in a folder that can be written") from error
    with open(handle, "wb") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _name(mail: Mail) -> str:
    digest = hashlib.sha256()
    for part in mail.parts:
        digest.update(b"%d %d " % (len(part.name), len(part.text)) + part.name.encode() + part.text)
    return digest.hexdigest()[:32]
