"""Who gives labels has a name, and not that of the labels that nobody gave."""

from __future__ import annotations

import pytest

from consumers.dashboard.label_writer import LabelWriter
from consumers.errors import BadRecord, UserError
from consumers.log.memory import MemoryLog
from consumers.mailbox.places import Places
from consumers.records.replay import read_labels
from consumers.records.sources import check_source, given_source


@pytest.mark.parametrize("source", ["ann", "silence of the lambs", "Silence", "x" * 300])
def test_any_other_name_is_one(source):
    check_source(source)
    assert given_source(source)[:20] == source[:20] and len(given_source(source)) <= 100


def test_neither_the_page_nor_a_mailbox_gives_labels_of_silence(topics):
    log = MemoryLog(topics)
    with pytest.raises(BadRecord, match="'silence' is for labels that nobody gave"):
        LabelWriter(log, "silence").append("m1", "spam", "")
    with pytest.raises(UserError, match="source 'silence' is for labels that nobody gave"):
        Places(log, "ann", "silence", lambda folder: False, 10)
    assert list(read_labels(log)) == []
    assert LabelWriter(log, "ann").append("m1", "spam", "").source == "ann"
