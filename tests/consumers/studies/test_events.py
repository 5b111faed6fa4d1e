"""The study of the three event models of words."""

from consumers.studies import events
from stream_nb import BernoulliNB, MultinomialNB
from stream_nb.metrics import Ranking


def test_M1_M2_M3_Q2_the_figures_equal_those_of_a_separate_run_of_each_model(mails):
    rows = {row[0]: row for row in events.study(mails[:200]).figures["rows"]}
    for name, model in (
        ("multinomial", MultinomialNB(smoothing=0.1)),
        ("boolean", MultinomialNB(smoothing=0.1, presence=True)),
        ("Bernoulli", BernoulliNB(smoothing=0.1)),
    ):
        right, ranking, lost, caught = 0, Ranking(), 0, 0
        for mail, label in mails[:200]:
            score = model.score(mail)
            right += score.label == label
            ranking.add(score.log_odds, label == "spam")
            caught += score.log_odds > 0 and label == "spam"
            lost += score.log_odds > 0 and label == "ham"
            model.learn_one(mail, label)
        spam = sum(mail.label == "spam" for mail in mails[:200])
        assert rows[name][1:5] == (right / 200, ranking.one_minus_auc_pct(), lost / (200 - spam), caught / spam)
    best = min(rows.values(), key=lambda row: row[2])
    assert f"Best ranking here: {best[0]}, (1 - AUC) {best[2]:.3g} %." in events.study(mails[:200]).text[0]
    charts = events.study(mails[:200]).charts
    assert charts[0].count("<polyline") == 3
    assert charts[1].count('class="annotation"') == 6
