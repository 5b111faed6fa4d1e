"""The monitor counts the classes that the worker learns, and mails scored with another positive class."""

from __future__ import annotations

import msgspec
import pytest

from consumers.evaluation.log_report import report_log
from consumers.evaluation.verify import verify
from consumers.log.base import ProducerRecord
from consumers.log.memory import MemoryLog
from consumers.monitor import service
from consumers.monitor.service import Monitor
from consumers.records.schemas import PREDICTIONS, encode
from consumers.settings import LearnerSettings, Settings
from stream_nb.metrics import Ranking
from tests.support.few_mails import work
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, StreamClock, catch_up, label_record, prediction, stream
from tests.support.worker_run import label, message

FEW = Settings(learner=LearnerSettings(learn="everything", max_classes=4))


def monitor_of(log: MemoryLog) -> Monitor:
    return Monitor(MemoryLog(log.topics), FEW, wall_clock=StreamClock(log))


def mails(first: int, last: int) -> list[ProducerRecord]:
    return [message(f"m{n}", b"Subject: word%d\n\nwords\n" % n) for n in range(first, last)]


def labels_of(monitor: Monitor) -> dict[str, str]:
    return {name: mail.true_label for name, mail in monitor.state.joiner.mails.items() if mail.true_label is not None}


def test_a_class_that_took_the_place_of_another_is_reread_where_it_came():
    log, names = new_log(), ("spam", "ham", "class 2", "class 3", "class 4")
    work(log, FEW, [*mails(0, 6), *(label(f"m{n}", name) for n, name in enumerate(names))])  # class 4 is refused
    work(log, FEW, [label("m3", "spam"), label("m5", "class 4")])
    steady = monitor_of(log)
    catch_up(steady)
    assert labels_of(steady) == {"m0": "spam", "m1": "ham", "m2": "class 2", "m3": "spam", "m5": "class 4"}

    restarted = monitor_of(log)
    catch_up(restarted)
    assert labels_of(restarted) == labels_of(steady)
    assert restarted.view.windows == steady.view.windows


def test_the_monitor_counts_the_classes_that_the_worker_learns():
    """This includes labels that precede their mails; a restarted monitor counts the same."""
    log = new_log()
    work(log, FEW, [*mails(0, 40), label("m0", "spam"), label("m1", "ham")])
    work(log, FEW, [label(f"m{n}", f"class {n}", "eve") for n in range(2, 40)])
    work(log, FEW, [label("m0", "class 9", "eve"), label("m1", "spam", "eve")])
    monitor = monitor_of(log)
    catch_up(monitor)
    assert labels_of(monitor) == {"m0": "spam", "m1": "spam", "m2": "class 2", "m3": "class 3"}

    work(log, FEW, [label("m4", "class 4", "eve"), *(label(f"m{n}", f"class {n}", "eve") for n in range(40, 60))])
    work(log, FEW, mails(40, 60))
    for start in (lambda: monitor, lambda: monitor_of(log)):
        again = start()
        catch_up(again)
        assert len(labels_of(again)) == 5
        assert again.view.classes == ["class 2", "class 3", "class 4", "spam"]
        assert again.view.windows["start"].report.confusion == report_log(log, "spam").confusion
    assert verify(log, FEW).differences == []


def test_a_class_of_the_model_counts_even_if_the_monitor_met_others_first():
    log = new_log()
    records = [label_record(f"m{n}", f"class {n}", "eve", BEGIN) for n in range(9)]
    log.append(
        [ProducerRecord(PREDICTIONS, f"m{n}".encode(), encode(prediction(n, 1.0, BEGIN)), 0, BEGIN) for n in range(9)]
    )
    log.append(records)
    monitor = monitor_of(log)
    catch_up(monitor)
    assert monitor.view.classes == ["class 0", "class 1"]  # the predictions have scores for spam and ham

    known = msgspec.structs.replace(prediction(9, 1.0, BEGIN), scores={f"class {n}": 0.0 for n in range(2, 6)})
    log.append([ProducerRecord(PREDICTIONS, b"m9", encode(known), 0, BEGIN)])
    log.append([label_record("m5", "class 5", "ann", BEGIN), label_record("m7", "class 7", "ann", BEGIN)])
    catch_up(monitor)
    assert monitor.view.classes == ["class 0", "class 1", "class 5"]


def test_of_a_mail_scored_twice_the_first_prediction_counts():
    log = new_log()
    for at, log_odds in enumerate((1.0, -1.0)):
        again = msgspec.structs.replace(prediction(0, log_odds, BEGIN + at), next_offset=at + 1)
        log.append([ProducerRecord(PREDICTIONS, b"m0", encode(again), 0, BEGIN + at)])
    log.append([label_record("m0", "spam", "ann", BEGIN + 2)])
    monitor = monitor_of(log)
    catch_up(monitor)
    assert (monitor.view.mails, monitor.view.windows["start"].report.accuracy) == (1, 1.0)
    assert report_log(log, "spam").accuracy == 1.0


