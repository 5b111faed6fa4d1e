"""Which predictions silence repeats, and that what it teaches measures nothing."""

from __future__ import annotations

import msgspec
import pytest

from consumers.model.silence import SILENCE_MARGIN, sure_label, unmeasured
from stream_nb import MailNB
from stream_nb.mail_nb.decision import losing_at_most
from tests.consumers.monitor.stream import prediction


@pytest.mark.parametrize(
    ("changes", "label"),
    [
        ({}, "spam"),
        ({"scores": {"ham": 0.0, "spam": SILENCE_MARGIN - 0.01}}, None),
        ({"threshold": 3.0 - SILENCE_MARGIN + 0.01}, None),  # near the cut
        ({"threshold": 5.0, "label": "ham"}, None),  # ham by the cut alone
        ({"label": "unsure"}, None),
        ({"label": None, "scores": {}}, None),
        ({"scores": {"spam": 3.0}}, None),  # nothing to tell it from
        ({"positive": "fraud", "log_odds": 0.0}, "spam"),  # a cut for a class that there is not
        ({"scores": {"ham": 0.0, "spam": 3.0, "work": 2.5}}, None),
    ],
)
def test_silence_repeats_what_was_predicted_surely_by_the_scores_and_by_the_cut(changes, label):
    assert sure_label(msgspec.structs.replace(prediction(1, 3.0, 0.0), **changes)) == label


def test_silence_teaches_words_and_neither_calibration_nor_the_bound_on_lost_ham():
    model, said = MailNB(), [("win free money now", "spam"), ("see you at lunch", "ham"), ("free money", "spam")]
    for text, label in said * 10:
        model.learn_one(text, label, "ann")
    bound, margins = losing_at_most(model, "spam", 0.1), model.statistics.margins("ham").tolist()
    quiet = "the lunch that you know"

    for _ in range(50):
        model.apply_update(quiet, unmeasured(model.grade(quiet, "ham", "silence")))

    assert model.statistics.margins("ham").tolist() == margins
    assert losing_at_most(model, "spam", 0.1) == bound
    assert model.score(quiet).scores["ham"] > 0 and model.labels_learned == 80
    model.learn_one(quiet, "ham", "ann")
    assert model.statistics.margins("ham").tolist() != margins
