"""The study of naive Bayes and logistic regression."""

import re

from river import linear_model, optim

from consumers.studies import logistic
from consumers.studies.corpus import word_set
from stream_nb import MultinomialNB
from stream_nb.metrics import Ranking


def test_L6_both_models_have_a_curve_and_every_cell_of_the_comparison_has_text(mails):
    section = logistic.study(mails)
    scores = {name: accuracy for name, accuracy, _ in section.figures["rows"]}
    assert min(scores.values()) > 0.85
    lines = re.findall('points="(.*?)"', logistic.study(mails[:130]).charts[0])
    assert [len(line.split()) for line in lines] == [len((10, 20, 50, 100, 130))] * 2
    table = section.tables[1][1]
    assert all(all(cell.strip() for cell in row) for row in table)
    assert ("similar", "linear classifier: sign of w.x + b", "linear classifier: sign of w.x + b") in table


def test_L6_the_figures_equal_those_of_a_separate_run_of_each_model(doubtful):
    regression = linear_model.LogisticRegression(optimizer=optim.AdaGrad(1.0), intercept_lr=0.1)
    bayes = MultinomialNB(smoothing=0.1, presence=True, positive="spam")
    right, ranks = [0, 0], [Ranking(), Ranking()]
    for mail, label in doubtful[:200]:
        x, is_spam = word_set(mail), label == "spam"
        for n, log_odds in enumerate((regression._raw_dot_one(x), bayes.log_odds_one(x, "spam"))):
            right[n] += (log_odds > 0) == is_spam
            ranks[n].add(log_odds, is_spam)
        regression.learn_one(x, is_spam)
        bayes.learn_one(x, label)
    rows = logistic.study(doubtful[:200]).figures["rows"]
    assert [row[2] for row in rows] == [ranking.one_minus_auc_pct() for ranking in ranks]
    assert [round(200 * row[1]) for row in rows] == right
