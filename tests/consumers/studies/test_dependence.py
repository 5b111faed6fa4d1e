"""The study of pairs of words that depend on each other."""

import numpy as np
import pytest
from scipy.stats import chi2, chi2_contingency

from consumers.errors import UserError
from consumers.studies import dependence
from consumers.studies.corpus import word_set
from tests.consumers.studies.made import drawn_mails


def test_Q11_the_dependent_pair_comes_first_and_few_independent_pairs_count_as_dependent():
    mails = drawn_mails(2000, seed=2)
    section = dependence.study(mails)
    share = {label: dependent for label, _, _, dependent in section.figures["summary"]}
    top = section.tables[2][1][0]
    assert {top[0], top[1]} == {"win", "now"}
    assert top[2] == pytest.approx(0.5, abs=0.05)
    assert top[3] == pytest.approx(0.25, abs=0.05)
    assert share["ham"] < 0.1
    pairs = dependence._pairs([set(word_set(mail)) for mail, label in mails if label == "spam"], None)
    assert share["spam"] == np.mean([chi2.sf(pair[-1], 1) < 0.001 for pair in pairs])
    assert section.charts[0].count("<circle") > 100


def test_Q11_of_equally_common_words_the_first_by_name_are_compared(monkeypatch):
    """A set has another order in each process, and the same mails must give the same tables."""
    monkeypatch.setattr(dependence, "_MOST_WORDS", 3)
    words = {f"word{number}" for number in range(10, 40)}
    rows = dependence._pairs([*[words] * 5, *[set()] * 5], None)
    assert [row[:2] for row in rows] == [("word10", "word11"), ("word10", "word12"), ("word11", "word12")]


def test_Q11_the_words_can_be_chosen(mails):
    section = dependence.study(mails, words="win, now, free")
    assert [pairs for _, _, pairs, _ in section.figures["summary"]] == [0, 3]
    assert section.tables[2][1][0][:2] == ("now", "win")
    for words in ("free", "free,zebra"):
        with pytest.raises(UserError, match="--words"):
            dependence.study(mails, words=words)


def test_Q11_chi_square_equals_scipy():
    both, a, b, n = 30, 50, 60, 200
    table = np.array([[both, a - both], [b - both, n - a - b + both]])
    joint, product, ratio, chi_square = dependence._compare(both, a, b, n)
    assert chi_square == pytest.approx(chi2_contingency(table, correction=False).statistic)
    assert (joint, product, ratio) == (0.15, 0.075, 2.0)
