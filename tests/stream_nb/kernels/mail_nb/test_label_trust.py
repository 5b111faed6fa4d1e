"""How much labels are believed: by their source, by their class, and by what the model has learned."""

import random

import pytest

from consumers.ingest.synthetic import synthetic_mails
from stream_nb import MailNB
from stream_nb.kernels.layout import MailUpdate
from stream_nb.mail import read_mail
from stream_nb.mail_nb.reliability import reliabilities

TRUTH = {"win money": "spam", "lunch at noon": "ham"}
OTHER = {"spam": "ham", "ham": "spam"}


def test_only_the_source_that_contradicts_the_others_gets_a_lower_weight():
    model = MailNB()
    for number in range(150):
        for x, y in TRUTH.items():
            model.learn_one(x, y, "careful")
            if number < 40:
                model.learn_one(x, OTHER[y] if number % 2 else y, "careless")

    weights = {source: model.grade("win money", "ham", source).weight for source in ("careful", "careless", "new")}
    assert weights["careless"] < 32 < weights["careful"] == 256
    assert weights["new"] < 256  # an unknown source against a sure prediction
    assert model.grade("win money", "spam", "new").tallies[MailUpdate.BIN_GAIN] > 250
    model.trust = False
    assert model.grade("win money", "ham", "careless").weight == 256


def test_of_a_source_that_is_always_wrong_the_opposite_is_learned():
    model = MailNB()
    for _ in range(150):
        for x, y in TRUTH.items():
            model.learn_one(x, y, "honest")
            model.learn_one(x, y, "honest")
            model.learn_one(x, OTHER[y], "liar")

    known = reliabilities(model)
    assert known["liar"].flip_rate > 0.8 and known["honest"].flip_rate < 0.01
    update = model.grade("tea at four", "spam", "liar")
    assert update.weight == 0 and not any(update.tallies[MailUpdate.MASS : MailUpdate.DOUBTED])
    assert model.grade("tea at four", "spam", "honest").weight > 200
    assert update.taken < -64 and update.rival == "ham"  # the opposite label is learned
    before = model.to_bytes()
    model.apply_update("tea at four", update)
    assert model.score("tea at four").log_odds < 0.0
    model.revert_update("tea at four", update)
    assert model.to_bytes() == before


def test_with_three_classes_nothing_is_learned_from_a_source_that_is_always_wrong():
    truth = {"win money": "spam", "lunch at noon": "ham", "stand up": "work"}
    other = {"spam": "ham", "ham": "work", "work": "spam"}
    model = MailNB()
    for _ in range(60):
        for x, y in truth.items():
            model.learn_one(x, y, "honest")
            model.learn_one(x, y, "honest")
            model.learn_one(x, other[y], "liar")

    update = model.grade("tea at four", "spam", "liar")
    assert (update.weight, update.taken, update.rival) == (0, 0, None)


def test_the_only_source_keeps_a_weight_even_with_random_labels():
    model = MailNB()
    draw = random.Random(2)
    for _ in range(400):
        model.learn_one(draw.choice(["win money", "lunch at noon"]), draw.choice(["ham", "spam"]))
    assert model.grade("tea at four", "ham").weight > 64


@pytest.mark.parametrize(("common", "late"), [("ham", "spam"), ("spam", "ham")])
def test_a_late_class_is_learned_with_full_belief_but_a_later_wrong_label_is_not(common, late):
    model = MailNB()

    def learn(x, y, source="anna"):
        """Learn a label; returns the belief in it, and the doubt in its source."""
        update = model.grade(x, y, source)
        model.apply_update(x, update)
        return update.tallies[MailUpdate.BIN_GAIN] / 256, update.tallies[MailUpdate.SOURCE_DOUBT] / 65536

    for number in range(1000):
        learn(f"win money now {number % 10}", common)
    for number in range(60):
        belief, doubt = learn(f"lunch at noon {number % 10}", late)
        assert belief == 1.0 and doubt < 0.1
    belief, doubt = [learn(f"win money now {number}", late, "eve") for number in range(5)][-1]
    assert belief < 0.5 < doubt


def errors_after_a_change(trust):
    """Of eight topics four are ham, until one of these becomes spam half-way: count how many of its next 50 mails are
    predicted as ham."""
    draw, model = random.Random(4), MailNB(trust=trust)
    wrong, seen = 0, 0
    for number in range(1600):
        topic = draw.randrange(8)
        words = [f"t{topic}w{draw.randrange(60)}" for _ in range(15)] + [f"w{draw.randrange(300)}" for _ in range(25)]
        draw.shuffle(words)
        changed = topic == 0 and number >= 800
        label = "spam" if topic >= 4 or changed else "ham"
        if changed and seen < 50:
            seen += 1
            wrong += model.predict_one(" ".join(words)) == "ham"
        model.learn_one(" ".join(words), label)
    return wrong


def test_a_topic_that_becomes_spam_is_relearned_as_fast_as_without_trust():
    assert errors_after_a_change(True) <= min(20, errors_after_a_change(False))


def test_a_surprising_label_raises_the_doubt_in_its_source_more_the_more_was_learned():
    doubts = []
    for labels in (20, 200, 2000):
        model = MailNB()
        for number in range(labels):
            model.learn_one(*[("win money today", "spam"), ("lunch at noon", "ham")][number % 2], "anna")
        assert -1.5 < model.score("money lunch at win").log_odds < -0.6
        doubts.append(model.grade("money lunch at win", "spam", "eve").tallies[MailUpdate.SOURCE_DOUBT] / 65536)
    assert doubts[0] < 0.1 and 0.2 < doubts[1] < doubts[2] - 0.1 and doubts[2] > 0.5


def errors_in_a_campaign(trust):
    """Over six streams, count errors on the mails 200 to 400, in which a spam campaign begins."""
    wrong = 0
    for seed in range(6):
        model = MailNB(trust=trust)
        for number, item in enumerate(synthetic_mails(400, seed=seed)):
            mail = read_mail(item.value).mail
            wrong += number >= 200 and model.predict_one(mail) != item.label
            model.learn_one(mail, item.label)
    return wrong


def test_an_early_spam_campaign_is_learned_nearly_as_fast_as_without_trust():
    assert errors_in_a_campaign(True) <= 1.2 * errors_in_a_campaign(False)
