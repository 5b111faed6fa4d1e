"""Creates and restores the model and the policy that the settings specify."""

from __future__ import annotations

import math
from typing import Any

from stream_nb import MailNB, SnapshotError, flat, snapshot
from stream_nb.mail_nb.decision import Policy
from stream_nb.registry import MODELS

from ..errors import OtherModel, UserError
from ..records.values import LABEL_FORM, cut, is_label
from ..settings import LearnerSettings
from .secret import Secret
from .stream_model import StreamModel
from .textbook import TextbookModel
from .textbook_input import READS

MAIL = "mail"
_UPDATES = " updates"


def new_model(settings: LearnerSettings, key: bytes | None = None) -> StreamModel:
    """Create an empty model; `key` is the secret of its word hash, None for a fixed key for studies.

    Raises UserError for settings that this model does not support.
    """
    if settings.model == MAIL:
        return new_mail_model(settings, key)
    check_model(settings)
    return TextbookModel.new(settings.model, settings.smoothing, settings.positive, key)


def check_model(settings: LearnerSettings) -> None:
    """Check that the model supports the settings, without loading it.

    Raises UserError otherwise.
    """
    for name, verb in (("max_features", "bounds"), ("half_life", "is for"), ("grams", "is for")):
        if settings.model != MAIL and getattr(settings, name):
            raise UserError(
                f"[learner] {name} {verb} the mail model, but the model is {settings.model}; leave out one of the two"
            )


def new_mail_model(settings: LearnerSettings, key: bytes | None = None) -> MailNB:
    """Create an empty mail model, whatever `[learner] model` is; `key` as for `new_model`."""
    # With `learn = "everything"` the order must not matter; trust weighs a label by what is known of its source so far.
    options: dict[str, Any] = (
        {"band": math.inf, "trust": False} if settings.learn == "everything" else {"trust": settings.trust}
    )
    return MailNB(key, positive=settings.positive, smoothing=settings.smoothing, grams=settings.grams, **options)


def kind_of(settings: LearnerSettings) -> str:
    """The name of the class of `[learner] model`."""
    return MODELS[settings.model].model.__name__


def model_of_log(settings: LearnerSettings, secret: Secret | None) -> StreamModel:
    """Create an empty model for a log with this secret (None: it has none). Raises OtherModel if its record names
    another kind of model."""
    if secret is None:
        return new_model(settings)
    _check_kind(settings, secret.kind)
    _check_grams(settings, secret.grams)
    return new_model(settings, secret.value)


def restore_model(settings: LearnerSettings, data: bytes, key: bytes = b"") -> StreamModel:
    """Restore a model of the kind in the settings from `data`, the bytes of `to_bytes`. `key` is the secret of the
    log's word hash, for models that hash no words.

    Raises:
        SnapshotError: The bytes are damaged, or not a model.
        OtherModel: The bytes are a model of another kind, or only one of model and settings has n-grams.
    """
    _check_kind(settings, snapshot.kind_of(data))
    model = _restore(settings.model, data, key)
    if isinstance(model, MailNB):
        _check_grams(settings, model.grams)
    return model


def saved_model(settings: LearnerSettings, data: bytes) -> tuple[str, StreamModel]:
    """Restore a model of any kind from `data`, the bytes of `to_bytes`; returns its name in the settings, and the
    model. If several names share the kind, the one in the settings is preferred.

    Raises:
        SnapshotError: The bytes are damaged, their kind is no value of `[learner] model`, or a class cannot be a label
            of records, as a number cannot.
    """
    kind = snapshot.kind_of(data)
    names = _names_of(kind)
    if not names:
        raise SnapshotError(f"snapshot of a {kind[:40]!r}, which is none of the models {', '.join((MAIL, *READS))}")
    name = settings.model if settings.model in names else names[0]
    model = _restore(name, data)
    for label in (*model.classes, model.positive):
        if not isinstance(label, str) or not is_label(label):
            raise SnapshotError(f"snapshot of a model with the class {label!r:.40}, not text of {LABEL_FORM}")
    return name, model


def secret_of(settings: LearnerSettings, changes: bytes) -> bytes:
    """The secret of the log on which these `changes`, the bytes of `Recorder.take`, were recorded.

    Raises:
        SnapshotError: The bytes are damaged, or no changes.
        OtherModel: The changes are of a model of another kind, or only one of them and the settings has n-grams.
    """
    header, _ = flat.unpack(changes)
    try:
        kind, (hexadecimal, _, grams) = str(header["kind"]), str(header["key"]).partition("+")
        key = bytes.fromhex(hexadecimal)
    except (KeyError, TypeError, ValueError) as error:
        raise SnapshotError(f"updates without a kind, or without the key of their words: {error!r}") from error
    if kind.endswith(_UPDATES):
        _check_kind(settings, kind.removesuffix(_UPDATES))
    if settings.model == MAIL:
        _check_grams(settings, bool(grams))
    return key


def _restore(name: str, data: bytes, key: bytes = b"") -> StreamModel:
    return MailNB.from_bytes(data) if name == MAIL else TextbookModel.from_bytes(name, data, key)


def _check_kind(settings: LearnerSettings, kind: str) -> None:
    """Raise OtherModel for a library class other than that of the settings."""
    wanted = kind_of(settings)
    if kind != wanted:
        names = _names_of(kind)
        remedy = f"set [learner] model to {' or '.join(names)}" if names else "run the program that wrote it"
        raise OtherModel(
            f'this log\'s model is a {kind[:40]}, but [learner] model is "{settings.model}", a {wanted}: {remedy}, or '
            "begin a fresh log (another folder, or [kafka] prefix)"
        )


def _check_grams(settings: LearnerSettings, grams: bool) -> None:
    """Raise OtherModel if the model has n-grams and the settings do not, or the other way round."""
    if grams != settings.grams:
        raise OtherModel(
            f"the model has {'' if grams else 'no '}character n-grams, but [learner] grams is "
            f"{str(settings.grams).lower()}: set it to {str(grams).lower()}, or begin a fresh log (another folder, or "
            "[kafka] prefix)"
        )


def _names_of(kind: str) -> list[str]:
    """The values of `[learner] model` that stand for a library class."""
    return [name for name in (MAIL, *READS) if MODELS[name].model.__name__ == kind]


def new_policy(settings: LearnerSettings) -> Policy:
    """Create the policy that turns scores into labels. Raises UserError for contradictory settings, or if `positive`
    cannot be a label."""
    if not is_label(settings.positive):
        raise UserError(f"[learner] positive is {cut(settings.positive)!r}, not {LABEL_FORM}")
    if settings.lose_at_most is not None and settings.model != MAIL:
        raise UserError(
            f"[learner] lose_at_most needs the margins that the mail model keeps, but the model is {settings.model}; "
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
