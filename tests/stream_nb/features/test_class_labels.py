"""Which values every model accepts as labels."""

from __future__ import annotations

import enum
import math
from typing import get_args

import numpy as np
import pytest
from river.base.typing import ClfTarget

from stream_nb.registry import MODELS
from stream_nb.types import Label


class Folder(enum.StrEnum):
    JUNK = "junk"


class Rank(enum.IntEnum):
    THIRD = 3


REFUSED = [
    *((label, TypeError) for label in (None, b"spam", ("a", 1), ["spam"], {"a": 1}, {"spam"}, np.array(["spam"]))),
    (math.nan, ValueError),
]
X = {"categorical": {"a": "x"}, "gaussian": {"a": 1.0}, "binned": {"a": 1.0}, "mixed": {"a": 1.0, "text": "win money"}}


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("label", "error"), REFUSED, ids=[repr(label) for label, _ in REFUSED])
def test_an_invalid_label_is_refused_and_nothing_is_learned(name, label, error):
    model, x = MODELS[name].new(), X.get(name, "win money")
    model.learn_one(x, "spam")
    before = model.to_bytes()
    calls = (model.learn_one, model.unlearn_one, model.log_odds_one, lambda x, y: model.learn_many([x], [y]))
    for call in calls:
        with pytest.raises(error, match=r"label .*(give text, a bool or a number|leave out messages)"):
            call(x, label)
    assert model.to_bytes() == before


def test_the_type_of_labels_includes_those_of_river():
    assert set(get_args(Label)) == {str, bool, int, float} > set(get_args(ClfTarget))


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize(("member", "plain"), [(Folder.JUNK, "junk"), (Rank.THIRD, 3)], ids=repr)
def test_an_enum_member_is_the_same_label_as_its_value(name, member, plain):
    (model, same), x = (MODELS[name].new() for _ in range(2)), X.get(name, "win money")
    for label, other in [(member, plain), ("a", "a"), (plain, member)]:
        model.learn_one(x, label)
        same.learn_one(x, other)
    assert model == same
    assert model.to_bytes() == same.to_bytes()
    assert [type(label) for label in model.classes if label == plain] == [type(plain)]


@pytest.mark.parametrize("name", MODELS)
@pytest.mark.parametrize("label", ["", "spam", True, 0, -7, 2.5, np.int64(3), np.bool_(False), np.str_("ham")])
def test_equal_labels_are_one_class_and_restored_from_a_snapshot(name, label):
    model, x = MODELS[name].new(), X.get(name, "win money")
    model.learn_one(x, label)
    model.learn_one(x, label.item() if isinstance(label, np.generic) else label)
    same = type(model).from_bytes(model.to_bytes())
    assert same == model
    assert [*same.predict_proba_one(x)] == [label]
    assert type(same.predict_one(x)) in (str, bool, int, float)
