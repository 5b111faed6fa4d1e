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


@pytest.mark.parametrize("study", [gaussian.study, boundary.study])
def test_Q9_messages_with_only_categories_have_no_numbers(study):
    """The ten numbers of an empty text used to be drawn, all constant."""
    mails = [Labelled(Mail((Part("", b""),), (), (("hue", "red"),)), label) for label in ("ham", "spam")]
    with pytest.raises(UserError, match="no message has a number, or a word to measure"):
        study(mails)
