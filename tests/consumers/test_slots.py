"""A worker's name is stable over restarts and never shared by two living processes."""

import tempfile

from consumers.slots import take_slot


def test_the_lowest_free_slot_is_taken(tmp_path, monkeypatch):
    monkeypatch.setattr(tempfile, "gettempdir", lambda: str(tmp_path))
    first, second = take_slot("g/1"), take_slot("g/1")
    other_group = take_slot("g2")

    assert (first.member[-2:], second.member[-2:], other_group.member[-2:]) == ("-0", "-1", "-0")

    first.lock.close()
    again = take_slot("g/1")
    assert again.member == first.member

    for slot in (second, other_group, again):
        slot.lock.close()
