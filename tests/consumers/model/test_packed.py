"""A packed dict behaves like a dict."""

from __future__ import annotations

from collections import OrderedDict

import msgspec
from hypothesis import given
from hypothesis import strategies as st

from consumers.model.ledger import Entry, LabelVote
from consumers.model.packed import PackedDict
from stream_nb.types import OriginatorUpdate, Update

ENTRY = Entry(
    "a",
    7,
    1.5,
    (LabelVote("ann", None, 0.1), LabelVote("bob", "spam", 1e300)),
    Update("spam", 256, (1, 1 << 62, -5), "bob", -3, "ham", "silence", OriginatorUpdate(9, 1, (("spam", 1),))),
    2,
    3,
)


def test_a_ledger_entry_is_returned_unchanged():
    packed = PackedDict(Entry)
    packed["a"] = ENTRY
    assert packed["a"] == packed.get("a") == packed.pop("a") == ENTRY
    packed["b"] = ENTRY
    assert msgspec.msgpack.encode(packed.encoded()) == msgspec.msgpack.encode((ENTRY,))
    copy = PackedDict(Entry)
    copy.add_encoded(packed.encoded(), key=lambda entry: entry.id)
    assert copy == {"a": ENTRY}
    del packed["b"]
    assert packed.get("a") is None and packed.pop("a", None) is None and packed == {}


@given(st.lists(st.tuples(st.sampled_from("put pop get".split()), st.sampled_from("abcd"), st.integers(0, 9))))
def test_a_packed_dict_behaves_like_an_ordered_dict(steps):
    packed, plain = PackedDict(int), OrderedDict[str, int]()
    for step, key, value in steps:
        if step == "put":
            packed[key] = plain[key] = value
        else:
            assert getattr(packed, step)(key, None) == getattr(plain, step)(key, None)
        assert [*packed.items()] == [*plain.items()] and len(packed) == len(plain)
        assert (key in packed) == (key in plain) and [*reversed(packed)] == [*reversed(plain)]
