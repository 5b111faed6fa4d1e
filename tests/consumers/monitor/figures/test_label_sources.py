"""The counts of label sources: a withdrawn or overruled label no longer counts."""

from __future__ import annotations

import pytest

from consumers.log.base import ProducerRecord
from consumers.monitor.figures.label_sources import MAX_SOURCES, OTHERS, LabelSources
from consumers.records.schemas import PREDICTIONS, LabelRecord, encode
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, label_record, monitor_of, prediction, stream


def counted(log) -> dict[str, tuple[int, int]]:
    catch_up(monitor := monitor_of(log))
    return {source.name: (source.counts.scored, source.counts.wrong) for source in monitor.view.sources}


@pytest.fixture
def log():
    """Three mails predicted to be spam."""
    log = new_log()
    for number in range(3):
        record = encode(prediction(number, 3.0, BEGIN + number))
        log.append([ProducerRecord(PREDICTIONS, b"m%d" % number, record, 0, BEGIN + number)])
    return log


def test_after_a_label_is_withdrawn_the_previous_source_s_label_counts_again(log):
    log.append([label_record("m0", "spam", "people", BEGIN + 5), label_record("m0", "ham", "clicker", BEGIN + 6)])
    assert counted(log) == {"people": (0, 0), "clicker": (1, 1)}
    log.append([label_record("m0", None, "clicker", BEGIN + 7, forget=True)])
    assert counted(log) == {"people": (1, 0), "clicker": (0, 0)}


def test_withdrawing_all_labels_removes_all_counts_of_errors(log):
    log.append([label_record(f"m{n}", "ham", "clicker", BEGIN + 5) for n in range(3)])
    assert counted(log) == {"clicker": (3, 3)}
    log.append([label_record(f"m{n}", None, "clicker", BEGIN + 6, forget=True) for n in range(3)])
    assert counted(log) == {"clicker": (0, 0)}


def test_the_same_label_from_another_source_counts_for_that_one(log):
    log.append([label_record("m0", "ham", "rule", BEGIN + 5), label_record("m0", "ham", "people", BEGIN + 6)])
    assert counted(log) == {"rule": (0, 0), "people": (1, 1)}


def test_a_forgotten_label_and_no_label_count_as_withdrawn():
    sources = LabelSources()
    for label, forget in (("spam", False), ("spam", True), (None, True), (None, False)):
        sources.add(LabelRecord("m0", label, "people", 0.0, forget), 0.0)
    (counts,) = sources.counts.values()
    assert (counts.labels, counts.withdrawn) == (1, 3)


@pytest.mark.parametrize("seed", range(4))
def test_every_labelled_mail_counts_for_one_source(seed):
    log = new_log()
    for records in stream(200, seed):
        log.append(records)
    catch_up(monitor := monitor_of(log))
    report = monitor.view.windows["start"].report
    counts = [source.counts for source in monitor.view.sources]
    assert sum(each.scored for each in counts) == report.n > 0
    assert sum(each.wrong for each in counts) == report.n - sum(
        row.get(truth, 0) for truth, row in report.confusion.items()
    )


def test_the_number_of_sources_is_bounded():
    sources = LabelSources()
    for number in range(MAX_SOURCES + 50):
        sources.add(LabelRecord("m", "spam", f"bot {number}", 0.0), 1.0)
    assert len(sources.counts) == MAX_SOURCES + 1
    sources.add(LabelRecord("m", "spam", "bot 7", 0.0), 1.0)
    assert (sources.counts[OTHERS].labels, sources.counts["bot 7"].labels) == (50, 2)
    assert [source.name for source in sources.view()][:3] == [OTHERS, "bot 7", "bot 0"]
    assert [source.name for source in sources.view() if source.pooled] == [OTHERS]


def test_the_last_label_of_a_source_is_the_latest_of_all_partitions():
    sources = LabelSources()
    for timestamp in (BEGIN + 9, BEGIN + 5):
        sources.add(LabelRecord("m", "ham", "ann", timestamp), timestamp)
    assert sources.counts["ann"].last_at == BEGIN + 9
