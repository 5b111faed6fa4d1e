"""Starters: the counts of another model, scaled down so that a new model can begin with them."""

from __future__ import annotations

import math
from random import Random

import pytest

from stream_nb import Mail, MailNB, Part, SnapshotError, snapshot
from stream_nb.mail_nb.starter import starter
from tests.support.trained import KEY, trained

OTHER = {"ham": "spam", "spam": "ham"}


def random_texts(seed: int, mails: int) -> list[tuple[str, str]]:
    """Mails with words drawn from 40 of their class and 40 common ones; half are spam."""
    draw = Random(seed)
    mails_with_labels: list[tuple[str, str]] = []
    for number in range(mails):
        label = ("ham", "spam")[number % 2]
        words = [f"{draw.choice((label, 'both'))}{draw.randrange(40)}" for _ in range(6)]
        mails_with_labels.append((" ".join(words), label))
    return mails_with_labels


def trained_on(model: MailNB, mails: list[tuple[str, str]], flipped: bool = False) -> MailNB:
    """The model after learning the mails, with correct or with inverted labels."""
    model.learn_many([text for text, _ in mails], [OTHER[label] if flipped else label for _, label in mails])
    return model


def errors(model: MailNB, mails: list[tuple[str, str]]) -> int:
    """Number of mails that a copy of the model misclassifies, testing each before training on it."""
    scores = model.copy().score_then_learn([text for text, _ in mails], [label for _, label in mails])
    return sum((score > 0) != (label == "spam") for score, (_, label) in zip(scores, mails, strict=True))


def counts(model: MailNB, text: str) -> dict[str, dict[str, float]]:
    return {term.text: term.counts for term in model.evidence(text).terms}


def test_a_starter_counts_a_feature_of_n_mails_as_half_of_n_to_the_power_of_015():
    model = trained(MailNB(key=KEY, band=math.inf, trust=False), [("free", "spam")] * 6 + [("free lunch", "ham")] * 2)
    before = model.to_bytes()
    start = starter(model)

    counted = counts(start, "free lunch now")
    assert counted["free"] == pytest.approx({"spam": 0.5 * 8**0.15 * 6 / 8, "ham": 0.5 * 8**0.15 * 2 / 8}, abs=1 / 256)
    assert counted["lunch"] == pytest.approx({"spam": 0.0, "ham": 0.5 * 2**0.15}, abs=1 / 256)
    assert counted["free lunch"] == counted["lunch"] and not any(counted["now"].values())
    assert start.statistics.starter == (3, 0, 1.0) and start.features == 0
    assert start.labels_learned == 0 and start.statistics.sources == {}
    assert start.options() == model.options()
    assert model.to_bytes() == before


def test_labels_learned_after_a_starter_and_the_starter_are_unlearned_exactly():
    start = starter(trained(MailNB(key=KEY), random_texts(1, 100)))
    model, alone, updates = start.copy(), MailNB(key=KEY), []
    for text, label in random_texts(2, 40):
        updates.append((text, model.grade(text, label, "me")))
        model.apply_update(*updates[-1])
        alone.apply_update(*updates[-1])

    without = model.copy()
    without.unmerge(start)
    assert without == alone
    for text, update in Random(0).sample(updates, len(updates)):
        model.revert_update(text, update)
    assert model == start


def test_a_starter_does_not_depend_on_the_order_of_learning():
    mails, model, other = random_texts(3, 60), MailNB(key=KEY), MailNB(key=KEY)
    updates = [(text, model.grade(text, label)) for text, label in mails]
    for text, update in updates:
        model.apply_update(text, update)
    for text, update in reversed(updates):
        other.apply_update(text, update)
    assert starter(model) == starter(other)


def test_a_starter_leaves_out_negative_counts():
    model = MailNB(key=KEY)
    model.learn_one("free", "spam")
    model.learn_one("lunch", "ham")
    model.revert_update("lunch", model.grade("lunch", "spam"))  # never applied, so spam's count of lunch is negative

    start = starter(model)
    assert {term.text: term.counts for term in start.evidence("free lunch").terms if term.kind == "word"} == {
        "free": {"spam": pytest.approx(0.5, abs=1 / 256), "ham": 0.0},
        "lunch": {"spam": 0.0, "ham": pytest.approx(0.5, abs=1 / 256)},
    }


def test_a_starter_of_an_empty_or_single_class_model_or_of_a_starter_is_empty():
    assert starter(MailNB(key=KEY)) == MailNB(key=KEY)
    assert starter(trained_on(MailNB(key=KEY), [("lunch at noon", "ham")])) == MailNB(key=KEY)
    assert starter(starter(trained_on(MailNB(key=KEY), random_texts(1, 20)))) == MailNB(key=KEY)


def test_a_starter_halves_the_errors_on_the_first_mails():
    start, mails = starter(trained_on(MailNB(key=KEY), random_texts(4, 400))), random_texts(5, 200)
    assert errors(start, mails) <= errors(MailNB(key=KEY), mails) // 2


def test_a_starter_with_inverted_labels_is_ignored_after_a_few_labels():
    start, mails = starter(trained_on(MailNB(key=KEY), random_texts(4, 400), flipped=True)), random_texts(5, 400)
    alone = errors(MailNB(key=KEY), mails)
    assert alone <= errors(start, mails) <= alone + 6
    model = trained_on(start.copy(), mails[:10])
    assert model.statistics.starter is not None and model.statistics.starter.share == 0.0
    own = model.copy()
    own.unmerge(start)
    for text, _ in mails[10:60]:
        assert model.score(text) == own.score(text)
        assert model.evidence(text) == own.evidence(text)


