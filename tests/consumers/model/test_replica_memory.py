"""Loading a model takes little more memory than it keeps: what is freed among objects that stay is not returned."""

from __future__ import annotations

import gc
import tracemalloc

from consumers.model.ledger import Entry, LabelVote
from consumers.model.replica import Replica
from consumers.settings import Settings
from stream_nb.types import Update
from tests.support.memory_log import new_log

ENTRIES = 20_000


def test_the_entries_of_a_snapshot_are_not_all_decoded_at_once():
    log = new_log()
    writer = Replica.load(log, Settings())
    writer.ensure_key()
    for number in range(ENTRIES):
        label = ("ham", "spam")[number % 2]
        vote = LabelVote("people", label, 1.5 + number)
        update = Update(label, 256, (1, 2), "people")
        writer.ledger(0).put(Entry(f"m{number}", number + 1, 2.5 + number, (vote,), update))
    log.append(writer.snapshot_records())
    gc.collect()
    tracemalloc.start()
    try:
        loaded = Replica.load(log, Settings())
        kept, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert loaded.ledger(0).entries == writer.ledger(0).entries
    assert most < 2 * kept, (most, kept)
