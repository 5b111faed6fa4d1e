"""The graph of a model: nodes, edges and plates; observed variables are shaded, text is escaped."""

import xml.etree.ElementTree as ET

import pytest

from stream_nb import MultinomialNB
from stream_nb.generative.bayes_net import bayes_net_svg
from stream_nb.mixed import MixedNB
from stream_nb.tabular.categorical import CategoricalNB
from stream_nb.tabular.gaussian import GaussianNB
from tests.support.models import CLASSES, WORD_CLASSES

SVG = "{http://www.w3.org/2000/svg}"
ISOLATES = dict.fromkeys(map(ord, "\N{FIRST STRONG ISOLATE}\N{POP DIRECTIONAL ISOLATE}"))


def classes_and_texts(model, **options):
    root = ET.fromstring(bayes_net_svg(model, **options))
    classes = [element.get("class") for element in root.iter() if element.get("class")]
    text = [(element.text or "").translate(ISOLATES) for element in root.iter(f"{SVG}text")]
    return classes, text


@pytest.mark.parametrize("new", CLASSES)
def test_M10_every_model_is_drawn_with_its_nodes_plates_and_edges(new):
    model = new()
    x = "free money" if new in WORD_CLASSES else {"a": 1.0}
    for label in (None, "ham", "spam", "work"):
        if label:
            model.learn_one(x, label)
        before = model.to_bytes()
        classes, text = classes_and_texts(model)
        assert model.to_bytes() == before
        assert classes.count("node") == 1  # the class: to be inferred
        assert classes.count("node seen") == 1  # one kind of feature: observed
        assert classes.count("plate") == 2
        assert classes.count("edge") == 3  # prior -> class -> feature <- parameters
    assert "message, N = 3" in text
    assert {"P(ham) = 0.333", "P(spam) = 0.333", "P(work) = 0.333"} <= set(text)


def test_M10_the_graph_of_a_mixed_model_has_a_branch_for_each_kind_of_feature():
    model = MixedNB()
    model.learn_one({"text": "free money", "lines": 3, "html": True}, "spam")
    model.learn_one({"text": "see you", "lines": 9, "html": False}, "ham")
    classes, text = classes_and_texts(model)
    assert classes.count("node seen") == 3
    assert classes.count("plate") == 4
    assert classes.count("edge") == 7
    shown = "\n".join(text)
    assert "lines: ham 9 ± 3   spam 3 ± 3" in shown
    assert "html = true: ham 0.250   spam 0.500" in shown
    assert "money" in shown


def test_M10_the_probabilities_in_the_graph_are_those_of_the_model():
    model = MultinomialNB()
    model.learn_one("free free money", "spam")
    model.learn_one("see you", "ham")
    _, text = classes_and_texts(model, most=1)
    assert f"   free  {model.word_probabilities('free')['spam']:.2g}   (0.17)" in text
    assert "and 0 more" not in text


def test_M10_words_that_other_classes_have_more_rarely_are_drawn_and_further_classes_are_counted():
    model = MultinomialNB()
    for number in range(7):
        model.learn_one(f"the the the ! own{number}", f"c{number}")
    _, text = classes_and_texts(model, most=1)
    assert [line.split()[0] for line in text if line.startswith("   ")] == [f"own{number}" for number in range(6)]
    assert "and 1 more" in text


def test_M10_names_from_right_to_left_do_not_reorder_the_numbers_behind_them():
    model = MultinomialNB()
    model.learn_one("\u05e9\u05dc\u05d5\u05dd", "\u05d3\u05d5\u05d0\u05e8")
    svg = bayes_net_svg(model)
    assert "   \u2068\u05e9\u05dc\u05d5\u05dd\u2069  1   (1)<" in svg
    assert "P(\u2068\u05d3\u05d5\u05d0\u05e8\u2069) = 1.000<" in svg


def test_M10_long_names_are_within_the_picture():
    model = GaussianNB()
    for number in range(6):
        model.learn_one({"m" * 40: 1e5 * number}, "m" * 40 + str(number % 3))
    svg = bayes_net_svg(model)
    _, text = classes_and_texts(model)
    row = next(line for line in text if line.startswith("mmm"))
    assert row.count("± 1.5e+05") == 3
    assert int(ET.fromstring(svg).get("width", "")) > 664 + 7 * len(row)
    assert f"P({'m' * 17}…) = 0.333" in text


def test_M10_hostile_names_are_escaped():
    model = CategoricalNB()
    model.learn_one({'</text><script>alert("x")</script>': "<b>\x00"}, '"><script>')
    svg = bayes_net_svg(model)
    assert "<script" not in svg
    ET.fromstring(svg)


def test_drawing_another_object_or_no_features_is_refused():
    with pytest.raises(ValueError, match="cannot draw a dict"):
        bayes_net_svg({})
    for most in (0, 1.5, None):
        with pytest.raises(ValueError, match=f"most is {most}: give a whole number of 1 or more"):
            bayes_net_svg(GaussianNB(), most=most)
