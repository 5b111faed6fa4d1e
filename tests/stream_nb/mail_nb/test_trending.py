"""Rising words: the two-proportion test, and which words are left out."""

import math

import pytest

from stream_nb import MailNB
from stream_nb.mail_nb.trending import LEAST_MAILS, LEAST_Z, Rise, rising


@pytest.fixture(scope="module")
def model():
    model = MailNB()
    for text in ("lunch at noon", "offer today", "free money"):
        model.learn_one(text, "ham")
    return model


def test_rising_words_have_the_z_of_the_two_proportion_test(model):
    old = ["lunch at noon"] * 30 + ["offer today"] * 10
    new = [("offer today", "spam")] * 15 + [("offer today", "ham")] * 5 + [("lunch", "ham")] * 20
    share = (10 + 20) / 80
    z = (20 / 40 - 10 / 40) / math.sqrt(share * (1 - share) * (1 / 40 + 1 / 40))
    assert LEAST_Z > z
    more = [("offer today", "spam")] * 20 + new
    share = (10 + 40) / 100
    z = (40 / 60 - 10 / 40) / math.sqrt(share * (1 - share) * (1 / 40 + 1 / 60))
    assert rising(model, old, new) == []
    found = rising(model, old, more)
    assert {rise.text for rise in found} == {"offer", "today"}  # no pairs
    for rise in found:
        assert (rise.before, rise.now, rise.label) == (10 / 40, 40 / 60, "spam")
        assert rise.z == pytest.approx(z, rel=1e-12)


def test_rising_words_are_sorted_by_z_and_limited_to_n(model):
    old = ["noon"] * 20
    new = [("free money", "spam")] * 10 + [("money", "spam")] * 10
    assert [rise.text for rise in rising(model, old, new)] == ["money", "free"]
    assert [rise.text for rise in rising(model, old, new, n=1)] == ["money"]


def test_few_mails_unknown_words_and_words_of_all_mails_do_not_rise(model):
    few = [("offer", "spam")] * (LEAST_MAILS - 1)
    assert rising(model, ["noon"] * 50, few) == []
    assert rising(model, ["noon"] * 50, [("strange", "spam")] * 50) == []
    assert rising(model, ["offer"] * 50, [("offer", "spam")] * 50) == []


@pytest.mark.parametrize(("old", "new"), [([], []), ([], [("offer", "spam")]), (["offer"], [])])
def test_without_old_or_new_mails_no_word_rises(model, old, new):
    assert rising(model, old, new) == []


def test_looking_for_rising_words_leaves_the_model_unchanged(model):
    before = model.to_bytes()
    assert isinstance(rising(model, ["noon"] * 9, [("offer", "spam")] * 9)[0], Rise)
    assert model.to_bytes() == before


def test_a_negative_number_of_words_is_refused(model):
    with pytest.raises(ValueError, match="n is -1: give a whole number of 0 or more"):
        rising(model, [], [], n=-1)
