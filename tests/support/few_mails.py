"""Four mails by id, and the models of a worker and of a process in memory that learn their labels."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping

from consumers.log.base import Log, ProducerRecord
from consumers.model.factory import new_model
from consumers.model.replica import Replica
from consumers.model.stream_model import StreamModel
from consumers.records.messages import read_value
from consumers.settings import Settings
from tests.support.worker_run import EVERYTHING, message, run_worker

TEXTS = {
    "a": b"Subject: win money\n\nfree money now, click here",
    "b": b"Subject: lunch\n\nsee you at noon in the canteen",
    "c": b"Subject: cheap pills\n\nmoney back, click now",
    "d": b"Subject: minutes\n\nplease find the minutes of the meeting",
}


def mail(message_id: str) -> ProducerRecord:
    """One of the mails, as a record."""
    return message(message_id, TEXTS[message_id])


def work(log: Log, settings: Settings = EVERYTHING, records: Iterable[ProducerRecord] = ()) -> StreamModel:
    """Append records a millisecond apart, let a worker process the whole log, and return its model."""
    records = list(records)
    now = round(time.time() - len(records) / 1000, 3)  # logs keep whole milliseconds: halves are rounded to even ones
    spaced = [record._replace(timestamp=now + i / 1000) for i, record in enumerate(records)]
    return run_worker(log, settings, spaced).replica.require_model()


def learn_in_memory(log: Log, labels: Mapping[str, str | tuple[str, str]]) -> StreamModel:
    """A model with the log's key that has learned only these labels: message id -> label, or (label, source)."""
    model = new_model(EVERYTHING.learner, Replica.load(log, EVERYTHING).require_model().key)
    for message_id, given in labels.items():
        label, source = (given, "ann") if isinstance(given, str) else given
        mail = read_value(TEXTS[message_id], message_id, EVERYTHING.learner.headers).mail
        model.learn_one(mail, label, source)
    return model
