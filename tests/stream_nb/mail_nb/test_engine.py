"""Only the message scored last can be learned; anything done in between raises an error."""

import pytest

from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.layout import BINS, POOL_CELLS, MailSetting
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.mail_nb.scorer import ROOM
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Update

SETTINGS = dict(zip(MailSetting, (0.1, 0.8, 1.5, 0.75, 0.5, 4.0, 4.5, 1.0), strict=True))


@pytest.fixture
def engine():
    engine = MailEngine(Extractor(STUDY_KEY, True, ROOM, counted=False), MailStatistics(), None)
    engine.set_options(SETTINGS)
    for text, label in [("win money", "spam"), ("lunch at noon", "ham")]:
        engine.learn(engine.score(text, "spam"), label, "")
    return engine


def score_another(engine):
    engine.score("other words", "spam")


def learn_another(engine):
    engine.learn(engine.score("other words", "spam"), "ham", "")


def extract_another(engine):
    engine.extractor.extract("other words")


def merge(engine):
    engine.statistics.merge(engine.statistics.copy())


def decay(engine):
    engine.statistics.decay(0.5)


def apply_update(engine):
    engine.add("win", Update("spam", 0, (1,) + (0,) * 12, ""), 1)


def set_options(engine):
    engine.set_options({**SETTINGS, MailSetting.BAND: 1.0})


@pytest.mark.parametrize(
    "change", [score_another, learn_another, extract_another, merge, decay, apply_update, set_options]
)
def test_learning_a_message_scored_before_a_change_is_refused(engine, change):
    scored = engine.score("win money now", "spam")
    change(engine)
    with pytest.raises(RuntimeError, match="score it again"):
        engine.learn(scored, "spam", "")
    with pytest.raises(RuntimeError, match="score it again"):
        engine.grade(scored, "spam", "")
    engine.learn(engine.score("win money now", "spam"), "spam", "")


@pytest.mark.parametrize(
    "tallies", [(1,), (1, *[0] * 7, BINS, *[0] * 4), (1, *[0] * 7, -1, *[0] * 4), (1, *[0] * 12, POOL_CELLS, -1)]
)
def test_an_update_whose_indices_are_out_of_bounds_is_refused(engine, tallies):
    before = engine.statistics.totals.copy()
    for weight in (0, 256):
        with pytest.raises(ValueError, match="`grade`"):
            engine.add("win", Update("spam", weight, tallies, ""), 1)
    with pytest.raises(ValueError, match="the weight -1"):
        engine.add("win", Update("spam", -1, (1,) + (0,) * 12, ""), 1)
    assert (engine.statistics.totals == before).all()
