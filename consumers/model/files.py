"""Start a log with a trained model, and save the model of a log."""

from __future__ import annotations

from pathlib import Path

from stream_nb import MailNB, SnapshotError, snapshot

from ..errors import UserError
from ..log.base import Log
from ..records.number_text import many
from ..runtime.private_files import write
from ..settings import LearnerSettings, Settings
from .changelog import MODEL_PARTITION, Manifest, Snapshot, snapshot_records
from .factory import new_model, saved_model
from .replica import Replica
from .secret import secret_record
from .stream_model import StreamModel
from .words import known_features, starter_of


def read_model(path: Path, learner: LearnerSettings) -> StreamModel:
    """Read a model of the kind in the settings from the file at `path`, which has the bytes of its `to_bytes`.

    Raises:
        UserError: The file cannot be read, or is not a snapshot of a model of this kind.
    """
    try:
        name, model = saved_model(learner, path.read_bytes())
    except OSError as error:
        raise UserError(f"{path}: {error.strerror}; name a snapshot file") from error
    except SnapshotError as error:
        raise UserError(f"{path}: {error}; name another file, or a copy made earlier") from error
    if name != learner.model:
        raise UserError(
            f"{path} holds a {name} model, but the model is {learner.model}: set [learner] model, or --model of "
            f"evaluate, to {name}, or name another file"
        )
    if isinstance(model, MailNB) and model.grams != learner.grams:
        wanted, other = (str(grams).lower() for grams in (model.grams, learner.grams))
        raise UserError(
            f"{path} holds a model with{'' if model.grams else 'out'} character n-grams, but [learner] grams is "
            f"{other}: set that to {wanted}, or name another file"
        )
    return model


def started_model(learner: LearnerSettings, starter: Path) -> StreamModel:
    """A model that begins with the counts and the hash key of the one in the file `starter`, and has the options of the
    settings; raises UserError like `read_model`."""
    other = read_model(starter, learner)
    model = new_model(learner, other.key)
    model.merge(other)
    return model


def put_model(log: Log, model: StreamModel) -> None:
    """Write a model to a log that has none, so that workers start from it.

    The log gets the model's hash key, if it has one. Raises UserError for a log that has a model already.
    """
    if log.end_offset(MODEL_PARTITION) > 0:
        raise UserError("this log has a model already; load into a fresh log (another folder, or [kafka] prefix)")
    # The model's labels are in no ledger: they count as evicted, and cannot be reverted one by one.
    data = model.to_bytes()
    secret = secret_record(snapshot.kind_of(data), isinstance(model, MailNB) and model.grams, model.key)
    stored = Snapshot(data, {}, model.labels_learned, loaded=True)
    log.append([secret, *snapshot_records(Manifest(), {}, stored)])


def save_model(log: Log, settings: Settings, path: Path) -> StreamModel:
    """Write the log's current model to the file at `path`, which only its owner may read; returns the model.

    Raises:
        UserError: There is no model, or the file cannot be written.
    """
    model = model_on_log(log, settings, "save")
    write(path, model.to_bytes())
    return model


def model_on_log(log: Log, settings: Settings, purpose: str) -> StreamModel:
    """The log's current model; raises UserError, with the `purpose` as a verb, if no worker has begun one."""
    model = Replica.load(log, settings).model
    if model is None:
        raise UserError(f"no worker has started on this log yet, so there is no model to {purpose}")
    return model


def summary(model: StreamModel) -> str:
    """How much a model has learned, and how large the starter is with which it began."""
    starter = starter_of(model)
    added = "" if starter is None else f", and a starter of {many(starter.features + starter.named, 'feature')}"
    return f"{many(model.labels_learned, 'label')} learned, {many(known_features(model), 'feature')}{added}"
