"""The waiting mails of a partition: which get a label, when, and how many are kept."""

from __future__ import annotations

import random

from consumers.records.schemas import SILENCE, LabelRecord
from consumers.silence.waiting import WaitingMails
from tests.support.monitor_stream import prediction


def waiting(*numbers: int, most: int = 100) -> WaitingMails:
    """Mails with sure predictions, one per second."""
    mails = WaitingMails(most)
    for number in numbers:
        mails.add_prediction(prediction(number, -3.0, 0.0), float(number), number, labels_next=10 * number)
    return mails


def taken(mails: WaitingMails, until: float, limit: int = 100) -> list[str]:
    labels = mails.take(until, limit, now=1_000.0)
    assert all((label.label, label.source, label.timestamp) == ("ham", SILENCE, 1_000.0) for label in labels)
    return [label.id for label in labels]


def said(mails: WaitingMails, number: int, **changes) -> None:
    mails.add_label(LabelRecord(f"m{number}", **{"label": "ham", "source": "ann", "timestamp": 0.0, **changes}))


def test_mails_are_taken_once_after_the_waiting_time():
    mails = waiting(1, 2, 3, 4)
    assert taken(mails, 0.5) == []
    assert taken(mails, 2.0) == ["m1", "m2"]
    assert taken(mails, 9.0, limit=1) == ["m3"]
    assert taken(mails, 9.0) == ["m4"]
    assert taken(mails, 9.0) == []
    assert mails.oldest is None


def test_a_second_prediction_of_a_mail_changes_nothing():
    """Otherwise a successor would begin after the mails that came between, and never label them."""
    mails = waiting(1, 2)
    mails.add_prediction(prediction(1, -3.0, 0.0), 3.0, 3, labels_next=30)
    assert mails.oldest is not None and (mails.oldest.offset, mails.oldest.labels_next) == (1, 10)
    assert taken(mails, 9.0) == ["m1", "m2"]


def test_a_labelled_mail_does_not_wait_whether_label_or_prediction_came_first():
    mails = waiting()
    said(mails, 2)
    said(mails, 5, source=SILENCE)
    for number in (1, 2, 3, 4, 5):
        mails.add_prediction(prediction(number, -3.0, 0.0), float(number), number, 0)
    said(mails, 1, label=None)
    said(mails, 3, forget=True)
    said(mails, 4, source=SILENCE)
    assert taken(mails, 9.0) == ["m5"], "m4 has a label of silence; such a label has no effect on later predictions"


def test_the_oldest_labels_are_forgotten_when_too_many_come_before_their_mails():
    mails = waiting(most=3)
    for number in (1, 2, 3, 4):
        said(mails, number)
    for offset, number in enumerate((1, 2, 4)):
        mails.add_prediction(prediction(number, -3.0, 0.0), 0.0, offset, 0)
    assert taken(mails, 9.0) == ["m1"]


def test_an_unsure_mail_does_not_wait():
    mails = waiting()
    mails.add_prediction(prediction(1, 0.5, 0.0), 0.0, 1, 0)
    assert mails.oldest is None


def test_the_oldest_mail_determines_where_a_successor_starts_reading():
    mails = waiting(3, 4)
    assert (mails.oldest.offset, mails.oldest.labels_next) == (3, 30)
    said(mails, 3)
    assert (mails.oldest.offset, mails.oldest.labels_next) == (4, 40)


def test_the_oldest_mail_is_dropped_when_too_many_come_after_it():
    mails = waiting(1, 2, 3, 4, most=3)
    assert (mails.lost, mails.oldest.offset) == (1, 2)


def test_offsets_without_predictions_drop_no_mail():
    """On Kafka the end of each transaction has one."""
    mails = waiting(1, 3, 5, most=3)
    assert (mails.lost, mails.oldest.offset) == (0, 1)


def test_mails_that_do_not_wait_count_among_the_latest():
    """Of positive predictions nobody hears, if the junk folder is not read; a worker remembers their mails, too."""
    mails = WaitingMails(3, junk_is_read=False)
    for number, score in enumerate((-3.0, 3.0, 3.0)):
        mails.add_prediction(prediction(number, score, 0.0), 0.0, number, 0)
    assert (mails.oldest.offset, mails.lost) == (0, 0)
    mails.add_prediction(prediction(3, 3.0, 0.0), 0.0, 3, 0)
    assert (mails.oldest, mails.lost) == (None, 1)


def test_no_more_mails_are_kept_than_a_worker_remembers():
    draw, mails = random.Random(1), WaitingMails(50)
    for number in range(2_000):
        mails.add_prediction(prediction(number, -3.0, 0.0), 0.0, number, 0)
        for _ in range(3):
            said(mails, draw.randrange(10_000))
        assert len(mails._mails) <= 50 and len(mails._labelled) <= 50
    assert mails.oldest.offset > 1_949 and mails.lost > 1_500
