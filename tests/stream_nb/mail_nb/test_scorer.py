"""Scoring changes no statistics, is not done twice, and its terms add up."""

import numpy as np
import pytest

from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.layout import MailResult, MailSetting
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.mail_nb.scorer import ROOM, MailScorer
from stream_nb.mail_nb.statistics import MailStatistics

SETTINGS = dict(zip(MailSetting, (0.1, 0.8, 1.5, 0.75, 0.5, 4.0, 4.5), strict=True))


@pytest.fixture
def scorer():
    """A scorer of statistics that an engine has learned, with an extractor of its own."""
    statistics = MailStatistics()
    engine = MailEngine(Extractor(STUDY_KEY, True, ROOM, counted=False), statistics, None)
    engine.set_options(SETTINGS)
    for text, label in [("win money", "spam"), ("lunch at noon", "ham"), ("free money", "spam")]:
        engine.learn(engine.score(text, "spam"), label, "")
    scorer = MailScorer(Extractor(STUDY_KEY, True, ROOM, counted=False), statistics)
    scorer.set_options(SETTINGS)
    return scorer


def test_scoring_the_same_message_again_returns_the_same_handle(scorer):
    text = "win money now"
    scored = scorer.score(text, "spam")
    result = scorer.result.copy()
    assert scorer.score(text, "spam") is scored
    assert scorer.score(text, "ham") is not scored
    scorer.score("other words", "spam")
    assert scorer.score(text, "spam") is not scored
    assert np.array_equal(scorer.result, result)


def test_the_score_of_one_class_is_the_opposite_of_the_other(scorer):
    scorer.score("win money now", "spam")
    log_odds, spam, ham = scorer.result[MailResult.LOG_ODDS], *scorer.result[MailResult.SCORES :]
    assert log_odds == spam - ham > 0 and spam == -ham
    scorer.score("win money now", "ham")
    assert scorer.result[MailResult.LOG_ODDS] == -log_odds
    scorer.score("win money now", "work")
    assert scorer.result[MailResult.LOG_ODDS] == 0.0


def test_terms_add_up_to_the_scores(scorer):
    terms = scorer.explain("win money at noon", "spam")
    assert terms.shape == (7, 2)
    assert terms.sum(axis=0).tolist() == pytest.approx(scorer.result[MailResult.SCORES :].tolist(), abs=1e-12)


def test_scorers_with_one_extractor_do_not_mistake_what_the_other_read(scorer):
    other = MailScorer(scorer.extractor, scorer.statistics)
    other.set_options({**SETTINGS, MailSetting.DAMPING: 0.0})
    text = "win money now"
    first = scorer.score(text, "spam")
    one = scorer.result.copy()
    other.score(text, "spam")
    assert not np.array_equal(other.result, one)
    assert scorer.score(text, "spam") is not first
    assert np.array_equal(scorer.result, one)
