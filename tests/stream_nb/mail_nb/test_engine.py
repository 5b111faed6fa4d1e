"""Only what has just been scored can be learned: a step forgotten in between is an error, not a wrong figure."""

import pytest

from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.layout import MailSetting
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.mail_nb.scorer import ROOM
from stream_nb.mail_nb.statistics import MailStatistics
from stream_nb.types import Update

SETTINGS = dict(zip(MailSetting, (0.1, 0.8, 1.5, 0.75, 0.5, 4.0, 4.5), strict=True))


@pytest.fixture
def engine():
    engine = MailEngine(Extractor(STUDY_KEY, True, ROOM, counted=False), MailStatistics(), None)
    engine.set_options(SETTINGS)
    for text, label in [("win money", "spam"), ("lunch at noon", "ham")]:
        engine.learn(engine.score(text, "spam"), label, "")
    return engine


def read_another(engine):
    engine.score("other words", "spam")


def learn_another(engine):
    engine.learn(engine.score("other words", "spam"), "ham", "")


def read_elsewhere(engine):
    engine.extractor.extract("other words")


def merge(engine):
    engine.statistics.merge(engine.statistics.copy())


def decay(engine):
    engine.statistics.decay(0.5)


def add(engine):
    engine.add("win", Update("spam", 0, (1,) + (0,) * 9, ""), 1)


def set_options(engine):
    engine.set_options({**SETTINGS, MailSetting.BAND: 1.0})


@pytest.mark.parametrize("change", [read_another, learn_another, read_elsewhere, merge, decay, add, set_options])
def test_a_message_scored_before_a_change_is_not_learned(engine, change):
    scored = engine.score("win money now", "spam")
    change(engine)
    with pytest.raises(RuntimeError, match="score it again"):
        engine.learn(scored, "spam", "")
    with pytest.raises(RuntimeError, match="score it again"):
        engine.grade(scored, "spam", "")
    engine.learn(engine.score("win money now", "spam"), "spam", "")
