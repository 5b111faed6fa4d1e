"""Numbers and categories of mails: the laws of their statistics, their terms by the formulas, and their weights."""

import math
import random
from statistics import NormalDist

import numpy as np
import pytest
from hypothesis import example, given

from stream_nb import GaussianNB, Mail, MailNB, Part, SnapshotError, snapshot
from tests.support import strategies
from tests.support.feature_mails import mail_with, trained

PROBES = [
    Mail((Part("", b"free money"),), features=(("size", 2.5), ("format", "html"), ("signed", True))),
    Mail((), features=(("size", 1e6), ("links", 3.0))),
]


def scores_and_evidence(model):
    return [model.score(x) for x in PROBES] + [model.evidence(x) for x in PROBES]


@given(data=strategies.data(strategies.mails), x=strategies.mails)
@example(
    data=[(mail_with(size=1.0), "ham"), (mail_with(size=2.0), "spam")], x=mail_with(size=1.0, other=3.0, kind="new")
)
def test_E9_scores_and_evidence_change_nothing_and_terms_add_up_to_the_log_odds(data, x):
    model = trained(data)
    before = model.to_bytes()
    score, evidence = model.score(x), model.evidence(x)
    model.grade(x, "new class", "somebody")
    assert model.to_bytes() == before
    assert score.log_odds == evidence.log_odds or "spam" not in model.classes
    assert evidence.bias + math.fsum(term.weight for term in evidence.terms) == pytest.approx(
        evidence.log_odds, abs=1e-12
    )
    assert sum(term.kind in ("number", "category") for term in evidence.terms) == len(x.features)
    assert math.fsum(model.predict_proba_one(x).values()) == pytest.approx(1.0 if model.classes else 0.0)


@given(data=strategies.data(strategies.mails))
def test_a_batch_gives_the_same_scores_and_model_as_single_mails(data):
    single, batch = MailNB(), MailNB()
    predicted = []
    for x, y in data:
        predicted.append(single.score(x).log_odds)
        single.learn_one(x, y, "me")
    assert batch.score_then_learn([x for x, _ in data], [y for _, y in data], "me") == predicted
    assert batch.to_bytes() == single.to_bytes()
    assert batch.score_many(PROBES) == [single.score(x) for x in PROBES]


def test_learned_and_unlearned_features_leave_mails_without_features_unaffected():
    plain, mixed = MailNB(), MailNB()
    for model, features in ((plain, ()), (mixed, (("size", 3.0),))):
        for i in range(40):
            text = Part("", b"win money now" if i % 2 else b"lunch at noon")
            label = "spam" if i % 2 else "ham"
            model.apply_update(Mail((text,)), model.grade(Mail((text,)), label))
            if features and i % 5 == 0:
                mail = Mail((), features=features)
                update = model.grade(mail, label)
                model.apply_update(mail, update)
                model.revert_update(mail, update)
    x = Mail((Part("", b"money for lunch"),))
    assert mixed.score(x) == plain.score(x)
    assert mixed.grade(x, "ham") == plain.grade(x, "ham")
    assert mixed.to_bytes() == plain.to_bytes()


def test_M4_the_weight_of_a_category_equals_the_formula():
    model = MailNB(trust=False)
    for colour, label, times in [("red", "ham", 3), ("blue", "ham", 1), ("red", "spam", 1), ("blue", "spam", 3)]:
        for _ in range(times):
            model.learn_one(mail_with(colour=colour), label)
    _, weight = model.statistics.part_weights
    # red is half of all values: log (1 + 2/2) / (4 + 2) against (3 + 2/2) / (4 + 2)
    share = weight * math.log(2 / 4) / (1 + 1) ** model.damping
    (term,) = model.evidence(mail_with(colour="red")).terms
    assert (term.text, term.kind, term.counts) == ("colour red", "category", {"ham": 3.0, "spam": 1.0})
    assert term.weight == pytest.approx(share, rel=1e-12)
    assert model.statistics.categories == {
        "colour": {"red": {"ham": 3.0, "spam": 1.0}, "blue": {"ham": 1.0, "spam": 3.0}}
    }
    (unseen,) = model.evidence(mail_with(colour="green")).terms
    assert unseen.weight == 0.0


