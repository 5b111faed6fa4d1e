"""The regret of estimated probabilities."""

import pytest

from consumers.errors import UserError
from consumers.studies import logistic, risk
from consumers.studies.corpus import Labelled
from stream_nb.types import Mail, Part


def test_Q10_regret_is_never_negative_and_falls():
    figures = risk.study(tested=400).figures
    assert 0 < figures["bayes_risk"] < 0.5
    regrets = [regret for _, _, regret in figures["rows"]]
    assert min(regrets) >= -1e-12
    assert regrets[-1] < 0.01 < max(regrets)


def test_Q10_the_truth_can_be_learned_from_mails_and_the_positive_class_must_exist(mails):
    figures = risk.study(mails, length=3, tested=200).figures
    assert 0 < figures["bayes_risk"] < 0.4
    assert min(regret for _, _, regret in figures["rows"]) >= -1e-12
    assert risk.study(mails, positive="ham", length=3, tested=200).figures["bayes_risk"] == pytest.approx(
        figures["bayes_risk"]
    )
    for study in (risk, logistic):
        with pytest.raises(UserError, match="no mail is of the class 'offer'; name one of ham, spam with --positive"):
            study.study(mails, positive="offer")


def test_Q10_the_regret_falls_to_0_with_several_classes_too():
    """A message "a" is rather spam than of any other class, but rather of one of them than spam."""
    words = {"spam": b"a a", "ham": b"a b", "work": b"a c", "news": b"a d"}
    mails = [Labelled(Mail((Part("", text),)), label) for label, text in words.items()]
    rows = risk.study(mails, length=1.0).figures["rows"]
    assert min(regret for _, _, regret in rows) >= -1e-12
    assert rows[-1][2] < 0.01
