"""The changes of a textbook model as bytes: two model snapshots, of what was added and of what was reverted.

The two are separate, because a model can only unlearn what it has learned.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar

import numpy as np

from stream_nb import SnapshotError, flat
from stream_nb.types import Mail, Score, Update

from ..records.values import Label
from .stream_model import StreamModel

SIGNS = (1, -1)
"""The signs of the two models: added, reverted."""
_WORD_BYTES = 50

Model = TypeVar("Model", bound=StreamModel)


def pack_changes(header: dict[str, str], models: dict[int, Model]) -> bytes:
    """Encode `models` by sign, with a `header`; ``b""`` if the models have learned nothing."""
    if not any(model.labels_learned for model in models.values()):
        return b""
    parts = (models[sign].to_bytes() if sign in models else b"" for sign in SIGNS)
    return flat.pack(header, [np.frombuffer(part, np.uint8) for part in parts])


def read_changes(data: bytes, header: dict[str, str], restore: Callable[[bytes], Model]) -> dict[int, Model]:
    """Decode the models that `pack_changes` encoded with this `header`; `restore` makes a model of its bytes. Raises
    SnapshotError for any other `data`."""
    found, arrays = flat.unpack(data)
    if found != header:
        kind = found.get("kind")
        other = "those of words hashed with another key" if kind == header["kind"] else repr(kind)[:40]
        raise SnapshotError(f"{header['kind']} of this log are expected, not {other}")
    if len(arrays) != len(SIGNS):
        raise SnapshotError(f"updates in {len(arrays)} parts, not {len(SIGNS)}")
    return {sign: restore(part.tobytes()) for sign, part in zip(SIGNS, arrays, strict=True) if part.size}


class _Changes:
    """Models of what was added and reverted, by sign, until they are taken."""

    def __init__(self, header: dict[str, str]) -> None:
        self._header = header
        self._models: dict[int, StreamModel] = {}
        self._nbytes: int = 0

    def take(self) -> bytes:
        models, self._models = self._models, {}
        self._nbytes = 0
        return pack_changes(self._header, models)


class TextbookRecorder(_Changes):
    """A `stream_model.Recorder` of `model`; `header` identifies the changes."""

    def __init__(self, model: StreamModel, header: dict[str, str]) -> None:
        super().__init__(header)
        self._model = model

    @property
    def nbytes(self) -> int:
        # Each model has a count or two of each feature for each of its classes.
        return self._nbytes + sum([model.features * len(model.classes) for model in self._models.values()])

    def learn(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """Learn that the message has class `label`, according to `source`; returns the update."""
        update = self._model.grade(x, label, source)
        self.apply_update(x, update)
        return update

    def score_then_learn(
        self, xs: Sequence[Mail], labels: Sequence[Label | None], sources: Sequence[str], /
    ) -> list[tuple[Score, Update | None]]:
        """Score each of `xs`, and learn its label after that: one of `labels`, by one of `sources`."""
        return [
            (self._model.score(x), None if label is None else self.learn(x, label, source))
            for x, label, source in zip(xs, labels, sources, strict=True)
        ]

    def apply_update(self, x: Mail, /, update: Update) -> None:
        self._model.apply_update(x, update)
        self._recorded(1, x).apply_update(x, update)

    def revert_update(self, x: Mail, /, update: Update) -> None:
        self._model.revert_update(x, update)
        self._recorded(-1, x).apply_update(x, update)

    def _recorded(self, sign: int, x: Mail) -> StreamModel:
        # A word needs a key, a name and its counts besides its text; a repeated word is counted again (upper bound).
        named = (*x.words, *x.features)
        texts = sum([len(name) + (len(value) if isinstance(value, str) else 0) for name, value in named])
        self._nbytes += 2 * sum(len(text) for _, text in x.parts) + texts + _WORD_BYTES * len(named)
        if sign not in self._models:
            self._models[sign] = self._model.clone()
        return self._models[sign]


class TextbookSum(_Changes):
    """A `stream_model.UpdateSum` of changes with this `header`; `restore` makes a model of its bytes."""

    def __init__(self, header: dict[str, str], restore: Callable[[bytes], StreamModel]) -> None:
        super().__init__(header)
        self._restore = restore

    @property
    def nbytes(self) -> int:
        return self._nbytes

    def add(self, data: bytes) -> None:
        """Add the `data` of a recorder; raises SnapshotError for any other bytes."""
        try:
            for sign, model in read_changes(data, self._header, self._restore).items():
                if sign in self._models:
                    self._models[sign].merge(model)
                else:
                    self._models[sign] = model
        except ValueError as error:
            raise SnapshotError(f"updates of another model: {error}") from error
        self._nbytes += len(data)
