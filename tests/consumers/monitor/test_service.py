"""The monitor over a stream: figures compared with slow computations, and restarts at any point."""

from __future__ import annotations

import itertools
from collections import Counter

import msgspec
import pytest
from sklearn import metrics

from consumers.errors import BadRecord, LogUnavailable, Restart
from consumers.evaluation.log_report import report_log
from consumers.log.base import ProducerRecord, Record, TopicPartition
from consumers.monitor import service
from consumers.monitor.figures.curves import Curves
from consumers.monitor.topic import CURVES, FORMAT, TOTALS, VIEW, decode_record, read_last
from consumers.monitor.view import View
from consumers.records.replay import final_labels
from consumers.records.schemas import LABELS, MONITOR, PREDICTIONS
from consumers.records.skipped import SkippedRecords
from tests.support.memory_log import new_log
from tests.support.monitor_stream import catch_up, monitor_of, read_to_end, stream
from tests.support.outputs import predictions


def feed(log, records) -> None:
    for batch in records:
        log.append(batch)


def test_a_monitor_restarts_if_its_topics_get_more_partitions():
    """Otherwise it would stop counting and show its last figures forever."""
    monitor = monitor_of(new_log())
    monitor.step()
    monitor.consumer._places |= {TopicPartition(topic, 9) for topic in (PREDICTIONS, LABELS)}
    monitor.consumer.reassign()

    with pytest.raises(Restart, match="more partitions than when this monitor started"):
        monitor.step()


def test_a_replaced_monitor_shows_no_figures_until_it_takes_over_again(caplog):
    """Otherwise it would show its last figures forever."""
    log = new_log()
    feed(log, stream(40, seed=2))
    monitor = monitor_of(log)
    catch_up(monitor)
    assert monitor.view.mails == 40

    places, monitor.consumer._places = monitor.consumer._places, frozenset()
    monitor.consumer.reassign()
    monitor.step(timeout_s=0.0)
    assert (monitor.view, monitor.health, monitor.ready) == (None, None, False)
    assert "another monitor of group 'monitor' is active; this one takes over when it ends" in caplog.text

    monitor.consumer._places = places
    catch_up(monitor)
    assert monitor.view.mails == 40


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_Q1_since_start_equals_the_report_over_the_final_labels(seed):
    log = new_log()
    feed(log, stream(400, seed))
    monitor = monitor_of(log)
    catch_up(monitor)
    expected = report_log(log, "spam")
    assert monitor.view.windows["10000"].report == expected
    truths = Counter({truth: sum(row.values()) for truth, row in expected.confusion.items()})
    assert +monitor.state.baselines.counts == truths
    start = msgspec.to_builtins(monitor.view.windows["start"].report)
    # the ranking since the start rounds scores to a grid of 0.05
    assert start.pop("one_minus_auc_pct") == pytest.approx(expected.one_minus_auc_pct, abs=0.05)
    assert start.items() <= msgspec.to_builtins(expected).items()


def test_Q1_Q2_rolling_window_equals_scikit_learn():
    log = new_log()
    for number, records in enumerate(stream(300, seed=4)):
        log.append([record for record in records if record.topic == PREDICTIONS or number % 2])
    monitor = monitor_of(log)
    catch_up(monitor)
    window = monitor.state.windows.rolling["100"]
    outcomes = list(window.outcomes.values())
    truths = [one.true_label for one in outcomes]
    given = [one.label for one in outcomes]
    report = monitor.view.windows["100"].report
    assert len(outcomes) == report.n == 100
    assert report.accuracy == pytest.approx(metrics.accuracy_score(truths, given), abs=1e-12)
    assert report.precision == pytest.approx(metrics.precision_score(truths, given, pos_label="spam"), abs=1e-12)
    assert report.recall == pytest.approx(metrics.recall_score(truths, given, pos_label="spam"), abs=1e-12)
    auc = metrics.roc_auc_score([truth == "spam" for truth in truths], [one.log_odds for one in outcomes])
    assert 1 - report.one_minus_auc_pct / 100 == pytest.approx(auc, abs=1e-12)
    labels = final_labels(log)
    scored = {p.id: p for p in predictions(log)}
    for one in outcomes:
        assert (labels[one.id], scored[one.id].label, scored[one.id].log_odds) == (
            one.true_label,
            one.label,
            one.log_odds,
        )


def test_baselines_are_scored_on_the_same_labels():
    log = new_log()
    feed(log, ([d for d in records if d.topic == PREDICTIONS] for records in stream(60, seed=6)))
    truths = ["ham" if number % 3 else "spam" for number in range(60)]
    from tests.support.monitor_stream import BEGIN, label_record

    feed(log, ([label_record(f"m{n}", truth, "people", BEGIN + 10 + n)] for n, truth in enumerate(truths)))
    monitor = monitor_of(log)
    catch_up(monitor)
    last = sum(a == b for a, b in itertools.pairwise(truths))
    base = sum(
        max(set(truths[:n]), key=lambda c: (truths[:n].count(c), c == truths[0])) == truths[n] for n in range(1, 60)
    )
    window = monitor.view.windows["100"]
    assert (window.last_class_accuracy, window.base_rate) == (last / 60, base / 60)


