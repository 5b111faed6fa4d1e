"""The model and the policy that the settings ask for."""

from __future__ import annotations

import math
from typing import Any

from stream_nb import MailNB, SnapshotError, flat, snapshot
from stream_nb.mail_nb.decision import Policy
from stream_nb.registry import MODELS

from ..errors import OtherModel, UserError
from ..settings import LearnerSettings
from .stream_model import StreamModel
from .textbook import TextbookModel
from .textbook_input import READS

MAIL = "mail"
_UPDATES = " updates"


def new_model(settings: LearnerSettings, key: bytes | None = None) -> StreamModel:
    """An empty model; `key` is the secret of its word hash, None a key for study.

    Raises UserError for settings that this model does not have.
    """
    for name, does in (("max_features", "bounds"), ("half_life", "is for")):
        if getattr(settings, name) is not None and settings.model != MAIL:
            raise UserError(
                f"[learner] {name} {does} the mail model, and the model is {settings.model}; leave out one of the two"
            )
    if settings.grams and settings.model != MAIL:
        raise UserError(
            f"[learner] grams is for the mail model, and the model is {settings.model}; leave out one of the two"
        )
    if settings.model == MAIL:
        return new_mail_model(settings, key)
    return TextbookModel.new(settings.model, settings.smoothing, settings.positive, key)


def new_mail_model(settings: LearnerSettings, key: bytes | None = None) -> MailNB:
    """An empty mail model, whatever the settings call for; `key` as for `new_model`."""
    # Trust would weigh each label by what was known of its source at that time; here the order must not count.
    options: dict[str, Any] = (
        {"band": math.inf, "trust": False} if settings.learn == "everything" else {"trust": settings.trust}
    )
    return MailNB(key, positive=settings.positive, smoothing=settings.smoothing, grams=settings.grams, **options)


def restore_model(settings: LearnerSettings, data: bytes, key: bytes = b"") -> StreamModel:
    """The model that `to_bytes` gave, of the kind that the settings name.

    Args:
        settings: `model` is the kind.
        data: The bytes.
        key: The secret of the log's word hash, for models that hash no words.

    Raises:
        SnapshotError: The bytes are damaged, or no model.
        OtherModel: They are a model of another kind, or one has n-grams and the other has none.
    """
    _check_kind(settings, snapshot.kind_of(data))
    model = _restore(settings.model, data, key)
    if isinstance(model, MailNB):
        _check_grams(settings, model.grams)
    return model


def saved_model(settings: LearnerSettings, data: bytes) -> tuple[str, StreamModel]:
    """The model that `to_bytes` gave, whatever its kind, with the name of that in the settings.

    Args:
        settings: `model` is the name, where it is one of this kind.
        data: The bytes.

    Raises:
        SnapshotError: The bytes are damaged, or of no model of the settings.
    """
    kind = snapshot.kind_of(data)
    names = _names_of(kind)
    if not names:
        raise SnapshotError(f"snapshot of a {kind[:40]!r}, which is none of the models {', '.join((MAIL, *READS))}")
    name = settings.model if settings.model in names else names[0]
    return name, _restore(name, data)


def secret_of(settings: LearnerSettings, changes: bytes) -> bytes:
    """The secret of the log whose recorder gave these changes.

    Args:
        settings: `model` is the kind that they shall be of.
        changes: What `Recorder.take` gave.

    Raises:
        SnapshotError: The bytes are damaged, or no changes.
        OtherModel: They are changes of a model of another kind, or one has n-grams and the other has none.
    """
    header, _ = flat.unpack(changes)
    try:
        kind, (hexadecimal, _, grams) = str(header["kind"]), str(header["key"]).partition("+")
        key = bytes.fromhex(hexadecimal)
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"updates without their kind, or the key of their words: {error!r}") from error
    if kind.endswith(_UPDATES):
        _check_kind(settings, kind.removesuffix(_UPDATES))
    if settings.model == MAIL:
        _check_grams(settings, bool(grams))
    return key


def _restore(name: str, data: bytes, key: bytes = b"") -> StreamModel:
    return MailNB.from_bytes(data) if name == MAIL else TextbookModel.from_bytes(name, data, key)


def _check_kind(settings: LearnerSettings, kind: str) -> None:
    """Raises OtherModel for a class of the library that is not the one of the settings."""
    wanted = MODELS[settings.model].model.__name__
    if kind != wanted:
        names = _names_of(kind)
        mend = f"set [learner] model to {' or '.join(names)}" if names else "run the program that wrote it"
        raise OtherModel(
            f'this log\'s model is a {kind[:40]}, and [learner] model is "{settings.model}", a {wanted}: {mend}, or '
            "begin a fresh log (another folder, or [kafka] prefix)"
        )


def _check_grams(settings: LearnerSettings, grams: bool) -> None:
    """Raises OtherModel for a model with n-grams where the settings have none, or the other way round."""
    if grams != settings.grams:
        raise OtherModel(
            f"the model has {'' if grams else 'no '}character n-grams, and [learner] grams is "
            f"{str(settings.grams).lower()}: set it to {str(grams).lower()}, or begin a fresh log (another folder, or "
            "[kafka] prefix)"
        )


def _names_of(kind: str) -> list[str]:
    """The names in the settings of a class of the library."""
    return [name for name in (MAIL, *READS) if MODELS[name].model.__name__ == kind]


def new_policy(settings: LearnerSettings) -> Policy:
    """How scores become labels. Raises UserError for settings that contradict each other."""
    if settings.lose_at_most is not None and settings.model != MAIL:
        raise UserError(
            f"[learner] lose_at_most needs the margins that the mail model keeps, and the model is {settings.model}; "
            "leave out one of the two"
        )
    try:
        return Policy(
            settings.positive,
            settings.threshold,
            settings.lose_at_most,
            settings.false_positive_cost,
            settings.unsure,
        )
    except ValueError as error:
        raise UserError(f"[learner] {error}") from error
