"""Test-then-train on the mails of a log: each label is learned when it came, from its source."""

import pytest

from consumers.evaluation.prequential import SourcedLabel, evaluate
from consumers.ingest.feeder import Item, Labelling
from stream_nb.mail_nb.decision import Policy
from tests.consumers.evaluation.test_prequential import Oracle


def on_a_log(*times):
    """Mails with the labels 0, 1, ..., which arrived and were labelled at these times."""
    mail = b"Subject: x\n\nhello"
    return [Item(str(n), mail, n, Labelling(*time[:2], "ann", *time[2:])) for n, time in enumerate(times)]


@pytest.mark.parametrize(
    ("times", "delay", "events"),
    [
        ([(1, 1), (2, 2), (3, 3)], None, ["score", 0, "score", 1, "score", 2]),
        ([(1, 9), (2, 3), (3, 3)], None, ["score", "score", "score", 1, 2, 0]),  # at the same time the mail is first
        (
            [(1, 2), (2, 1), (2, 5)],
            None,
            ["score", "score", 1, "score", 0, 2],
        ),  # the second was labelled first
        ([(1, 9, 1), (2, 9, 0)], None, ["score", "score", 1, 0]),  # labels of the same time: as they are on the log
        ([(1, 9), (2, 9), (3, 9)], 0, ["score", 0, "score", 1, "score", 2]),
        ([(1, 1), (2, 2), (3, 3)], 1, ["score", "score", 0, "score", 1, 2]),
    ],
)
def test_a_label_of_a_log_is_learned_when_it_came_unless_a_delay_is_given(times, delay, events):
    model = Oracle()
    evaluate(on_a_log(*times), model, Policy(), "safe", delay)
    assert model.events == events


def test_a_label_of_a_log_is_learned_with_its_source():
    sources = []
    model = Oracle()
    model.learn_one = lambda mail, label, source: sources.append((label, source))
    evaluate(on_a_log((1, 1)), model, Policy(), "safe")
    evaluate(on_a_log((1, 1)), model, Policy(), "safe", label_to_learn=lambda score, label: SourcedLabel(label, "bob"))
    evaluate([Item("h", b"x", "ham")], model, Policy(), "safe")
    assert sources == [(0, "ann"), (0, "bob"), ("ham", "")]