def test_M5_numbers_within_one_bin_are_separated_by_their_normal_distributions():
    model = MailNB(trust=False)
    for x, label in [(1001.0, "ham"), (1003.0, "ham"), (1005.0, "spam"), (1007.0, "spam")]:
        model.learn_one(mail_with(x=x), label)
    # One bin, 1000 to 1008, has all values, so it is uninformative. Deviations are 1, means 1002 and 1006.
    assert model.statistics.histogram("x") == [(1000.0, 1008.0, {"ham": 2.0, "spam": 2.0})]
    ham, spam = NormalDist(1002, 1), NormalDist(1006, 1)
    density = {
        label: math.log(normal.pdf(1003.5) / (normal.cdf(1008) - normal.cdf(1000)))
        for label, normal in (("ham", ham), ("spam", spam))
    }
    middle = math.log((math.exp(density["ham"]) + math.exp(density["spam"])) / 2)
    within = {label: max(-3.0, min(3.0, value - middle)) for label, value in density.items()}
    weight, _ = model.statistics.part_weights
    (term,) = model.evidence(mail_with(x=1003.5)).terms
    assert (term.text, term.kind, term.counts) == ("x 1,003.5", "number", {"ham": 2.0, "spam": 2.0})
    assert term.weight == pytest.approx(weight * (within["spam"] - within["ham"]) / 2**model.damping, rel=1e-9)
    assert model.statistics.numbers["x"]["ham"] == (2.0, 1002.0, 1.0)


def test_M7_numbers_of_alternating_classes_are_predicted_by_their_bins():
    model = MailNB(trust=False)
    for x, label in [(1.0, "ham"), (8.0, "spam"), (64.0, "ham"), (512.0, "spam")] * 30:
        model.learn_one(mail_with(x=x), label)
    assert [model.predict_one(mail_with(x=x)) for x in (1.0, 8.0, 64.0, 512.0)] == ["ham", "spam", "ham", "spam"]


def test_M8_an_informative_number_keeps_its_weight_among_many_classes():
    """The six classes overlap: another class often has a higher score, but the number is informative."""
    rng = random.Random(3)
    mail, gaussian, right = MailNB(), GaussianNB(), [0, 0]
    for i in range(600):
        k = rng.randrange(6)
        x, label = {"x": rng.gauss(10 * k, 8)}, f"class {k}"
        right[0] += i >= 200 and mail.predict_one(mail_with(**x)) == label
        right[1] += i >= 200 and gaussian.predict_one(x) == label
        mail.learn_one(mail_with(**x), label)
        gaussian.learn_one(x, label)
    assert right[0] > 0.8 * right[1] > 0.4 * 400
    assert mail.statistics.part_weights[0] > 0.5


def test_known_and_unseen_include_features():
    model = MailNB()
    model.learn_one(mail_with(size=2.5, colour="red", signed=True), "ham")
    model.learn_one(mail_with(size=4.5, colour="blue", signed=True), "spam")
    for mail, counts in (
        (mail_with(size=9.5, colour="red", signed=True), (3, 0)),
        (mail_with(size=9.5, colour="green", signed=False), (1, 2)),
        (mail_with(size="text", other=1.0), (0, 2)),
        (Mail((Part("", b"word"),), features=(("size", 1.0),)), (1, 1)),
    ):
        score = model.score(mail)
        assert (score.known, score.unseen) == counts


def test_terms_show_booleans_and_numbers_as_json_does():
    model = MailNB()
    model.learn_one(mail_with(size=12041.0, signed=True, n=3), "ham")
    assert {term.text for term in model.evidence(mail_with(size=12041.0, signed=False, n=3)).terms} == {
        "size 12,041", "signed false", "n 3"
    }  # fmt: skip


def test_uninformative_numbers_weigh_little_and_hardly_add_errors():
    rng = random.Random(5)
    words, both, right = MailNB(), MailNB(), [0, 0]
    for i in range(1500):
        label = "spam" if rng.random() < 0.5 else "ham"
        typical = rng.random() < 0.9
        text = " ".join(
            rng.choice(["win", "cash", "now"] if (label == "spam") == typical else ["see", "you"]) for _ in "abc"
        )
        mail = Mail((Part("", text.encode()),))
        noisy = mail._replace(features=tuple((f"n{k}", rng.gauss(0, 1) ** 3) for k in range(10)))
        for k, (model, x) in enumerate(((words, mail), (both, noisy))):
            right[k] += i >= 200 and model.predict_one(x) == label
            model.learn_one(x, label)
    assert right[1] >= right[0] - 15
    assert both.statistics.part_weights[0] < 0.3


