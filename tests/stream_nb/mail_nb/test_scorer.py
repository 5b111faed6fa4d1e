"""Scores equal the formulas, their terms add up, and the last score is cached."""

import math

import numpy as np
import pytest
from hypothesis import given

from stream_nb import Mail, MailNB, MultinomialNB, Part
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.layout import MailResult, MailSetting, Slot
from stream_nb.mail_nb.engine import MailEngine
from stream_nb.mail_nb.scorer import ROOM, MailScorer
from stream_nb.mail_nb.statistics import MailStatistics
from tests.support import strategies
from tests.support.trained import KEY, trained

SETTINGS = dict(zip(MailSetting, (0.1, 0.8, 1.5, 0.75, 0.5, 4.0, 4.5, 1.0), strict=True))


@pytest.fixture
def scorer():
    """A scorer with the statistics of a trained engine and its own extractor."""
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


def test_of_two_classes_the_scores_are_opposite_numbers(scorer):
    scorer.score("win money now", "spam")
    log_odds, spam, ham = scorer.result[MailResult.LOG_ODDS], *scorer.result[MailResult.SCORES :]
    assert log_odds == spam - ham > 0 and spam == -ham
    scorer.score("win money now", "ham")
    assert scorer.result[MailResult.LOG_ODDS] == -log_odds
    scorer.score("win money now", "work")
    assert scorer.result[MailResult.LOG_ODDS] == 0.0


def test_terms_add_up_to_the_scores(scorer):
    terms = scorer.explain("win money at noon", "spam")
    assert terms.shape == (8, 2)  # the last is the bias
    assert terms.sum(axis=0).tolist() == pytest.approx(scorer.result[MailResult.SCORES :].tolist(), abs=1e-12)


def test_scorers_that_share_an_extractor_do_not_confuse_their_results(scorer):
    other = MailScorer(scorer.extractor, scorer.statistics)
    other.set_options({**SETTINGS, MailSetting.DAMPING: 0.0})
    text = "win money now"
    first = scorer.score(text, "spam")
    one = scorer.result.copy()
    other.score(text, "spam")
    assert not np.array_equal(other.result, one)
    assert scorer.score(text, "spam") is not first
    assert np.array_equal(scorer.result, one)


TEXTBOOK = dict(
    smoothing=1.0, shape=1.0, damping=0.0, novelty=0.0, pairs=False, band=math.inf, trust=False, balance=False, key=KEY
)


@given(strategies.two_classes, strategies.texts)
def test_M3_with_textbook_options_the_score_is_that_of_the_boolean_multinomial_model(data, message):
    mail = trained(MailNB(**TEXTBOOK), data)
    textbook = trained(MultinomialNB(prior="uniform", presence=True, key=KEY), data)

    with_words = {label for text, label in data if text}
    expected = textbook.log_odds_one(message, "spam") if with_words == {"ham", "spam"} else 0.0
    assert mail.score(message).log_odds == pytest.approx(expected, abs=1e-12)


def test_the_score_of_a_mail_equals_the_formula():
    # Two mails learned with weight 1 each; V = 3 words; smoothing 1/2.
    model = MailNB(**{**TEXTBOOK, "smoothing": 0.5, "damping": 1.0, "shape": 2.0})
    trained(model, [("a b", "spam"), ("c", "ham")])

    z = math.log((2 + 1.5) / (1 + 1.5))
    a, c = math.log(1.5 / 0.5) - z, math.log(0.5 / 1.5) - z
    expected = (a * abs(a) + c * abs(c)) / (2 + 1)
    assert model.score("a c").log_odds == pytest.approx(expected, abs=1e-12)
    # An unknown word adds no evidence here (novelty 0) and no length.
    assert model.score("a c zzz").log_odds == pytest.approx(expected, abs=1e-12)


def test_unknown_words_add_the_log_ratio_of_the_classes_shares_of_new_words():
    model = MailNB(**{**TEXTBOOK, "novelty": 0.75})
    trained(model, [("a b", "spam"), ("a c", "ham"), ("d e", "spam")])

    # Words, and new words among them, at the time of learning: spam 4 and 4, ham 2 and 1.
    novelty = 0.75 * math.log((5 / 6) / (2 / 4))
    of_b = model.score("b").log_odds
    assert model.score("b zzz").log_odds == pytest.approx(of_b + novelty, abs=1e-12)
    # 5 of 6 were new, so 3 new words per known one are expected (6 / 2): 9 count in full, 18 a quarter each.
    nine, eighteen = (" ".join(f"z{number}" for number in range(many)) for many in (9, 18))
    assert model.score(f"b {nine}").log_odds == pytest.approx(of_b + 9 * novelty, abs=1e-12)
    assert model.score(f"b {eighteen}").log_odds == pytest.approx(of_b + 18 / 4 * novelty, abs=1e-12)


def test_unknown_words_enter_the_length_that_damps_the_score_by_their_weight():
    model = MailNB(**{**TEXTBOOK, "novelty": 0.75, "damping": 1.0})
    trained(model, [("a b", "spam"), ("a c", "ham"), ("d e", "spam")])

    plain = model.copy()
    plain.damping = 0.0
    eighteen = "b " + " ".join(f"z{number}" for number in range(18))
    divisor = 1 + 0.75 * 18 / 4 + 1
    assert model.score(eighteen).log_odds == pytest.approx(plain.score(eighteen).log_odds / divisor, abs=1e-12)


@pytest.mark.parametrize("unknown", ["", "zzz", "привет как дела", "q q1 q2 q3 q4 " * 50])
def test_a_mail_without_known_words_has_a_probability_near_one_half(unknown):
    model = MailNB()
    for number in range(200):
        model.learn_one(f"win x{number} y{number} z{number} money", "spam")
        model.learn_one("see you at lunch", "ham")

    assert model.score("see you at lunch zzz").label == "ham"
    why = model.evidence(unknown)
    assert why.log_odds == why.bias and abs(why.bias) < 0.2
    assert 0.35 < model.score(unknown).probability < 0.65


@pytest.mark.parametrize("smoothing", [0.0, 1e-300, 0.1, 1e300])
@pytest.mark.parametrize("x", ["", "seen", "unseen", "seen " * 10, {"seen": 2}, [], {}, "\udcff", b"\xff\xe6\xa0"])
@pytest.mark.parametrize("labels", [[], ["spam"], ["spam", "ham"], ["spam", "ham", "work"]])
def test_empty_and_odd_messages_have_finite_scores_and_probabilities(x, labels, smoothing):
    for seen in ("seen words", ""):
        model = trained(MailNB(smoothing=smoothing), [(seen, label) for label in labels])
        score = model.score(x)
        assert math.isfinite(score.log_odds) and all(map(math.isfinite, score.scores.values()))
        assert 0 <= score.probability <= 1
        assert score.label in (labels or [None])
        assert sum(model.predict_proba_one(x).values()) == pytest.approx(1.0 if labels else 0.0)
        model.learn_one(x, "spam")


def test_after_an_explanation_that_failed_no_terms_are_written():
    """The array was too small for the terms of a larger message, which overwrote other memory."""
    scorer = MailScorer(Extractor(STUDY_KEY, True, ROOM, counted=False), MailStatistics())
    scorer.set_options(SETTINGS)
    with pytest.raises(ValueError, match="'size' is nan"):
        scorer.explain(Mail((Part("", b"win"),), features=(("size", math.nan),)), "spam")
    assert not scorer._workspace[Slot.TERMS].size
