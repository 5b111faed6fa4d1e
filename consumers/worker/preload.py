"""What a worker process needs, imported and compiled: a process forked from one that has imported this starts at once.

Nothing is opened here: no file, no connection, no thread.
"""

from __future__ import annotations

import gc
import sys

from stream_nb import MailNB
from stream_nb.mail import read_mail

from ..log.kafka import log as kafka_log
from ..log.sqlite import log as sqlite_log
from ..runtime.compiling import show_compiling
from . import metrics, worker

MODULES = (kafka_log, sqlite_log, metrics, worker)
"""What a worker imports."""

MAIL = b"Subject: hello\nContent-Type: text/html\n\n<p>A mail</p> that nobody will read"


def warm_up() -> None:
    """Let every compiled function of a worker's work be loaded, by doing the work once."""
    model, other = MailNB(), MailNB()
    mail = read_mail(MAIL).mail._replace(features=(("size", 1.5), ("format", "html")))
    recorder = model.recorder()
    for label in ("ham", "spam"):
        update = recorder.learn(mail, label)
        other.apply_update(mail, other.grade(mail, label))
    model.score_many([mail, mail])
    recorder.revert_update(mail, update)
    other.apply_changes(recorder.take())
    model.merge(MailNB.from_bytes(other.to_bytes()))


with show_compiling(sys.stderr):
    warm_up()
# Neither the forked processes nor this one need walk all this again, and its pages stay shared.
gc.freeze()
