"""The textbook models on the stream: each label has weight 1."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Self, cast

from stream_nb import MailNB, SnapshotError
from stream_nb.base import NaiveBayes
from stream_nb.joint import GenerativeNB
from stream_nb.kernels.layout import UNIT
from stream_nb.mixed import MixedNB
from stream_nb.registry import MODELS
from stream_nb.tabular.base import FeatureNB
from stream_nb.text.base import TextNB
from stream_nb.types import Evidence, Mail, Score, Update

from ..records.values import Label
from .stream_model import StreamModel
from .textbook_changes import SIGNS, TextbookRecorder, TextbookSum, read_changes
from .textbook_input import READS, TEXT, whole


def library_model(model: StreamModel) -> NaiveBayes:
    """The library's model behind a model of the log."""
    return model.model if isinstance(model, TextbookModel) else cast("MailNB", model)


class TextbookModel:
    """A textbook model as a `StreamModel`: `model` has the same bits as the library's model after the same messages.
    `name` is a name in `READS`, and `key` the secret of the log's word hash, for models that hash no words."""

    def __init__(self, name: str, model: GenerativeNB, key: bytes = b"") -> None:
        self.name = name
        self.model: Any = model
        self._key = key
        self._read = READS[name]

    @classmethod
    def new(cls, name: str, smoothing: float, positive: Label, key: bytes | None = None) -> Self:
        """Create an empty model. `name` is a name in `READS`, `smoothing` is lambda, 0 or more, for a model that has
        one, `positive` the class of the log-odds, `key` the secret of the word hash, None for a fixed key for studies.
        """
        options: dict[str, Any] = {"positive": positive}
        if name == "mixed":
            words = MODELS["multinomial"].new(key=key, smoothing=smoothing, prior="uniform")
            options |= {"words": words, "categories": MODELS["categorical"].new(smoothing=smoothing), "text": TEXT}
        elif hasattr(MODELS[name].model, "smoothing"):
            options["smoothing"] = smoothing
        if READS[name] is whole:
            options["key"] = key
        return cls(name, cast("GenerativeNB", MODELS[name].new(**options)), key or b"")

    @classmethod
    def from_bytes(cls, name: str, data: bytes, key: bytes = b"") -> Self:
        """Restore a model from `data`, the bytes of `to_bytes`; `name` and `key` as for the class. Raises SnapshotError
        for bytes that are damaged, or of another model."""
        kind: Any = MODELS[name].model
        return cls(name, kind.from_bytes(data), key)

    @property
    def words(self) -> TextNB | None:
        """The part that counts words; None if there is none."""
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
        """Set lambda to `value`, in messages, 0 or more."""
        parts: tuple[Any, ...] = (self.words, *self.parts)
        for part in parts:
            if hasattr(part, "smoothing"):
                part.smoothing = value

    def score(self, x: Mail, /) -> Score:
        return self.model.score(self._read(x))

    def score_many(self, xs: Iterable[Mail], /) -> list[Score]:
        return [self.score(x) for x in xs]

    def evidence(self, x: Mail, /, most: int | None = None, label: Label | None = None) -> Evidence:
        """The `most` strongest terms of the log-odds of class `label`; None for all, and for the positive class."""
        found: Evidence = self.model.evidence(self._read(x), label)
        return found._replace(terms=found.terms[:most])

    def grade(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """An update of weight 1 for class `label`, whatever the score; `source` is only recorded."""
        return Update(label, UNIT, (), source)

    def apply_update(self, x: Mail, /, update: Update) -> None:
        """Learn the message, unless the update has been emptied."""
        if update.weight:
            self.model.learn_one(self._read(x), update.label)

    def revert_update(self, x: Mail, /, update: Update) -> None:
        """Unlearn the message. Raises ValueError if the model detects that it was not learned: for a class without
        messages, or without these numbers or categories. For words it cannot detect it."""
        if update.weight:
            self.model.unlearn_one(self._read(x), update.label)

    def learn_one(self, x: Mail, y: Label, /, source: str = "") -> None:
        """Learn that the message has class `y`; `source` is ignored."""
        self.model.learn_one(self._read(x), y)

    def recorder(self) -> TextbookRecorder:
        return TextbookRecorder(self, self._changes_header)

    def update_sum(self) -> TextbookSum:
        return TextbookSum(self._changes_header, self._restored)

    def apply_changes(self, data: bytes, /, less: Sequence[bytes] = ()) -> None:
        """Add the `data` of a recorder or a sum, minus the changes in `less`, all or nothing. Raises SnapshotError for
        bytes that are damaged or of another model or log, or that unlearn numbers or categories that were not
        learned."""
        header, restore = self._changes_header, self._restored
        pieces = [(1, read_changes(data, header, restore)), *((-1, read_changes(x, header, restore)) for x in less)]
        applied: list[tuple[int, Self]] = []
        try:
            # Additions come first, so that what is subtracted is there.
            for turn in SIGNS:
                for sign, models in pieces:
                    if sign * turn in models:
                        self._add(models[sign * turn], turn)
                        applied.append((turn, models[sign * turn]))
        except ValueError as error:
            for turn, model in reversed(applied):
                self._add(model, -turn)
            raise SnapshotError(f"updates of another model: {error}") from error

    def _add(self, other: Self, sign: int) -> None:
        if sign > 0:
            self.merge(other)
        else:
            self.unmerge(other)

    @property
    def _changes_header(self) -> dict[str, str]:
        """The header of changes: the library's class, and the secret of the log's word hash."""
        return {"kind": f"{MODELS[self.name].model.__name__} updates", "key": self.key.hex()}

    def _restored(self, data: bytes) -> Self:
        return self.from_bytes(self.name, data)

    def clone(self) -> Self:
        return self.new(self.name, self.smoothing or 0.0, self.positive, self.key or None)

    def merge(self, other: Self, /) -> None:
        """Add what `other` learned. Raises ValueError if its words are hashed with another key."""
        self.model.merge(other.model)

    def unmerge(self, other: Self, /) -> None:
        """Undo the merge of `other`. Raises ValueError like `merge`, and for numbers and categories not learned."""
        self.model.unmerge(other.model)

    def same_counts(self, other: Self, /) -> bool:
        """Whether `other` has the same bytes."""
        return self == other

    def copy(self) -> Self:
        return type(self)(self.name, self.model.copy(), self._key)

    def to_bytes(self) -> bytes:
        return self.model.to_bytes()

    def __eq__(self, other: object) -> bool:
        return isinstance(other, TextbookModel) and self.to_bytes() == other.to_bytes()
