"""The smoothing and the threshold of a personal filter, chosen on validation mails."""

import pytest

from consumers.studies import personal
from consumers.studies.corpus import Labelled, divided
from stream_nb import MailNB
from stream_nb.metrics import wilson

SIZES = (400, 50, 50)


def test_P2_the_choice_does_not_depend_on_the_test_mails(mails):
    setting, result, _ = personal.study(mails, MailNB(), SIZES).sections
    chosen = setting.figures["chosen"]
    assert chosen.accuracy >= 0.9
    assert sum(result.figures["confusion"]) == 50
    assert result.figures["accuracy"] >= 0.85
    rows = {row[0]: row[1:] for row in result.tables[0][1]}
    assert rows["accuracy"] == (result.figures["accuracy"], *wilson(round(result.figures["accuracy"] * 50), 50))
    caught, missed, lost, kept = result.figures["confusion"]
    assert rows["recall"] == (caught / (caught + missed), *wilson(caught, caught + missed))
    assert rows["other mail lost"] == (lost / (lost + kept), *wilson(lost, lost + kept))
    # swapping the labels of the test mails does not change the choice
    places = set(divided(list(range(len(mails))), SIZES, seed=0)[2])
    other = {"ham": "spam", "spam": "ham"}
    changed = [Labelled(mail, other[y] if i in places else y) for i, (mail, y) in enumerate(mails)]
    again, turned, _ = personal.study(changed, MailNB(), SIZES).sections
    assert again.figures["chosen"] == chosen
    assert turned.figures["accuracy"] == pytest.approx(1 - result.figures["accuracy"])


def test_P2_among_equally_accurate_choices_the_ranking_decides_and_then_the_distance_from_the_default(doubtful):
    (setting, *_), model, *_ = personal.study(doubtful, MailNB(), SIZES, seed=1)
    (_, choices), chosen = setting.tables[0], setting.figures["chosen"]
    assert {each.accuracy for each in choices} == {chosen.accuracy}
    best = min(each.one_minus_auc_pct for each in choices)
    assert [each.smoothing for each in choices if each.one_minus_auc_pct == best] == [0.01, 0.03]
    assert model.smoothing == chosen.smoothing == 0.03


def test_P2_the_threshold_catches_most_within_the_limit_and_is_half_way_between_two_scores(doubtful):
    chosen = personal.study(doubtful, MailNB(), SIZES, lose_at_most=0.1, seed=1).sections[0].figures["chosen"]
    train, validation, _ = divided(doubtful, (400, 50, 50), seed=1)
    model = MailNB()
    for mail, label in train:
        model.learn_one(mail, label)
    model.smoothing = chosen.smoothing
    scores = sorted(((model.score(mail).log_odds, label) for mail, label in validation), reverse=True)
    labels = [label for _, label in scores]
    within = [n for n in range(50) if labels[:n].count("ham") <= 0.1 * labels.count("ham")]
    most = max(within, key=lambda n: labels[:n].count("spam"))
    assert 0 < labels[:most].count("ham") < most
    assert chosen.threshold == pytest.approx((scores[most - 1][0] + scores[most][0]) / 2)


def test_P2_no_validation_mail_is_lost_if_the_limit_is_0(mails):
    setting, *_ = personal.study(mails, MailNB(), SIZES, lose_at_most=0.0).sections
    threshold = setting.figures["chosen"].threshold
    train, validation, _ = divided(mails, SIZES, seed=0)
    model = MailNB(smoothing=setting.figures["chosen"].smoothing)
    for mail, label in train:
        model.learn_one(mail, label)
    assert all(model.score(mail).log_odds <= threshold for mail, label in validation if label == "ham")
    setting, *_ = personal.study(mails, MailNB(), SIZES, lose_at_most=0.0002).sections
    assert "(at most 0.02% of the other mail lost)" in setting.text[1]


def test_P2_no_mail_is_positive_if_a_ham_has_the_highest_score_and_the_limit_is_0(mails):
    places = set(divided(list(range(len(mails))), SIZES, seed=0)[1])
    other = {"ham": "spam", "spam": "ham"}
    turned = [Labelled(mail, other[y] if i in places else y) for i, (mail, y) in enumerate(mails)]
    trial = personal.study(turned, MailNB(), SIZES, lose_at_most=0.0)
    highest = max(trial.model.score(mails[place].mail).log_odds for place in places)
    assert trial.threshold == pytest.approx(highest + 1.0)


@pytest.mark.parametrize(
    "threshold, scores, wins",
    [
        (0.0, [(1.0, True), (-1.0, False)], False),
        (7.8, [(9.0, True), (-1.0, False)], False),  # no score is between 0 and the threshold
        (1.0, [(0.5, False)] * 4, False),
        (1.0, [(0.5, False)] * 5, True),
        (1.0, [(0.5, False)] * 6 + [(0.2, True)] * 2, False),
        (-1.0, [(-0.5, True)] * 5, True),
        (-1.0, [(-0.5, False)] * 5, False),
        (1.0, [(0.0, False)] * 5, False),  # as mails of which no word is known: not above 0 either
        (-1.0, [(0.0, True)] * 5, True),
    ],
)
def test_P2_a_threshold_wins_only_by_significantly_fewer_errors(threshold, scores, wins):
    assert personal.wins(scores, threshold) == wins


def test_P2_with_few_mails_the_threshold_stays_at_0(mails):
    assert personal.study(mails[:80], MailNB(), SIZES).threshold == 0.0
