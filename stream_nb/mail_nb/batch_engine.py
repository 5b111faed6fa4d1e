"""Scores messages, and learns their labels, many per call of a kernel, for `MailNB`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any

import numpy as np

from stream_nb import kernels
from stream_nb.batch import numbered
from stream_nb.features.count_changes import ChangeSum
from stream_nb.features.extractor import Extractor
from stream_nb.kernels.layout import UNIT, MailResult, MailSetting, MailUpdate
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.mail_nb.label_batch import LabelBatch
from stream_nb.types import ClassName, Label

AT_ONCE = 32
"""Messages per call of a kernel; the texts of this many mails fit in a processor's cache."""
_NO_BOUND = np.iinfo(np.int64).max


class BatchSum:
    """The sum to which a batch adds what it learns.

    Args:
        changes: The sum of words and pairs.
        columns: The column in the sum of each class of the model; -1 for none yet.
        add_class: Adds a class, given its column in the model, and returns its column in the sum.
    """

    def __init__(self, changes: ChangeSum, columns: Sequence[int], add_class: Callable[[int], int]) -> None:
        self.changes = changes
        self.columns = np.array(columns, np.int64)
        self._add_class = add_class
        self.make_room(0, -1, 0)

    def make_room(self, features: int, rival: int, most: int) -> None:
        """Make room for `features` more features, for class number `rival` (-1: none), and for amounts up to `most`."""
        if rival >= 0 and self.columns[rival] < 0:
            self.columns[rival] = self._add_class(rival)
        self.changes.make_room(features, 1 + int(self.columns.max(initial=-1)), most)


class BatchEngine(MailEngine):
    """A `MailEngine` that takes many messages at once. The results have the same bits as those of one at a time."""

    def score_many(self, xs: Iterable[Any], positive: Label) -> Iterator[list[float]]:
        """`result` of each message as a list, in order; faster than single calls."""
        for chunk in _chunks(xs):
            if len(chunk) > 1 and all(map(self.can_batch, chunk)):
                nothing = [None] * len(chunk)
                yield from self.run(chunk, nothing, [""] * len(chunk), positive, False).results.tolist()
            else:
                for x in chunk:
                    self.score(x, positive)
                    yield self.result.tolist()

    def score_then_learn(self, xs: list[Any], labels: list[ClassName], positive: Label, source: str) -> list[float]:
        """Test, then train, on each message in order. Returns the log-odds of each message before it was learned."""
        log_odds: list[float] = []
        while (at := len(log_odds)) < len(xs):
            n = self.can_learn(xs, labels, at)
            if n:
                batch = self.run(xs[at : at + n], labels[at : at + n], [source] * n, positive, False)
                log_odds += batch.results[:, MailResult.LOG_ODDS].tolist()
            else:
                try:
                    scored = self.score(xs[at], positive)
                except (TypeError, ValueError) as error:
                    raise numbered(error, at) from error
                log_odds.append(self.result.item(MailResult.LOG_ODDS))
                self.learn(scored, labels[at], source)
        return log_odds

    def can_batch(self, x: Any) -> bool:
        """Whether a message can be in a batch: the kernel adds neither a starter's share, nor features."""
        return self.statistics.starter is None and Extractor.packable(x)

    def can_learn(self, xs: Sequence[Any], labels: Sequence[Label | None], begin: int) -> int:
        """How many messages from `begin` on one batch can score and learn, at most `AT_ONCE`.

        A new class must be learned singly, because it changes the scores of the messages before it; and so must any
        label while a class has none, because that class may become empty.
        """
        if min(self.statistics.labels, default=1) <= 0:
            return 0
        known, end = {None, *self.statistics.columns}, begin
        while end < min(len(xs), begin + AT_ONCE) and labels[end] in known and self.can_batch(xs[end]):
            end += 1
        return end - begin

    def run(
        self,
        xs: Sequence[Any],
        labels: Sequence[Label | None],
        sources: Sequence[str],
        positive: Label,
        probabilities: bool,
        into: BatchSum | None = None,
    ) -> LabelBatch:
        """Score messages that `can_batch`, and learn each after scoring it, unless its label is None.

        Args:
            xs: The messages.
            labels: Their labels, of known classes.
            sources: Who gave each label.
            positive: The class of log-odds and probabilities.
            probabilities: Whether probabilities are needed after the first label, too.
            into: The sum to which the updates are added, for an engine without `most`.
        """
        extractor, statistics = self.extractor, self.statistics
        firsts = extractor.pack(xs)
        if statistics.classes is not self.classes:
            self._bind_classes()
        key = extractor.key if self._settings[MailSetting.TRUST] else None
        batch = LabelBatch(statistics, xs, labels, sources, key)
        column = statistics.columns.get(positive, -1)
        most = _NO_BOUND if self._most is None else self._most
        sums = into if into is not None else BatchSum(ChangeSum(), (), int)
        self._last = None
        i = 0
        while i < len(xs):
            table = sums.changes.table
            i = kernels.mail_score_then_learn(
                i, extractor.text, extractor.parts, firsts, batch.columns, batch.results, batch.updates, probabilities,
                most, extractor.pairs, extractor.grams, extractor.longest_prefix, statistics.table.rows,
                self._addresses, self.lead, column, batch.sources, batch.source_ids, batch.originators,
                batch.originator_ids, batch.runs, sums.columns, table.rows, table.workspace.addresses,
            )  # fmt: skip
            statistics.epoch += 1
            if self._most is not None:
                self._keep_within(self._most)
            if i < len(xs):
                weight, taken, rival = batch.updates[i, MailUpdate.WEIGHT :].tolist()
                amount = max(UNIT, weight, abs(taken))
                statistics.table.reserve(extractor, len(extractor.hashes), amount)
                if into is not None:
                    into.make_room(len(extractor.hashes), rival, amount)
        batch.store()
        return batch


def _chunks(xs: Iterable[Any]) -> Iterator[list[Any]]:
    """Yield the messages in order, in lists of up to `AT_ONCE`."""
    remaining = iter(xs)
    while chunk := list(islice(remaining, AT_ONCE)):
        yield chunk
