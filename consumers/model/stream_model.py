"""What the stages ask of the model on the log, whichever it is: `[learner] model` in the settings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol, Self

from stream_nb.types import Evidence, Label, Mail, Score, Update


class TakesUpdates(Protocol):
    """What updates can be applied to, and taken back from."""

    def apply_update(self, x: Mail, /, update: Update) -> None:
        """Add an update about a message."""
        ...

    def revert_update(self, x: Mail, /, update: Update) -> None:
        """Take an update about a message back: the exact opposite of `apply_update`.

        Args:
            x: The message.
            update: The update that was applied for it.
        """
        ...


class Recorder(TakesUpdates, Protocol):
    """Applies updates to a model and remembers them, until `take` gives their sum."""

    def learn(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """Grade a label, apply the update, and return it.

        Args:
            x: The message.
            label: Its class; one not met before joins.
            source: Who gives the label; "" stands for all who are not named.
        """
        ...

    @property
    def nbytes(self) -> int:
        """About what `take` would give, in bytes, or more."""
        ...

    def take(self) -> bytes:
        """The sum of the updates since the last call, for `StreamModel.apply_changes`; ``b""`` when there was none."""
        ...


class UpdateSum(Protocol):
    """Adds up changes: a model that takes over the sum is as if it had taken over each of them, bit for bit."""

    @property
    def nbytes(self) -> int:
        """About what `take` would give, in bytes."""
        ...

    def add(self, data: bytes) -> None:
        """Add changes.

        Args:
            data: What `Recorder.take` gave, and not ``b""``.

        Raises:
            SnapshotError: It is anything else, or its words are hashed with another key; the sum is as before.
        """
        ...

    def take(self) -> bytes:
        """The sum since the last call, for `StreamModel.apply_changes`; ``b""`` when nothing was added."""
        ...


class StreamModel(TakesUpdates, Protocol):
    """A model that scores and learns one message at a time, and whose statistics are sums of updates.

    An update is what one label adds. It is worked out once (`grade`), and can then be applied to any model of the log,
    taken back, merged with others and recounted: the sum has the same bits in any order. `MailNB` is such a model, and
    so are the textbook models in a `textbook.TextbookModel`.

    Attributes:
        smoothing: Lambda, in messages; None where the model has none. It can be set at any time.
    """

    smoothing: Any

    @property
    def key(self) -> bytes:
        """The secret of the word hash; empty where no word is hashed."""
        ...

    @property
    def positive(self) -> Any:  # a Label, which a checked option of a model is to no type checker
        """The class that log-odds and probability speak of."""
        ...

    @property
    def classes(self) -> tuple[Label, ...]:
        """The classes met so far."""
        ...

    @property
    def labels_learned(self) -> int:
        """How many labels count in the statistics now."""
        ...

    @property
    def features(self) -> int:
        """Distinct words (and pairs of words, numbers and categories) that have been counted."""
        ...

    def score(self, x: Mail, /) -> Score:
        """What the model thinks of a message; changes no state."""
        ...

    def score_many(self, xs: Iterable[Mail], /) -> list[Score]:
        """`score` of each message, in order."""
        ...

    def evidence(self, x: Mail, /, most: int | None = None) -> Evidence:
        """The terms that add up to the log-odds, the strongest first.

        Args:
            x: The message.
            most: How many terms to give, 0 or more; None for all.
        """
        ...

    def learn_one(self, x: Mail, y: Label, /, source: str = "") -> None:
        """Grade a label, and apply the update.

        Args:
            x: The message.
            y: Its class; one not met before joins.
            source: Who gives the label; "" stands for all who are not named.
        """
        ...

    def grade(self, x: Mail, /, label: Label, source: str = "") -> Update:
        """What learning a label of a message now would add; changes no state.

        Args:
            x: The message.
            label: Its class, met before or not.
            source: Who gives the label; "" stands for all who are not named.
        """
        ...

    def recorder(self) -> Recorder:
        """What applies updates to this model and remembers them."""
        ...

    def update_sum(self) -> UpdateSum:
        """Adds up what recorders of models of this log gave; it does not read or change this one."""
        ...

    def apply_changes(self, data: bytes, /, less: Sequence[bytes] = ()) -> None:
        """Add what a recorder of another model, or a sum, gave.

        Args:
            data: What `Recorder.take` or `UpdateSum.take` gave, and not ``b""``.
            less: What recorders gave, is in this model already, and in that sum once more: it is taken out.

        Raises:
            SnapshotError: It is anything else, or its words are hashed with another key; the model is as before.
        """
        ...

    def delta(self) -> Self:
        """An empty model like this one."""
        ...

    def merge(self, other: Any, /) -> None:
        """Add everything another model learned, as if it had been learned here.

        Args:
            other: A model of the same kind; it stays as it is.

        Raises:
            ValueError: Its words are hashed with another key.
        """
        ...

    def unmerge(self, other: Any, /) -> None:
        """Take back what `merge` added.

        Args:
            other: A model that has been merged into this one; it stays as it is.

        Raises:
            ValueError: Its words are hashed with another key, or the model can tell that it was not merged.
        """
        ...

    def same_counts(self, other: Any, /) -> bool:
        """Whether both have the same options and statistics, whatever is known of the texts of words.

        Args:
            other: A model of the same kind.
        """
        ...

    def copy(self) -> Self:
        """A model with the same statistics that shares nothing with this one."""
        ...

    def to_bytes(self) -> bytes:
        """The whole model; equal models give equal bytes, whatever the order of learning."""
        ...
