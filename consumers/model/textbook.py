"""The textbook models on the stream: each label counts 1."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self, cast

import numpy as np

from stream_nb import MailNB, SnapshotError, flat
from stream_nb.base import GenerativeNB, NaiveBayes
from stream_nb.kernels.layout import UNIT
from stream_nb.mixed import MixedNB
from stream_nb.registry import MODELS
from stream_nb.tabular.base import FeatureNB
from stream_nb.text.base import TextNB
from stream_nb.types import Evidence, Label, Mail, Score, Update

from .stream_model import StreamModel
from .textbook_input import READS, TEXT, whole

_SIGNS = (1, -1)


def library_model(model: StreamModel) -> NaiveBayes:
    """The model of the library behind a model of the log."""
    return model.model if isinstance(model, TextbookModel) else cast("MailNB", model)


class TextbookModel:
    """A textbook model as a `StreamModel`: `model` has the bits of the library fed with the same messages.

    Args:
        name: A name of `READS`.
        model: The model of the library.
        key: The secret of the log's word hash, for models that hash no words.
    """

    def __init__(self, name: str, model: GenerativeNB, key: bytes = b"") -> None:
        self.name = name
        self.model: Any = model
        self._key = key
        self._read = READS[name]

    @classmethod
    def new(cls, name: str, smoothing: float, positive: Label, key: bytes | None = None) -> Self:
        """An empty model with a `name` of `READS`; its log-odds speak of the class `positive`. `smoothing` is lambda, 0
        or more (``gaussian`` has none); `key` the secret of the word hash, None a key for study."""
        options: dict[str, Any] = {"positive": positive}
        if name == "mixed":
            words = MODELS["multinomial"].new(key=key, smoothing=smoothing, prior="uniform")
            options |= {"words": words, "categories": MODELS["categorical"].new(smoothing=smoothing), "text": TEXT}
        elif name != "gaussian":
            options["smoothing"] = smoothing
        if READS[name] is whole:
            options["key"] = key
        return cls(name, cast("GenerativeNB", MODELS[name].new(**options)), key or b"")

    @classmethod
    def from_bytes(cls, name: str, data: bytes, key: bytes = b"") -> Self:
        """The model whose `to_bytes` gave `data`; `name` and `key` as for the class. Raises SnapshotError for bytes
        that are damaged, or of another model."""
        kind: Any = MODELS[name].model
        return cls(name, kind.from_bytes(data), key)

    @property
    def words(self) -> TextNB | None:
        """The part that counts words; None where there is none."""
        model = self.model.words if isinstance(self.model, MixedNB) else self.model
        return model if isinstance(model, TextNB) else None

    @property
    def parts(self) -> tuple[FeatureNB[Any], ...]:
        """The parts that count features."""
        model = self.model
        if isinstance(model, MixedNB):
            return model.numbers, model.categories
        return (cast("FeatureNB[Any]", model),) if isinstance(model, FeatureNB) else ()

    @property
    def key(self) -> bytes:
        words = self.words
        return words.key if words is not None else self._key

    @property
    def positive(self) -> Label:
        return self.model.positive

    @property
    def classes(self) -> tuple[Label, ...]:
        return tuple(self.model.class_counts) if isinstance(self.model, MixedNB) else self.model.classes

    @property
    def labels_learned(self) -> int:
        words = self.words
        return words.labels_learned if words is not None else int(sum(self.model.class_counts.values()))

    @property
    def features(self) -> int:
        words = self.words
        return (words.words if words is not None else 0) + sum(len(part.features) for part in self.parts)

    @property
    def smoothing(self) -> float | None:
        model = self.model.words if isinstance(self.model, MixedNB) else self.model
        return getattr(model, "smoothing", None)

    @smoothing.setter
    def smoothing(self, value: float) -> None:
        """Read counts with lambda = `value`, in messages, 0 or more."""
        parts: tuple[Any, ...] = (self.words, *self.parts)
        for part in parts:
            if hasattr(part, "smoothing"):
                part.smoothing = value

    def score(self, x: Mail, /) -> Score:
        return self.model.score(self._read(x))

    def score_many(self, xs: Iterable[Mail], /) -> list[Score]:
        return [self.score(x) for x in xs]

    def evidence(self, x: Mail, /, most: int | None = None) -> Evidence:
        """The strongest `most` terms of the log-odds; None for all."""
        found: Evidence = self.model.evidence(self._read(x))
        return found._replace(terms=found.terms[:most])

    def grade(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """One message of class `label`, whatever its score; `source` is noted only."""
        return Update(label, UNIT, (), source)

    def apply_update(self, x: Mail, /, update: Update) -> None:
        """Learn the message, unless the update has been emptied."""
        if update.weight:
            self.model.learn_one(self._read(x), update.label)

    def revert_update(self, x: Mail, /, update: Update) -> None:
        """Unlearn the message. Raises ValueError where the model can tell that it was not learned: for a class without
        messages, or without these numbers or categories; of words it cannot tell."""
        if update.weight:
            self.model.unlearn_one(self._read(x), update.label)

    def learn_one(self, x: Mail, y: Label, /, source: str = "") -> None:
        """Learn that the message is of class `y`, whoever (`source`) says so."""
        self.model.learn_one(self._read(x), y)

    def recorder(self) -> TextbookRecorder:
        return TextbookRecorder(self)

    def apply_changes(self, data: bytes, /) -> None:
        """Add the `data` that a recorder gave, all of it or nothing. Raises SnapshotError for bytes that are damaged or
        of another model or log, or take back numbers or categories that were not learned."""
        header, arrays = flat.unpack(data)
        if header != (own := changes_header(self)):
            kind = header.get("kind")
            other = "those of words hashed with another key" if kind == own["kind"] else repr(kind)[:40]
            raise SnapshotError(f"{own['kind']} of this log are expected, not {other}")
        if len(arrays) != len(_SIGNS):
            raise SnapshotError(f"updates in {len(arrays)} parts, not {len(_SIGNS)}")
        added, reverted = (self.from_bytes(self.name, part.tobytes()) if part.size else None for part in arrays)
        try:
            if added is not None:
                self.merge(added)
            if reverted is not None:
                self._unmerge_or_undo(reverted, added)
        except ValueError as error:
            raise SnapshotError(f"updates of another model: {error}") from error

    def _unmerge_or_undo(self, reverted: Self, added: Self | None) -> None:
        try:
            self.unmerge(reverted)
        except ValueError:
            if added is not None:
                self.unmerge(added)
            raise

    def delta(self) -> Self:
        return self.new(self.name, self.smoothing or 0.0, self.positive, self.key or None)

    def merge(self, other: Self, /) -> None:
        """Add what `other` learned. Raises ValueError when its words are hashed with another key."""
        self.model.merge(other.model)

    def unmerge(self, other: Self, /) -> None:
        """Take `other` back. Raises ValueError as `merge`, and for numbers and categories that were not learned."""
        self.model.unmerge(other.model)

    def same_counts(self, other: Self, /) -> bool:
        """Whether `other` gives the same bytes."""
        return self == other

    def copy(self) -> Self:
        return type(self)(self.name, self.model.copy(), self._key)

    def to_bytes(self) -> bytes:
        return self.model.to_bytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextbookModel) and self.to_bytes() == other.to_bytes()


_WORD_BYTES = 50


class TextbookRecorder:
    """A `stream_model.Recorder`: its changes are snapshots of two small models, one of what was added, one reverted."""

    def __init__(self, model: TextbookModel) -> None:
        self._model = model
        self._models: dict[int, TextbookModel] = {}
        self._nbytes = 0

    @property
    def nbytes(self) -> int:
        return self._nbytes

    def learn(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """Learn the message as of class `label`, whoever (`source`) says so; returns the update."""
        update = self._model.grade(x, label, source)
        self.apply_update(x, update)
        return update

    def apply_update(self, x: Mail, /, update: Update) -> None:
        self._model.apply_update(x, update)
        self._recorded(1, x).apply_update(x, update)

    def revert_update(self, x: Mail, /, update: Update) -> None:
        self._model.revert_update(x, update)
        self._recorded(-1, x).apply_update(x, update)

    def take(self) -> bytes:
        models, self._models = self._models, {}
        self._nbytes = 0
        if not any(model.labels_learned for model in models.values()):
            return b""
        parts = (models[sign].to_bytes() if sign in models else b"" for sign in _SIGNS)
        return flat.pack(changes_header(self._model), [np.frombuffer(part, np.uint8) for part in parts])

    def _recorded(self, sign: int, x: Mail) -> TextbookModel:
        # A word takes a key, a name and its counts beside its text, and is in a message once or more often.
        self._nbytes += 2 * sum(len(text) for _, text in x.parts) + _WORD_BYTES * (len(x.words) + len(x.features))
        if sign not in self._models:
            self._models[sign] = self._model.delta()
        return self._models[sign]


def changes_header(model: TextbookModel) -> dict[str, str]:
    """What the changes of a model begin with: its class in the library, and the secret of the log's word hash."""
    return {"kind": f"{MODELS[model.name].model.__name__} updates", "key": model.key.hex()}
