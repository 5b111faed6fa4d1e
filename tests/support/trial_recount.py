"""Recounts the log of a trial: by `verify`, by the outputs of each mail, and by a single process."""

from __future__ import annotations

import contextlib
from collections import Counter
from pathlib import Path

from consumers.errors import BadRecord
from consumers.evaluation.log_report import report_log
from consumers.evaluation.verify import verify
from consumers.log.base import Log, ProducerRecord
from consumers.log.sqlite.log import SqliteLog
from consumers.model.replica import Replica
from consumers.monitor.topic import TOTALS, read_last
from consumers.monitor.totals import MonitorTotals
from consumers.records.messages import read_message
from consumers.records.replay import read_all
from consumers.records.schemas import (
    EMAILS,
    LABELS,
    MODEL,
    PREDICTIONS,
    QUARANTINE,
    TOPICS,
    decode_prediction,
    decode_quarantine,
    read_label,
)
from consumers.records.skipped import SkippedRecords
from consumers.settings import Settings
from tests.support.worker_run import run_worker

COMPARED_MAILS = 500


def differences(log: Log, settings: Settings, folder: Path | None) -> list[str]:
    """The errors that are found on the log; `folder` is for the log of the single process, None for none.

    What a monitor has counted is compared with a report over the log, if one has run.
    """
    found = verify(log, settings).differences + _outputs_wrong(log) + _figures_wrong(log, settings)
    return found if folder is None else found + _model_wrong(log, settings, folder)


def _outputs_wrong(log: Log) -> list[str]:
    """The mails without exactly one prediction or quarantine entry."""
    mails = Counter((r.partition, r.offset) for r in read_all(log, EMAILS))
    acted: Counter = Counter()
    for record in read_all(log, PREDICTIONS):
        acted[record.partition, decode_prediction(record.value).next_offset - 1] += 1
    for record in read_all(log, QUARANTINE):
        entry = decode_quarantine(record.value)
        if entry.topic == EMAILS:
            acted[entry.partition, entry.offset] += 1
    return [f"mail {place}: acted on {acted[place]} times" for place in mails | acted if acted[place] != 1]


def _figures_wrong(log: Log, settings: Settings) -> list[str]:
    """The differences of the last monitor's figures from a recount."""
    totals = read_last(log, TOTALS, MonitorTotals, SkippedRecords())
    if totals is None:
        return []
    report = report_log(log, settings.learner.positive)
    counted = {label: sum(row.values()) for label, row in report.confusion.items()}
    labels, withdrawn = _by_source(log)
    mails = sum(1 for _ in read_all(log, PREDICTIONS))
    found = []
    if totals.mails != mails:
        found.append(f"monitor: {totals.mails} mails, the log has {mails}")
    if (ours := {label: mails for label, mails in totals.classes.items() if mails}) != counted:
        found.append(f"monitor: labelled mails by class {ours}, the log has {counted}")
    if totals.start.confusion != report.confusion:
        found.append(f"monitor: confusion {totals.start.confusion}, the log has {report.confusion}")
    for name, counts in totals.sources.items():
        if (counts.labels, counts.withdrawn) != (labels[name], withdrawn[name]):
            found.append(f"monitor: {counts} of {name!r}, the log has {labels[name]} and {withdrawn[name]} withdrawn")
    return found


def _by_source(log: Log) -> tuple[Counter[str], Counter[str]]:
    """How many labels each source gave, and how many it withdrew."""
    given, withdrawn = Counter[str](), Counter[str]()
    for record in read_all(log, LABELS):
        with contextlib.suppress(BadRecord):
            label = read_label(record)
            (withdrawn if label.forget or label.label is None else given)[label.source] += 1
    return given, withdrawn


def _model_wrong(log: Log, settings: Settings, folder: Path) -> list[str]:
    """The differences from the model of one process that reads the same records from SQLite."""
    key = next(r for r in read_all(log, MODEL) if r.key.startswith(b"key/"))
    with SqliteLog(folder) as single:
        single.create_topics(TOPICS, 1)
        single.append([ProducerRecord(MODEL, key.key, key.value, 0)])
        records = sorted([*read_all(log, EMAILS), *read_all(log, LABELS)], key=lambda r: (r.timestamp, r.topic))
        single.append([ProducerRecord(r.topic, r.key, r.value, 0, r.timestamp) for r in records])
        theirs = run_worker(single, settings).replica.model
    ours = Replica.load(log, settings).model
    found = [
        f"model: {name} {getattr(ours, name)}, a single process has {getattr(theirs, name)}"
        for name in ("labels_learned", "features")
        if getattr(ours, name) != getattr(theirs, name)
    ]
    for record in list(read_all(log, EMAILS))[:COMPARED_MAILS]:
        mail = read_message(record, settings.learner.headers).mail
        if _counts(ours, mail) != _counts(theirs, mail):
            found.append(f"{record.location}: its words have other counts than in a single process")
    return found


def _counts(model, mail) -> dict:
    return {(term.kind, term.text): term.counts for term in model.evidence(mail).terms}
