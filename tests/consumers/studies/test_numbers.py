"""The numbers of a mail."""

import math

from consumers.studies import numbers
from consumers.studies.corpus import word_set
from stream_nb.types import Mail, Part


def test_numbers_of_an_empty_mail_are_finite():
    for mail in (Mail(()), Mail((Part("", b""),)), Mail((Part("", b"\xff" * 10),))):
        assert all(math.isfinite(value) for value in numbers.mail_numbers(mail).values())
    assert word_set(Mail((Part("subject", b"Free"), Part("", b"free free")))) == {"subject:free": 1, "free": 1}
