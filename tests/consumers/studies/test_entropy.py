"""The entropy of the words of each class."""

import math

import pytest

from consumers.studies import entropy
from consumers.studies.corpus import Labelled
from stream_nb import Mail, Part


def test_L5_entropy_equals_its_definition(mails):
    section = entropy.study(mails[:100])
    rows = {row[0]: row for row in section.figures["rows"]}
    for label in ("ham", "spam"):
        words = [
            w for m in mails[:100] if m.label == label for w in m.mail.parts[0].text.decode().replace("!", "").split()
        ]
        shares = [words.count(word) / len(words) for word in set(words)]
        assert rows[label][2] == pytest.approx(-math.fsum(p * math.log2(p) for p in shares))
        assert rows[label][3] == pytest.approx(2 ** rows[label][2])
        assert rows[label][1] == sum(mail.label == label for mail in mails[:100])
    narrow, spread = sorted(rows, key=lambda label: rows[label][2])
    assert f"Here {spread} is more spread out than {narrow}." in section.text[0]
    points = [line.split('"')[0].split() for line in section.charts[0].split('points="')[1:]]
    assert len(points) == 2
    assert all(45 <= len(each) <= 50 for each in points)  # at every second mail, once the class is known


def test_a_long_word_is_truncated():
    long = [Labelled(Mail((Part("", b"y" * 200),)), label) for label in ("ham", "spam")]
    assert [row[4] for row in entropy.study(long).tables[0][1]] == ["y" * 40] * 2


def test_a_word_that_a_class_never_used_is_not_among_its_most_probable_words():
    few = [Labelled(Mail((Part("", text),)), label) for label, text in (("ham", b"now lunch"), ("spam", b"money"))]
    assert [row[4] for row in entropy.study(few).tables[0][1]] == ["lunch, now", "money"]
    assert "Here ham is more spread out than spam." in entropy.study(few).text[0]
    assert "money" in entropy.study(few, smoothing=1.0).tables[0][1][0][4]


def test_classes_with_the_same_shares_of_words_are_equally_spread_out():
    same = [Labelled(Mail((Part("", b"now lunch noon"),)), label) for label in ("ham", "ham", "ham", "spam")]
    assert "Here all classes are equally spread out." in entropy.study(same).text[0]