def test_names_of_classes_no_longer_in_use_are_deleted():
    log = new_log()
    log.append([ProducerRecord(PREDICTIONS, b"m0", encode(prediction(0, 1.0, BEGIN)), 0, BEGIN)])
    log.append([label_record("m0", f"class {n // 2}" if n % 2 else None, "eve", BEGIN + n) for n in range(200)])
    monitor = monitor_of(log)
    catch_up(monitor)
    assert monitor.state.totals().classes == {"class 99": 1}
    assert monitor.state.totals().start.confusion == {"class 99": {"spam": 1}}
    assert monitor.view.windows["1000"].report.confusion == {"class 99": {"spam": 1}}


def test_labels_beyond_the_limit_of_classes_are_ignored_as_by_the_worker():
    """Otherwise anyone who may write labels could make the view arbitrarily large."""
    log = new_log()
    names = [label_record(f"m{n}", f"class {n}", "mallory", BEGIN) for n in range(40)]
    mails = [prediction(n, 1.0, BEGIN) for n in range(40)]
    arrived = [ProducerRecord(PREDICTIONS, one.id.encode(), encode(one), 0, BEGIN) for one in mails]
    for records in (names[:20], arrived, names[20:], [label_record("m0", "class 39", "anna", BEGIN)]):
        log.append(records)
    monitor = Monitor(log, Settings(learner=LearnerSettings(max_classes=4)))
    catch_up(monitor)

    classes = monitor.view.classes
    assert len(classes) == 2  # the predictions have scores for spam and ham
    assert monitor.view.windows["start"].report.n == 2
    labels = {mail.true_label for mail in monitor.state.joiner.mails.values()}
    assert labels == {*classes, None}


def test_with_another_positive_class_the_figures_are_of_that_class():
    """This includes mails scored before the change, whose log-odds are those of the other class."""
    log = new_log()
    for batch in stream(400, seed=4):
        log.append(batch)
    before = Monitor(MemoryLog(log.topics), Settings(), wall_clock=StreamClock(log))
    catch_up(before)
    spam, ham = report_log(log, "spam"), report_log(log, "ham")
    assert ham.one_minus_auc_pct == pytest.approx(spam.one_minus_auc_pct)

    settings = Settings(learner=LearnerSettings(positive="ham"))
    monitor = Monitor(MemoryLog(log.topics), settings, wall_clock=StreamClock(log))
    catch_up(monitor)

    windows = monitor.view.windows
    assert windows["10000"].report == ham
    assert windows["start"].report.one_minus_auc_pct == pytest.approx(ham.one_minus_auc_pct, abs=0.05)
    assert windows["10000"].losses == pytest.approx(before.view.windows["10000"].losses), (
        "of two classes they are equal"
    )


def test_with_another_positive_class_since_start_says_that_it_lacks_mails_that_were_not_reread(monkeypatch):
    monkeypatch.setattr(service, "REMEMBER", 100)
    log = new_log()
    for batch in stream(400, seed=4):
        log.append(batch)
    before = Monitor(MemoryLog(log.topics), Settings(), wall_clock=StreamClock(log))
    catch_up(before)
    for positive in ("spam", "ham"):
        settings = Settings(learner=LearnerSettings(positive=positive))
        monitor = Monitor(MemoryLog(log.topics), settings, wall_clock=StreamClock(log))
        catch_up(monitor)
        start, whole = monitor.view.windows["start"], before.view.windows["start"]
        assert (start.report.n < whole.report.n) == start.is_cut == (positive == "ham")
        assert not whole.is_cut


def test_a_point_of_the_history_does_not_read_the_ranking(monkeypatch):
    """Each second of the log has a point, so a slow log would be read as slowly as its ranking since the start."""
    log = new_log()
    for records in stream(60, seed=3):
        log.append(records)
    monitor = monitor_of(log)
    catch_up(monitor)

    monkeypatch.setattr(Ranking, "one_minus_auc_pct", lambda self: pytest.fail("the ranking is read"))
    monitor.state.add_history_points()
    assert {point.labelled for point in monitor.state.points.values()} == {monitor.view.windows["start"].report.n}


def test_a_label_that_counts_only_after_a_restart_can_be_changed(monkeypatch):
    """It was of one class too many; another class has gone since, so that it counts when it is reread: not all records
    are, so nobody knows in which order the classes came."""
    monkeypatch.setattr(service, "REMEMBER", 5)
    log = new_log()
    log.append(
        [
            ProducerRecord(PREDICTIONS, f"m{n}".encode(), encode(prediction(n, 1.0 * n, BEGIN)), 0, BEGIN)
            for n in range(6)
        ]
    )

    def say(number: int, label: str | None, second: int) -> None:
        log.append([label_record(f"m{number}", label, "ann", BEGIN + second)])

    say(2, "class 2", 1)
    say(3, "class 3", 2)
    say(4, "class 4", 3)
    monitor = monitor_of(log)
    catch_up(monitor)
    say(2, None, 4)
    say(5, "class 4", 5)
    catch_up(monitor)
    assert monitor.view.windows["start"].report.n == 2
    again = monitor_of(log)
    catch_up(again)
    assert again.view.windows["100"].report.n == 3
    say(4, "spam", 6)
    catch_up(again)
    counted = {truth: sum(row.values()) for truth, row in again.view.windows["start"].report.confusion.items()}
    assert counted == {"class 3": 1, "class 4": 1, "spam": 1}
    say(5, None, 7)
    catch_up(again)
    assert again.state.totals().classes == {"class 3": 1, "spam": 1}
