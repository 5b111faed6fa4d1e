"""Messages scored and learned many at a time give the same bits as one at a time."""

import math
import random

import numpy as np
import pytest

from stream_nb import Mail, MailNB, Part
from stream_nb.features.extractor import Extractor
from stream_nb.features.hash_key import STUDY_KEY
from stream_nb.kernels.layout import UNIT, MailSetting, Size
from stream_nb.mail_nb.batch_engine import AT_ONCE, BatchEngine
from stream_nb.mail_nb.scorer import ROOM
from stream_nb.mail_nb.statistics import MailStatistics
from tests.support.few_mails import TEXTS


@pytest.mark.parametrize("options", [{}, {"band": math.inf, "max_features": 2000}, {"trust": False, "pairs": False}])
def test_batches_give_the_same_scores_and_model_as_single_messages(options):
    xs, ys = [], []
    for number in range(900):
        text = f"mail {number * 7919 % 1013} about {'money' if number % 2 else 'lunch'} n{number} Ünï {number % 13}"
        originator = ("", "anna@example.org", "list.example.org")[number % 3]
        mail = Mail((Part("subject", b"a subject"), Part("", text.encode())), originator=originator)
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


def history(seed, classes, mails=300):
    """Mails, a label or None for each, and who gave it; some kinds of messages, and labels that contradict."""
    rng, words = random.Random(seed), [f"w{number}" for number in range(900)]
    xs, labels, sources = [], [], []
    for number in range(mails):
        kind = rng.randrange(len(classes))
        text = " ".join(rng.choices(words[80 * kind : 80 * kind + 120], k=rng.randrange(40)))
        originator = rng.choice(["", "anna@example.org", "list.example.org", "ben@example.org"])
        mail = Mail((Part("subject", b"hi"), Part("", text.encode())), originator=originator)
        others = [text, text.split(), Mail((), (("free", 2),)), mail._replace(features=(("size", float(number)),))]
        xs.append(rng.choice(others) if rng.random() < 0.02 else mail)
        label = classes[kind] if rng.random() < 0.8 else rng.choice(classes)
        labels.append(label if rng.random() < 0.7 else None)
        sources.append(rng.choice("abc"))
    return xs, labels, sources


@pytest.mark.parametrize("options", [{}, {"trust": False}, {"grams": True, "band": math.inf}], ids=str)
@pytest.mark.parametrize("classes", [["ham"], ["ham", "spam"], [1, "two", 3.5, "four", "five", "six"]], ids=len)
@pytest.mark.parametrize("seed", range(3))
def test_a_recorder_scores_and_learns_many_like_one_after_the_other(seed, classes, options):
    single, batch = MailNB(**options), MailNB(**options)
    one, many = single.recorder(), batch.recorder()
    xs, labels, sources = history(seed, classes)
    expected = []
    for x, label, source in zip(xs, labels, sources, strict=True):
        score = single.score(x)
        expected.append((score, None if label is None else one.learn(x, label, source)))
    found, rng = [], random.Random(seed)
    while (at := len(found)) < len(xs):
        some = slice(at, at + rng.randrange(1, 3 * AT_ONCE))
        found += many.score_then_learn(xs[some], labels[some], sources[some])
    assert found == expected
    assert batch == single
    assert many.take() == one.take()


@pytest.mark.parametrize("number", [1, 2, 5])
def test_the_changes_of_each_batch_are_those_of_single_labels(number):
    """Also of the first batch of a new recorder, of few mails, whose labels come in another order than the classes."""
    single, batch = MailNB(), MailNB()
    for model in (single, batch):
        model.learn_many([TEXTS[name] for name in "abcd"], ["ham", "spam", "list", "ham"])
    one, many = single.recorder(), batch.recorder()
    for start in range(3):
        mails, labels = [TEXTS[name] for name in "dcba"[:number]], ["list", "spam", "ham", "spam"][start:][:number]
        found = many.score_then_learn(mails[: len(labels)], labels, ["anna"] * len(labels))
        assert [update for _, update in found] == [
            one.learn(mail, label, "anna") for mail, label in zip(mails, labels, strict=False)
        ]
        assert many.take() == one.take()


def test_the_changes_name_a_class_that_only_lost_to_another():
    """An error takes from the counters of the predicted class, which none of the labels may name."""
    single, batch = MailNB(), MailNB()
    for model in (single, batch):
        kinds = [("ham", "lunch"), ("spam", "money"), ("list", "digest")]
        texts = [(f"{word} {n % 7} offer", label) for n in range(300) for label, word in kinds]
        model.learn_many(*zip(*texts, strict=True))
    one, many = single.recorder(), batch.recorder()
    mails, labels = ["digest 1 offer", "lunch 2 offer", "money 3 offer"], ["list", "spam", "spam"]
    updates = [one.learn(mail, label) for mail, label in zip(mails, labels, strict=True)]
    assert updates[1].rival == "ham" and updates[1].taken > 0

    assert [update for _, update in many.score_then_learn(mails, labels, ["", "", ""])] == updates
    assert many.take() == one.take()
    assert batch == single


def test_only_sources_of_labels_are_counted():
    model = MailNB()
    recorder = model.recorder()
    for name, label in zip("ab", ["ham", "spam"], strict=True):
        recorder.learn(TEXTS[name], label, "anna")
    recorder.score_then_learn([TEXTS[name] for name in "abcd"], [None, "ham", None, "spam"], ["", "anna", "ben", "eve"])
    assert sorted(model.statistics.sources) == ["anna", "eve"]


def test_a_tie_goes_to_the_class_that_had_most_labels_at_the_turn_of_the_mail():
    model = MailNB(balance=False)
    recorder = model.recorder()
    for label, mail in [("ham", TEXTS["a"]), ("spam", TEXTS["b"])]:
        recorder.learn(mail, label)
    empty, labels = Mail((Part("", b""),)), [None, "spam", None, "ham", "ham", None]
    found = recorder.score_then_learn([empty] * 6, labels, [""] * 6)
    assert [score.label for score, _ in found] == ["ham", "ham", "spam", "spam", "ham", "ham"]


def test_counters_widen_when_one_label_takes_much():
    """An error takes more than one label adds: there must be room for that, too."""
    engine = BatchEngine(Extractor(STUDY_KEY, True, ROOM, counted=False), MailStatistics(), None)
    engine.set_options(dict(zip(MailSetting, (0.1, 0.8, 1.5, 0.75, 0.5, 4.0, 4.5, 1.0), strict=True)))
    engine.learn(engine.score("other", "spam"), "ham", "")  # the word of row 0
    texts = [f"money {n % 7} offer" if n % 2 else f"lunch {n % 7} noon" for n in range(1200)]
    engine.score_then_learn(texts, ["spam" if n % 2 else "ham" for n in range(1200)], "spam", "")
    assert engine.grade(engine.score("lunch 1 noon", "spam"), "spam", "").taken > UNIT
    table = engine.statistics.table
    table.rows[0, -1] = table.sizes[Size.LARGEST] = 2**31 - 1 - UNIT
    engine.score_then_learn(["lunch 1 noon", "lunch 2 noon"], ["spam", "spam"], "spam", "")
    assert table.rows.dtype == np.int64
