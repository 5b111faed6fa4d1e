"""The numbers that are measured on a mail."""

import math

import pytest

from consumers.errors import UserError
from consumers.studies import boundary, gaussian, numbers
from consumers.studies.corpus import Labelled, word_set
from stream_nb.types import Mail, Part


def test_numbers_of_an_empty_mail_are_finite():
    for mail in (Mail(()), Mail((Part("", b""),)), Mail((Part("", b"\xff" * 10),))):
        assert all(math.isfinite(value) for value in numbers.mail_numbers(mail).values())
    assert word_set(Mail((Part("subject", b"Free"), Part("", b"free free")))) == {"subject:free": 1, "free": 1}


def test_the_numbers_and_categories_of_a_text_are_counts_and_shares_of_its_bytes_and_words():
    mail = Mail((Part("subject", b"Hi"), Part("", b"ZAN 09 now now !\nhttp://x.y \x80")))  # 8 words, 32 bytes
    assert numbers.mail_numbers(mail) == {
        "log bytes": math.log(1 + 32),
        "log words": math.log(1 + 8),
        "log longest line": math.log(1 + 16),
        "word length": 25 / 8,
        "distinct words": 7 / 8,
        "capitals": 4 / 32,
        "digits": 2 / 32,
        "high bytes": 1 / 32,
        "exclamations": 1 / 32,
        "links": 1 / 8,
    }
    assert numbers.mail_numbers(mail).keys() == numbers.UNITS.keys()
    categories = {"has a subject": True, "has a link": True, "exclaims": True, "length": "short"}
    assert numbers.mail_categories(mail) == categories
    assert not numbers.mail_categories(Mail((Part("subject", b" "),)))["has a subject"]
    for size, length in ((299, "short"), (300, "middling"), (1999, "middling"), (2000, "long")):
        plain = Mail((Part("", b"x" * size),))
        assert [*numbers.mail_categories(plain).values()] == [False, False, False, length]
    assert numbers.with_features([Labelled(mail, "ham")])[0].features == (
        *categories.items(),
        *numbers.mail_numbers(mail).items(),
    )


@pytest.mark.parametrize("study", [gaussian.study, boundary.study])
def test_Q9_messages_with_only_categories_have_no_numbers(study):
    """The ten numbers of an empty text used to be drawn, all constant."""
    mails = [Labelled(Mail((Part("", b""),), (), (("hue", "red"),)), label) for label in ("ham", "spam")]
    with pytest.raises(UserError, match="no message has a number, or a word to measure"):
        study(mails)
