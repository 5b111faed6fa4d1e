"""What may name a class, in every model."""

from __future__ import annotations

import math

import numpy as np
import pytest

from stream_nb.registry import MODELS

REFUSED = [(None, TypeError), (b"spam", TypeError), (("a", 1), TypeError), (math.nan, ValueError)]
X = {"categorical": {"a": "x"}, "gaussian": {"a": 1.0}, "binned": {"a": 1.0}, "mixed": {"a": 1.0, "text": "win money"}}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("label", "error"), REFUSED, ids=[repr(label) for label, _ in REFUSED])
def test_what_is_no_label_is_refused_and_nothing_is_learned(name, label, error):
    model, x = MODELS[name].new(), X.get(name, "win money")
    model.learn_one(x, "spam")
    before = model.to_bytes()
    with pytest.raises(error, match="label"):
        model.learn_one(x, label)
    assert model.to_bytes() == before


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("label", ["", "spam", True, 0, -7, 2.5, np.int64(3), np.bool_(False), np.str_("ham")])
def test_equal_labels_are_one_class_and_come_back(name, label):
    model, x = MODELS[name].new(), X.get(name, "win money")
    model.learn_one(x, label)
    model.learn_one(x, label.item() if isinstance(label, np.generic) else label)
    same = type(model).from_bytes(model.to_bytes())
    assert same == model
    assert [*same.predict_proba_one(x)] == [label]
    assert type(same.predict_one(x)) in (str, bool, int, float)