def test_the_share_of_a_starter_falls_as_labels_of_both_classes_are_learned():
    start, mails = starter(trained_on(MailNB(key=KEY), random_texts(4, 400))), random_texts(5, 1200)
    shares = [trained_on(start.copy(), [m for m in mails if m[1] == "ham"][:500]).statistics.starter.share]
    for n in (50, 200, 1200):
        shares.append(trained_on(start.copy(), mails[:n]).statistics.starter.share)
    assert shares[0] > 0.95  # labels of a single class
    assert shares == sorted(shares, reverse=True) and 0.0 < shares[-1] <= 500 / 1100


def test_evidence_with_a_starter_adds_up_and_includes_the_starters_part():
    start = starter(trained_on(MailNB(key=KEY), random_texts(4, 400)))
    model, mails = trained_on(start.copy(), random_texts(5, 20)), random_texts(6, 20)
    own = model.copy()
    own.unmerge(start)
    assert own.statistics.starter is None
    for text, _ in mails:
        evidence, alone = model.evidence(text), own.evidence(text)
        assert evidence.bias + math.fsum(term.weight for term in evidence.terms) == pytest.approx(evidence.log_odds)
        assert evidence.log_odds == model.score(text).log_odds
        assert evidence.starter == pytest.approx(evidence.log_odds - alone.log_odds) and alone.starter == 0.0
    assert max(abs(model.evidence(text).starter) for text, _ in mails) > 0.1


def test_with_a_starter_batches_snapshots_merges_and_recorded_changes_are_exact():
    start, mails = starter(trained_on(MailNB(key=KEY), random_texts(4, 100))), random_texts(5, 60)
    single, batch = start.copy(), start.copy()
    predicted = []
    for text, label in mails:
        predicted.append(single.score(text).log_odds)
        single.learn_one(text, label)
    assert batch.score_then_learn([text for text, _ in mails], [label for _, label in mails]) == predicted
    assert batch == single == MailNB.from_bytes(single.to_bytes())
    assert batch.score_many([text for text, _ in mails]) == [single.score(text) for text, _ in mails]

    follower, model = start.copy(), start.copy()
    recorder = model.recorder()
    first = recorder.learn(*mails[0])
    for text, label in mails[1:]:
        recorder.learn(text, label)
    recorder.revert_update(mails[0][0], first)
    follower.apply_changes(recorder.take())
    assert follower == model

    halves = [start.clone(), start.clone()]
    model = start.copy()
    for number, (text, label) in enumerate(mails):
        update = model.grade(text, label)
        model.apply_update(text, update)
        halves[number % 2].apply_update(text, update)
    halves[1].merge(start)
    halves[1].merge(halves[0])
    assert halves[1] == model == single
    halves[1].decay(0.0)
    assert halves[1] == start


def test_a_snapshot_with_a_damaged_starter_is_refused():
    values, arrays = snapshot.unpack(starter(trained_on(MailNB(key=KEY), random_texts(4, 20))).to_bytes(), "MailNB")
    assert MailNB.from_bytes(snapshot.pack("MailNB", values, arrays)).statistics.starter is not None
    without = {name: array for name, array in arrays.items() if name != "starter_tallies"}
    nested = values | {"starter": values["starter"] | {"starter": values["starter"]}}
    for damaged in (snapshot.pack("MailNB", values, without), snapshot.pack("MailNB", nested, arrays)):
        with pytest.raises(SnapshotError):
            MailNB.from_bytes(damaged)


def test_with_a_starter_of_words_numbers_are_learned_and_unlearned_exactly():
    start = starter(trained_on(MailNB(key=KEY), random_texts(4, 100)))
    model, updates = start.copy(), []
    for number, (text, label) in enumerate(random_texts(5, 60)):
        features = (("size", float(number % 7)), ("kind", label)) if number % 3 else ()
        mail = Mail((Part("", text.encode()),), features=features)
        other = model.copy()
        update = other.recorder().learn(mail, label)
        updates.append((mail, model.grade(mail, label)))
        model.apply_update(*updates[-1])
        assert update == updates[-1][1] and other == model
    assert model.statistics.part_weights[1] > 0.0
    for mail, update in updates:
        model.revert_update(mail, update)
    assert model == start


def test_classes_of_only_the_starter_or_only_the_labels_are_predicted():
    start = starter(trained_on(MailNB(key=KEY), [("free money", "spam"), ("lunch at noon", "ham")] * 10))
    model = start.copy()
    for text, label in [("goals and scores", "sport"), ("lunch at one", "ham")] * 10:
        model.learn_one(text, label)
    assert set(model.classes) == {"ham", "spam", "sport"}
    assert [model.predict_one(text) for text in ("free money", "lunch", "goals")] == ["spam", "ham", "sport"]
    evidence = model.evidence("free goals")
    assert evidence.bias + math.fsum(term.weight for term in evidence.terms) == pytest.approx(evidence.log_odds)
    model.unmerge(start)
    assert set(model.classes) == {"ham", "sport"}
