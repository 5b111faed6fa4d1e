"""The data log-likelihood as mails arrive."""

import json
import math
import statistics

import pytest

from consumers.ingest.formats import open_source
from consumers.ingest.formats.table import Columns
from consumers.model.textbook_input import TEXT
from consumers.studies import likelihood
from consumers.studies.corpus import load
from consumers.studies.numbers import with_features
from stream_nb import BernoulliNB, BinnedNB, CategoricalNB, GaussianNB, MixedNB, MultinomialNB

MODELS = {
    "multinomial": MultinomialNB(smoothing=0.5),
    "boolean": MultinomialNB(smoothing=0.5, presence=True),
    "bernoulli": BernoulliNB(smoothing=0.5),
    "categorical": CategoricalNB(smoothing=0.5),
    "gaussian": GaussianNB(),
    "binned": BinnedNB(smoothing=0.5),
    "mixed": MixedNB(MultinomialNB(smoothing=0.5, prior="uniform"), CategoricalNB(smoothing=0.5), text=TEXT),
}


@pytest.mark.parametrize("model", likelihood.INPUTS)
def test_E7_the_parts_of_the_log_likelihood_add_up_to_that_of_the_model(mails, model):
    section = likelihood.study(mails[:80], model=model, smoothing=0.5)
    figures = section.figures
    assert section.text[0].startswith(f"{model.capitalize()} model{'' if model == 'gaussian' else ', lambda 0.5'}, 80 ")
    series = figures["series"]
    assert set(series) == {"total", "labels", "mails in ham", "mails in spam"}
    for number, total in series["total"]:
        parts = [dict(series[name]).get(number, 0.0) for name in ("labels", "mails in ham", "mails in spam")]
        assert total == pytest.approx(math.fsum(parts))
    assert [number for number, _ in series["total"]] == [*range(2, 81, 2)]
    read, learner = likelihood.INPUTS[model], likelihood.new_model(model, 0.5)
    assert learner == MODELS[model]
    pairs = [(read(full), mail.label) for full, mail in zip(with_features(mails[:80]), mails, strict=False)]
    for x, label in pairs:
        learner.learn_one(x, label)
    expected = math.fsum(learner.joint_log_likelihood(x)[label] for x, label in pairs)
    assert figures["rows"][0][1] == pytest.approx(expected, rel=1e-9)


ROWS = [("red", 1.0, "a"), ("red", 2.5, "a"), ("blue", 0.5, "b"), ("red", 4.0, "b"), ("blue", -1.0, "a")]


@pytest.fixture
def table(tmp_path):
    """The messages of `ROWS`, without negative sizes; the column of colours is called text."""
    path = tmp_path / "t.jsonl"
    rows = [{"text": colour, "size": size if size > 0 else None, "class": label} for colour, size, label in ROWS]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return load(open_source(path, columns=Columns("class")), "a table").mails


def test_E7_the_categories_of_a_table_are_its_own(table):
    """They used to be measured on its text, which it does not have."""
    rows = likelihood.study(table, model="categorical", smoothing=1.0).figures["rows"]
    red_in_a, red_in_b = (2 + 1) / (3 + 3), (1 + 1) / (2 + 3)  # two values and one for all others
    expected = {
        "labels": 3 * math.log(3 / 5) + 2 * math.log(2 / 5),
        "mails in a": 2 * math.log(red_in_a) + math.log((1 + 1) / (3 + 3)),
        "mails in b": math.log(red_in_b) + math.log((1 + 1) / (2 + 3)),
    }
    assert {name: value for name, value, _ in rows if name != "total"} == pytest.approx(expected)


def test_E7_a_missing_number_is_left_out(table):
    rows = likelihood.study(table, model="gaussian").figures["rows"]
    sizes = {f"mails in {y}": [s for _, s, label in ROWS if label == y and s > 0] for y in "ab"}
    for name, value, _ in rows[2:]:
        normal = statistics.NormalDist(statistics.fmean(sizes[name]), statistics.pstdev(sizes[name]))
        assert value == pytest.approx(sum(math.log(normal.pdf(size)) for size in sizes[name]))
    parts = {name: likelihood.study(table, model=name).figures["rows"] for name in ("mixed", "gaussian", "categorical")}
    for mixed, numbers, categories in zip(*(rows[2:] for rows in parts.values()), strict=True):
        assert mixed[1] == pytest.approx(numbers[1] + categories[1])


def test_a_class_may_be_named_like_another_part(mails):
    named = [mail._replace(label={"ham": "labels", "spam": "total"}[mail.label]) for mail in mails[:80]]
    values = [value for _, value, _ in likelihood.study(named).figures["rows"]]
    assert values == [value for _, value, _ in likelihood.study(mails[:80]).figures["rows"]]
