"""The study of the strangest mails."""

import math
from statistics import fmean

import pytest

from consumers.studies import novelty
from consumers.studies.corpus import Labelled
from stream_nb import MultinomialNB
from stream_nb.types import Mail, Part

EMPTY = Mail((Part("", b""),))


def test_M11_M12_a_mail_of_new_words_is_the_strangest(mails):
    odd = Labelled(Mail((Part("subject", b"odd"), Part("", b" ".join([b"zyx%d" % i for i in range(14)])))), "ham")
    section = novelty.study([*mails[:250], odd, *mails[250:300]])
    number, subject, label, words, new, bits, *_ = section.figures["rows"][0]
    assert (number, subject, label, words) == (251, "odd", "ham", 15)
    assert new == 1.0
    assert bits > 1.5 * section.figures["rows"][1][5]


def strange(words: int) -> Labelled:
    return Labelled(Mail((Part("", b" ".join(b"qq%d" % n for n in range(words))),)), "ham")


def test_only_mails_of_the_second_half_with_ten_words_or_more_are_listed(mails):
    stream = [
        *mails[:50],
        strange(20),
        Labelled(EMPTY, "spam"),
        *mails[50:120],
        strange(9),
        *mails[120:150],
        strange(10),
    ]
    section = novelty.study(stream)
    rows = section.figures["rows"]
    assert rows[0][:4] == (len(stream), " ".join(f"qq{n}" for n in range(10)), "ham", 10)
    assert all(row[0] > len(stream) / 2 and row[3] >= 10 for row in rows)
    assert 52 not in {number for number, *_ in section.figures["novelty"]}
    bits = [row[5] for row in rows]
    assert bits[:-3] == sorted(bits[:-3], reverse=True) and bits[-3:] == sorted(bits)[:3]


@pytest.mark.parametrize(("listed", "ordinary"), [(1, 0), (10, 0), (11, 1), (20, 3)])
def test_no_mail_is_both_among_the_strangest_and_the_most_ordinary(listed, ordinary, mails):
    section = novelty.study([*mails[:60], *[Labelled(EMPTY, "ham")] * 60, *[strange(10)] * listed])
    assert f"most ordinary ones ({ordinary})" in section.text[0]
    numbers = [number for number, *_ in section.figures["rows"]]
    assert len(set(numbers)) == len(numbers) == min(listed, 10) + ordinary


def test_M12_each_point_of_the_curves_is_the_mean_of_the_latest_mails_of_a_class(mails, monkeypatch):
    drawn = []
    monkeypatch.setattr(novelty, "line_chart", lambda curves, *_: drawn.append(curves) or "")
    monkeypatch.setattr(novelty, "_WINDOW", 3)
    measured = novelty.study(mails[:60]).figures["novelty"]
    for label, curve in drawn[0].items():
        own = [(number, bits) for number, y, bits in measured if y == label]
        means = [fmean(bits for _, bits in own[max(n - 3, 0) : n]) for n in range(1, len(own) + 1)]
        assert [number for number, _ in curve] == [number for number, _ in own]
        assert [mean for _, mean in curve] == pytest.approx(means)


def test_M12_novelty_is_minus_the_logarithm_of_p_of_x_per_word(mails):
    model = MultinomialNB(smoothing=0.1, unseen="smooth")
    measured = {number: bits for number, _, bits in novelty.study(mails[:60]).figures["novelty"]}
    for number, (mail, label) in enumerate(mails[:60], 1):
        x = mail.parts[0].text.decode().replace("!", " ")
        if number in measured:
            p = sum(math.exp(value) for value in model.joint_log_likelihood(x).values())
            assert measured[number] == pytest.approx(-math.log2(p) / len(x.split()))
        model.learn_one(x, label)
    assert len(measured) > 40
