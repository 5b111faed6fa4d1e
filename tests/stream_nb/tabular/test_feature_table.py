"""Numbers and categories of messages: reading, counting and eviction."""

import math

import numpy as np
import pytest

from stream_nb import Mail, MailNB
from stream_nb.kernels.layout import CATEGORY, FEATURE_ROOM, NUMBER, FeatureId
from stream_nb.tabular.feature_table import FeatureTable, kind_of

MIXED = (("size", 3.0), ("format", "html"), ("signed", True), ("links", 2))


def ids(table):
    return table.ids[: table.n].tolist()


@pytest.mark.parametrize("name", [1, None, b"size", ("free", "money")], ids=repr)
@pytest.mark.parametrize("value", [1.0, "html"])
def test_a_name_that_is_not_text_is_refused(name, value):
    """It made the model impossible to save, beside names that are text or alone."""
    model, mail = MailNB(), Mail((), features=(("size", 2.0), (name, value)))
    for call in (model.score, lambda x: model.learn_one(x, "ham"), lambda x: model.learn_many([x], ["ham"])):
        with pytest.raises(TypeError, match=f"the name of a feature is .*, a {type(name).__name__}: give text"):
            call(mail)
    assert model == MailNB()


def test_unknown_features_have_no_rows_until_they_are_inserted():
    table = FeatureTable(2)
    table.read(MIXED, insert=False)
    assert ids(table) == [[0, -1, 0], [1, -1, -1], [1, -1, -1], [0, -1, 0]]
    assert table.live == 0
    table.read(MIXED, insert=True)
    assert [kind for kind, *_ in ids(table)] == [0, 1, 1, 0]
    assert min(min(row) for row in ids(table)) == 0
    table.read(MIXED[:1], insert=False)
    assert ids(table) == [[0, table.numbers.slots["size"], 0]]


def test_features_are_found_again_after_merging_growing_and_eviction_moved_their_rows():
    table, other = FeatureTable(1), FeatureTable(1)
    table.read(MIXED, insert=False)
    other.add(MIXED, 0, 256)
    table.merge(other, [0])
    table.read(MIXED, insert=False)
    assert (table.ids[:4, FeatureId.SLOT] >= 0).all()
    for k in range(300):
        table.add((("size", float(k)), (f"n{k}", 1.0)), 0, 256)
    names = tuple((name, 1.0) for name in list(table.numbers.slots)[-3:])
    table.read(names, insert=False)
    table.evict(2000)
    table.read(names, insert=False)
    assert ids(table) == [[0, table.numbers.slots.get(name, -1), 0] for name, _ in names]


def test_the_fast_path_for_known_floats_equals_the_general_one():
    fast, slow = FeatureTable(1), FeatureTable(1)
    first = (("a", 1.0), ("b", 2.0))
    for table in (fast, slow):
        table.add(first, 0, 256)
    fast.read((("a", 3.5), ("b", -0.0)), insert=False)
    slow.read((("a", np.float64(3.5)), ("b", 0)), insert=False)
    assert ids(fast) == ids(slow)
    with pytest.raises(ValueError, match="'b' is inf"):
        fast.read((("a", 3.5), ("b", math.inf)), insert=False)


def test_subtracting_what_was_added_empties_the_table():
    table = FeatureTable(2)
    table.add(MIXED, 1, 200)
    assert table.holds(1) and not table.holds(0) and not table.empty
    table.add(MIXED, 1, -200)
    assert table.empty and not table.holds(1)


def test_features_beyond_the_limit_of_a_message_are_ignored():
    table = FeatureTable(1)
    table.add(tuple((f"n{k}", 1.0) for k in range(FEATURE_ROOM + 50)), 0, 256)
    assert len(table.numbers.slots) == table.n == FEATURE_ROOM


def test_the_rarest_features_are_evicted_first():
    table = FeatureTable(1)
    for k in range(10):
        table.add((("often", 1.0), ("kind", "often"), ("id", k == 0)), 0, 256)
        table.add((("kind", f"value {k}"),), 0, 256)
    before = table.live
    evicted = table.evict(before - 5)
    assert evicted == 5 and table.live == before - 5
    assert ("kind", "often") in table.categories.values and "often" in table.numbers.slots
    assert table.evict(before) == 0


def test_changing_a_copy_leaves_the_original_unchanged():
    table = FeatureTable(1)
    table.add(MIXED, 0, 256)
    duplicate = table.copy()
    duplicate.add(MIXED, 0, 256)
    assert (table.numbers.count("size"), duplicate.numbers.count("size")) == (256, 512)


@pytest.mark.parametrize(
    ("value", "kind"),
    [(1, NUMBER), (1.5, NUMBER), (np.float32(2), NUMBER), ("1", CATEGORY), (True, CATEGORY), (np.bool_(0), CATEGORY)],
)
def test_numbers_are_numbers_and_texts_and_booleans_are_categories(value, kind):
    assert kind_of("size", value)[0] == kind
