"""The study of the three event models of words."""

import pytest

from consumers.studies import events
from stream_nb import BernoulliNB, MultinomialNB
from stream_nb.metrics import Ranking


@pytest.mark.parametrize("positive", ["spam", "ham"])
def test_M1_M2_M3_Q2_the_figures_equal_those_of_a_separate_run_of_each_model(doubtful, positive):
    mails = doubtful[:200]
    section = events.study(mails, positive)
    rows = {row[0]: row for row in section.figures["rows"]}
    assert len({row[1:5] for row in rows.values()}) == 3
    for name, model in (
        ("multinomial", MultinomialNB(smoothing=0.1, positive=positive)),
        ("boolean", MultinomialNB(smoothing=0.1, positive=positive, presence=True)),
        ("Bernoulli", BernoulliNB(smoothing=0.1, positive=positive)),
    ):
        right, ranking, lost, caught = 0, Ranking(), 0, 0
        for mail, label in mails:
            score = model.score(mail)
            right += score.label == label
            ranking.add(score.log_odds, label == positive)
            caught += score.log_odds > 0 and label == positive
            lost += score.log_odds > 0 and label != positive
            model.learn_one(mail, label)
        positives = sum(mail.label == positive for mail in mails)
        expected = (right / 200, ranking.one_minus_auc_pct(), lost / (200 - positives), caught / positives)
        assert rows[name][1:5] == expected
    best = min(rows.values(), key=lambda row: row[2])
    assert f"Best ranking here: {best[0]}, (1 - AUC) {best[2]:.3g} %." in section.text[0]
    assert section.charts[0].count("<polyline") == 3
    assert section.charts[1].count('class="annotation"') == 6
