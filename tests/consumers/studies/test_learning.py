"""The learning curve."""

import pytest

from consumers.errors import UserError
from consumers.studies import learning
from consumers.studies.corpus import divided, generate
from stream_nb import MultinomialNB
from stream_nb.metrics import wilson


def test_Q6_test_accuracy_rises_and_the_first_training_accuracy_is_overfitted():
    rows = learning.study(generate(600, seed=1).mails).figures["rows"]
    assert [size for size, _, _ in rows] == [10, 20, 50, 100, 200, 480]
    assert rows[0][1] == 1.0 > rows[0][2]
    assert rows[-1][2] > rows[0][2] + 0.05
    assert abs(rows[-1][1] - rows[-1][2]) < rows[0][1] - rows[0][2]


def test_Q6_the_last_test_accuracy_equals_that_of_a_model_trained_on_all_training_mails(doubtful):
    train, test = divided(doubtful, (480, 120), seed=0)
    model = MultinomialNB(smoothing=0.1, presence=True)
    for mail, label in train:
        model.learn_one(mail, label)
    expected = sum(model.predict_one(mail) == label for mail, label in test) / 120
    seen = sum(model.predict_one(mail) == label for mail, label in train) / 480
    assert seen != expected
    section = learning.study(doubtful)
    assert section.figures["rows"][-1] == (480, seen, expected)
    low, high = wilson(round(120 * expected), 120)
    seen, expected, low, high = (f"{100 * share:.1f} %" for share in (seen, expected, low, high))
    assert f"at the end {seen} and {expected} (95 % interval {low} to {high})" in section.text[1]


def test_Q6_each_training_mail_is_learned_once_in_a_drawn_order(mails, monkeypatch):
    learned = []

    class Recorded(MultinomialNB):
        def learn_one(self, x, y):
            learned.append(x)
            super().learn_one(x, y)

    monkeypatch.setattr(learning, "word_model", lambda name, smoothing: Recorded(smoothing=smoothing))
    learning.study(mails)
    numbers = {id(mail): number for number, (mail, _) in enumerate(mails)}
    order = [numbers[id(mail)] for mail in learned]
    assert len(order) == len(set(order)) == 480
    assert order != sorted(order)


def test_Q6_stop_words_and_the_model_can_be_chosen(mails):
    made = generate(200, seed=1).mails
    plain = learning.study(made, model="multinomial", smoothing=0.0).figures["rows"]
    without = learning.study(made, model="multinomial", smoothing=0.0, stop_words=10).figures["rows"]
    nothing = learning.study(mails, stop_words=10_000).figures["rows"]
    assert plain != without
    assert nothing[-1][2] == sum(m.label == "ham" for m in divided(mails, (480, 120), seed=0)[1]) / 120
    assert learning.study(mails, model="bernoulli").title == learning.study(mails, model="mail").title


def test_a_single_test_mail_is_one(mails):
    assert "lambda 0.1: 4 training mails and 1 test mail, drawn with seed 0." in learning.study(mails[:5]).text[0]


@pytest.mark.parametrize("number", [2, 4])
def test_Q6_fewer_than_five_mails_are_refused(mails, number):
    """A fifth of them would be no mail, whose accuracy is undefined."""
    with pytest.raises(UserError, match=f"tests on a fifth of the mails, but there are {number}; give 5 or more"):
        learning.study(mails[:number])
    assert [size for size, _, _ in learning.study(mails[:125]).figures["rows"]] == [10, 20, 50, 100]
    assert learning.study(mails[:5]).figures["rows"]
