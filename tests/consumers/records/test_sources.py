"""Names of label sources: not empty, and not the one reserved for labels of silence."""

from __future__ import annotations

import pytest

from consumers.dashboard.label_writer import LabelWriter
from consumers.dashboard.server import DashboardServer
from consumers.errors import BadRecord, UserError
from consumers.filter.server import FilterServer
from consumers.log.memory import MemoryLog
from consumers.mailbox.known_mails import KnownMails
from consumers.records.replay import read_labels
from consumers.records.sources import check_source, given_source
from consumers.settings import load_settings


@pytest.mark.parametrize("source", ["ann", "silence of the lambs", "Silence", "x" * 300])
def test_any_other_name_is_valid(source):
    check_source(source)
    assert given_source(source)[:20] == source[:20] and len(given_source(source)) <= 100


def test_the_page_and_mailboxes_refuse_the_reserved_source(topics):
    log = MemoryLog(topics)
    with pytest.raises(BadRecord, match="'silence' is for labels that nobody gave"):
        LabelWriter(log, "silence").append("m1", "spam", False, 0)
    with pytest.raises(UserError, match="source 'silence' is for labels that nobody gave"):
        KnownMails(log, "ann", "silence", lambda folder: "ham", 10)
    assert list(read_labels(log)) == []
    assert LabelWriter(log, "ann").append("m1", "spam", False, 0).source == "ann"


@pytest.mark.parametrize(("section", "server"), [("dashboard", DashboardServer), ("filter", FilterServer)])
@pytest.mark.parametrize("source", ["silence", " "])
def test_a_server_with_the_reserved_source_does_not_start(topics, section, server, source):
    settings = load_settings(None, {f"STREAM_NB_{section.upper()}_SOURCE": source})

    with pytest.raises(UserError, match=rf"\[{section}\] source: source '{source}'"):
        server(lambda: MemoryLog(topics), settings)
