"""Invalid input is refused by every model and changes nothing."""

import copy

import pytest

from stream_nb import (
    Mail,
    MailNB,
    SnapshotError,
)
from tests.support.models import CLASSES


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("x", [None, 1.5])
def test_every_method_of_every_model_refuses_an_invalid_message_repeatedly(cls, x):
    model = cls()
    for _ in range(2):
        for read in (model.score, model.predict_one, lambda x: model.learn_one(x, "ham")):
            with pytest.raises(TypeError, match=f"a message of type {type(x).__name__}: give "):
                read(x)
    assert model.predict_proba_one({}) == {}


@pytest.mark.parametrize("x", [None, 1.5])
def test_an_invalid_message_in_a_batch_is_refused(x):
    model = MailNB()
    model.learn_many(["free money", "lunch"], ["spam", "ham"])
    for read in (lambda xs: [*model.score_many(xs)], lambda xs: model.learn_many(xs, ["ham"] * len(xs))):
        with pytest.raises(TypeError, match=f"a message of type {type(x).__name__}: give "):
            read(["money", x])


@pytest.mark.parametrize("cls", CLASSES)
def test_the_error_of_an_invalid_message_in_a_batch_says_which_and_the_messages_before_it_are_learned(cls):
    model, one = cls(), cls()
    with pytest.raises(TypeError, match=r"^message 1: a message of type NoneType: give "):
        model.learn_many([{}, None, {}], ["ham", "spam", "ham"])
    one.learn_one({}, "ham")
    assert model == one


class Table:
    """A minimal pandas DataFrame: it iterates over the names of its columns."""

    columns = ("size", "links")

    def __iter__(self):
        return iter(self.columns)


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("xs", ["ab", b"ab", {"a": 1, "b": 2}, Table()])
def test_a_single_message_or_table_is_refused_as_a_list_of_messages(cls, xs):
    model = cls()
    reads = [model.predict_many, lambda xs: model.learn_many(xs, ["ham", "spam"])]
    if cls is MailNB:
        reads += [lambda xs: [*model.score_many(xs)]]
    for read in reads:
        with pytest.raises(TypeError, match=f"messages of type {type(xs).__name__}: give a list of messages"):
            read(xs)
    assert not model.classes


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("ys", ["ab", b"ab", {"a": 1, "b": 2}, Table()])
def test_a_single_label_or_table_is_refused_as_a_list_of_labels(cls, ys):
    """Otherwise each letter of a text would become a class."""
    model = cls()
    with pytest.raises(TypeError, match=f"labels of type {type(ys).__name__}: give a list with one label for each"):
        model.learn_many([{}, {}], ys)
    assert not model.classes


@pytest.mark.parametrize("cls", CLASSES)
def test_different_numbers_of_messages_and_labels_are_refused_before_learning(cls):
    model = cls()
    with pytest.raises(ValueError, match="1 messages and 2 labels"):
        model.learn_many([{}], ["ham", "spam"])
    assert not model.classes


@pytest.mark.parametrize(("cls", "other"), [(a, b) for a in CLASSES for b in [*CLASSES, dict] if a is not b])
def test_merging_models_of_different_classes_is_refused(cls, other):
    model, other = cls(), other()
    model.learn_one({}, "ham")
    if isinstance(other, tuple(CLASSES)):
        other.learn_one({}, "spam")
    for merge in (model.merge, model.unmerge):
        with pytest.raises(TypeError, match=f"a {type(other).__name__} cannot be merged into a {cls.__name__}"):
            merge(other)
    assert model.classes == ("ham",)


def test_merging_models_with_and_without_n_grams_is_refused():
    model, other = MailNB(grams=True), MailNB()
    other.learn_one("free money", "spam")
    with pytest.raises(ValueError, match="n-grams"):
        model.merge(other)
    assert not model.classes


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("factor", ["a", None, -1, 1.5, float("nan"), [0.5]])
def test_an_invalid_decay_factor_is_refused(cls, factor):
    with pytest.raises(ValueError, match=r"decay factor is .*: give a number from 0"):
        cls().decay(factor)


@pytest.mark.parametrize("cls", CLASSES)
def test_a_model_can_be_merged_with_and_unmerged_from_itself(cls):
    model, twice = cls(), cls()
    messages: list = [{"size": 0.1, "lines": 1}, {"size": 1, "words": 2}, {"size": 0.2}]
    if cls is MailNB:
        messages = [Mail((), features=tuple(features.items())) for features in messages]
    model.learn_many(messages, ["ham", "spam", "ham"])
    twice.merge(model)
    twice.merge(model)
    model.merge(model)
    assert model == twice
    model.unmerge(model)
    assert model == cls()


@pytest.mark.parametrize("cls", CLASSES)
def test_a_subclass_must_name_the_arguments_of_its_constructor(cls):
    class Renamed(cls):
        def __init__(self, extra=1, **rest):
            super().__init__(**rest)
            self.extra = extra

    model = Renamed(positive="junk")
    for read in (model.options, model.copy, model.clone):
        with pytest.raises(TypeError, match=r"Renamed.*\*\*rest: name each argument"):
            read()


@pytest.mark.parametrize("cls", CLASSES[:-1])  # one of MixedNB must name its parts, too
def test_a_subclass_that_names_its_arguments_is_copied_with_them(cls):
    class Named(cls):
        def __init__(self, extra=1, positive="spam"):
            super().__init__(positive=positive)
            self.extra = extra

    model = Named(2, "junk")
    model.learn_one({"a": 1}, "junk")
    for twin in (model.copy(), model.clone(), Named.from_bytes(model.to_bytes())):
        assert (type(twin), twin.extra, twin.positive) == (Named, 2, "junk")
    assert Named.from_bytes(model.to_bytes()) == model.copy() == model


@pytest.mark.parametrize("cls", CLASSES)
@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_what_a_copy_by_the_module_copy_learns_is_not_learned_by_the_original(cls, duplicate):
    model = cls(positive="junk")
    model.learn_one({"a": 1}, "junk")

    twin = duplicate(model)
    assert type(twin) is cls and twin == model

    twin.learn_one({"a": 1}, "ham")
    assert (model.classes, set(twin.classes)) == (("junk",), {"junk", "ham"})


def test_a_subclass_refuses_a_snapshot_with_a_value_that_it_cannot_have():
    class Words(MailNB):
        def __init__(self):
            super().__init__(pairs=False)

    with pytest.raises(SnapshotError, match="Words cannot be constructed with pairs = True"):
        Words.from_bytes(MailNB().to_bytes())
