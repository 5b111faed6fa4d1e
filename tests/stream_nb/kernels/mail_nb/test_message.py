"""Scores and updates equal the documented formulas, computed in plain Python from the messages and labels alone."""

import random

import pytest

from stream_nb import Mail, MailNB, Part
from stream_nb.kernels.layout import UNIT, MailUpdate
from tests.support.mail_oracle import MailOracle

ORIGINATORS = ("", "news@example.org", "ann@example.org")


def stream(classes, messages, seed):
    """Mails of overlapping vocabularies. Source b errs often, c always; the mails of one originator change class."""
    draw = random.Random(seed)
    for number in range(messages):
        c = draw.randrange(len(classes)) if draw.random() < 0.7 else 0
        words = [f"w{(draw.randrange(40) + 15 * c) % 70}" for _ in range(draw.randint(1, 9))]
        source, originator = draw.choice("aaaaaabcc"), draw.choice(ORIGINATORS)
        wrong = source == "c" or (source == "b" and draw.random() < 0.4) or (originator[:4] == "news" and number > 200)
        yield " ".join(words), classes[(c + wrong) % len(classes)], source, originator


@pytest.mark.parametrize("classes", [("ham", "spam"), ("spam", "ham", "work")], ids=len)
@pytest.mark.parametrize("seed", range(2))
def test_scores_and_updates_equal_the_formulas(classes, seed):
    model, oracle = MailNB(), MailOracle("spam")
    for text, label, source, originator in stream(classes, 400, seed):
        mail = Mail((Part("", text.encode()),), originator=originator)
        assert model.class_scores(mail) == pytest.approx(oracle.scores(text), abs=1e-12)
        update, change = model.grade(mail, label, source), oracle.learn(text, label, source, originator)
        assert (update.weight, update.taken) == (UNIT * change.weight, UNIT * change.taken)
        assert update.rival == change.rival
        assert update.tallies[MailUpdate.BIN : MailUpdate.ALL_GAIN] == (change.bin, UNIT * change.share)
        assert update.tallies[MailUpdate.SOURCE_DOUBT] == round(65536 * change.surprise)
        model.apply_update(mail, update)
