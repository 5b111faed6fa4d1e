"""What the monitor counts of records that no worker takes."""

from __future__ import annotations

from consumers.log.base import ProducerRecord
from consumers.monitor.service import Monitor
from consumers.records.schemas import PREDICTIONS, encode
from consumers.settings import LearnerSettings, Settings
from tests.consumers.monitor.stream import BEGIN, catch_up, label_record, new_log, prediction


def test_labels_of_too_many_classes_are_none_as_for_the_worker():
    """Whoever may write labels could else make each view as large as the names that he thinks of."""
    log = new_log()
    names = [label_record(f"m{n}", f"class {n}", "mallory", BEGIN) for n in range(40)]
    mails = [prediction(n, 1.0, BEGIN) for n in range(40)]
    arrived = [ProducerRecord(PREDICTIONS, one.id.encode(), encode(one), 0, BEGIN) for one in mails]
    for records in (names[:20], arrived, names[20:], [label_record("m0", "class 39", "anna", BEGIN)]):
        log.append(records)
    monitor = Monitor(log, Settings(learner=LearnerSettings(max_classes=3)))
    catch_up(monitor)

    classes = monitor.view.classes
    assert len(classes) == 3
    assert monitor.view.windows["start"].report.n == 3
    labels = {mail.true_label for mail in monitor.state.joiner.mails.values()}
    assert labels == {*classes, None}