def test_a_new_assignment_of_the_same_partitions_counts_nothing_twice():
    """Records that were counted but not committed are read again, even if the partitions are the same."""
    log = new_log()
    monitor = monitor_of(log, clock=lambda: 0.0)  # it publishes at the first step, and then only when asked
    batches = list(stream(80, seed=5))
    feed(log, batches[:40])
    catch_up(monitor)
    feed(log, batches[40:])
    while monitor.step(timeout_s=0.0):
        pass
    counted = monitor.state.totals()

    monitor.consumer.reassign()
    catch_up(monitor)

    again = monitor.state.totals()
    for name in ("mails", "labels", "start", "classes", "sources", "latency", "delay"):
        assert getattr(again, name) == getattr(counted, name), name


@pytest.mark.parametrize("partitions", [1, 10])
def test_a_restart_keeps_totals_of_records_that_can_no_longer_be_reread(monkeypatch, partitions):
    monkeypatch.setattr(service, "REMEMBER", 100)
    whole, broken = new_log(partitions), new_log(partitions)
    steady = monitor_of(whole)
    for number, records in enumerate(stream(800, seed=12, partitions=partitions)):
        whole.append(records)
        broken.append(records)
        if number % 60 == 59:
            catch_up(steady)
            catch_up(restarted := monitor_of(broken))
    old, new = steady.state.totals(), restarted.state.totals()
    for name in ("start", "mails", "labels", "classes", "sources", "delay", "latency"):
        assert getattr(new, name) == getattr(old, name), name
    assert new.mails > 7 * 100
    for name in ("1000", "24 h"):
        assert [monitor.view.windows[name].is_cut for monitor in (steady, restarted)] == [False, True]


OLD_VIEW = [
    (TOTALS, b'{"salt":"AAAAAAAAAAAAAAAAAAAAAA==","mails":7,"labels":3}'),
    (VIEW, b'{"at":0.0,"positive":"spam","mails":7}'),
    (b"mail/0/1", b'{"place":[0,1],"id":"m1","given":"spam","odds":1.0}'),
    (b"history/1/1", b"[1,7,3,null,null,null,null,null,1.0,9]"),
    (TOTALS, b'{"format":%d,"value":{"salt":"AAAAAAAAAAAAAAAAAAAAAA==","mails":9}}' % (FORMAT + 1)),
]


def test_a_monitor_skips_and_counts_totals_of_another_format():
    log = new_log()
    log.append([ProducerRecord(MONITOR, key, value, 0) for key, value in OLD_VIEW])
    feed(log, stream(60, seed=3))
    monitor = monitor_of(log)
    catch_up(monitor)
    assert monitor.skipped.count == 2
    assert monitor.view.mails == 60
    assert monitor.view.windows["start"].report.n == report_log(log, "spam").n
    assert read_last(log, VIEW, View, SkippedRecords()) == monitor.view


@pytest.mark.parametrize(("key", "value"), OLD_VIEW)
def test_a_record_of_another_format_is_ignored(key, value):
    with pytest.raises(BadRecord, match="format"):
        decode_record(Record(MONITOR, 0, 0, key, value, 0.0))


def test_curves_catch_up_with_the_figures_when_the_stream_stops():
    log = new_log()
    feed(log, stream(80, seed=5))
    monitor = monitor_of(log)
    read_to_end(monitor)
    monitor.publish(curves=False)
    monitor.publish(curves=True)
    curves = read_last(log, CURVES, Curves, SkippedRecords())
    assert curves is not None
    assert sum(point.mails for point in curves.windows["start"].calibration) == monitor.view.windows["start"].report.n
    end = log.end_offset(TopicPartition(MONITOR, 0))
    monitor.publish(curves=True)
    assert log.end_offset(TopicPartition(MONITOR, 0)) == end


def test_only_committed_figures_are_shown(monkeypatch):
    """The next monitor counts from the last commit, and Prometheus takes a counter that falls for one that was reset
    to 0."""
    log, records = new_log(), list(stream(40, seed=9))
    feed(log, records[:20])
    monitor = monitor_of(log)
    catch_up(monitor)
    shown = monitor.view

    def unavailable(*commit) -> None:
        raise LogUnavailable("no answer")

    monkeypatch.setattr(monitor.consumer, "commit", unavailable)
    feed(log, records[20:])
    with pytest.raises(LogUnavailable):
        catch_up(monitor)
    assert monitor.view == shown


def test_the_view_and_the_positions_are_committed_together():
    log = new_log()
    feed(log, stream(40, seed=9))
    monitor = monitor_of(log)
    catch_up(monitor)
    view = read_last(log, VIEW, View, SkippedRecords())
    assert view == monitor.view
    places = [TopicPartition(topic, 0) for topic in (PREDICTIONS, "labels")]
    assert [log.topics.committed["monitor", at] for at in places] == [log.end_offset(at) for at in places]
    before = log.end_offset(TopicPartition(MONITOR, 0))
    monitor.publish(curves=False)
    assert log.end_offset(TopicPartition(MONITOR, 0)) == before
