"""Mails are scored and labels learned in order; a thread works off a backlog while more of both are added."""

from threading import Event, Timer

import pytest

from consumers.log.base import Record
from consumers.records.schemas import EMAILS
from consumers.worker.model_queue import AT_ONCE, MOST_BEGUN, MOST_BEGUN_BYTES, MOST_BYTES, ModelQueue
from stream_nb import Mail, MailNB, Part
from stream_nb.mail import read_mail
from tests.support.few_mails import TEXTS

MAILS = [read_mail(TEXTS[name]).mail for name in "abcd"]


class Message:
    def __init__(self, n):
        self.mail = MAILS[n % 4]


def record(n):
    return Record(EMAILS, 0, n, None, b"a mail", 0.0)


class BlockedRecorder:
    """A recorder that scores only once `go` is set, and with `one_each` again only once it is set again."""

    def __init__(self, one_each=False):
        self.go = Event()
        self._one_each = one_each

    def score_then_learn(self, mails, labels, sources):
        assert self.go.wait(60)
        if self._one_each:
            self.go.clear()
        return [(number, None) for number in range(len(mails))]


def idle():
    return False


def outcomes(parts):
    return [outcome for part in parts for outcome in part]


def trained():
    model = MailNB()
    model.learn_one(MAILS[0], "spam")
    model.learn_one(MAILS[1], "ham")
    return model


@pytest.mark.parametrize("count", [0, 1, AT_ONCE - 1, AT_ONCE, 3 * AT_ONCE + 5])
def test_scores_are_returned_in_the_order_of_the_mails(count):
    model = trained()
    queue, messages, taken = ModelQueue(model, model.recorder(), idle), [Message(n) for n in range(count)], []
    for n, message in enumerate(messages):
        queue.score(record(n), message)
        taken += outcomes(queue.take_done())
    taken += outcomes(queue.take())
    assert [outcome.turn.arrival for outcome in taken] == [(record(n), message) for n, message in enumerate(messages)]
    assert [outcome.score for outcome in taken] == [model.score(message.mail) for message in messages]
    assert {(outcome.labels_learned, outcome.update) for outcome in taken} <= {(2, None)}
    assert not [*queue.take_done(), *queue.take()]


@pytest.mark.parametrize("delay", [0, 1, 5], ids=["label of the last mail", "of the one before", "of an older mail"])
def test_mails_and_labels_have_their_turns_in_order(delay):
    model, expected = trained(), trained()
    queue, recorder, taken, scores = ModelQueue(model, model.recorder(), idle), expected.recorder(), [], []
    messages = [Message(n) for n in range(3 * AT_ONCE)]
    for n, message in enumerate(messages):
        queue.score(record(n), message)
        scores.append((expected.score(message.mail), expected.labels_learned, None))
        if n >= delay:
            label = "spam" if n % 3 else "ham"
            queue.learn(messages[n - delay].mail, label, "me", entry=n - delay)
            score, before = expected.score(messages[n - delay].mail), expected.labels_learned
            scores.append((score, before, recorder.learn(messages[n - delay].mail, label, "me")))
            if delay == 0:  # one turn
                scores[-2:] = scores[-1:]
        taken += outcomes(queue.take_done())
    taken += outcomes(queue.take())
    assert [(outcome.score, outcome.labels_learned, outcome.update) for outcome in taken] == scores
    assert [outcome.turn.entry for outcome in taken if outcome.update] == list(range(3 * AT_ONCE - delay))
    assert model == expected


def test_a_mail_is_not_learned_twice_in_one_turn():
    model = trained()
    queue, message = ModelQueue(model, model.recorder(), idle), Message(0)
    queue.score(record(0), message)
    queue.learn(message.mail, "spam", "anna", entry=1)
    queue.learn(message.mail, "ham", "ben", entry=2)
    turns = [outcome.turn for outcome in outcomes(queue.take())]
    assert [(turn.label, turn.source) for turn in turns] == [("spam", "anna"), ("ham", "ben")]
    assert model.labels_learned == 4


def test_adding_mails_does_not_wait_for_scores():
    recorder = BlockedRecorder()
    queue = ModelQueue(trained(), recorder, idle)
    for n in range(2 * AT_ONCE + 1):
        queue.score(record(n), Message(n))
        assert not [*queue.take_done()]
    recorder.go.set()
    taken = [(outcome.turn.arrival[0].offset, outcome.score) for outcome in outcomes(queue.take())]
    assert taken == [(n, n % AT_ONCE) for n in range(2 * AT_ONCE + 1)]


def test_each_part_can_be_taken_as_soon_as_it_is_finished():
    recorder = BlockedRecorder(one_each=True)
    queue = ModelQueue(trained(), recorder, idle)
    for n in range(2 * AT_ONCE + 1):
        queue.score(record(n), Message(n))
    parts = queue.take()
    for size in (AT_ONCE, AT_ONCE, 1):
        recorder.go.set()
        assert len(next(parts)) == size
    assert not [*parts]


def test_other_work_is_done_instead_of_waiting_for_the_thread():
    recorder, done = BlockedRecorder(), []

    def work():
        done.append(None)
        if len(done) == 3:
            recorder.go.set()
        return len(done) < 3  # then nothing is left to do

    queue = ModelQueue(trained(), recorder, work)
    for n in range(AT_ONCE + 1):
        queue.score(record(n), Message(n))
    assert not [*queue.take_done()] and not done
    assert len(outcomes(queue.take())) == AT_ONCE + 1
    assert len(done) == 3


def test_an_error_in_the_thread_is_raised_where_outcomes_are_taken():
    class FailingRecorder:
        def score_then_learn(self, mails, labels, sources):
            raise MemoryError

    queue = ModelQueue(trained(), FailingRecorder(), idle)
    for n in range(AT_ONCE + 1):
        queue.score(record(n), Message(n))
    with pytest.raises(MemoryError):
        [*queue.take()]


@pytest.mark.parametrize(
    ("text", "most"),
    [
        (b"w", MOST_BEGUN * AT_ONCE),
        (b"w" * MOST_BYTES, MOST_BEGUN_BYTES // MOST_BYTES),
    ],
    ids=["small", "large"],
)
def test_few_mails_wait_and_fewer_if_they_are_large(text, most):
    """Otherwise the changes that their labels add could not be limited."""
    model, recorder = trained(), BlockedRecorder()
    queue, mail = ModelQueue(model, recorder, idle), Mail((Part("", text),))
    for n in range(most + 1):
        queue.learn(mail, "ham", "me", entry=n)
        assert not [*queue.take_done()]
    for n in range(AT_ONCE):
        queue.learn(mail, "ham", "me", entry=n)
    Timer(0.05, recorder.go.set).start()
    assert [*queue.take_done()], "waits for the thread"
    assert [*queue.take()]


@pytest.mark.parametrize(
    "one", [{"words": (("w" * MOST_BEGUN_BYTES, 1),)}, {"features": (("f", "x" * MOST_BEGUN_BYTES),)}]
)
def test_a_single_very_large_mail_is_waited_for(one):
    recorder = BlockedRecorder()
    queue = ModelQueue(trained(), recorder, idle)
    for n in range(2):
        queue.learn(Mail((), **one), "ham", "me", entry=n)
    Timer(0.05, recorder.go.set).start()
    assert len(outcomes(queue.take_done())) == 1
