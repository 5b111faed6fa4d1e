"""How tokens and counted tokens are prepared for the kernels."""

import math

import pytest

from stream_nb.features.token_counts import in_units, is_count, joined_text, summed


@pytest.mark.parametrize("pair", [("free", 2), ["free", 0.5], ("free", True)])
def test_a_pair_of_text_and_number_is_a_counted_token(pair):
    assert is_count(pair)


@pytest.mark.parametrize("other", ["ab", b"ab", ("free", "2"), (2, "free"), ("free",), ("a", "b", 3)])
def test_other_values_are_no_counted_tokens(other):
    assert not is_count(other)


def test_repeated_counts_of_a_token_are_summed():
    assert summed([("free", 1), ("money", 2), ("free", 0.5)]) == {"free": 1.5, "money": 2}


def test_counts_become_units_and_those_below_one_unit_are_dropped():
    tokens, units = in_units({"free": 100, "half": 0.5, "zero": 0, "less": -3, "tiny": 0.001})
    assert dict(zip(tokens, units.tolist(), strict=True)) == {"free": 25600, "half": 128}
    assert in_units({})[0] == []


def test_a_text_among_counts_is_refused_with_the_way_to_read_it():
    with pytest.raises(ValueError, match=r"2\^40; to read it as the message, give x\['body'\] instead of x$"):
        in_units({"body": "win money"})


@pytest.mark.parametrize("count", [math.nan, math.inf, 2.0**41, 1e308, 10**400, None, "many", b"x", [1], {}, 1j])
def test_an_invalid_count_is_refused_with_its_token(count):
    with pytest.raises(ValueError, match=r"the count of 'money' is .*: give a finite number up to 2\^40"):
        in_units({"free": 1, "money": count})


@pytest.mark.parametrize(
    ("tokens", "text", "plain"),
    [
        (["a", "b"], b"a\0b", True),
        (["a", b"\xff", 3], b"a\0\xef\xbf\xbd\x003", False),
        (["a\0b", "c"], b"a\xef\xbf\xbdb\0c", True),
        ([""], b"", True),
        ([], b"", True),
    ],
)
def test_tokens_are_joined_by_null_bytes_which_are_replaced_within_them(tokens, text, plain):
    assert joined_text(tokens) == (text, plain)
