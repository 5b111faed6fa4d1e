"""Only the message scored last can be learned; anything done in between raises an error."""

import math

import pytest

from stream_nb import Mail, MailNB, Part
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.layout import MailSetting
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


@pytest.mark.parametrize("options", [{}, {"band": math.inf, "max_features": 2000}, {"trust": False, "pairs": False}])
def test_batches_give_the_same_scores_and_model_as_single_messages(options):
    xs, ys = [], []
    for number in range(900):
        text = f"mail {number * 7919 % 1013} about {'money' if number % 2 else 'lunch'} n{number} Ünï {number % 13}"
        mail = Mail((Part("subject", b"a subject"), Part("", text.encode())))
        kinds = (text, mail, text.encode(), text.split(), Mail(()), "")
        xs.append(kinds[number * number % 6 if number < 300 else number % 3])
        right = "work" if number > 600 and number % 5 == 0 else "spam" if number % 2 else "ham"
        ys.append("ham" if number % 17 == 0 else right)
    single, batch = MailNB(**options), MailNB(**options)
    scores = []
    for x, y in zip(xs, ys, strict=True):
        scores.append(single.score(x).log_odds)
        single.learn_one(x, y, "me")
    assert batch.score_then_learn(xs, ys, "me") == scores
    assert batch == single and batch.evicted == single.evicted
    assert batch.score(xs[0]) == single.score(xs[0])
    assert batch.predict_many(xs[300:]) == [single.predict_one(x) for x in xs[300:]]
    assert (single.evicted > 0) == ("max_features" in options)
