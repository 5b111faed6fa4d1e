"""What people read from a mail model: the words of a class by weight, and their history."""

import math

import pytest

from stream_nb import MailNB
from stream_nb.mail_nb import vocabulary
from stream_nb.mail_nb.starter import starter

DATA = [("win money now", "spam"), ("lunch at noon", "ham"), ("free money", "spam"), ("the report", "work")]


def trained(data=DATA, **options):
    model = MailNB(**{"band": math.inf, "trust": False, **options})
    for text, label in data:
        model.learn_one(text, label)
    return model


def test_L5_weights_and_probabilities_of_a_word_equal_the_formulas():
    model = trained(smoothing=0.5, pairs=False)
    sums = {"spam": 5, "ham": 3, "work": 2}
    half_v = 0.5 * model.features
    scale = math.log((sums["spam"] + half_v) / (sums["ham"] + sums["work"] + half_v))
    money, *_ = vocabulary.strongest(model, "spam")
    assert (money.text, money.kind, money.counts) == ("money", "word", {"spam": 2.0, "ham": 0.0, "work": 0.0})
    assert money.weight == pytest.approx(math.log(2.5 / 0.5) - scale, rel=1e-12)
    assert vocabulary.class_weights(model, money)["spam"] == money.weight
    shares = vocabulary.word_probabilities(model, money)
    assert shares["spam"] == pytest.approx(2.5 / (5 + half_v))
    assert shares["ham"] == pytest.approx(0.5 / (3 + half_v))


def test_with_a_single_class_no_word_has_a_weight():
    model = MailNB()
    for text in ("one lunch at noon", "two meetings", "a very long lunch with three friends"):
        model.learn_one(text, "ham")
    assert vocabulary.strongest(model, "ham") == ()


def test_the_strongest_words_of_a_class_are_sorted_limited_and_filtered():
    model = trained()
    terms = vocabulary.strongest(model, "spam")
    assert [term.weight for term in terms] == sorted((term.weight for term in terms), reverse=True)
    assert {term.text for term in terms} == {"win", "money", "now", "free"}
    assert len(vocabulary.strongest(model, "spam", n=2)) == 2
    assert vocabulary.strongest(model, "spam", n=0) == ()
    with pytest.raises(ValueError, match="n is -1: give a whole number of 0 or more"):
        vocabulary.strongest(model, "spam", n=-1)
    assert [term.text for term in vocabulary.strongest(model, "spam", keep=lambda text: text[0] == "f")] == ["free"]


def test_a_word_that_no_mail_of_a_class_contains_is_not_strong_for_it():
    model = MailNB(pairs=False)
    mails = [("parcel", "post"), *20 * [("invoice for may", "bills")], ("invoice receipt", "bills")]
    for text, label in mails:
        model.learn_one(text, label)
    model.learn_one("receipt", "bills")
    assert [term.text for term in vocabulary.strongest(model, "post")] == ["parcel"]


def test_the_strongest_words_of_all_classes_are_those_of_each():
    model = trained()

    def long(text):
        return len(text) > 3

    found = vocabulary.strongest_by_class(model, 2, long)
    assert found == {label: vocabulary.strongest(model, label, 2, long) for label in model.classes}
    assert found["work"] and all(len(terms) <= 2 for terms in found.values())
    assert vocabulary.strongest_by_class(MailNB(), 2, long) == {}


def test_word_weights_include_every_word_with_counts_also_negative_weights():
    model = trained()
    terms = vocabulary.word_weights(model, "ham")
    assert [term.text for term in terms] == sorted({word for text, _ in DATA for word in text.split()})
    weights = {term.text: term.weight for term in terms}
    assert weights["lunch"] > 0 > weights["money"]
    model.unlearn_one("the report", "work")
    assert "report" not in {term.text for term in vocabulary.word_weights(model, "ham")}


@pytest.mark.parametrize("call", [vocabulary.strongest, vocabulary.word_weights])
def test_an_unknown_class_is_refused_by_name(call):
    with pytest.raises(KeyError, match="'junk' is not among"):
        call(trained(), "junk")
    with pytest.raises(KeyError):
        call(MailNB(), "spam")


def test_the_history_of_a_words_weight_ends_at_its_current_weight():
    model, updates = MailNB(), []
    for at, (text, label) in enumerate(DATA):
        updates.append((float(at), text, model.grade(text, label)))
        model.apply_update(text, updates[-1][2])
    history = vocabulary.weight_course(model, ["money"], "spam", updates)
    assert [at for at, _ in history] == [0.0, 2.0]
    now = {term.text: term.weight for term in vocabulary.word_weights(model, "spam")}["money"]
    assert history[-1][1] == pytest.approx(now, rel=1e-12)
    assert history[0][1] < history[1][1]
    assert vocabulary.weight_course(model, ["strange"], "spam", updates) == []
    assert vocabulary.weight_course(model, ["money"], "spam", []) == []


def test_word_probabilities_can_include_the_counts_of_the_starter():
    model = starter(trained(smoothing=0.5, pairs=False))
    for own in ([], [("free lunch", "ham"), ("money money", "spam")]):
        for text, label in own:
            model.learn_one(text, label)
        sums: dict[str, float] = {}
        for word in ("win", "money", "now", "free", "lunch", "at", "noon", "the", "report"):
            term = model.evidence([word]).terms[0]
            probabilities = vocabulary.word_probabilities(model, term, with_starter=True)
            sums = {label: sums.get(label, 0.0) + probability for label, probability in probabilities.items()}
        assert all(0.5 < probability < 1 + 1e-9 for probability in sums.values())
        money = model.evidence(["money"]).terms[0]
        weights = vocabulary.class_weights(model, money, with_starter=True)
        assert weights["spam"] > 0 > weights["ham"]
