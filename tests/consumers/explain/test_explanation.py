"""The beginning of a mail, as an explanation shows it."""

from __future__ import annotations

import pytest

from consumers.explain.explanation import PREVIEW_CHARS, preview
from stream_nb.types import Mail, Part


@pytest.mark.parametrize("character", ["a", "é", "日", "😀"])
@pytest.mark.parametrize("more", [0, 1, 5_000])
def test_the_preview_is_the_beginning_of_the_body_and_shows_that_it_goes_on(character, more):
    body = character * (PREVIEW_CHARS + more)
    mail = Mail((Part("subject", b"hello"), Part("", body.encode()), Part("hidden", b"secret")))

    assert preview(mail) == (body if not more else f"{character * (PREVIEW_CHARS - 1)}…")


def test_a_mail_of_numbers_has_an_empty_preview():
    assert preview(Mail((), features=(("size", 1.0),))) == ""
