"""Labels of silence change no quality figure, whatever people label before and after."""

from __future__ import annotations

import random

import msgspec
import pytest

from consumers.evaluation.log_report import report_log
from consumers.log.base import ProducerRecord
from consumers.monitor.figures.curves import Curves
from consumers.monitor.topic import CURVES, read_last
from consumers.records.schemas import PREDICTIONS, SILENCE, encode
from consumers.records.skipped import SkippedRecords
from tests.support.memory_log import new_log
from tests.support.monitor_stream import BEGIN, catch_up, label_record, monitor_of, prediction, stream

LATER = 0.001
"""A silence label comes so long after what it follows: the log keeps milliseconds."""


def with_silence(records: list[ProducerRecord], number: int, draw: random.Random) -> list[ProducerRecord]:
    """The same records, with labels of silence for some earlier mails added, a few of them withdrawn again."""
    at = (records[-1].timestamp or BEGIN) + LATER
    ids = [f"m{max(0, number - draw.randrange(40))}" for _ in range(2)]
    return [*records, *(label_record(one, "ham", SILENCE, at, forget=draw.random() < 0.1) for one in ids)]


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_labels_of_silence_change_only_the_counts_of_their_source(seed):
    heard, silent, draw = new_log(), new_log(), random.Random(seed)
    for number, records in enumerate(stream(300, seed)):
        heard.append(records)
        silent.append(with_silence(records, number, draw))
    views, curves = [], []
    for log in (heard, silent):
        catch_up(monitor := monitor_of(log))
        view = msgspec.to_builtins(monitor.view)
        sources = {source["name"]: source["counts"] for source in view.pop("sources")}
        assert (SILENCE in sources) is (log is silent)
        sources.pop(SILENCE, None)
        for name in ("timestamp", "log_status", "audit", "mails_per_s", "labels_per_s"):
            view.pop(name)
        views.append((view, sources))
        curves.append(read_last(log, CURVES, Curves, SkippedRecords()))
    assert views[0] == views[1]
    assert curves[0] == curves[1]
    assert report_log(heard, "spam") == report_log(silent, "spam")


def test_corrections_of_labels_of_silence_count_against_silence():
    log = new_log()
    for number in range(4):
        record = encode(prediction(number, -3.0, BEGIN + number))
        log.append([ProducerRecord(PREDICTIONS, b"m%d" % number, record, 0, BEGIN + number)])
    log.append([label_record(f"m{number}", "ham", SILENCE, BEGIN + 10) for number in range(3)])
    log.append([label_record("m0", "spam", "ann", BEGIN + 11), label_record("m1", "ham", "ann", BEGIN + 11)])
    log.append([label_record("m3", "spam", "ann", BEGIN + 11)])

    def counted() -> dict[str, tuple[int, int, int]]:
        catch_up(monitor := monitor_of(log))
        counts = {source.name: source.counts for source in monitor.view.sources}
        people = [each for name, each in counts.items() if name != SILENCE]
        assert monitor.view.labels == sum(each.labels + each.withdrawn for each in people)
        assert monitor.view.coverage == sum(each.scored for each in people) / 4
        return {name: (each.labels, each.scored, each.wrong) for name, each in counts.items()}

    assert counted() == {SILENCE: (3, 3, 1), "ann": (3, 3, 2)}
    log.append([label_record("m0", None, "ann", BEGIN + 12, forget=True)])
    assert counted() == {SILENCE: (3, 3, 0), "ann": (3, 2, 1)}
    log.append([label_record("m1", None, SILENCE, BEGIN + 13, forget=True)])
    log.append([label_record("m2", None, SILENCE, BEGIN + 13, forget=True)])
    assert counted() == {SILENCE: (3, 1, 0), "ann": (3, 2, 1)}
    log.append([label_record("m0", "spam", "ann", BEGIN + 14)])
    assert counted() == {SILENCE: (3, 1, 1), "ann": (4, 3, 2)}


def test_a_mail_labelled_by_silence_is_marked_in_its_row():
    log = new_log()
    log.append([ProducerRecord(PREDICTIONS, b"m0", encode(prediction(0, -3.0, BEGIN)), 0, BEGIN)])
    log.append([label_record("m0", "ham", SILENCE, BEGIN + 1)])
    catch_up(monitor := monitor_of(log))
    (mail,) = monitor.state.joiner.mails.values()
    assert (mail.silent, mail.true_label, mail.source, mail.labelled_at) == (True, None, "", 0.0)
    log.append([label_record("m0", "spam", "ann", BEGIN + 2), label_record("m0", "ham", SILENCE, BEGIN + 3)])
    catch_up(monitor)
    assert (mail.silent, mail.true_label, mail.source, mail.labelled_at) == (True, "spam", "ann", BEGIN + 2)