def test_a_bimodal_number_is_learned_without_words():
    rng = random.Random(6)
    model, right = MailNB(), 0
    for i in range(1200):
        label = rng.choice(["ham", "spam"])
        x = rng.gauss(0, 1) if label == "ham" else rng.choice((-4, 4)) + rng.gauss(0, 0.5)
        right += i >= 200 and model.predict_one(mail_with(x=x)) == label
        model.learn_one(mail_with(x=x), label)
    assert right > 970


def test_three_classes_learned_in_any_order_give_the_same_model():
    rows = [(mail_with(x=float(i % 7), kind="abc"[i % 3]), ("ham", "spam", "work")[i % 3]) for i in range(60)]
    model, updates = MailNB(), []
    for x, y in rows:
        updates.append((x, model.grade(x, y)))
        model.apply_update(*updates[-1])
    other = MailNB()
    for x, update in reversed(updates):
        other.apply_update(x, update)
    assert other.to_bytes() == model.to_bytes() and other.classes != model.classes
    assert all(other.score(x) == model.score(x) for x, _ in rows)


def test_a_name_can_be_both_a_number_and_a_category():
    model = MailNB()
    for i in range(10):
        model.learn_one(mail_with(size=i), "ham")
        model.learn_one(mail_with(size=str(i)), "spam")
        model.learn_one(mail_with(size=i % 2 == 0), "spam")
    statistics = model.statistics
    assert statistics.numbers["size"]["ham"].n == 10.0 and statistics.numbers["size"]["spam"].n == 0.0
    assert set(statistics.categories["size"]) == {*map(str, range(10)), True, False}


@pytest.mark.parametrize(
    ("value", "error", "says"),
    [
        (math.nan, ValueError, "'size' is nan"),
        (-math.inf, ValueError, "'size' is -inf"),
        (10**400, ValueError, "'size' is 1000"),
        ([1], TypeError, "'size' is a list"),
        (None, TypeError, "'size' is a NoneType"),
    ],
)
def test_an_invalid_value_is_refused_by_name_and_changes_nothing_each_time(value, error, says):
    model = trained([(mail_with(size=1.0), "ham"), (mail_with(size=2.0), "spam")])
    before, predicted = model.to_bytes(), scores_and_evidence(model)
    mail = Mail((), features=(("fresh", 1.0), ("size", value)))
    for call in (model.score, lambda x: model.learn_one(x, "ham"), lambda x: model.grade(x, "ham")):
        with pytest.raises(error, match=says):
            call(mail)
    assert model.to_bytes() == before and scores_and_evidence(model) == predicted


def test_a_dict_as_features_of_a_mail_is_refused():
    """Otherwise a name of two letters would be read as a pair of name and value."""
    model = MailNB()
    for read in (model.score, lambda x: model.learn_one(x, "ham"), lambda x: model.learn_many([x], ["ham"])):
        with pytest.raises(TypeError, match="the features of a mail are a dict: give pairs of name and value"):
            read(Mail((Part("", b"win"),), features={"kb": 3.0}))
    assert model == MailNB()


def test_a_snapshot_with_features_of_another_version_or_damaged_features_is_refused():
    values, arrays = snapshot.unpack(trained([(mail_with(size=1.0, kind="a"), "ham")]).to_bytes(), "MailNB")
    for broken, says in (
        ({"version": 9}, r"features of version 9.*reads version 2"),
        ({"numbers": [["size", 5, [0, 0], [[256, 256, 256, 0]]]]}, "malformed"),
        ({"categories": [["kind", "a", "many"]]}, "malformed"),
    ):
        with pytest.raises(SnapshotError, match=says):
            MailNB.from_bytes(snapshot.pack("MailNB", values | {"features": values["features"] | broken}, arrays))
    with pytest.raises(SnapshotError):
        MailNB.from_bytes(snapshot.pack("MailNB", values, arrays | {"pool_bins": np.array([10**6])}))
