"""Mails are scored in order; a backlog is scored in a thread while more mails are added."""

from threading import Event

import pytest

from consumers.worker.scoring import AT_ONCE, ScoringQueue
from stream_nb import MailNB
from tests.support.few_mails import TEXTS


class Message:
    def __init__(self, n):
        self.mail = TEXTS["abcd"[n % 4]]


class BlockedModel:
    """A model that scores only once `go` is set."""

    def __init__(self):
        self.go = Event()

    def score_many(self, mails):
        assert self.go.wait(60)
        return list(range(len(mails)))


@pytest.mark.parametrize("count", [0, 1, AT_ONCE - 1, AT_ONCE, 3 * AT_ONCE + 5])
def test_scores_are_returned_in_the_order_of_the_mails(count):
    model = MailNB()
    model.learn_one(TEXTS["a"], "spam")
    model.learn_one(TEXTS["b"], "ham")
    queue, messages, taken = ScoringQueue(model), [Message(n) for n in range(count)], []
    for n, message in enumerate(messages):
        queue.add(n, message)
        taken += queue.take_done()
    taken += queue.take()
    assert [(n, message) for n, message, _ in taken] == list(enumerate(messages))
    assert [score for *_, score in taken] == [model.score(message.mail) for message in messages]
    assert not [*queue.take_done(), *queue.take()]


def test_adding_mails_does_not_wait_for_scores():
    queue = ScoringQueue(model := BlockedModel())
    for n in range(2 * AT_ONCE):
        queue.add(n, Message(n))
        assert not [*queue.take_done()]
    model.go.set()
    assert [(n, score) for n, _, score in queue.take()] == [(n, n % AT_ONCE) for n in range(2 * AT_ONCE)]


def test_an_error_in_the_scoring_thread_is_raised_where_scores_are_taken():
    class FailingModel:
        def score_many(self, mails):
            raise MemoryError

    queue = ScoringQueue(FailingModel())
    for n in range(AT_ONCE):
        queue.add(n, Message(n))
    with pytest.raises(MemoryError):
        [*queue.take()]
